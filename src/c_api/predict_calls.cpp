// The calls of c_api.h that predict. Large batches go through in blocks, so that what the library
// keeps for itself stays small.
#include <algorithm>
#include <span>
#include <vector>

#include "c_api/boundary.h"
#include "c_api/conformed_rows.h"
#include "c_api/handles.h"
#include "c_api/matrix.h"
#include "coppice/error.h"
#include "infer/votes.h"

namespace coppice {
namespace {

constexpr std::size_t kRowsAtOnce = std::size_t{1} << 16;

// The answers that the caller wants; empty where not.
struct Answers {
  std::span<double> mean, variance;
  std::span<std::uint32_t> labels;

  void take(const Predictions& predicted, std::size_t first_row) {
    const std::size_t first = first_row * predicted.outputs;
    copy_to(mean, predicted.mean, first);
    copy_to(variance, predicted.variance, first);
    copy_to(labels, predicted.labels, first_row);
  }
};

Answers wanted_answers(const CoppicePredictions& given, const Forest& forest, std::size_t rows) {
  const bool classes = predicts_classes(forest.info().payload_kind);
  if (classes && given.variance != nullptr)
    throw Error(ErrorKind::invalid_option,
                "the forest predicts classes, which have no variance; let 'variance' be NULL");
  if (!classes && given.labels != nullptr)
    throw Error(ErrorKind::invalid_option,
                "the forest predicts numbers, which have no labels; let 'labels' be NULL");
  const std::size_t size = rows * outputs_of(forest);
  return {.mean = optional_array(given.mean, given.mean_size, size, "mean"),
          .variance = optional_array(given.variance, given.variance_size, size, "variance"),
          .labels = optional_array(given.labels, given.labels_size, rows, "labels")};
}

void predict_blocks(const Predictor& predictor, const CoppiceMatrix& matrix,
                    const RunContext& context, Answers& answers) {
  std::vector<float> buffer;
  for (std::size_t first = 0; first < matrix.rows; first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, matrix.rows - first);
    answers.take(predictor.predict_rows(rows_of(matrix, first, count, buffer), context), first);
  }
}

DistributionQuery query_of(const CoppiceDistributions& wanted) {
  const auto levels =
      required_array(wanted.levels, wanted.levels_size, wanted.levels_size, "levels");
  const auto values = required_array(wanted.density_at, wanted.density_at_size,
                                     wanted.density_at_size, "density_at");
  DistributionQuery query{.quantiles = {levels.begin(), levels.end()},
                          .density_at = {values.begin(), values.end()},
                          .mode = wanted.mode != nullptr};
  if (wanted.interval != 0) query.interval = wanted.interval;
  return query;
}

// Where the answers go; made before they are worked out, so that a wrong size is refused at once.
struct DistributionArrays {
  DistributionArrays(const CoppiceDistributions& to, std::size_t answers)
      : quantiles(optional_array(to.quantiles, to.quantiles_size, product(answers, to.levels_size),
                                 "quantiles")),
        lower(optional_array(to.lower, to.lower_size, answers, "lower")),
        upper(optional_array(to.upper, to.upper_size, answers, "upper")),
        density(optional_array(to.density, to.density_size, product(answers, to.density_at_size),
                               "density")),
        mode(optional_array(to.mode, to.mode_size, answers, "mode")) {}

  void take(const Distributions& found) {
    copy_to(quantiles, found.quantiles);
    copy_to(lower, found.lower);
    copy_to(upper, found.upper);
    copy_to(density, found.density);
    copy_to(mode, found.mode);
  }

  std::span<double> quantiles, lower, upper, density, mode;
};

}  // namespace
}  // namespace coppice

using namespace coppice;

CoppiceStatus coppice_predict(const CoppiceForest* forest, const CoppiceMatrix* matrix,
                              size_t threads, CoppicePredictions* predictions) {
  return guarded([&] {
    const CoppiceForest& model = required(forest, "forest");
    const CoppiceMatrix& rows = required_rows(matrix, model.forest.info().schema.features.size());
    CoppicePredictions given = read_struct(predictions, "predictions");
    Answers answers = wanted_answers(given, model.forest, rows.rows);
    predict_blocks(model.predictor(), rows, on_threads(threads), answers);
    given.unseen_categories = 0;
    write_struct(given, predictions, "predictions");
  });
}

CoppiceStatus coppice_predict_dataset(const CoppiceForest* forest, const CoppiceDataset* dataset,
                                      size_t threads, CoppicePredictions* predictions) {
  return guarded([&] {
    const ConformedRows rows = conformed_rows(forest, dataset);
    CoppicePredictions given = read_struct(predictions, "predictions");
    Answers answers = wanted_answers(given, forest->forest, rows.view().rows);
    answers.take(forest->predictor().predict(rows.view(), on_threads(threads)), 0);
    given.unseen_categories = rows.unseen_categories();
    write_struct(given, predictions, "predictions");
  });
}

CoppiceStatus coppice_predict_distributions(const CoppiceForest* forest,
                                            const CoppiceDataset* dataset, size_t threads,
                                            const CoppiceDistributions* wanted) {
  return guarded([&] {
    const ConformedRows rows = conformed_rows(forest, dataset);
    const CoppiceDistributions given = read_struct(wanted, "wanted");
    const DistributionQuery query = query_of(given);
    if (!query.interval && (given.lower != nullptr || given.upper != nullptr))
      throw Error(ErrorKind::invalid_option,
                  "'lower' and 'upper' need a share in 'interval', such as 0.9");
    DistributionArrays arrays(given, product(rows.view().rows, outputs_of(forest->forest)));
    arrays.take(forest->predictor().distributions(rows.view(), query, on_threads(threads)));
  });
}

CoppiceStatus coppice_predict_per_tree(const CoppiceForest* forest, const CoppiceDataset* dataset,
                                       size_t threads, float* means, size_t size) {
  return guarded([&] {
    const ConformedRows rows = conformed_rows(forest, dataset);
    const Forest& model = forest->forest;
    const std::size_t expected =
        product(product(rows.view().rows, model.trees()), outputs_of(model));
    const auto output = required_array(means, size, expected, "means");
    copy_to(output, forest->predictor().predict_per_tree(rows.view(), on_threads(threads)));
  });
}

CoppiceStatus coppice_apply(const CoppiceForest* forest, const CoppiceDataset* dataset,
                            size_t threads, uint32_t* leaves, size_t size) {
  return guarded([&] {
    const ConformedRows rows = conformed_rows(forest, dataset);
    const std::size_t trees = forest->forest.trees();
    const auto output = required_array(leaves, size, product(rows.view().rows, trees), "leaves");
    const LeafIds ids = forest->predictor().apply(rows.view(), on_threads(threads));
    for (std::size_t row = 0; row < ids.rows(); ++row)
      for (std::size_t tree = 0; tree < trees; ++tree)
        output[row * trees + tree] = ids.leaf(tree, row);
  });
}
