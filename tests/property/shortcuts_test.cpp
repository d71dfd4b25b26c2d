// What training does to be fast must not show: copies of rows, tables that lie row by row, and
// several threads for one tree. The data is large enough for all of them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "coppice/fit.h"
#include "coppice/predict.h"
#include "tests/property/cases.h"
#include "tests/property/forest_checks.h"

namespace coppice {
namespace {

constexpr std::size_t kRows = 10'000;

struct ShortcutCase {
  std::string name;
  TaskChoice task;
  std::size_t targets;  // 0: classes
  ThresholdChoice thresholds;
};
void PrintTo(const ShortcutCase& row, std::ostream* out) { *out << row.name; }

std::vector<ShortcutCase> shortcut_cases() {
  const std::vector<ShortcutCase> tasks{{"gini", Classification{GiniObjective{}, {}}, 0, {}},
                                        {"entropy", Classification{EntropyObjective{}, {}}, 0, {}},
                                        {"variance", Regression{}, 1, {}},
                                        {"multi_variance", Regression{}, 2, {}}};
  const std::vector<std::pair<std::string, ThresholdChoice>> rules{
      {"exact", ExactThresholds{}},
      {"bins", BinnedThresholds{255, 0}},
      {"bins_of_two_bytes", BinnedThresholds{700, 0}},
      {"bins_above_1000", BinnedThresholds{64, 1000}},
      {"bins_above_8192", BinnedThresholds{255, 8192}},
      {"random", RandomThresholds{1}},
      {"three_random", RandomThresholds{3}}};
  std::vector<ShortcutCase> cases;
  for (const ShortcutCase& task : tasks)
    for (const auto& [name, rule] : rules)
      cases.push_back({task.name + "_" + name, task.task, task.targets, rule});
  return cases;
}

// Column 0 has a value of its own in every row, 1 is rounded and has holes, 2 and 3 have few
// values, 4 and 5 are categories.
Dataset draw_columns() {
  Dataset data;
  data.rows = kRows;
  RandomStream random(1);
  for (std::size_t f = 0; f < 6; ++f) {
    const std::uint32_t distinct = std::array{0, 3000, 40, 3, 15, 300}[f];
    Feature feature{"x" + std::to_string(f), FeatureKind::numeric};
    if (f >= 4) feature.kind = FeatureKind::categorical;
    for (std::uint32_t c = 0; f >= 4 && c < distinct; ++c)
      feature.categories.push_back("c" + std::to_string(c));
    data.schema.features.push_back(feature);
    data.columns.emplace_back(kRows);
    for (float& value : data.columns[f]) {
      value = f == 0 ? test::random_normal(random) : static_cast<float>(random.below(distinct));
      if (f % 2 == 1 && random.below(5) == 0) value = kMissing;
    }
  }
  return data;
}

double noisy_signal(const Dataset& data, std::size_t row, RandomStream& random) {
  double sum = random.uniform();
  for (std::size_t f = 0; f < data.columns.size(); ++f)
    if (const float value = data.columns[f][row]; !std::isnan(value))
      sum += std::fmod(std::abs(value) * 0.61, 1.0);
  return sum;
}

Dataset draw_data(std::size_t targets) {
  Dataset data = draw_columns();
  RandomStream random(2);
  if (targets == 0) data.schema.classes = {"a", "b", "c", "d"};
  for (std::size_t k = 0; k < targets; ++k) data.schema.targets.push_back("y" + std::to_string(k));
  for (std::size_t row = 0; row < kRows; ++row) {
    const double signal = noisy_signal(data, row, random);
    if (targets == 0) data.labels.push_back(static_cast<std::uint32_t>(signal * 1.3) % 4);
    for (std::size_t k = 0; k < targets; ++k)
      data.targets.push_back(k == 0 ? signal : std::floor(signal * 2));
  }
  return data;
}

class Shortcuts : public testing::TestWithParam<ShortcutCase> {
 protected:
  Shortcuts() : data_(draw_data(GetParam().targets)) {
    options_.task = GetParam().task;
    options_.split.thresholds = GetParam().thresholds;
    options_.forest = {1, 3};
    options_.report.leaf_ids = true;
  }
  test::ModelFile trained(std::size_t threads = 1) const {
    return test::model_bytes(fit(data_.view(), options_, {.threads = threads}).forest);
  }

  Dataset data_;
  FitOptions options_;
};

// Rows are copied depth first only.
TEST_P(Shortcuts, CopiesChangeNothing) {
  const test::ModelFile copied = trained();
  options_.growth.order = GrowthOrder::breadth_first;
  EXPECT_EQ(trained(), copied);
}

TEST_P(Shortcuts, CopiesChangeNothingInNodesSearchedInPart) {
  options_.split.max_node_samples = 300;
  options_.growth.min_samples_leaf = 3;
  const test::ModelFile copied = trained();
  options_.growth.order = GrowthOrder::breadth_first;
  EXPECT_EQ(trained(), copied);
}

TEST_P(Shortcuts, ATreeGrownTogetherIsTheSame) {
  const test::ModelFile alone = trained();
  for (const std::size_t threads : {2, 3, 8}) EXPECT_EQ(trained(threads), alone);
}

TEST_P(Shortcuts, RowsLieWhereTraversalFindsThem) {
  const FitResult result = fit(data_.view(), options_, {.threads = 2});
  const LeafIds found = Predictor(result.forest).apply(data_.view(), {.threads = 1});
  for (std::size_t row = 0; row < kRows; ++row)
    ASSERT_EQ(result.report.leaf_ids.leaf(0, row), found.leaf(0, row)) << "row " << row;
}

INSTANTIATE_TEST_SUITE_P(Table, Shortcuts, testing::ValuesIn(shortcut_cases()), test::kByName);

// Many features of few values: their codes, or values, also lie row by row.
constexpr std::size_t kManyFeatures = 240, kFewRows = 700;
constexpr std::uint32_t kValues = 8;

Dataset many_features() {
  Dataset data;
  data.rows = kFewRows;
  RandomStream random(5);
  data.schema.classes = {"a", "b", "c"};
  for (std::size_t f = 0; f < kManyFeatures; ++f) {
    data.schema.features.push_back({"x" + std::to_string(f), FeatureKind::numeric});
    data.columns.emplace_back(kFewRows);
    for (std::size_t row = 0; row < kFewRows; ++row)
      data.columns[f][row] =
          static_cast<float>(row < kValues ? row : random.below(kValues));  // all values occur
    if (f % 3 == 0) data.columns[f][kFewRows - 1 - f] = kMissing;
  }
  for (std::size_t row = 0; row < kFewRows; ++row) {
    const float sum = data.columns[1][row] + data.columns[2][row] * 2 + data.columns[4][row];
    data.labels.push_back(static_cast<std::uint32_t>(sum) % 3);
  }
  data.weights.assign(kFewRows, 1);
  return data;
}

// Rows without weight add as many values between every two others, so that codes take two bytes,
// which do not lie row by row; gaps keep their order.
Dataset with_wide_codes(Dataset data) {
  constexpr std::uint32_t kBetween = 60;
  for (std::uint32_t value = 0; value + 1 < kValues; ++value)
    for (std::uint32_t i = 1; i <= kBetween; ++i) {
      for (std::vector<float>& column : data.columns)
        column.push_back(static_cast<float>(value) + static_cast<float>(i) / (kBetween + 1));
      data.labels.push_back(0);
      data.weights.push_back(0);
      ++data.rows;
    }
  return data;
}

TEST(CodesRowByRow, ChangeNothing) {
  const Dataset narrow = many_features(), wide = with_wide_codes(narrow);
  FitOptions options;
  options.forest = {6, 2};
  options.report.out_of_bag = false;
  for (const ThresholdChoice& thresholds :
       {ThresholdChoice(ExactThresholds{}), ThresholdChoice(RandomThresholds{2})})
    for (const GrowthOrder order : {GrowthOrder::depth_first, GrowthOrder::breadth_first}) {
      options.split.thresholds = thresholds;
      options.growth.order = order;
      test::expect_same_trees(fit(narrow.view(), options, {.threads = 1}).forest,
                              fit(wide.view(), options, {.threads = 2}).forest);
    }
}

// Fewer bins than values, though all codes fit a byte: rows lie where traversal finds them, and no
// threshold tears a bin.
TEST(CodesRowByRow, KnowOfBins) {
  const Dataset data = many_features();
  FitOptions options;
  options.forest = {6, 2};
  options.split.thresholds = BinnedThresholds{3, 0};
  options.report.leaf_ids = true;
  const FitResult result = fit(data.view(), options, {.threads = 1});
  const LeafIds found = Predictor(result.forest).apply(data.view(), {.threads = 1});
  for (std::size_t tree = 0; tree < 6; ++tree)
    for (std::size_t row = 0; row < data.rows; ++row)
      ASSERT_EQ(result.report.leaf_ids.leaf(tree, row), found.leaf(tree, row));
  std::vector<std::set<std::uint32_t>> thresholds(kManyFeatures);
  const ForestArrays& arrays = result.forest.arrays();
  for (std::size_t i = 0; i < arrays.splits(); ++i)
    thresholds[arrays.code[i] & SplitCode::kFeatureMask].insert(arrays.threshold[i]);
  // Between any two of three bins, and one that cuts off the holes.
  for (const auto& of_feature : thresholds) EXPECT_LE(of_feature.size(), 4u);
}

}  // namespace
}  // namespace coppice
