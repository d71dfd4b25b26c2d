#include "infer/prediction_engine.h"

#include <span>

#include "infer/votes.h"

namespace coppice {
namespace {

constexpr std::size_t kFewRows = 4;

}  // namespace

template <class OnLeaves, class OnRows>
void PredictionEngine::for_each_row(const RowSource& source, std::size_t rows, OnLeaves&& on_leaves,
                                    OnRows&& on_rows) const {
  const std::size_t trees = compiled_.trees();
  for (std::size_t row = 0; row < rows; ++row) {
    const CompiledForest::RowKeys keys(compiled_, source, row);
    std::uint32_t leaves[kTreesPerBatch];
    for (std::size_t tree = 0; tree < trees; tree += kTreesPerBatch) {
      const LeafBatch batch{leaves, tree, std::min(kTreesPerBatch, trees - tree), 1};
      compiled_.find_leaves(keys, tree, batch.of_row());
      on_leaves(batch, row);
    }
    on_rows(row, 1);
  }
}

Predictions PredictionEngine::predict(const RowSource& source, std::size_t rows,
                                      const RunContext& context) const {
  Predictions result{.rows = rows, .outputs = outputs_of(forest_)};
  const std::size_t outputs = result.outputs;
  result.mean.resize(rows * outputs);
  if (counter_.rule().classes()) {
    result.labels.resize(rows);
  } else {
    result.variance.resize(rows * outputs);
  }
  std::vector<double> weights(counter_.rule().weighs() ? rows * outputs : 0);
  const VoteSums sums{result.mean.data(),
                      result.variance.empty() ? nullptr : result.variance.data(),
                      weights.empty() ? nullptr : weights.data()};
  const auto count_votes = [&](const LeafBatch& batch, std::size_t first) {
    counter_.count(batch, source, first, sums.of_row(first, outputs));
  };
  const auto read_out_rows = [&](std::size_t first, std::size_t count) {
    counter_.read_out(count, sums.of_row(first, outputs));
    for (std::size_t row = first; !result.labels.empty() && row < first + count; ++row)
      result.labels[row] = most_probable({sums.of_row(row, outputs).sums, outputs});
  };
  if (rows <= kFewRows && compiled_.has_row_walk()) {
    for_each_row(source, rows, count_votes, read_out_rows);
  } else {
    for_each_tile(source, rows, context, count_votes, read_out_rows);
  }
  return result;
}

LeafIds PredictionEngine::find_leaf_ids(const RowSource& source, std::size_t rows,
                                        const RunContext& context) const {
  LeafIds ids(rows, compiled_.trees());
  for_each_tile(
      source, rows, context,
      [&](const LeafBatch& batch, std::size_t first) {
        for (std::size_t t = 0; t < batch.trees; ++t)
          for (std::size_t row = 0; row < batch.rows; ++row)
            ids.set(batch.first_tree + t, first + row, batch.of_tree(t)[row], false);
      },
      [](std::size_t, std::size_t) {});
  return ids;
}

}  // namespace coppice
