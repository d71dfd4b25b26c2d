// Every engine against the slow walk and votes.h: leaves and answers must not depend on engine,
// batch, source or threads.
#include "infer/prediction_engine.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "infer/test_votes.h"
#include "infer/votes.h"
#include "model/test_forests.h"

namespace coppice {
namespace {

std::vector<float> random_rows(test::Dice& dice, std::size_t values, bool with_missing) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> rows(values);
  for (float& value : rows) {
    value = static_cast<float>(dice.below(2200)) / 100 - 11;
    if (dice.below(3) == 0) value = static_cast<float>(dice.below(45));
    if (dice.below(20) == 0) value = dice.coin() ? kInfinity : -kInfinity;
    if (dice.below(20) == 0) value = dice.coin() ? 0.0f : -0.0f;
    if (with_missing && dice.below(8) == 0) value = kMissing;
  }
  return rows;
}

Predictions slow_predictions(const Forest& forest, std::span<const float> rows) {
  const ForestArrays& arrays = forest.arrays();
  const PayloadKind kind = forest.info().payload_kind;
  const std::size_t features = forest.info().schema.features.size(), outputs = outputs_of(forest);
  Predictions result{.rows = rows.size() / features, .outputs = outputs};
  for (std::size_t row = 0; row < result.rows; ++row) {
    std::vector<double> sums(arrays.payload_size), mean(outputs), variance(sums.size() - outputs);
    for (std::size_t tree = 0; tree < arrays.trees(); ++tree) {
      const std::size_t leaf =
          leaf_of(arrays, forest.info().schema, tree, rows.subspan(row * features, features));
      test::add_vote(kind, arrays.payload_of(arrays.first_leaf(tree) + leaf), sums);
    }
    test::read_out(kind, sums, arrays.trees(), mean, variance);
    result.mean.insert(result.mean.end(), mean.begin(), mean.end());
    result.variance.insert(result.variance.end(), variance.begin(), variance.end());
    if (predicts_classes(kind)) result.labels.push_back(most_probable(mean));
  }
  return result;
}

void expect_same(const Predictions& a, const Predictions& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.outputs, b.outputs);
  EXPECT_TRUE(test::same_bytes<double>(a.mean, b.mean));
  EXPECT_TRUE(test::same_bytes<double>(a.variance, b.variance));
  EXPECT_EQ(a.labels, b.labels);
}

void expect_engines_agree(const Forest& forest, const std::vector<float>& rows) {
  const std::size_t features = forest.info().schema.features.size();
  const std::size_t count = rows.size() / features;
  const Predictions expected = slow_predictions(forest, rows);
  for (const Engine engine : engines_for(forest)) {
    SCOPED_TRACE(engine_name(engine));
    const PredictionEngine prediction(forest, engine);
    EXPECT_EQ(prediction.compiled().engine(), engine);
    for (const std::size_t threads : {1, 3}) {
      RunContext context;
      context.threads = threads;
      expect_same(prediction.predict(RowSource(rows, features), count, context), expected);
    }
    for (std::size_t row = 0; row < std::min<std::size_t>(count, 20); ++row) {
      const auto alone = std::span(rows).subspan(row * features, features);
      expect_same(prediction.predict(RowSource(alone, features), 1, {}),
                  slow_predictions(forest, alone));
      for (std::size_t tree = 0; tree < forest.trees(); ++tree)
        EXPECT_EQ(prediction.compiled().find_leaf(tree, [&](std::uint32_t f) { return alone[f]; }),
                  leaf_of(forest.arrays(), forest.info().schema, tree, alone));
    }
  }
}

// Numbers only, any number of features.
Forest numeric_forest(std::uint64_t seed, std::size_t features,
                      const std::vector<std::uint32_t>& splits_of_trees) {
  test::Dice dice(seed);
  ForestInfo info = test::small_info(PayloadKind::class_histogram);
  info.importances.clear();
  info.schema.features.clear();
  for (std::size_t f = 0; f < features; ++f)
    info.schema.features.push_back({"f" + std::to_string(f), FeatureKind::numeric});
  ForestBuilder builder(3);
  for (const std::uint32_t splits : splits_of_trees)
    builder.append(test::random_tree(dice, info, splits, 7));
  return Forest(builder.finish(), std::move(info));
}

TEST(PredictionEngine, AgreesOnRandomForests) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    test::Dice dice(seed);
    const PayloadKind kind = std::array{PayloadKind::class_histogram, PayloadKind::mean_variance,
                                        PayloadKind::class_scores}[dice.below(3)];
    std::vector<std::uint32_t> splits(1 + dice.below(40));
    for (std::uint32_t& count : splits) count = dice.below(dice.coin() ? 4 : 80);
    const Forest mixed = test::random_forest(seed, kind, splits, 2 + dice.below(9));
    expect_engines_agree(mixed, random_rows(dice, 4 * (1 + dice.below(200)), dice.coin()));
    const std::size_t features = 1 + dice.below(70);
    const Forest numeric = numeric_forest(seed, features, splits);
    const std::vector<float> rows =
        random_rows(dice, features * (1 + dice.below(200)), dice.coin());
    expect_engines_agree(numeric, rows);
  }
}

TEST(PredictionEngine, AgreesOnOneRowAndOnTenThousand) {
  test::Dice dice(5);
  for (const bool missing : {false, true}) {
    const Forest numeric = numeric_forest(1, 5, {4000, 0, 1, 300, 20});
    const Forest mixed = test::random_forest(2, PayloadKind::class_histogram, {2000, 0, 500}, 9);
    for (const std::size_t rows : {1, 10'000}) {
      expect_engines_agree(numeric, random_rows(dice, 5 * rows, missing));
      expect_engines_agree(mixed, random_rows(dice, 4 * rows, missing));
    }
  }
}

TEST(PredictionEngine, AgreesOnStumpsAndChains) {
  test::Dice dice(6);
  expect_engines_agree(numeric_forest(3, 1, {0, 0, 0}), random_rows(dice, 40, true));
  expect_engines_agree(numeric_forest(4, 2, {1, 1, 2, 1}), random_rows(dice, 80, true));
  for (const bool down_the_left : {false, true}) {
    std::vector<float> values = random_rows(dice, 50, true);
    for (std::size_t i = 0; i < values.size(); i += 2) values[i] *= 1000;
    expect_engines_agree(test::chain(20'000, down_the_left), values);
  }
}

// Trees of up to 12 levels, many enough for the engine that takes 16 at once.
TEST(PredictionEngine, AgreesOnShallowTrees) {
  if (!processor_has_avx512()) GTEST_SKIP() << "this processor has no AVX-512";
  test::Dice dice(10);
  std::size_t chosen = 0;
  for (const std::size_t features : {1, 5, 64, 65, 128}) {
    for (const bool missing : {false, true}) {
      for (const std::size_t trees : {1, 16, 133}) {
        std::vector<std::uint32_t> splits(trees);
        for (std::uint32_t& count : splits) count = dice.below(trees % 2 == 0 ? 3 : 14);
        const Forest forest = numeric_forest(features + trees, features, splits);
        const std::vector<Engine> engines = engines_for(forest);
        ASSERT_NE(std::find(engines.begin(), engines.end(), Engine::coded_avx512), engines.end());
        chosen += choose_engine(forest).engine == Engine::coded_avx512;
        for (const std::size_t rows : {5, 16, 81})
          expect_engines_agree(forest, random_rows(dice, features * rows, missing));
      }
    }
  }
  EXPECT_GT(chosen, 0u);
}

TEST(PredictionEngine, DeepTreesAndManyFeaturesAreNotCoded) {
  EXPECT_FALSE(CodedTrees::fit(test::chain(13, true)));
  EXPECT_EQ(CodedTrees::fit(test::chain(12, true)), processor_has_avx512());
  EXPECT_FALSE(CodedTrees::fit(numeric_forest(1, 129, {3})));
  EXPECT_FALSE(CodedTrees::fit(
      test::random_forest(3, PayloadKind::class_histogram, std::vector<std::uint32_t>(20, 9), 5)));
}

TEST(PredictionEngine, AgreesOnManyFeatures) {
  test::Dice dice(7);
  for (const std::size_t features : {4096, 4097, 9000}) {
    const Forest forest = numeric_forest(features, features, {400, 30, 1000});
    ASSERT_GT(engines_for(forest).size(), 1u);
    expect_engines_agree(forest, random_rows(dice, features * 70, dice.coin()));
  }
}

TEST(PredictionEngine, ForestsThatDoNotFitArePutIntoWideNodes) {
  test::Dice dice(8);
  const Forest forest = numeric_forest(9, 70'000, {5000, 1});
  EXPECT_EQ(engines_for(forest), std::vector<Engine>{Engine::wide});
  EXPECT_EQ(choose_engine(forest).engine, Engine::wide);
  EXPECT_NE(choose_engine(forest).reason, "");
  expect_engines_agree(forest, random_rows(dice, 70'000 * 6, true));
}

TEST(PredictionEngine, SaysWhichEngineItChooses) {
  const Forest forest = numeric_forest(1, 5, {40, 3});
  const EngineChoice choice = choose_engine(forest);
  EXPECT_EQ(choice.engine, engines_for(forest).back());
  EXPECT_EQ(PredictionEngine(forest).compiled().engine(), choice.engine);
  EXPECT_EQ(engines_for(forest).size(), 2u + processor_has_avx2() + CodedTrees::fit(forest));
  const CompiledForest wide(forest, Engine::wide), packed(forest, Engine::packed);
  EXPECT_GT(wide.bytes(), packed.bytes());
}

TEST(PredictionEngine, NoRowsAreNoError) {
  const Forest forest = numeric_forest(1, 5, {40, 3});
  EXPECT_TRUE(PredictionEngine(forest).predict(RowSource({}, 5), 0, {}).mean.empty());
}

}  // namespace
}  // namespace coppice
