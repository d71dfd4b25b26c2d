#include <fmt/format.h>

#include "base/worker_team.h"
#include "coppice/error.h"
#include "coppice/predict.h"
#include "infer/compiled_forest.h"
#include "infer/row_blocks.h"
#include "infer/votes.h"
#include "model/walk.h"

namespace coppice {

struct Predictor::Compiled {
  const Forest& forest;
  CompiledForest compiled;

  explicit Compiled(const Forest& model) : forest(model), compiled(model) {}

  std::size_t features() const { return forest.info().schema.features.size(); }
  Predictions predict(const RowSource&, std::size_t rows, const RunContext&) const;
  void predict_block(const std::uint32_t* leaves, std::size_t first, std::size_t count,
                     Predictions&) const;

  // Calls body(leaves, first, count) with leaves[tree * count + row] for blocks of all rows.
  template <class Body>
  void for_each_leaf_block(const RowSource&, std::size_t rows, const RunContext&, Body&&) const;
};

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

template <class Body>
void Predictor::Compiled::for_each_leaf_block(const RowSource& source, std::size_t rows,
                                              const RunContext& context, Body&& body) const {
  const std::size_t workers = worker_count(context.threads);
  struct Buffers {
    std::vector<float> rows;
    std::vector<std::uint32_t> leaves;
  };
  std::vector<Buffers> buffers(workers);
  for_each_row_block(rows, workers, [&](std::size_t worker, std::size_t first, std::size_t count) {
    Buffers& own = buffers[worker];
    own.leaves.resize(compiled.trees() * count);
    compiled.find_leaves(source.rows(first, count, own.rows), count, features(), own.leaves.data());
    body(own.leaves.data(), first, count);
  });
}

Predictions Predictor::Compiled::predict(const RowSource& source, std::size_t rows,
                                         const RunContext& context) const {
  Predictions result{.rows = rows, .outputs = outputs_of(forest)};
  result.mean.resize(rows * result.outputs);
  if (forest.info().payload_kind == PayloadKind::class_histogram) {
    result.labels.resize(rows);
  } else {
    result.variance.resize(rows * result.outputs);
  }
  for_each_leaf_block(source, rows, context,
                      [&](const std::uint32_t* leaves, std::size_t first, std::size_t count) {
                        predict_block(leaves, first, count, result);
                      });
  return result;
}

void Predictor::Compiled::predict_block(const std::uint32_t* leaves, std::size_t first,
                                        std::size_t count, Predictions& result) const {
  const ForestArrays& arrays = forest.arrays();
  const PayloadKind kind = forest.info().payload_kind;
  std::vector<double> sums(count * arrays.payload_size);
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree)
    for (std::size_t row = 0; row < count; ++row)
      add_vote(kind, arrays.payload_of(arrays.first_leaf(tree) + leaves[tree * count + row]),
               std::span(sums).subspan(row * arrays.payload_size, arrays.payload_size));
  for (std::size_t row = 0; row < count; ++row) {
    const auto of_row = [&](std::vector<double>& values) {
      return values.empty()
                 ? std::span<double>{}
                 : std::span(values).subspan((first + row) * result.outputs, result.outputs);
    };
    read_out(kind, std::span(sums).subspan(row * arrays.payload_size, arrays.payload_size),
             arrays.trees(), of_row(result.mean), of_row(result.variance));
    if (!result.labels.empty()) result.labels[first + row] = most_probable(of_row(result.mean));
  }
}

Predictor::Predictor(const Forest& forest) : compiled_(std::make_unique<Compiled>(forest)) {}
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor::~Predictor() = default;

const Forest& Predictor::forest() const { return compiled_->forest; }

Predictions Predictor::predict(const DatasetView& data, const RunContext& context) const {
  refuse_wrong_columns(data, compiled_->features());
  return compiled_->predict(RowSource(data), data.rows, context);
}

Predictions Predictor::predict_rows(std::span<const float> row_major,
                                    const RunContext& context) const {
  const std::size_t features = compiled_->features();
  if (row_major.size() % features != 0)
    throw Error(ErrorKind::invalid_data, fmt::format("{} values are not whole rows of {} features",
                                                     row_major.size(), features));
  return compiled_->predict(RowSource(row_major, features), row_major.size() / features, context);
}

std::vector<float> Predictor::predict_per_tree(const DatasetView& data,
                                               const RunContext& context) const {
  refuse_wrong_columns(data, compiled_->features());
  const ForestArrays& arrays = forest().arrays();
  const std::size_t outputs = outputs_of(forest()), trees = arrays.trees();
  std::vector<float> result(data.rows * trees * outputs);
  compiled_->for_each_leaf_block(
      RowSource(data), data.rows, context,
      [&](const std::uint32_t* leaves, std::size_t first, std::size_t count) {
        for (std::size_t tree = 0; tree < trees; ++tree)
          for (std::size_t row = 0; row < count; ++row) {
            const auto payload =
                arrays.payload_of(arrays.first_leaf(tree) + leaves[tree * count + row]);
            std::copy_n(payload.begin(), outputs,
                        result.begin() +
                            static_cast<std::ptrdiff_t>(((first + row) * trees + tree) * outputs));
          }
      });
  return result;
}

LeafIds Predictor::apply(const DatasetView& data, const RunContext& context) const {
  refuse_wrong_columns(data, compiled_->features());
  LeafIds ids(data.rows, forest().trees());
  compiled_->for_each_leaf_block(
      RowSource(data), data.rows, context,
      [&](const std::uint32_t* leaves, std::size_t first, std::size_t count) {
        for (std::size_t tree = 0; tree < ids.trees(); ++tree)
          for (std::size_t row = 0; row < count; ++row)
            ids.set(tree, first + row, leaves[tree * count + row], false);
      });
  return ids;
}

Predictor::Path Predictor::decision_path(std::span<const float> row, std::size_t tree) const {
  if (row.size() != compiled_->features() || tree >= forest().trees())
    throw Error(ErrorKind::invalid_data,
                fmt::format("a path needs a row of {} features and a tree below {}",
                            compiled_->features(), forest().trees()));
  Path path;
  path.leaf = static_cast<std::uint32_t>(
      walk(forest().arrays(), forest().info().schema, tree, row, [&](std::size_t split, bool left) {
        path.splits.push_back(static_cast<std::uint32_t>(split));
        path.went_left.push_back(left);
      }));
  return path;
}

}  // namespace coppice
