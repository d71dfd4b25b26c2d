#include "refine/prepared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/random_stream.h"
#include "coppice/error.h"
#include "infer/prediction_engine.h"
#include "refine/payload_regressors.h"

namespace coppice {
namespace {

void require(bool holds, const std::string& sentence) {
  if (!holds) throw Error(ErrorKind::invalid_option, sentence);
}

bool is_linear(PayloadKind kind) { return kind == PayloadKind::linear; }

RefinementLoss checked_loss(const ForestInfo& info, const RefineOptions& options) {
  const PayloadKind kind = info.payload_kind;
  const bool classes = predicts_classes(kind);
  const auto is = [&]<class Loss>(Loss) { return std::holds_alternative<Loss>(options.loss); };
  require(
      classes || kind == PayloadKind::mean_variance || is_linear(kind),
      "the leaves hold more than a mean and a variance, which refinement would lose; train with "
      "--leaf constant or --leaf linear");
  require(!classes || (!is(SquaredLoss{}) && !is(AbsoluteLoss{})),
          "the squared and the absolute loss are for numbers, but this model predicts classes; try "
          "logistic or hinge");
  require(classes || (!is(LogisticLoss{}) && !is(HingeLoss{})),
          "the logistic and the hinge loss are for classes, but this model predicts numbers; try "
          "squared or absolute");
  require(!is_linear(kind) || !is(AbsoluteLoss{}),
          "the absolute loss is for constant leaves, but those of this model are linear; try "
          "squared");
  const bool add = options.method == Refinement::add;
  require(!add || kind != PayloadKind::class_histogram,
          "adding (agr) needs leaves that hold numbers or class scores, but these hold class "
          "histograms; try gr");
  require(!add || classes || info.ensemble == Ensemble::mean,
          "adding (agr) needs a forest that answers with the mean of its trees");
  if (!is(DefaultLoss{})) return options.loss;
  if (classes) return LogisticLoss{};
  return SquaredLoss{};
}

void check_numbers(const RefineOptions& options) {
  require(!options.cost || (*options.cost > 0 && std::isfinite(*options.cost)),
          "the cost must be a number above 0");
  require(options.validation_share >= 0 && options.validation_share < 1,
          "the share of validation rows must be at least 0 and below 1");
  require(options.cost_folds != 1, "cross-validation needs two folds at least");
  require(options.cost || options.cost_folds > 1 || options.validation_share > 0 ||
              !options.validation_rows.empty(),
          "without validation rows the cost must be given");
  if (const auto* absolute = std::get_if<AbsoluteLoss>(&options.loss))
    require(absolute->epsilon >= 0 && std::isfinite(absolute->epsilon),
            "the epsilon of the absolute loss must be a number of at least 0");
}

void check_data(const ForestInfo& info, const DatasetView& data) {
  const auto refuse = [](const std::string& sentence) {
    throw Error(ErrorKind::invalid_data, sentence);
  };
  validate(data);
  const Schema& schema = info.schema;
  if (data.columns.size() != schema.features.size())
    refuse(fmt::format("the data has {} columns, but the model was trained on {}",
                       data.columns.size(), schema.features.size()));
  if (data.rows < 2) refuse("refinement needs two rows at least");
  if (predicts_classes(info.payload_kind)) {
    if (data.labels.empty()) refuse("the data has no labels");
    for (std::size_t row = 0; row < data.rows; ++row)
      if (data.labels[row] >= schema.classes.size())
        refuse(fmt::format("row {} has no label that the model knows; leave it out", row + 1));
    return;
  }
  if (data.targets.size() != data.rows * schema.targets.size())
    refuse(fmt::format("the data has {} values of targets, but {} rows of {} are needed",
                       data.targets.size(), data.rows, schema.targets.size()));
  constexpr double kMostTarget = 1e19;  // as in training: variances are kept as floats
  for (std::size_t n = 0; n < data.targets.size(); ++n) {
    const std::size_t row = n / schema.targets.size() + 1;
    if (!std::isfinite(data.targets[n]))
      refuse(fmt::format("row {} has no known target; leave it out", row));
    if (std::abs(data.targets[n]) > kMostTarget)
      refuse(fmt::format("row {} has a target beyond {}; divide the targets by a power of ten", row,
                         kMostTarget));
  }
}

// --- Rows ----------------------------------------------------------------------------------------

double row_weight(const DatasetView& data, std::size_t row) {
  return data.weights.empty() ? 1 : double{data.weights[row]};
}

double weight_of(const DatasetView& data, const std::vector<std::uint32_t>& rows) {
  double total = 0;
  for (const std::uint32_t row : rows) total += row_weight(data, row);
  return total;
}

void check_weights(const DatasetView& data, const Prepared& prepared) {
  const auto weighs = [&](const std::vector<std::uint32_t>& rows, const char* what) {
    if (!rows.empty() && !(weight_of(data, rows) > 0))
      throw Error(ErrorKind::invalid_data,
                  fmt::format("the sample weights of all {} rows are 0", what));
  };
  weighs(prepared.learning, prepared.validation.empty() ? "" : "learning");
  weighs(prepared.validation, "validation");
}

std::vector<std::size_t> first_leaves(const ForestArrays& arrays) {
  std::vector<std::size_t> first;
  for (std::size_t tree = 0; tree <= arrays.trees(); ++tree)
    first.push_back(arrays.first_leaf(tree));
  return first;
}

void set_leaves(const Forest& forest, const DatasetView& data, const LeafIds& ids,
                std::size_t workers, RefinableRows& rows) {
  const std::vector<std::size_t> first_leaf = first_leaves(forest.arrays());
  const std::vector<float> weights(data.weights.begin(), data.weights.end());
  auto constant = std::make_unique<ConstantLeaves>(ids, first_leaf, weights);
  if (!is_linear(forest.info().payload_kind)) {
    rows.matrix = std::move(constant);
    return;
  }
  rows.places = std::move(constant);
  rows.matrix = std::make_unique<LinearLeaves>(
      ids, first_leaf, std::make_shared<PayloadRegressors>(forest, data), weights, workers);
}

void scale_targets(const Prepared& prepared, std::span<const std::uint32_t> rows,
                   const RefinementScale& scale, RefinableRows& part) {
  const std::size_t targets = part.targets.outputs;
  for (std::size_t n = 0; n < rows.size(); ++n)
    for (std::size_t k = 0; k < targets; ++k)
      part.targets.row(n)[k] = static_cast<float>(
          (prepared.values[rows[n] * targets + k] - scale.centre[k]) / scale.deviation[k]);
}

// The scores that the leaves hold, added up per row.
OutputBlock scores_of(const Forest& forest, const LeafMatrix& matrix, std::size_t workers) {
  const ForestArrays& arrays = forest.arrays();
  OutputBlock held(arrays.leaves(), arrays.payload_size), scores(matrix.rows(), held.outputs);
  for (std::size_t leaf = 0; leaf < held.rows; ++leaf)
    std::copy_n(arrays.payload_of(leaf).begin(), held.outputs, held.row(leaf));
  matrix.predict(held, scores, workers);
  return scores;
}

// --- Validation rows -----------------------------------------------------------------------------

// The first so many of the rows in random order.
std::vector<std::uint32_t> drawn(std::size_t rows, std::size_t count, RandomStream random) {
  std::vector<std::uint32_t> all(rows);
  std::iota(all.begin(), all.end(), 0u);
  for (std::size_t n = 0; n < count; ++n)
    std::swap(all[n], all[n + random.below(static_cast<std::uint32_t>(rows - n))]);
  all.resize(count);
  return all;
}

std::vector<std::uint32_t> validation_rows(const RefineOptions& options, std::size_t rows) {
  std::vector<std::uint32_t> chosen = options.validation_rows;
  if (chosen.empty() && options.validation_share > 0) {
    const auto wanted = static_cast<std::size_t>(options.validation_share * double(rows));
    chosen = drawn(rows, std::max<std::size_t>(1, wanted), RandomStream(options.seed).child(0));
  }
  std::sort(chosen.begin(), chosen.end());
  require(chosen.empty() || chosen.back() < rows, "a validation row is not in the data");
  require(std::adjacent_find(chosen.begin(), chosen.end()) == chosen.end(),
          "a validation row is given twice");
  require(chosen.size() < rows, "all rows are validation rows; there is none to learn from");
  return chosen;
}

std::vector<std::uint32_t> others(const std::vector<std::uint32_t>& chosen, std::size_t rows) {
  std::vector<std::uint32_t> rest;
  auto next = chosen.begin();
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (next != chosen.end() && *next == row) {
      ++next;
    } else {
      rest.push_back(row);
    }
  }
  return rest;
}

double error_of(const Predictions& answers, const DatasetView& data,
                const std::vector<std::uint32_t>& rows) {
  double errors = 0, total = 0;
  for (const std::uint32_t row : rows) {
    double error = answers.labels.empty() ? 0 : answers.labels[row] != data.labels[row];
    for (std::size_t n = row * answers.outputs;
         answers.labels.empty() && n < (row + std::size_t{1}) * answers.outputs; ++n) {
      const double distance = data.targets[n] - answers.mean[n];
      error += distance * distance / static_cast<double>(answers.outputs);
    }
    errors += row_weight(data, row) * error;
    total += row_weight(data, row);
  }
  return reported_error(total > 0 ? errors / total : std::numeric_limits<double>::quiet_NaN(),
                        !answers.labels.empty());
}

}  // namespace

std::vector<std::vector<std::uint32_t>> deal_folds(std::size_t rows, std::size_t folds,
                                                   std::uint64_t seed) {
  std::vector<std::vector<std::uint32_t>> dealt(folds);
  std::size_t next = 0;
  for (const std::uint32_t row : drawn(rows, rows, RandomStream(seed).child(3)))
    dealt[next++ % folds].push_back(row);
  for (auto& fold : dealt) std::sort(fold.begin(), fold.end());
  return dealt;
}

double reported_error(double error, bool classes) { return classes ? error : std::sqrt(error); }

RowErrors reported(const RowErrors& mean, bool classes) {
  return {reported_error(mean.error, classes), reported_error(mean.loss, classes)};
}

RefinementLoss checked_refinement(const ForestInfo& info, const DatasetView& data,
                                  const RefineOptions& options) {
  check_numbers(options);
  const RefinementLoss loss = checked_loss(info, options);
  check_data(info, data);
  return loss;
}

Prepared prepare(const Forest& forest, const DatasetView& data, const RefineOptions& options,
                 const RunContext& context) {
  Prepared prepared;
  prepared.loss = checked_refinement(forest.info(), data, options);
  prepared.validation = validation_rows(options, data.rows);
  prepared.learning = others(prepared.validation, data.rows);
  require(options.cost || options.cost_folds <= prepared.learning.size(),
          "there are more folds than rows to learn from");
  check_weights(data, prepared);
  prepared.mean_weight =
      weight_of(data, prepared.learning) / static_cast<double>(prepared.learning.size());
  constexpr double kMostCost = 1e6;  // beyond, single precision does not find the optimum
  require(!options.cost || *options.cost * prepared.mean_weight <= kMostCost,
          "the cost of a row, times its weight, must be at most 1e6");

  const PredictionEngine engine(forest);
  const RowSource source(data);
  RefinableRows& rows = prepared.rows;
  set_leaves(forest, data, engine.find_leaf_ids(source, data.rows, context),
             worker_count(context.threads), rows);
  const Predictions answers = engine.predict(source, data.rows, context);
  prepared.error_before = error_of(answers, data, prepared.validation);
  const bool add = options.method == Refinement::add;
  if (predicts_classes(forest.info().payload_kind)) {
    rows.labels.assign(data.labels.begin(), data.labels.end());
    rows.classes = forest.info().schema.classes.size();
    if (add) rows.offset = scores_of(forest, *rows.matrix, worker_count(context.threads));
    return prepared;
  }
  std::vector<double> values(data.targets.begin(), data.targets.end());
  for (std::size_t n = 0; add && n < values.size(); ++n) values[n] -= answers.mean[n];
  prepared.values = std::move(values);
  rows.targets = OutputBlock(data.rows, answers.outputs);
  std::vector<std::uint32_t> all(data.rows);
  std::iota(all.begin(), all.end(), 0u);
  prepared.scale = scale_of(prepared, all);
  scale_targets(prepared, all, prepared.scale, rows);
  return prepared;
}

RefinementScale scale_of(const Prepared& prepared, std::span<const std::uint32_t> rows) {
  const std::size_t targets = prepared.rows.targets.outputs;
  if (prepared.values.empty()) return {};
  RefinementScale scale{std::vector<double>(targets), std::vector<double>(targets)};
  const auto weight = [&](std::uint32_t row) { return double{prepared.rows.matrix->weight(row)}; };
  double total = 0;
  for (const std::uint32_t row : rows) total += weight(row);
  const auto for_each_value = [&](auto&& visit) {
    for (const std::uint32_t row : rows)
      for (std::size_t k = 0; k < targets; ++k)
        visit(k, weight(row), prepared.values[row * targets + k]);
  };
  for_each_value([&](std::size_t k, double counts, double value) {
    scale.centre[k] += counts * value / total;
  });
  for_each_value([&](std::size_t k, double counts, double value) {
    const double distance = value - scale.centre[k];
    scale.deviation[k] += counts * distance * distance / total;
  });
  for (double& deviation : scale.deviation) deviation = deviation > 0 ? std::sqrt(deviation) : 1;
  return scale;
}

RefinableRows part_of(const Prepared& prepared, std::span<const std::uint32_t> rows,
                      const RefinementScale& scale) {
  RefinableRows part = prepared.rows.subset(rows);
  if (!prepared.values.empty()) scale_targets(prepared, rows, scale, part);
  return part;
}

}  // namespace coppice
