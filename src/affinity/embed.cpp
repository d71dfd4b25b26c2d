// Coordinates from eigenvectors (Criminisi 2012, eq. 6.9), and the forest that maps other rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "affinity/leaf_incidence.h"
#include "affinity/spectrum.h"
#include "base/worker_team.h"
#include "coppice/embedding.h"
#include "coppice/error.h"
#include "model/forest_builder.h"
#include "model/tree_copy.h"

namespace coppice {
namespace {

// e_j / sqrt(d), at variance 1 and with a sign that does not depend on chance. Vector 0 is
// sqrt(d) itself, so that the mean with the degrees as weights is 0.
void write_coordinate(const Spectrum& spectrum, std::size_t j, Embedding& embedding) {
  double total = 0, most = 0;
  for (const double degree : spectrum.degrees) total += degree;
  const auto coordinate = [&](std::size_t row) {
    return spectrum.vector(row, j + 1) / std::sqrt(spectrum.degrees[row]);
  };
  for (std::size_t row = 0; row < embedding.rows; ++row)
    if (std::abs(coordinate(row)) > std::abs(most)) most = coordinate(row);
  const double scale = (most < 0 ? -1 : 1) * std::sqrt(total);
  for (std::size_t row = 0; row < embedding.rows; ++row)
    embedding.coordinates[row * embedding.dimensions + j] = scale * coordinate(row);
}

// Per leaf and coordinate the mean over its rows.
class LeafMeans {
 public:
  LeafMeans(const LeafIds& ids, const Embedding& embedding, const ForestArrays& arrays)
      : dimensions_(embedding.dimensions),
        sums_(arrays.leaves() * dimensions_),
        rows_(arrays.leaves()) {
    for (std::size_t tree = 0; tree < ids.trees(); ++tree)
      for (std::size_t row = 0; row < ids.rows(); ++row) {
        const std::size_t leaf = arrays.first_leaf(tree) + ids.leaf(tree, row);
        rows_[leaf] += 1;
        for (std::size_t j = 0; j < dimensions_; ++j)
          sums_[leaf * dimensions_ + j] += embedding.coordinates[row * dimensions_ + j];
      }
  }

  double rows(std::size_t leaf) const { return rows_[leaf]; }
  double most_rows() const { return *std::max_element(rows_.begin(), rows_.end()); }
  double mean(std::size_t leaf, std::size_t j) const {
    return rows_[leaf] > 0 ? sums_[leaf * dimensions_ + j] / rows_[leaf] : 0;
  }

 private:
  std::size_t dimensions_;
  std::vector<double> sums_, rows_;
};

// 1 / (1 - lambda_j) of the Nystroem extension; coordinates of no affinity at all stay 0.
std::vector<double> stretch_of(const Embedding& embedding) {
  std::vector<double> stretch(embedding.dimensions, 1);
  if (!std::holds_alternative<BinaryLeafAffinity>(embedding.affinity)) return stretch;
  for (std::size_t j = 0; j < stretch.size(); ++j) {
    const double share = 1 - embedding.profile.values[j + 1];
    stretch[j] = share > 1e-9 ? 1 / share : 0;
  }
  return stretch;
}

// Trees are weighed by the rows of their leaf: Ensemble::product weighs by 1 / variance, and the
// variances here are most_rows / rows, all of them above what VoteRule takes for the least.
constexpr double kRowsOfEmptyLeaf = 1e-3;

void append_payload(const LeafMeans& means, std::size_t leaf, const std::vector<double>& stretch,
                    std::vector<float>& payload) {
  for (std::size_t j = 0; j < stretch.size(); ++j)
    payload.push_back(static_cast<float>(stretch[j] * means.mean(leaf, j)));
  const double variance = means.most_rows() / std::max(means.rows(leaf), kRowsOfEmptyLeaf);
  for (std::size_t j = 0; j < stretch.size(); ++j) payload.push_back(static_cast<float>(variance));
}

ForestInfo mapping_info(const Forest& forest, const Embedding& embedding) {
  ForestInfo info = forest.info();
  info.payload_kind = PayloadKind::mean_variance;
  info.ensemble = Ensemble::product;
  info.precision = PayloadPrecision::full;
  info.calibration.clear();
  info.schema.classes.clear();
  info.schema.targets.clear();
  for (std::size_t j = 1; j <= embedding.dimensions; ++j)
    info.schema.targets.push_back(fmt::format("embedding_{}", j));
  info.facts.erase("oob_error");
  info.facts.erase("interval_coverage");
  info.facts["embedded_rows"] = std::to_string(embedding.rows);
  info.facts["intrinsic_dimension"] = std::to_string(embedding.profile.intrinsic_dimension);
  info.facts["laplacian_eigenvalues"] =
      fmt::format("{:.6g}", fmt::join(embedding.profile.values, " "));
  return info;
}

}  // namespace

Embedding embed(const Forest& forest, const DatasetView& data, const EmbeddingOptions& options,
                const RunContext& context) {
  if (options.dimensions == 0)
    throw Error(ErrorKind::invalid_option, "an embedding needs one dimension at least");
  Spectrum spectrum =
      find_spectrum(forest, data, options.spectrum, options.dimensions + 1, context);
  Embedding embedding{.rows = data.rows,
                      .dimensions = options.dimensions,
                      .coordinates = std::vector<double>(data.rows * options.dimensions),
                      .affinity = spectrum.affinity,
                      .profile = std::move(spectrum.profile)};
  for (std::size_t j = 0; j < options.dimensions; ++j) write_coordinate(spectrum, j, embedding);
  return embedding;
}

Forest embedding_forest(const Forest& forest, const DatasetView& data, const Embedding& embedding,
                        const RunContext& context) {
  if (data.rows != embedding.rows)
    throw Error(
        ErrorKind::invalid_data,
        fmt::format("the embedding has {} rows, but the data has {}", embedding.rows, data.rows));
  const LeafIds ids = leaf_ids_of(forest, data, context);
  const LeafMeans means(ids, embedding, forest.arrays());
  const std::vector<double> stretch = stretch_of(embedding);
  ForestBuilder builder(2 * embedding.dimensions);
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
    CutTree copy = copy_tree(forest, tree, {});
    const std::size_t first = forest.arrays().first_leaf(tree);
    for (std::size_t n = 0; n < copy.new_leaf.size(); ++n)
      append_payload(means, first + n, stretch, copy.tree.payload);
    builder.append(copy.tree);
  }
  const auto centres = forest.arrays().projections.centre;
  builder.set_centres({centres.begin(), centres.end()});
  return Forest(builder.finish(), mapping_info(forest, embedding));
}

}  // namespace coppice
