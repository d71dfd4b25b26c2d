// There are several ways to find a split - by copied rows, by tables of rows, by bins,
// ranks or values - and all must find the same one.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "data/fixed_point.h"
#include "objective/log_det.h"
#include "split/axis_aligned.h"
#include "split/split_search.h"
#include "tasks/split_searches.h"

namespace coppice {

namespace {

constexpr std::size_t kRows = 9000;
constexpr std::uint32_t kClasses = 4, kFeatures = 7, kMostNode = 8192;

// Numbers with few values and many, categories, holes; the last column is 0 but for few rows.
Dataset draw_data() {
  Dataset data;
  data.rows = kRows;
  RandomStream random(1);
  const std::function<float(std::size_t)> fillings[kFeatures] = {
      [&](std::size_t) { return static_cast<float>(random.uniform()); },
      [&](std::size_t row) { return row % 5 == 0 ? kMissing : static_cast<float>(row * 31 % 977); },
      [&](std::size_t) { return static_cast<float>(random.below(100)); },
      [&](std::size_t row) { return row % 3 == 0 ? kMissing : static_cast<float>(row * 7 % 90); },
      [&](std::size_t) { return static_cast<float>(random.below(12)); },
      [&](std::size_t row) { return row % 4 == 0 ? kMissing : static_cast<float>(row * 13 % 300); },
      [&](std::size_t) { return static_cast<float>(random.below(5) / 4 * random.below(40)); }};
  for (std::size_t f = 0; f < kFeatures; ++f) {
    Feature feature{std::to_string(f), FeatureKind::numeric};
    if (f == 4 || f == 5) {
      feature.kind = FeatureKind::categorical;
      for (int c = 0; c < (f == 4 ? 12 : 300); ++c) feature.categories.push_back(std::to_string(c));
    }
    data.schema.features.push_back(feature);
    data.columns.emplace_back();
    for (std::size_t row = 0; row < kRows; ++row) data.columns[f].push_back(fillings[f](row));
  }
  return data;
}

double signal(const Dataset& data, std::size_t row) {
  double sum = 0;
  for (const std::vector<float>& column : data.columns)
    if (!std::isnan(column[row])) sum += std::fmod(column[row] * 0.37, 1.0);
  return sum;
}

// The data that all nodes are drawn from.
struct Training {
  Dataset data = draw_data();
  std::vector<std::uint32_t> labels, weights;
  std::vector<double> targets;
  std::vector<std::uint16_t> draws;

  Training() {
    RandomStream random(2);
    for (std::size_t row = 0; row < kRows; ++row) {
      const double noisy = signal(data, row) + random.uniform();
      labels.push_back(static_cast<std::uint32_t>(noisy * 2) % kClasses);
      targets.insert(targets.end(), {noisy, std::floor(noisy * 3)});
      weights.push_back(1);
      draws.push_back(static_cast<std::uint16_t>(1 + random.below(3)));
    }
  }
};
const Training& training() {
  static const Training made;
  return made;
}

// A bag without some of the rows, so that copies meet gaps.
std::vector<SampleId> draw_node(std::uint32_t rows, RandomStream random) {
  std::vector<SampleId> node;
  for (SampleId row = 0; row < kRows; ++row)
    if (random.below(static_cast<std::uint32_t>(kRows) - row) < rows - node.size())
      node.push_back(row);
  return node;
}

struct PathCase {
  std::string name;
  std::uint32_t bins = 0;
  std::uint32_t exact_rows = UINT32_MAX;
  std::uint32_t random_thresholds = 0;
  std::uint32_t weight = 1;
};
void PrintTo(const PathCase& row, std::ostream* out) { *out << row.name; }

template <class O>
struct Bound;
template <class Rule>
struct Bound<ClassImpurity<Rule>> {
  static ClassImpurity<Rule> objective() { return {training().labels, kClasses}; }
};
template <>
struct Bound<Variance> {
  static Variance objective() {
    static const FixedPointTargets targets(
        [] {
          std::vector<double> first;
          for (std::size_t row = 0; row < kRows; ++row)
            first.push_back(training().targets[2 * row]);
          return first;
        }(),
        1, std::uint64_t{1} << 26);
    return {targets};
  }
};
template <>
struct Bound<MultiVariance> {
  static MultiVariance objective() {
    static const FixedPointTargets targets(training().targets, 2, std::uint64_t{1} << 26);
    return {targets};
  }
};

class SplitPaths : public testing::TestWithParam<PathCase> {
 protected:
  SplitPaths() : columns_(training().data.view(), GetParam().bins, 1) {
    limits_.exact_rows = GetParam().exact_rows;
    limits_.random_thresholds = GetParam().random_thresholds;
    for (std::size_t row = 0; row < kRows; ++row)
      weights_.push_back(row % 2 == 0 ? 1 : GetParam().weight);
  }

  template <class O>
  SplitSearch<O> search(const CodedColumns& columns) const {
    SplitSearch<O> made(columns, Bound<O>::objective(), weights_,
                        std::make_unique<AxisAligned>(kFeatures, 3), limits_);
    return made;
  }
  void begin(NodeSplitter& splitter) const {
    std::vector<SampleId> all(kRows);
    std::iota(all.begin(), all.end(), 0u);
    splitter.begin_tree({all, training().draws.data()});
  }

  // Calls body(node, random) for nodes of all sizes.
  template <class Body>
  void for_nodes(Body body) {
    for (const std::uint32_t size : {kMostNode, 3000u, 700u, 257u, 256u, 100u, 33u, 16u, 4u})
      for (std::uint64_t seed = 0; seed < (size > 1000 ? 3 : 20); ++seed) {
        SCOPED_TRACE(std::to_string(size) + " rows, seed " + std::to_string(seed));
        body(draw_node(size, RandomStream(seed).child(size)), RandomStream(seed).child(5));
        if (HasFailure()) return;
      }
  }

  template <class O>
  void expect_copies_change_nothing(const CodedColumns&);
  template <class O>
  void expect_row_tables_change_nothing();

  CodedColumns columns_;
  SearchLimits limits_;
  std::vector<std::uint32_t> weights_;
};

// But for the cut, which counts codes of the path.
void expect_same(const ChosenSplit* a, const ChosenSplit* b) {
  ASSERT_EQ(a != nullptr, b != nullptr);
  if (!a) return;
  EXPECT_EQ(a->feature, b->feature);
  EXPECT_EQ(a->left_categories, b->left_categories);
  if (a->left_categories.empty()) {
    EXPECT_EQ(a->threshold, b->threshold);
  }
  EXPECT_EQ(a->missing_left, b->missing_left);
  EXPECT_EQ(a->gain, b->gain);
  EXPECT_EQ(a->node_weight, b->node_weight);
}

// A node and its children, copied whenever that is offered, against the same without copies.
template <class O>
void SplitPaths::expect_copies_change_nothing(const CodedColumns& columns) {
  SplitSearch<O> plain = search<O>(columns_), copying = search<O>(columns);
  begin(plain), begin(copying);
  std::size_t copies = 0, nested = 0;
  for_nodes([&](std::vector<SampleId> node, RandomStream random) {
    std::vector<SampleId> renamed = node;
    const std::vector<SampleId> original = node;
    const bool copied = copying.copy_rows(renamed);
    copies += copied;
    const auto expected = plain.best_split(node, random);
    expect_same(copying.best_split(renamed, random), expected);
    if (expected && !HasFailure()) {
      const std::size_t left = plain.partition(node, *expected);
      ASSERT_EQ(copying.partition(renamed, *copying.best_split(renamed, random)), left);
      for (const bool right : {false, true}) {
        const auto part = [&](std::vector<SampleId>& rows) {
          return right ? std::span(rows).subspan(left) : std::span(rows).first(left);
        };
        if (part(node).size() < 2) continue;
        const bool again = copying.copy_rows(part(renamed));
        nested += again && copied;
        expect_same(copying.best_split(part(renamed), random.child(right)),
                    plain.best_split(part(node), random.child(right)));
        if (again) copying.release(part(renamed));
      }
    }
    if (copied) copying.release(renamed);
    EXPECT_EQ(renamed, node);
  });
  EXPECT_EQ(copies > 0, GetParam().random_thresholds == 0);  // values need no copies
  EXPECT_EQ(nested > 0, GetParam().random_thresholds == 0);
}

TEST_P(SplitPaths, CopiesChangeNothing) {
  expect_copies_change_nothing<GiniImpurity>(columns_);
  expect_copies_change_nothing<EntropyImpurity>(columns_);
  expect_copies_change_nothing<Variance>(columns_);
  expect_copies_change_nothing<MultiVariance>(columns_);
}

// Bits are only copied from a table of rows.
TEST_P(SplitPaths, CopiesOfTablesChangeNothing) {
  CodedColumns with_rows(training().data.view(), GetParam().bins, 1);
  with_rows.add_code_rows(1);
  expect_copies_change_nothing<GiniImpurity>(with_rows);
  expect_copies_change_nothing<Variance>(with_rows);
}

template <class O>
void SplitPaths::expect_row_tables_change_nothing() {
  CodedColumns with_rows(training().data.view(), GetParam().bins, 1);
  with_rows.add_code_rows(1);
  with_rows.add_value_rows(1);
  SplitSearch<O> plain = search<O>(columns_), by_rows = search<O>(with_rows);
  begin(plain), begin(by_rows);
  std::size_t splits = 0;
  for_nodes([&](const std::vector<SampleId>& node, RandomStream random) {
    const auto expected = plain.best_split(node, random);
    expect_same(by_rows.best_split(node, random), expected);
    splits += expected != nullptr;
  });
  EXPECT_GT(splits, 0u);
}

TEST_P(SplitPaths, RowTablesChangeNothing) {
  expect_row_tables_change_nothing<GiniImpurity>();
  expect_row_tables_change_nothing<Variance>();
}

INSTANTIATE_TEST_SUITE_P(
    Table, SplitPaths,
    testing::Values(PathCase{.name = "exact"}, PathCase{.name = "exact_weighted", .weight = 5},
                    PathCase{.name = "bins", .bins = 255, .exact_rows = 0},
                    PathCase{.name = "few_bins", .bins = 16, .exact_rows = 0},
                    PathCase{.name = "bins_of_two_bytes", .bins = 600, .exact_rows = 0},
                    PathCase{.name = "bins_in_large_nodes", .bins = 16, .exact_rows = 500},
                    PathCase{.name = "random", .random_thresholds = 1},
                    PathCase{.name = "three_random", .random_thresholds = 3, .weight = 5}),
    [](const auto& tested) { return tested.param.name; });

// The gain that a search claims, against sums over the rows that its split sends to each side.
template <class O>
void expect_true_gains(const O& bound, std::size_t candidates, const SearchLimits& limits = {}) {
  const CodedColumns columns(training().data.view(), 0, 1);
  const std::vector<std::uint32_t> weights(kRows, 1);
  SplitSearch<O> search(columns, bound, weights,
                        std::make_unique<AxisAligned>(kFeatures, candidates), limits);
  const std::uint16_t* const draws = training().draws.data();
  for (const std::uint32_t size : {4000u, 700u, 300u, 60u, 9u})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      std::vector<SampleId> node = draw_node(size, RandomStream(seed).child(size));
      search.begin_tree({node, draws});
      const ChosenSplit* const split = search.best_split(node, RandomStream(seed));
      if (!split) continue;
      const double gain = split->gain;
      const std::vector<SampleId> before = node;
      const std::size_t left = search.partition(node, *split);
      O objective = bound;
      std::vector<typename O::Item> items;
      for (const SampleId row : before) items.push_back(objective.item(row, draws[row]));
      if constexpr (LooksAtNodes<O>) objective.begin_node(std::span(items));
      std::vector<typename O::Sum> all(objective.statistics_size()), sides[2] = {all, all};
      for (std::size_t i = 0; i < before.size(); ++i) {
        const bool on_left = std::find(node.begin(), node.begin() + left, before[i]) !=
                             node.begin() + static_cast<std::ptrdiff_t>(left);
        objective.add(all.data(), items[i]);
        objective.add(sides[on_left ? 0 : 1].data(), items[i]);
      }
      ASSERT_DOUBLE_EQ(gain, objective.cost(all.data()) -
                                 children_cost(objective, sides[0].data(), sides[1].data()))
          << size << " rows, seed " << seed;
    }
}

TEST(SplitSearch, GainsAreTrue) {
  expect_true_gains(Bound<GiniImpurity>::objective(), 3);
  expect_true_gains(Bound<MultiVariance>::objective(), 3);
}

TEST(SplitSearch, GainsOfRandomThresholdsAreTrue) {
  for (const std::uint32_t thresholds : {1u, 2u}) {
    const SearchLimits limits{.random_thresholds = thresholds};
    expect_true_gains(Bound<GiniImpurity>::objective(), kFeatures, limits);
    expect_true_gains(Bound<MultiVariance>::objective(), 3, limits);
  }
}

// One value of the last column is common.
TEST(SplitSearch, GainsOfSparseColumnsAreTrueForObjectivesThatLookAtNodes) {
  static const FixedPointTargets targets(training().targets, 2, std::uint64_t{1} << 26);
  expect_true_gains(LogDet(targets), kFeatures);
}

// A third of the rows lies left, and weighs the most: samples are counted, not weights. The nodes
// are searched by small counts, by numbers that are gathered, and by what few rows have.
TEST(SplitSearch, MissingValuesFollowTheChildOfMoreSamples) {
  for (const std::size_t rows : {12u, 60u, 600u})
    for (const std::size_t common : {0u, 4u}) {
      Dataset data;
      data.rows = rows * (1 + common);
      data.schema.features = {{"x", FeatureKind::numeric}};
      data.columns.emplace_back();
      std::vector<std::uint32_t> labels, weights;
      for (std::size_t row = 0; row < data.rows; ++row) {
        const bool beside = row >= rows;  // of the common value, and never drawn
        data.columns[0].push_back(beside ? 1 : static_cast<float>(row % 3));
        labels.push_back(data.columns[0].back() > 0);
        weights.push_back(labels.back() == 0 ? 20 : 1);
      }
      const CodedColumns columns(data.view(), 0, 1);
      SplitSearch<GiniImpurity> search(columns, GiniImpurity{labels, 2}, weights,
                                       std::make_unique<AxisAligned>(1, 1), {});
      std::vector<SampleId> node(rows);
      std::iota(node.begin(), node.end(), 0u);
      const std::vector<std::uint16_t> draws(data.rows, 1);
      search.begin_tree({node, draws.data()});
      const ChosenSplit* const split = search.best_split(node, RandomStream(1));
      ASSERT_NE(split, nullptr);
      EXPECT_EQ(split->threshold, 0.5f);
      EXPECT_FALSE(split->missing_left) << rows << " " << common;
      for (std::size_t row = 0; row < data.rows; ++row) weights[row] = labels[row] == 0 ? 1 : 20;
      search.begin_tree({node, draws.data()});
      std::vector<SampleId> mostly_left;  // by one
      for (const SampleId row : node)
        if (row % 3 != 1) mostly_left.push_back(row);
      mostly_left.pop_back();
      const ChosenSplit* const other = search.best_split(mostly_left, RandomStream(1));
      ASSERT_NE(other, nullptr);
      EXPECT_TRUE(other->missing_left) << rows << " " << common;
    }
}

// A loss may change the weights between two stages; begin_tree() and begin_level() tell the search.
TEST(SplitSearch, WeightsMayChangeBetweenStages) {
  const CodedColumns columns(training().data.view(), 0, 1);
  SearchLimits limits;
  limits.min_child_samples = 40;
  for (const std::uint32_t random_thresholds : {0u, 1u}) {
    limits.random_thresholds = random_thresholds;
    std::vector<std::uint32_t> weights(kRows, 1);
    const auto search = [&] {
      return SplitSearch<GiniImpurity>(columns, Bound<GiniImpurity>::objective(), weights,
                                       std::make_unique<AxisAligned>(kFeatures, kFeatures), limits);
    };
    SplitSearch<GiniImpurity> used = search();
    for (std::size_t row = 0; row < kRows; ++row) weights[row] = 1 + row % 16;
    SplitSearch<GiniImpurity> fresh = search();
    for (const std::uint32_t size : {100u, 400u, 3000u})
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::vector<SampleId> node = draw_node(size, RandomStream(seed));
        const std::span<const SampleId> nodes[] = {node};
        used.begin_level(nodes, training().draws.data());
        fresh.begin_tree({node, training().draws.data()});
        expect_same(used.best_split(node, RandomStream(seed)),
                    fresh.best_split(node, RandomStream(seed)));
      }
  }
}

}  // namespace
}  // namespace coppice
