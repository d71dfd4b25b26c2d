#include "model/payload_faults.h"

#include <cmath>
#include <span>
#include <vector>

#include "base/cholesky.h"
#include "base/payload_layout.h"
#include "model/payload_codes.h"

namespace coppice {
namespace {

// Of a pivot, beside its diagonal entry: what rounding to floats may leave of a matrix that has
// a factor.
constexpr double kLeastPivot = 1e-9;
constexpr double kHistogramTolerance = 1e-4, kHalfTolerance = 1e-3;

PayloadLayout layout_for(const ForestArrays& arrays, const ForestInfo& info) {
  return PayloadLayout::of_size(info.payload_kind, outputs_of(info.payload_kind, info.schema),
                                arrays.payload_size);
}

Fault row_fault(std::span<const float> payload, std::size_t row, std::size_t at) {
  return fault("leaf.payload", row * payload.size() + at, "value {} of payload row {} is {}", at,
               row, payload[at]);
}

Fault histogram_fault(std::span<const float> payload, std::size_t row, double tolerance) {
  double sum = 0;
  for (std::size_t i = 0; i < payload.size(); ++i) {
    if (payload[i] < 0) return row_fault(payload, row, i);
    sum += payload[i];
  }
  if (std::abs(sum - 1) <= tolerance) return std::nullopt;
  return fault("leaf.payload", row * payload.size(),
               "the probabilities of payload row {} add up to {}", row, sum);
}

// |cov| <= sd sd, up to rounding.
Fault covariance_fault(const PayloadLayout& layout, std::span<const float> payload,
                       std::size_t row) {
  constexpr double kRounding = 1.0001;
  const std::size_t outputs = layout.outputs();
  for (std::size_t k = 0; k < outputs; ++k)
    for (std::size_t j = 0; j < k; ++j) {
      const double covariance = payload[layout.covariance(j, k)];
      const double most = std::sqrt(double{payload[outputs + j]} * payload[outputs + k]);
      if (std::abs(covariance) > kRounding * most)
        return row_fault(payload, row, layout.covariance(j, k));
    }
  return std::nullopt;
}

// The covariance matrix has a Cholesky factor, a mass is one, and so is the share of the leaf.
Fault gaussian_fault(const PayloadLayout& layout, std::span<const float> payload, std::size_t row) {
  const std::size_t outputs = layout.outputs();
  std::vector<double> triangle;
  for (std::size_t k = 0; k < outputs; ++k)
    for (std::size_t j = 0; j <= k; ++j)
      triangle.push_back(double{payload[layout.covariance(j, k)]});
  if (!factorise(triangle, outputs, kLeastPivot)) return row_fault(payload, row, outputs);
  if (payload[layout.log_mass()] > 0) return row_fault(payload, row, layout.log_mass());
  constexpr double kRounding = 1e-3;
  if (double{payload[layout.log_weight()]} + double{payload[layout.log_mass()]} > kRounding)
    return row_fault(payload, row, layout.log_weight());
  if (payload[layout.mass_error()] < 0) return row_fault(payload, row, layout.mass_error());
  return std::nullopt;
}

Fault quantiles_fault(const PayloadLayout& layout, std::span<const float> payload,
                      std::size_t row) {
  for (std::size_t k = 0; k < layout.outputs(); ++k)
    for (std::size_t i = 1; i < layout.points(); ++i) {
      const std::size_t at = layout.quantiles(k) + i;
      if (payload[at] < payload[at - 1]) return row_fault(payload, row, at);
    }
  return std::nullopt;
}

bool whole_number_between(float value, double least, double most) {
  return value >= least && value <= most && value == std::floor(value);
}

Fault terms_fault(const PayloadLayout& layout, const Schema& schema, std::span<const float> payload,
                  std::size_t row) {
  for (std::size_t n = 0; n < layout.terms(); ++n) {
    const std::size_t at = layout.term(n);
    const float feature = payload[at + LinearTerm::feature];
    if (!whole_number_between(feature, 0, static_cast<double>(schema.features.size()) - 1) ||
        (payload[at + LinearTerm::power] > 0 &&
         schema.features[static_cast<std::size_t>(feature)].kind != FeatureKind::numeric))
      return row_fault(payload, row, at + LinearTerm::feature);
    if (!whole_number_between(payload[at + LinearTerm::power], 0, LinearTerm::kMostPower))
      return row_fault(payload, row, at + LinearTerm::power);
  }
  if (layout.kind() == PayloadKind::linear_gaussian && payload[layout.inverse_weight()] < 0)
    return row_fault(payload, row, layout.inverse_weight());
  return std::nullopt;
}

// The features of a density are numbers, and there is nothing else to predict.
Fault features_fault(const ForestInfo& info) {
  const Schema& schema = info.schema;
  if (!schema.targets.empty() || !schema.classes.empty())
    return fault("schema", 0, "payloads are about features, but there are targets or classes");
  for (std::size_t f = 0; f < schema.features.size(); ++f)
    if (schema.features[f].kind != FeatureKind::numeric)
      return fault("schema", f, "payloads are about numbers, but feature {} is a category", f);
  if (info.ensemble != Ensemble::mean)
    return fault("ensemble", 0, "densities of trees are averaged (ensemble 'mean')");
  return std::nullopt;
}

}  // namespace

Fault payload_size_fault(const ForestArrays& arrays, const ForestInfo& info) {
  const std::size_t classes = info.schema.classes.size(), targets = info.schema.targets.size();
  if (info.payload_kind == PayloadKind::gaussian) {
    if (const Fault found = features_fault(info)) return found;
  } else if (predicts_classes(info.payload_kind)) {
    if (classes == 0) return fault("schema", 0, "payloads are about classes, but there are none");
    if (targets > 1) return fault("schema", 0, "there are classes but {} targets", targets);
  } else {
    if (targets == 0) return fault("schema", 0, "there are means but no targets");
    if (classes > 0) return fault("schema", 0, "there are means but also classes");
    if (info.ensemble == Ensemble::vote)
      return fault("ensemble", 0, "trees vote, but there are no classes");
  }
  const bool scores = info.payload_kind == PayloadKind::class_scores;
  const bool sum = info.ensemble == Ensemble::sum;
  if (scores && !sum) return fault("ensemble", 0, "class scores are added up (ensemble 'sum')");
  if (sum && !scores && info.payload_kind != PayloadKind::mean_variance)
    return fault("ensemble", 0, "payloads of this kind cannot be added up (ensemble 'sum')");
  const std::size_t expected = layout_for(arrays, info).size();
  if (arrays.payload_size == expected) return std::nullopt;
  return fault("leaf.payload", 0, "a payload has {} values, but the schema asks for {}",
               arrays.payload_size, expected);
}

Fault payloads_fault(const ForestArrays& arrays, const ForestInfo& info) {
  const PayloadLayout layout = layout_for(arrays, info);
  const std::size_t size = arrays.payload_size, outputs = layout.outputs();
  const bool classes = predicts_classes(info.payload_kind);
  const double tolerance =
      info.precision == PayloadPrecision::half ? kHalfTolerance : kHistogramTolerance;
  for (std::size_t row = 0; row < arrays.payload.size() / size; ++row) {
    const std::span<const float> payload = arrays.payload.subspan(row * size, size);
    for (std::size_t i = 0; i < size; ++i)
      if (!std::isfinite(payload[i])) return row_fault(payload, row, i);
    for (std::size_t i = outputs; !classes && i < 2 * outputs; ++i)
      if (payload[i] < 0) return row_fault(payload, row, i);
    Fault found;
    if (layout.kind() == PayloadKind::class_histogram)
      found = histogram_fault(payload, row, tolerance);
    if (layout.kind() == PayloadKind::mean_covariance)
      found = covariance_fault(layout, payload, row);
    if (layout.kind() == PayloadKind::gaussian) found = gaussian_fault(layout, payload, row);
    if (layout.points() > 0) found = quantiles_fault(layout, payload, row);
    if (layout.linear()) found = terms_fault(layout, info.schema, payload, row);
    if (found) return found;
  }
  return std::nullopt;
}

Fault precision_fault(const ForestArrays& arrays, const ForestInfo& info) {
  if (info.precision != PayloadPrecision::full && !can_be_rounded(info.payload_kind))
    return fault("payload_kind", 0, "payloads of this kind must have full precision");
  const auto found = first_unrounded(arrays, info);
  if (!found) return std::nullopt;
  return fault("leaf.payload", *found, "value {} of payload row {} is {}, which is not rounded",
               *found % arrays.payload_size, *found / arrays.payload_size, arrays.payload[*found]);
}

}  // namespace coppice
