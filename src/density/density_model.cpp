#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "coppice/density.h"
#include "coppice/error.h"
#include "density/conditional_parts.h"
#include "density/gaussian_table.h"
#include "density/log_sum.h"
#include "density/truncated_draw.h"
#include "infer/prediction_engine.h"

namespace coppice {

struct DensityModel::Parts {
  explicit Parts(const Forest& forest)
      : engine(forest), table(layout_of(forest), forest.arrays().payload) {}

  const Forest& forest() const { return engine.forest(); }

  // Made when first asked for: the density of whole rows does without.
  const std::shared_ptr<const LeafCells>& shared_leaves() const {
    std::call_once(once, [&] { cells = std::make_shared<const LeafCells>(forest()); });
    return cells;
  }
  const LeafCells& leaves() const { return *shared_leaves(); }

  PredictionEngine engine;
  GaussianTable table;
  mutable std::once_flag once;
  mutable std::shared_ptr<const LeafCells> cells;
};

namespace {

const Forest& checked(const Forest& forest) {
  if (forest.info().payload_kind != PayloadKind::gaussian)
    throw Error(ErrorKind::invalid_option,
                "this model is no density; train one with --task density");
  return forest;
}

bool has_missing(const DatasetView& data, std::size_t row) {
  return std::any_of(data.columns.begin(), data.columns.end(),
                     [&](std::span<const float> column) { return std::isnan(column[row]); });
}

}  // namespace

DensityModel::DensityModel(const Forest& forest)
    : parts_(std::make_unique<Parts>(checked(forest))) {}
DensityModel::DensityModel(DensityModel&&) noexcept = default;
DensityModel::~DensityModel() = default;

const Forest& DensityModel::forest() const { return parts_->forest(); }

std::vector<double> DensityModel::log_density(const DatasetView& data,
                                              const RunContext& context) const {
  const ForestArrays& arrays = forest().arrays();
  const PayloadLayout layout = layout_of(forest());
  const std::size_t features = layout.outputs();
  if (data.columns.size() != features)
    throw Error(ErrorKind::invalid_data,
                fmt::format("the data has {} columns, but the model was trained on {}",
                            data.columns.size(), features));
  std::vector<LogSum> sums(data.rows);
  std::vector<double> found(data.rows);
  const double log_trees = portable_log(static_cast<double>(arrays.trees()));
  const auto add_leaves = [&](const LeafBatch& batch, std::size_t first) {
    std::vector<float> rows(batch.rows * features);
    for (std::size_t f = 0; f < features; ++f)
      for (std::size_t row = 0; row < batch.rows; ++row)
        rows[row * features + f] = data.columns[f][first + row];
    for (std::size_t t = 0; t < batch.trees; ++t) {
      const std::size_t first_leaf = arrays.first_leaf(batch.first_tree + t);
      for (std::size_t row = 0; row < batch.rows; ++row) {
        const std::size_t payload = arrays.payload_row[first_leaf + batch.of_tree(t)[row]];
        const float* const x = rows.data() + row * features;
        sums[first + row].add(
            double{arrays.payload[payload * layout.size() + layout.log_weight()]} +
            parts_->table.log_gaussian(payload, [&](std::size_t f) { return x[f]; }));
      }
    }
  };
  const auto read_out = [&](std::size_t first, std::size_t count) {
    std::vector<float> values(features);
    for (std::size_t row = first; row < first + count; ++row) {
      found[row] = sums[row].log() - log_trees;
      if (!has_missing(data, row)) continue;
      for (std::size_t f = 0; f < features; ++f) values[f] = data.columns[f][row];
      found[row] = MixtureParts(parts_->leaves(), values).log_known();
    }
  };
  parts_->engine.for_each_tile(RowSource(data), data.rows, context, add_leaves, read_out);
  return found;
}

std::vector<double> DensityModel::unusual(std::span<const double> log_densities) const {
  const std::vector<float>& known = forest().info().calibration;
  std::vector<double> shares;
  if (known.empty()) return shares;
  const std::span<const float> quantiles = std::span(known).subspan(1);
  const auto levels = static_cast<double>(known.size());
  for (const double log : log_densities) {
    const auto above = std::upper_bound(quantiles.begin(), quantiles.end(), log);
    const auto below = static_cast<std::size_t>(above - quantiles.begin());
    double level = static_cast<double>(below);
    if (below > 0 && below < quantiles.size()) {
      const double from = double{quantiles[below - 1]}, to = double{quantiles[below]};
      level += to > from ? (log - from) / (to - from) : 0;
    }
    shares.push_back(1 - level / levels);
  }
  return shares;
}

std::vector<float> DensityModel::sample(std::size_t rows, std::uint64_t seed,
                                        const RunContext& context) const {
  const LeafCells& leaves = parts_->leaves();
  const PayloadLayout& layout = leaves.layout();
  const std::size_t features = layout.outputs();
  std::vector<std::vector<double>> cumulated(leaves.trees());
  for (std::size_t t = 0; t < leaves.trees(); ++t) {
    double sum = 0;
    for (std::size_t l = 0; l < leaves.leaves(t); ++l) {
      const std::span<const float> payload = leaves.payload(t, l);
      sum +=
          portable_exp(double{payload[layout.log_weight()]} + double{payload[layout.log_mass()]});
      cumulated[t].push_back(sum);
    }
  }
  const std::vector<float> nothing(features, kMissing);
  const KnownFeatures unknown(nothing);
  std::vector<float> drawn(rows * features);
  for_each_row_block(
      rows, worker_count(context.threads), [&](std::size_t, std::size_t first, std::size_t count) {
        for (std::size_t row = first; row < first + count; ++row) {
          RandomStream random = RandomStream(seed).child(row);
          const std::size_t t = random.below(static_cast<std::uint32_t>(leaves.trees()));
          const auto at = std::upper_bound(cumulated[t].begin(), cumulated[t].end(),
                                           random.uniform() * cumulated[t].back());
          const std::size_t leaf = std::min<std::size_t>(
              static_cast<std::size_t>(at - cumulated[t].begin()), leaves.leaves(t) - 1);
          const GivenGaussian gaussian = given(layout, leaves.payload(t, leaf), unknown);
          draw_truncated(leaves.cells(t), leaves.node(t, leaf),
                         {unknown.unknown, gaussian.mean, gaussian.covariance, unknown.row}, random,
                         std::span(drawn).subspan(row * features, features));
        }
      });
  return drawn;
}

Conditional DensityModel::condition(std::span<const float> row) const {
  const std::size_t features = forest().info().schema.features.size();
  if (row.size() != features)
    throw Error(ErrorKind::invalid_data, fmt::format("a row of {} values was given, but the model "
                                                     "has {} features",
                                                     row.size(), features));
  return Conditional(std::make_unique<Conditional::Parts>(
      Conditional::Parts{parts_->shared_leaves(), MixtureParts(parts_->leaves(), row)}));
}

}  // namespace coppice
