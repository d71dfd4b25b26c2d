#include <fmt/format.h>

#include <algorithm>

#include "coppice/error.h"
#include "coppice/predict.h"
#include "infer/prediction_engine.h"
#include "infer/votes.h"
#include "model/walk.h"

namespace coppice {
namespace {

void refuse_wrong_columns(const DatasetView& data, std::size_t features) {
  if (data.columns.size() != features)
    throw Error(ErrorKind::invalid_data,
                fmt::format("the data has {} columns, but the model was trained on {}",
                            data.columns.size(), features));
  for (std::size_t f = 0; f < features; ++f)
    if (data.columns[f].size() != data.rows)
      throw Error(ErrorKind::invalid_data, fmt::format("column {} has {} values for {} rows", f + 1,
                                                       data.columns[f].size(), data.rows));
}

}  // namespace

struct Predictor::Compiled {
  PredictionEngine engine;

  explicit Compiled(const Forest& forest) : engine(forest) {}
};

Predictor::Predictor(const Forest& forest) : compiled_(std::make_unique<Compiled>(forest)) {}
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor::~Predictor() = default;

const Forest& Predictor::forest() const { return compiled_->engine.forest(); }

Predictions Predictor::predict(const DatasetView& data, const RunContext& context) const {
  refuse_wrong_columns(data, compiled_->engine.features());
  return compiled_->engine.predict(RowSource(data), data.rows, context);
}

Predictions Predictor::predict_rows(std::span<const float> row_major,
                                    const RunContext& context) const {
  const std::size_t features = compiled_->engine.features();
  if (row_major.size() % features != 0)
    throw Error(ErrorKind::invalid_data, fmt::format("{} values are not whole rows of {} features",
                                                     row_major.size(), features));
  return compiled_->engine.predict(RowSource(row_major, features), row_major.size() / features,
                                   context);
}

std::vector<float> Predictor::predict_per_tree(const DatasetView& data,
                                               const RunContext& context) const {
  refuse_wrong_columns(data, compiled_->engine.features());
  const ForestArrays& arrays = forest().arrays();
  const PayloadLayout layout = layout_of(forest());
  const std::size_t outputs = layout.outputs(), trees = arrays.trees();
  std::vector<float> result(data.rows * trees * outputs);
  compiled_->engine.for_each_tile(
      RowSource(data), data.rows, context,
      [&](const LeafBatch& batch, std::size_t first) {
        LeafAnswer answer;
        for (std::size_t t = 0; t < batch.trees; ++t)
          for (std::size_t row = 0; row < batch.rows; ++row) {
            const std::size_t tree = batch.first_tree + t;
            read_leaf(
                layout, arrays.payload_of(arrays.first_leaf(tree) + batch.of_tree(t)[row]),
                [&](std::uint32_t feature) { return data.columns[feature][first + row]; }, answer);
            for (std::size_t k = 0; k < outputs; ++k)
              result[((first + row) * trees + tree) * outputs + k] =
                  static_cast<float>(answer.mean[k]);
          }
      },
      [](std::size_t, std::size_t) {});
  return result;
}

LeafIds Predictor::apply(const DatasetView& data, const RunContext& context) const {
  refuse_wrong_columns(data, compiled_->engine.features());
  return compiled_->engine.find_leaf_ids(RowSource(data), data.rows, context);
}

Predictor::Path Predictor::decision_path(std::span<const float> row, std::size_t tree) const {
  if (row.size() != compiled_->engine.features() || tree >= forest().trees())
    throw Error(ErrorKind::invalid_data,
                fmt::format("a path needs a row of {} features and a tree below {}",
                            compiled_->engine.features(), forest().trees()));
  Path path;
  path.leaf = static_cast<std::uint32_t>(
      walk(forest().arrays(), forest().info().schema, tree, row, [&](std::size_t split, bool left) {
        path.splits.push_back(static_cast<std::uint32_t>(split));
        path.went_left.push_back(left);
      }));
  return path;
}

}  // namespace coppice
