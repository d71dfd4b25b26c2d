// All pairs of rows against every boundary of every candidate by itself.
#include "split/pair_lanes.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "base/test_wide_loops.h"
#include "objective/class_impurity.h"
#include "objective/variance.h"
#include "split/axis_aligned.h"
#include "split/test_class_table.h"
#include "split/test_expected_split.h"

namespace coppice {
namespace {

struct Node : ClassTable {
  std::vector<std::uint32_t> draws;
  std::vector<SampleId> rows;

  Node(std::size_t count, std::size_t features, std::uint64_t seed) : rows(count) {
    RandomStream random(seed);
    const std::uint32_t classes = 2 + random.below(6);
    for (std::size_t f = 0; f < features; ++f) {
      const std::uint32_t range = random.below(3) == 0 ? 2 : 1 + random.below(200);
      columns.emplace_back(count);
      for (float& value : columns[f]) value = static_cast<float>(random.below(range));
    }
    for (std::size_t row = 0; row < count; ++row) {
      labels.push_back(random.below(classes));
      draws.push_back(1 + random.below(3) / 2 * (1 + random.below(2)));
    }
    std::iota(rows.begin(), rows.end(), 0u);
    make_view(classes);
  }
};

// The cheapest boundary; of several the widest, of these the first.
template <Objective O>
ExpectedSplit best_by_counting(const Node& node, const O& objective, const CodedColumns& columns,
                               std::uint32_t fewest) {
  ExpectedSplit best;
  double best_gap = -1;
  for (std::uint32_t f = 0; f < columns.features(); ++f) {
    const CodedColumn& column = columns.column(f);
    const CodeSpan codes = column.code_span();
    std::set<std::uint32_t> distinct;
    for (const SampleId row : node.rows) distinct.insert(codes[row]);
    for (auto last = distinct.begin(); std::next(last) != distinct.end(); ++last) {
      std::vector<typename O::Sum> left(objective.statistics_size()), right(left);
      std::uint32_t samples[2] = {0, 0};
      for (const SampleId row : node.rows) {
        const bool on_left = codes[row] <= *last;
        objective.add((on_left ? left : right).data(), objective.item(row, node.draws[row]));
        samples[on_left] += node.draws[row];
      }
      if (std::min(samples[0], samples[1]) < fewest) continue;
      const double cost = objective.cost(left.data()) + objective.cost(right.data());
      const std::uint32_t next = *std::next(last);
      const double gap = 1.0 / column.known * (next - *last);
      if (cost > best.cost || (cost == best.cost && gap <= best_gap)) continue;
      best = {f, threshold_between(column.values[*last], column.values[next]), cost, samples[1],
              true};
      best_gap = gap;
    }
  }
  return best;
}

template <Objective O>
void load(const Node& node, const O& objective, LoadedNode<O>& loaded) {
  loaded.load(objective, node.rows.size(), [&](std::size_t i, auto& item, std::uint32_t& draws) {
    draws = node.draws[i];
    item = objective.item(static_cast<std::uint32_t>(i), draws);
  });
}

// In batches of several lanes, so that later ones meet a best split.
template <Objective O>
void expect_the_same(const Node& node, const O& objective, std::uint64_t seed) {
  SCOPED_TRACE(seed);
  const CodedColumns columns(node.view, 0, 1);
  LoadedNode<O> loaded;
  load(node, objective, loaded);
  if (loaded.pure(objective)) return;
  // Half of what there is leaves few boundaries, or one that is of no use, or none.
  const std::uint32_t fewest = seed % 3 == 0   ? 1 + static_cast<std::uint32_t>(seed % 20)
                               : seed % 3 == 1 ? std::max(1u, loaded.samples / 2)
                                               : 1;
  const SearchLimits limits{.min_child_samples = fewest};
  ColumnSearch<O> at_hand(objective, loaded, limits);
  at_hand.unit_weights = true;
  at_hand.begin_node();
  const AxisAligned learner(static_cast<std::uint32_t>(columns.features()), 1);
  const RowCopies<O> copies(columns, learner, limits);
  PairLanes<O> lanes;
  ASSERT_TRUE(lanes.begin_node(at_hand, node.rows, kLanes));
  const std::size_t batch = 1 + seed % kLanes;
  for (std::uint32_t f = 0; f < columns.features(); ++f) {
    ASSERT_TRUE(lanes.add(f, copies));
    if ((f + 1) % batch == 0 || f + 1 == columns.features()) lanes.search(at_hand, copies);
  }
  expect_found(at_hand.best, best_by_counting(node, objective, columns, fewest));
}

// Every other one has few rows and features: boundaries of one column tie then in cost and gap.
Node node_of(std::uint64_t seed) {
  return seed % 2 == 0 ? Node(2 + seed * 7 % 63, 1 + seed % 19, seed)
                       : Node(3 + seed / 2 % 5, 1 + seed / 10 % 2, seed);
}

class PairLanesTest : public BothLoops {};
INSTANTIATE_TEST_SUITE_P(Loops, PairLanesTest, testing::Bool(), loops_name);

TEST_P(PairLanesTest, AgreeWithEveryBoundary) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Node node = node_of(seed);
    expect_the_same(node, GiniImpurity{node.labels, node.schema.classes.size()}, seed);
  }
}

// Far from 0, near it, and with many ties.
TEST_P(PairLanesTest, AgreeWithEveryBoundaryOfNumbers) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Node node = node_of(seed);
    RandomStream random(seed);
    std::vector<double> targets;
    for (const std::uint32_t label : node.labels)
      targets.push_back(seed % 4 == 0 ? label : (seed % 4 == 1 ? 1e6 : 0) + random.uniform());
    const FixedPointTargets fixed(targets, 1, 3.0 * static_cast<double>(targets.size()));
    expect_the_same(node, Variance{fixed}, seed);
  }
}

// Costs are rounded there: a scan and pairs might decide otherwise.
TEST(PairLanes, LeaveNumbersFarFromZeroToOthers) {
  const Node node(20, 1, 7);
  for (const double far : {0.0, 1e3, 1e9}) {
    std::vector<double> targets;
    for (std::size_t row = 0; row < node.rows.size(); ++row)
      targets.push_back(static_cast<double>(row));
    targets.push_back(far);  // of no row of the node
    const FixedPointTargets fixed(targets, 1, 100);
    const Variance objective{fixed};
    LoadedNode<Variance> loaded;
    load(node, objective, loaded);
    const SearchLimits limits;
    ColumnSearch<Variance> at_hand(objective, loaded, limits);
    at_hand.unit_weights = true;
    EXPECT_EQ(PairLanes<Variance>().begin_node(at_hand, node.rows, kLanes), far < 1e9) << far;
  }
}

TEST(PairLanes, LeaveHeavyNodesToOthers) {
  Node node(40, 1, 7);
  const GiniImpurity objective{node.labels, node.schema.classes.size()};
  LoadedNode<GiniImpurity> loaded;
  const auto load_each = [&](std::uint32_t draws) {
    node.draws.assign(node.rows.size(), draws);
    load(node, objective, loaded);
  };
  load_each(4);
  const SearchLimits limits;
  ColumnSearch<GiniImpurity> at_hand(objective, loaded, limits);
  at_hand.unit_weights = true;
  EXPECT_TRUE(PairLanes<GiniImpurity>::pays(at_hand, kLanes));
  EXPECT_FALSE(PairLanes<GiniImpurity>::pays(at_hand, 4));
  load_each(5);
  EXPECT_FALSE(PairLanes<GiniImpurity>::pays(at_hand, kLanes));
  load_each(1);
  at_hand.unit_weights = false;
  EXPECT_FALSE(PairLanes<GiniImpurity>::pays(at_hand, kLanes));
}

}  // namespace
}  // namespace coppice
