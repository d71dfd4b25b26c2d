#include "model/payload_codes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/half.h"
#include "coppice/error.h"
#include "model/forest_builder.h"
#include "model/tree_copy.h"

namespace coppice {
namespace {

constexpr int kMostCode = 255;

// Codes that add up to kMostCode: rounded down, then the largest remainders up, the first of equal
// ones.
void round_probabilities(const ByteCodes& codes, std::span<float> payload) {
  std::vector<int> code(payload.size());
  std::vector<double> rest(payload.size());
  for (std::size_t k = 0; k < payload.size(); ++k) {
    const double units = double{payload[k]} * kMostCode;
    code[k] = static_cast<int>(units);
    rest[k] = units - code[k];
  }
  std::vector<std::size_t> order(payload.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rest[a] > rest[b]; });
  const int missing = std::max(0, kMostCode - std::accumulate(code.begin(), code.end(), 0));
  for (int n = 0; n < missing; ++n) ++code[order[static_cast<std::size_t>(n) % order.size()]];
  for (std::size_t k = 0; k < payload.size(); ++k)
    payload[k] = codes.value(k, static_cast<std::uint8_t>(std::min(code[k], kMostCode)));
}

}  // namespace

ByteCodes::ByteCodes(const ForestArrays& arrays, PayloadKind kind) {
  for (std::size_t column = 0; column < arrays.payload_size; ++column) {
    float low = 0, high = 1;
    if (kind != PayloadKind::class_histogram) {
      low = high = arrays.payload[column];
      for (std::size_t at = column; at < arrays.payload.size(); at += arrays.payload_size) {
        low = std::min(low, arrays.payload[at]);
        high = std::max(high, arrays.payload[at]);
      }
    }
    ranges_.push_back(low);
    ranges_.push_back(high);
  }
}

float ByteCodes::value(std::size_t column, std::uint8_t code) const {
  const double low = double{ranges_[2 * column]}, high = double{ranges_[2 * column + 1]};
  return static_cast<float>((low * (kMostCode - code) + high * code) / kMostCode);
}

std::uint8_t ByteCodes::nearest(std::size_t column, float value) const {
  const double low = double{ranges_[2 * column]}, high = double{ranges_[2 * column + 1]};
  if (!(high > low)) return 0;
  const double code = std::floor((double{value} - low) / (high - low) * kMostCode + 0.5);
  return static_cast<std::uint8_t>(std::clamp(code, 0.0, double{kMostCode}));
}

bool can_be_rounded(PayloadKind kind) {
  switch (kind) {
    case PayloadKind::class_histogram:
    case PayloadKind::class_scores:
    case PayloadKind::mean_variance:
      return true;
    case PayloadKind::mean_covariance:  // |cov| <= sd sd
    case PayloadKind::mean_quantiles:   // ascending
    case PayloadKind::linear:           // numbers of features
    case PayloadKind::linear_gaussian:
    case PayloadKind::gaussian:  // a matrix that has a factor
      return false;
  }
  return false;
}

void round_payload(PayloadPrecision precision, PayloadKind kind, const ByteCodes& codes,
                   std::span<float> payload) {
  if (precision == PayloadPrecision::full) return;
  if (precision == PayloadPrecision::half) {
    for (float& value : payload) value = from_half(to_half(value));
    return;
  }
  if (kind == PayloadKind::class_histogram) return round_probabilities(codes, payload);
  for (std::size_t k = 0; k < payload.size(); ++k)
    payload[k] = codes.value(k, codes.nearest(k, payload[k]));
}

std::optional<std::size_t> first_unrounded(const ForestArrays& arrays, const ForestInfo& info) {
  if (info.precision == PayloadPrecision::full) return std::nullopt;
  const bool bytes = info.precision == PayloadPrecision::byte;
  const ByteCodes codes = bytes ? ByteCodes(arrays, info.payload_kind) : ByteCodes({});
  for (std::size_t at = 0; at < arrays.payload.size(); ++at) {
    const float value = arrays.payload[at];
    const std::size_t column = at % arrays.payload_size;
    const float kept =
        bytes ? codes.value(column, codes.nearest(column, value)) : from_half(to_half(value));
    if (kept != value) return at;
  }
  return std::nullopt;
}

Forest with_precision(const Forest& forest, PayloadPrecision precision) {
  const PayloadKind kind = forest.info().payload_kind;
  if (precision != PayloadPrecision::full && !can_be_rounded(kind))
    throw Error(ErrorKind::invalid_option,
                "leaves of this kind must be kept with full precision; leave the precision out");
  const ForestArrays& arrays = forest.arrays();
  const ByteCodes codes(arrays, kind);
  ForestBuilder builder(arrays.payload_size);
  const auto centres = arrays.projections.centre;
  builder.set_centres({centres.begin(), centres.end()});
  for (std::size_t t = 0; t < forest.trees(); ++t) {
    TreeArrays tree = copy_tree(forest, t, {}).tree;
    tree.payload.clear();
    for (std::size_t leaf = arrays.first_leaf(t); leaf < arrays.first_leaf(t + 1); ++leaf) {
      const std::span<const float> payload = arrays.payload_of(leaf);
      tree.payload.insert(tree.payload.end(), payload.begin(), payload.end());
      round_payload(precision, kind, codes, std::span(tree.payload).last(payload.size()));
    }
    builder.append(tree);
  }
  ForestInfo info = forest.info();
  info.precision = precision;
  return Forest(builder.finish(), std::move(info));
}

}  // namespace coppice
