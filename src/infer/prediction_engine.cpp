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
  if (forest_.info().payload_kind == PayloadKind::class_histogram) {
    result.labels.resize(rows);
  } else {
    result.variance.resize(rows * outputs);
  }
  const auto of_rows = [outputs](std::vector<double>& values, std::size_t first,
                                 std::size_t count) {
    return values.empty() ? std::span<double>{}
                          : std::span(values).subspan(first * outputs, count * outputs);
  };
  const auto count_votes = [&](const LeafBatch& batch, std::size_t first) {
    counter_.count(batch, of_rows(result.mean, first, batch.rows).data(),
                   of_rows(result.variance, first, batch.rows).data());
  };
  const auto read_out_rows = [&](std::size_t first, std::size_t count) {
    counter_.read_out(of_rows(result.mean, first, count), of_rows(result.variance, first, count));
    for (std::size_t row = first; !result.labels.empty() && row < first + count; ++row)
      result.labels[row] = most_probable(of_rows(result.mean, row, 1));
  };
  if (rows <= kFewRows && !compiled_.reads_values()) {
    for_each_row(source, rows, count_votes, read_out_rows);
  } else {
    for_each_tile(source, rows, context, count_votes, read_out_rows);
  }
  return result;
}

}  // namespace coppice
