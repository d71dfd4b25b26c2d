// The calls of c_unlabelled.h that ask a density.
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "c_api/boundary.h"
#include "c_api/conformed_rows.h"
#include "c_api/handles.h"
#include "coppice/c_unlabelled.h"
#include "coppice/density.h"
#include "coppice/error.h"

namespace coppice {
namespace {

// Where the answers go; made before they are worked out, so that a wrong size is refused at once.
struct ConditionalArrays {
  ConditionalArrays(const CoppiceConditional& to, std::size_t features)
      : mean(optional_array(to.mean, to.mean_size, features, "mean")),
        variance(optional_array(to.variance, to.variance_size, features, "variance")),
        at(required_array(to.density_at, to.density_at_size, to.density_at_size, "density_at")),
        density(optional_array(to.density, to.density_size, to.density_at_size, "density")),
        sample(optional_array(to.sample, to.sample_size, product(to.sample_rows, features),
                              "sample")) {}

  std::span<double> mean, variance;
  std::span<const double> at;
  std::span<double> density;
  std::span<float> sample;
};

void check_unknown(std::span<const float> row, std::size_t feature) {
  if (feature >= row.size() || !std::isnan(row[feature]))
    throw Error(ErrorKind::invalid_option,
                "'density_of' has to be the number of a feature that is not known");
}

// Known features are what they are; the others have the moments of the conditional.
void write_moments(const Conditional& conditional, std::span<const float> row,
                   const ConditionalArrays& arrays) {
  if (arrays.mean.empty() && arrays.variance.empty()) return;
  std::vector<double> mean(row.begin(), row.end()), variance(row.size(), 0.0);
  const Conditional::Moments found = conditional.moments();
  for (std::size_t i = 0; i < conditional.unknown().size(); ++i) {
    mean[conditional.unknown()[i]] = found.mean[i];
    variance[conditional.unknown()[i]] = found.variance[i];
  }
  copy_to(arrays.mean, mean);
  copy_to(arrays.variance, variance);
}

}  // namespace
}  // namespace coppice

using namespace coppice;

CoppiceStatus coppice_log_density(const CoppiceForest* forest, const CoppiceDataset* dataset,
                                  size_t threads, double* log_density, size_t log_density_size,
                                  double* unusual, size_t unusual_size) {
  return guarded([&] {
    const ConformedRows rows = conformed_rows(forest, dataset);
    const std::size_t count = rows.view().rows;
    const auto logs = optional_array(log_density, log_density_size, count, "log_density");
    const auto shares = optional_array(unusual, unusual_size, count, "unusual");
    const DensityModel& model = forest->density();
    const std::vector<double> found = model.log_density(rows.view(), on_threads(threads));
    if (!shares.empty()) {
      const std::vector<double> ranked = model.unusual(found);
      if (ranked.empty())
        throw Error(ErrorKind::invalid_option,
                    "the forest was trained without out-of-bag rows; let 'unusual' be NULL");
      copy_to(shares, ranked);
    }
    copy_to(logs, found);
  });
}

CoppiceStatus coppice_sample(const CoppiceForest* forest, size_t rows, uint64_t seed, float* values,
                             size_t size) {
  return guarded([&] {
    const CoppiceForest& model = required(forest, "forest");
    const std::size_t features = model.forest.info().schema.features.size();
    const auto output = required_array(values, size, product(rows, features), "values");
    copy_to(output, model.density().sample(rows, seed));
  });
}

CoppiceStatus coppice_condition(const CoppiceForest* forest, const float* row, size_t features,
                                CoppiceConditional* conditional) {
  return guarded([&] {
    const CoppiceForest& model = required(forest, "forest");
    const auto known =
        required_array(row, features, model.forest.info().schema.features.size(), "row");
    CoppiceConditional given = read_struct(conditional, "conditional");
    const ConditionalArrays arrays(given, known.size());
    if (!arrays.density.empty()) check_unknown(known, given.density_of);
    const Conditional found = model.density().condition(known);
    if (!std::isfinite(found.log_known()))
      throw Error(ErrorKind::invalid_data,
                  "what is known has no density: it lies outside of all that the forest has seen");
    write_moments(found, known, arrays);
    if (!arrays.density.empty())
      copy_to(arrays.density,
              found.density(static_cast<std::uint32_t>(given.density_of), arrays.at));
    if (!arrays.sample.empty())
      copy_to(arrays.sample, found.sample(given.sample_rows, given.sample_seed));
    given.log_known = found.log_known();
    write_struct(given, conditional, "conditional");
  });
}
