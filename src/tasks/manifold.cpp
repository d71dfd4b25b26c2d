// Manifold forests: the objective of densities for any rows, also with missing values, categories
// or many features.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "affinity/largest_eigen.h"
#include "affinity/sparse_affinity.h"
#include "base/row_sums.h"
#include "coppice/embedding.h"

namespace coppice {
namespace {

// Neighbourhoods grow with the data, so that eigenvalues stay apart.
constexpr std::size_t kFewRows = 4000;
constexpr std::uint32_t kDepthOfFew = 12, kDepthOfMany = 9;

// The covariance of the coordinates over their number, so that its trace is 1 at most.
class CovarianceOperator final : public AffinityOperator {
 public:
  explicit CovarianceOperator(const AffinityPoints& points) : points_(points) {}

  std::size_t size() const override { return points_.width; }
  void apply(const Panel& x, Panel& y, std::size_t workers) const override {
    y.values = sum_rows(points_.rows, size() * kPanelWidth, workers,
                        [&](std::size_t row, double* sums) { add(x, row, sums); });
    const double scale = 1 / (static_cast<double>(points_.rows) * static_cast<double>(size()));
    for (double& value : y.values) value *= scale;
  }

 private:
  void add(const Panel& x, std::size_t row, double* sums) const {
    const float* const point = points_.of(0, row);
    double along[kPanelWidth] = {};
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t k = 0; k < kPanelWidth; ++k) along[k] += double{point[i]} * x.row(i)[k];
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t k = 0; k < kPanelWidth; ++k)
        sums[i * kPanelWidth + k] += double{point[i]} * along[k];
  }

  const AffinityPoints& points_;
};

// rows x kMostDirections or fewer.
std::vector<double> principal_components(const AffinityPoints& points, std::size_t directions,
                                         std::size_t workers) {
  static_assert(kMostDirections <= kPanelWidth);
  const LargestEigen found = largest_eigen(CovarianceOperator(points), {.values = directions,
                                                                        .exact = directions,
                                                                        .tolerance = 1e-4,
                                                                        .most_products = 60,
                                                                        .workers = workers});
  const Panel& axes = found.vectors.front();
  std::vector<double> components(points.rows * directions);
  for (std::size_t row = 0; row < points.rows; ++row)
    for (std::size_t i = 0; i < points.width; ++i)
      for (std::size_t k = 0; k < directions; ++k)
        components[row * directions + k] += double{points.of(0, row)[i]} * axes.row(i)[k];
  return components;
}

}  // namespace

Dataset manifold_dataset(const DatasetView& data, const RunContext& context) {
  validate(data);
  const AffinityPoints points = standard_points(data);
  Dataset made;
  made.schema.features = data.schema->features;
  made.rows = data.rows;
  for (const auto column : data.columns) made.columns.emplace_back(column.begin(), column.end());
  made.weights.assign(data.weights.begin(), data.weights.end());
  const std::size_t directions = std::min(points.width, kMostDirections);
  for (std::size_t k = 1; k <= directions; ++k)
    made.schema.targets.push_back(fmt::format("direction_{}", k));
  const bool all_numbers = points.width == data.columns.size();
  if (all_numbers && points.width <= kMostDirections) {
    made.targets.assign(points.values.begin(), points.values.end());
  } else if (data.rows > 0) {
    made.targets = principal_components(points, directions, worker_count(context.threads));
  }
  return made;
}

FitOptions manifold_options(std::size_t rows, std::size_t features) {
  FitOptions options;
  options.task = Regression{.objective = LogDetObjective{}, .leaf = ProbabilisticConstantLeaf{}};
  options.split.learners = {{WeakLearnerKind::oblique, 1}};
  const auto root = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(features)));
  options.split.candidates = std::max(3u, root);
  options.growth.max_depth = rows <= kFewRows ? kDepthOfFew : kDepthOfMany;
  options.growth.min_samples_leaf = 2;
  options.report.out_of_bag = false;
  return options;
}

}  // namespace coppice
