// Splits on several features: what training decided, prediction repeats, whatever learner proposed
// it, on data with missing values, categories and infinities.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/walk.h"
#include "tests/property/forest_checks.h"
#include "tests/property/random_data.h"

namespace coppice {
namespace {

struct ProjectionCase {
  std::string name;
  std::vector<LearnerShare> learners;
  bool two_sided = false;
  ThresholdChoice thresholds = ExactThresholds{};
  Coefficients coefficients = Coefficients::uniform;
};

void PrintTo(const ProjectionCase& one, std::ostream* out) { *out << one.name; }

std::vector<ProjectionCase> projection_cases() {
  using Kind = WeakLearnerKind;
  return {{"difference", {{Kind::difference}}},
          {"oblique", {{Kind::oblique}}},
          {"oblique_signs", {{Kind::oblique}}, false, ExactThresholds{}, Coefficients::sign},
          {"oblique_bins", {{Kind::oblique}}, false, BinnedThresholds{.bins = 8, .exact_rows = 16}},
          {"oblique_random", {{Kind::oblique}}, false, RandomThresholds{3}},
          {"conic", {{Kind::conic}}, false, ExactThresholds{}, Coefficients::gaussian},
          {"principal", {{Kind::principal}}},
          {"canonical", {{Kind::canonical}}},
          {"boxes", {{Kind::boxes}}},
          {"boxes_random", {{Kind::boxes}}, false, RandomThresholds{1}},
          {"bands", {{Kind::axis}}, true},
          {"oblique_bands", {{Kind::oblique}}, true, BinnedThresholds{.bins = 8, .exact_rows = 16}},
          {"mixed", {{Kind::axis, 0.5}, {Kind::canonical, 0.25}, {Kind::conic, 0.25}}}};
}

class ProjectionProperty : public testing::TestWithParam<ProjectionCase> {
 protected:
  FitOptions options(bool classes, std::uint64_t seed) const {
    FitOptions options;
    if (!classes) options.task = Regression{};
    options.forest = {6, seed};
    options.split.learners = GetParam().learners;
    options.split.two_sided = GetParam().two_sided;
    options.split.thresholds = GetParam().thresholds;
    options.split.coefficients = GetParam().coefficients;
    if (GetParam().learners[0].kind == WeakLearnerKind::boxes) options.split.image_width = 3;
    options.report.leaf_ids = true;
    return options;
  }

  // Calls check(data, options) for classes and numbers, tame and extreme data.
  template <class Check>
  void for_each_problem(Check&& check) const {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const bool classes = seed % 2 == 0;
      const test::DataShape shape{.rows = 20 + 15 * seed,
                                  .numeric = 4,
                                  .categorical = 2,
                                  .most_categories = 40,
                                  .classes = classes ? 3u : 0u,
                                  .targets = 1 + seed % 3,
                                  .extreme = seed >= 4};
      SCOPED_TRACE(seed);
      check(test::random_dataset(RandomStream(seed), shape), options(classes, seed));
    }
  }
};

TEST_P(ProjectionProperty, RowsEndInTheLeafThatTrainingGaveThem) {
  std::size_t projections = 0;
  for_each_problem([&](const Dataset& data, const FitOptions& options) {
    const FitResult result = fit(data.view(), options);
    projections += result.forest.arrays().projections.count();
    const LeafIds found = Predictor(result.forest).apply(data.view());
    for (std::size_t tree = 0; tree < result.forest.trees(); ++tree)
      for (std::size_t row = 0; row < data.rows; ++row)
        ASSERT_EQ(found.leaf(tree, row), result.report.leaf_ids.leaf(tree, row));
  });
  EXPECT_GT(projections, 0u);
}

TEST_P(ProjectionProperty, EngineAndPlainWalkAgree) {
  for_each_problem([&](const Dataset& data, const FitOptions& options) {
    const Forest forest = fit(data.view(), options).forest;
    const LeafIds found = Predictor(forest).apply(data.view());
    std::vector<float> row(data.columns.size());
    for (std::size_t r = 0; r < data.rows; ++r) {
      for (std::size_t f = 0; f < row.size(); ++f) row[f] = data.columns[f][r];
      for (std::size_t tree = 0; tree < forest.trees(); ++tree)
        ASSERT_EQ(found.leaf(tree, r), leaf_of(forest.arrays(), forest.info().schema, tree, row));
    }
  });
}

TEST_P(ProjectionProperty, NeitherThreadsNorOrderMatter) {
  for_each_problem([&](const Dataset& data, FitOptions options) {
    RunContext context;
    context.threads = 1;
    const auto expected = test::model_bytes(fit(data.view(), options, context).forest);
    context.threads = 4;
    EXPECT_EQ(test::model_bytes(fit(data.view(), options, context).forest), expected);
    options.growth.order = GrowthOrder::breadth_first;
    EXPECT_EQ(test::model_bytes(fit(data.view(), options, context).forest), expected);
  });
}

TEST_P(ProjectionProperty, FilesLoseNothing) {
  for_each_problem([&](const Dataset& data, const FitOptions& options) {
    const Forest forest = fit(data.view(), options).forest;
    const test::TestFolder folder;
    forest.save(folder.file("model"));
    forest.save_json(folder.file("json"));
    const Forest loaded = Forest::load(folder.file("model"));
    const Forest read = Forest::load_json(folder.file("json"));
    EXPECT_EQ(test::model_bytes(loaded), test::model_bytes(forest));
    EXPECT_EQ(test::model_bytes(read), test::model_bytes(forest));
    test::expect_same_answers(Predictor(read).predict(data.view()),
                              Predictor(forest).predict(data.view()));
  });
}

INSTANTIATE_TEST_SUITE_P(Learners, ProjectionProperty, testing::ValuesIn(projection_cases()),
                         [](const auto& chosen) { return chosen.param.name; });

}  // namespace
}  // namespace coppice
