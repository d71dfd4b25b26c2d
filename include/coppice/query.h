// Active learning: which rows without a label are worth asking somebody about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coppice/fit.h"
#include "coppice/predict.h"

namespace coppice {

// What makes a row uncertain. Of numbers the variances below count, each as a multiple of its mean
// over the pool, averaged over the targets.
enum class QueryStrategy {
  entropy,       // of p(c|x); of numbers: the variance of p(y|x)
  margin,        // 1 - p of the most probable class + p of the next one; classes only
  disagreement,  // entropy of the votes of the trees; of numbers: the variance of their means
};

struct QueryOptions {
  QueryStrategy strategy = QueryStrategy::margin;
  std::size_t batch = 10;  // rows to choose
  // From 0 to 1: how much less a row is worth beside one that is chosen already. Its score is its
  // uncertainty times 1 - diversity x the largest proximity to a chosen row.
  double diversity = 1;
};

struct QueriedRow {
  std::size_t row = 0;
  double score = 0;        // when it was chosen
  double uncertainty = 0;  // by itself
};

// How uncertain the forest is about every row. Throws Error(invalid_option) if the strategy does
// not suit the forest.
std::vector<double> uncertainties(const Predictor&, const DatasetView& pool, QueryStrategy,
                                  const RunContext& = {});

// The rows to ask about, the most useful first: in turn the one of the largest score, ties to the
// lower row number. With diversity it takes four bytes per row and tree. Labels and targets of the
// pool are not looked at.
std::vector<QueriedRow> query(const Predictor&, const DatasetView& pool, const QueryOptions&,
                              const RunContext& = {});

struct SimulationOptions {
  FitOptions fit = {};
  QueryOptions query = {};
  std::size_t start = 20;    // labels of the first forest, drawn at random
  std::size_t batches = 20;  // questions of query.batch rows each
  std::size_t runs = 10;     // with other first labels and other trees
  std::uint64_t seed = 1;
};

// Errors (misclassified share, or RMSE) on test rows by the number of labels; means over the runs,
// and standard deviations between them.
struct LearningCurves {
  std::vector<std::size_t> labels;
  std::vector<double> active, active_deviation;    // labels that query() asked for
  std::vector<double> passive, passive_deviation;  // as many labels of random rows
};

// What asking would have brought: the labels of the pool are known, but only shown when asked for.
// Both curves begin with the same rows. Throws Error(invalid_option) if the pool is too small, and
// what fit() throws. Progress counts forests.
LearningCurves simulate_queries(const DatasetView& pool, const DatasetView& test,
                                const SimulationOptions&, const RunContext& = {});

// The least number of labels with which `errors` are at most `level`; between two numbers of labels
// the error is a straight line. NaN if they never are.
double labels_to_reach(const std::vector<std::size_t>& labels, const std::vector<double>& errors,
                       double level);

}  // namespace coppice
