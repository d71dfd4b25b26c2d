// The lanes against a count of every candidate by itself.
#include "split/cut_lanes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/test_wide_loops.h"
#include "objective/class_impurity.h"
#include "objective/variance.h"
#include "split/test_class_table.h"
#include "split/test_expected_split.h"

namespace coppice {
namespace {

struct Table : ClassTable {
  Table(std::size_t rows, std::size_t features, std::uint64_t seed) {
    RandomStream random(seed);
    for (std::size_t f = 0; f < features; ++f) {
      columns.emplace_back(rows);
      for (float& value : columns[f]) value = static_cast<float>(random.below(1 + 3 * f));
    }
    for (std::size_t row = 0; row < rows; ++row) labels.push_back(random.below(3));
    make_view(3);
  }
};

// The first of the cheapest candidates: feature, threshold and cost of both children.
struct Best : ExpectedSplit {
  bool varies = false;  // any candidate
};

template <Objective O>
Best best_by_counting(const O& objective, const CodedColumns& columns, const LoadedNode<O>& node,
                      std::uint32_t least_samples, const RandomStream& random) {
  Best best;
  for (std::uint32_t f = 0; f < columns.features(); ++f) {
    const std::span<const float> values = columns.column(f).raw;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (*least == *most) continue;
    best.varies = true;
    RandomStream own = random.child(CandidateRandom::kThresholds).child(f);
    const float cut = RandomCuts::between(columns.column(f), *least, *most, own);
    std::vector<typename O::Sum> left(objective.statistics_size()), right(left);
    std::uint32_t samples[2] = {0, 0};
    for (std::size_t row = 0; row < values.size(); ++row) {
      objective.add((values[row] < cut ? left : right).data(), node.items[row]);
      samples[values[row] < cut] += node.draws[row];
    }
    if (std::min(samples[0], samples[1]) < least_samples) continue;
    const double cost = objective.cost(left.data()) + objective.cost(right.data());
    if (cost < best.cost) best = {{f, cut, cost, samples[1], true}, true};
  }
  return best;
}

// Deals the features in order, once.
class InOrder final : public WeakLearner {
 public:
  explicit InOrder(std::size_t features) : all_(features) {
    std::iota(all_.begin(), all_.end(), 0u);
  }

  std::size_t candidates() const override { return all_.size(); }
  std::vector<std::uint32_t> features() const override { return all_; }
  void begin(std::span<const SampleId>, RandomStream) override {}
  bool propose(Projection&) override { return false; }
  std::size_t propose_features(std::span<std::uint32_t> features) override {
    const std::size_t dealt = std::min(features.size(), all_.size() - dealt_);
    std::copy_n(all_.begin() + static_cast<std::ptrdiff_t>(dealt_), dealt, features.begin());
    dealt_ += dealt;
    return dealt;
  }

 private:
  std::vector<std::uint32_t> all_;
  std::size_t dealt_ = 0;
};

// Both ways into the lanes: features one by one, and those that a learner deals.
template <Objective O>
void expect_the_same(const O& objective, const CodedColumns& columns, std::uint64_t seed) {
  LoadedNode<O> node;
  std::vector<SampleId> rows(columns.rows());
  std::iota(rows.begin(), rows.end(), 0u);
  const bool unit_weights = seed % 2 == 0;
  node.load(objective, rows.size(), [&](std::size_t i, auto& item, std::uint32_t& draws) {
    draws = 1 + static_cast<std::uint32_t>(i % 3);
    item = objective.item(static_cast<std::uint32_t>(i), unit_weights ? draws : 2 * draws);
  });
  const std::uint32_t least = 1 + static_cast<std::uint32_t>(seed % 5);
  const SearchLimits limits{.min_child_samples = least, .random_thresholds = 1};
  ColumnSearch<O> at_hand(objective, node, limits);
  at_hand.unit_weights = unit_weights;
  at_hand.begin_node();
  CutLanes<O> lanes;
  for (std::uint32_t f = 0; f < columns.features(); ++f) lanes.add(f, f);
  const RandomStream random(seed);
  const Best expected = best_by_counting(objective, columns, node, least, random);
  const LaneRows all{{columns, rows.size()}, rows, random};
  EXPECT_EQ(lanes.search(at_hand, all), expected.varies);
  expect_found(at_hand.best, expected);

  InOrder learner(columns.features());
  at_hand.begin_node();
  lanes.search_all(at_hand, learner, all);
  expect_found(at_hand.best, expected);
}

class CutLanesTest : public BothLoops {};
INSTANTIATE_TEST_SUITE_P(Loops, CutLanesTest, testing::Bool(), loops_name);

TEST_P(CutLanesTest, AgreeWithCandidatesOneByOne) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t rows = seed % 3 == 0 ? 2 : 2 + seed * 7 % 90;
    const Table table(rows, 1 + seed % kLanes, seed);
    const CodedColumns columns(table.view, 0, 1);
    expect_the_same(GiniImpurity{table.labels, 3}, columns, seed);
    expect_the_same(EntropyImpurity{table.labels, 3}, columns, seed);
    std::vector<double> targets(table.labels.begin(), table.labels.end());
    const FixedPointTargets fixed(targets, 1, 3.0 * static_cast<double>(targets.size()));
    expect_the_same(Variance{fixed}, columns, seed);
    expect_the_same(MultiVariance{fixed}, columns, seed);
  }
}

}  // namespace
}  // namespace coppice
