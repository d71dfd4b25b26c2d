// Which rows are asked about, against the obvious way to choose them; and learning curves.
#include "coppice/query.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "coppice/error.h"
#include "coppice/toy_data.h"
#include "data/row_selection.h"

namespace coppice {
namespace {

Dataset toy(ToyShape shape, std::size_t rows, std::uint64_t seed) {
  ToyOptions options;
  options.shape = shape, options.rows = rows, options.seed = seed, options.classes = 3;
  options.noise = 0.3;
  return generate(options);
}

Forest grown(const Dataset& data) {
  FitOptions options;
  if (data.schema.classes.empty()) options.task.emplace<1>();
  options.forest.trees = 15;
  return fit(data.view(), options).forest;
}

class Query : public testing::Test {
 protected:
  const Dataset pool_ = toy(ToyShape::blobs, 300, 2);
  const Forest forest_ = grown(toy(ToyShape::blobs, 60, 1));
  const Predictor predictor_{forest_};
};

TEST_F(Query, UncertaintiesFollowTheirFormulas) {
  const Predictions says = predictor_.predict(pool_.view());
  const std::vector<float> trees = predictor_.predict_per_tree(pool_.view());
  const auto entropies = uncertainties(predictor_, pool_.view(), QueryStrategy::entropy);
  const auto margins = uncertainties(predictor_, pool_.view(), QueryStrategy::margin);
  const auto votes = uncertainties(predictor_, pool_.view(), QueryStrategy::disagreement);
  for (std::size_t row = 0; row < pool_.rows; ++row) {
    std::vector<double> p(says.mean.begin() + std::ptrdiff_t(3 * row),
                          says.mean.begin() + std::ptrdiff_t(3 * row + 3));
    double entropy = 0;
    for (const double share : p) entropy -= share > 0 ? share * std::log(share) : 0;
    EXPECT_NEAR(entropies[row], entropy, 1e-12);
    std::sort(p.begin(), p.end());
    EXPECT_NEAR(margins[row], 1 - (p[2] - p[1]), 1e-12);
    double counts[3] = {0, 0, 0}, disagreement = 0;
    for (std::size_t tree = 0; tree < 15; ++tree) {
      const float* const of = trees.data() + (row * 15 + tree) * 3;
      ++counts[std::max_element(of, of + 3) - of];
    }
    for (const double count : counts)
      disagreement -= count > 0 ? count / 15 * std::log(count / 15) : 0;
    EXPECT_NEAR(votes[row], disagreement, 1e-12);
  }
}

// Every row compared with every chosen one, before every choice.
std::vector<QueriedRow> obvious_choice(const std::vector<double>& uncertain, const LeafIds& ids,
                                       const QueryOptions& options) {
  std::vector<QueriedRow> chosen;
  std::set<std::size_t> taken;
  while (chosen.size() < options.batch && taken.size() < uncertain.size()) {
    QueriedRow best{.row = SIZE_MAX};
    for (std::size_t row = 0; row < uncertain.size(); ++row) {
      if (taken.contains(row)) continue;
      double nearest = 0;
      for (const QueriedRow& other : chosen)
        nearest = std::max(nearest, proximity(ids, row, other.row));
      const double score = uncertain[row] * (1 - options.diversity * nearest);
      if (best.row == SIZE_MAX || score > best.score) best = {row, score, uncertain[row]};
    }
    chosen.push_back(best);
    taken.insert(best.row);
  }
  return chosen;
}

TEST_F(Query, ChoosesWhatTheObviousWayChooses) {
  const LeafIds ids = predictor_.apply(pool_.view());
  for (const QueryStrategy strategy :
       {QueryStrategy::entropy, QueryStrategy::margin, QueryStrategy::disagreement}) {
    for (const double diversity : {0.0, 0.4, 1.0}) {
      const QueryOptions options{strategy, 40, diversity};
      const auto found = query(predictor_, pool_.view(), options);
      const auto wanted =
          obvious_choice(uncertainties(predictor_, pool_.view(), strategy), ids, options);
      ASSERT_EQ(found.size(), wanted.size());
      for (std::size_t n = 0; n < found.size(); ++n) {
        EXPECT_EQ(found[n].row, wanted[n].row) << n;
        EXPECT_EQ(found[n].score, wanted[n].score) << n;
        EXPECT_EQ(found[n].uncertainty, wanted[n].uncertainty) << n;
      }
    }
  }
}

TEST_F(Query, DiversityAsksOnceAboutRowsThatAreTheSame) {
  std::vector<std::uint32_t> copies;
  for (std::uint32_t row = 0; row < pool_.rows; ++row) copies.insert(copies.end(), 5, row);
  const Dataset pool = rows_of(pool_.view(), copies);
  const auto different_rows = [&](double diversity) {
    std::set<std::size_t> rows;
    for (const QueriedRow& asked :
         query(predictor_, pool.view(), {.batch = 20, .diversity = diversity}))
      rows.insert(copies[asked.row]);
    return rows.size();
  };
  EXPECT_LE(different_rows(0), 8u);
  EXPECT_EQ(different_rows(1), 20u);
}

TEST_F(Query, ALargeBatchIsTheWholePool) {
  const auto all = query(predictor_, pool_.view(), {.batch = 1000});
  std::set<std::size_t> rows;
  for (const QueriedRow& queried : all) rows.insert(queried.row);
  EXPECT_EQ(rows.size(), pool_.rows);
}

TEST_F(Query, RefusesWhatMakesNoSense) {
  EXPECT_THROW(query(predictor_, pool_.view(), {.batch = 0}), Error);
  EXPECT_THROW(query(predictor_, pool_.view(), {.diversity = 1.5}), Error);
  EXPECT_THROW(query(predictor_, pool_.view(), {.diversity = NAN}), Error);
  const Dataset numbers = toy(ToyShape::friedman1, 80, 1);
  const Forest forest = grown(numbers);
  EXPECT_THROW(query(Predictor(forest), numbers.view(), {.strategy = QueryStrategy::margin}),
               Error);
}

TEST(QueryOfNumbers, AsksWhereTheTreesDiffer) {
  const Dataset pool = toy(ToyShape::friedman1, 200, 2);
  const Forest forest = grown(toy(ToyShape::friedman1, 100, 1));
  const Predictor predictor(forest);
  const std::vector<float> trees = predictor.predict_per_tree(pool.view());
  std::vector<double> variances(pool.rows);
  double sum = 0;
  for (std::size_t row = 0; row < pool.rows; ++row) {
    double mean = 0, square = 0;
    for (std::size_t tree = 0; tree < 15; ++tree) mean += double(trees[row * 15 + tree]) / 15;
    for (std::size_t tree = 0; tree < 15; ++tree)
      square += std::pow(double(trees[row * 15 + tree]) - mean, 2) / 15;
    sum += variances[row] = square;
  }
  const auto found = uncertainties(predictor, pool.view(), QueryStrategy::disagreement);
  for (std::size_t row = 0; row < pool.rows; ++row)
    EXPECT_NEAR(found[row], variances[row] / (sum / double(pool.rows)), 1e-9);
}

SimulationOptions small_simulation() {
  SimulationOptions options;
  options.fit.forest.trees = 10;
  options.query.batch = 10;
  options.start = 10, options.batches = 9, options.runs = 4;
  return options;
}

TEST(QuerySimulation, AskingIsBetterThanChance) {
  ToyOptions spirals;
  spirals.shape = ToyShape::spirals, spirals.rows = 1200, spirals.noise = 0.02;
  const Dataset data = generate(spirals);
  const DatasetView pool = row_block(data.view(), 0, 800), test = row_block(data.view(), 800, 400);
  const LearningCurves curves = simulate_queries(pool, test, small_simulation());
  ASSERT_EQ(curves.labels.size(), 10u);
  EXPECT_EQ(curves.labels.front(), 10u);
  EXPECT_EQ(curves.labels.back(), 100u);
  EXPECT_EQ(curves.active.front(), curves.passive.front());
  EXPECT_LT(curves.active.back(), curves.passive.back());
  const LearningCurves again = simulate_queries(pool, test, small_simulation(), {.threads = 1});
  EXPECT_EQ(curves.active, again.active);
  EXPECT_EQ(curves.passive_deviation, again.passive_deviation);
}

TEST(QuerySimulation, RefusesAPoolThatIsTooSmall) {
  const Dataset data = toy(ToyShape::blobs, 99, 1);
  EXPECT_THROW(simulate_queries(data.view(), data.view(), small_simulation()), Error);
}

TEST(QuerySimulation, LabelsToReachAnError) {
  const std::vector<std::size_t> labels{10, 20, 40};
  const std::vector<double> errors{0.5, 0.3, 0.2};
  EXPECT_EQ(labels_to_reach(labels, errors, 0.5), 10);
  EXPECT_NEAR(labels_to_reach(labels, errors, 0.4), 15, 1e-9);
  EXPECT_NEAR(labels_to_reach(labels, errors, 0.25), 30, 1e-9);
  EXPECT_TRUE(std::isnan(labels_to_reach(labels, errors, 0.1)));
}

}  // namespace
}  // namespace coppice
