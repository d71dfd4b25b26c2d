// What every objective owes to the scan that calls it; see objective/objective.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "split/running_split.h"
#include "tests/property/cases.h"

namespace coppice {
namespace {

constexpr std::uint64_t kRandomCases = 300;
constexpr std::size_t kMostRows = 60;

template <class Case>
class ObjectiveProperty : public testing::Test {
 protected:
  using O = typename Case::Bound;
  using Sums = std::vector<typename O::Sum>;
  using Items = std::vector<typename O::Item>;

  // Calls body(objective, items, random) for many random sets of at least two samples.
  template <class Body>
  void for_random_sets(Body body) {
    for (std::uint64_t seed = 0; seed < kRandomCases; ++seed) {
      RandomStream random(seed);
      const std::size_t rows = 2 + random.below(kMostRows - 1);
      const Case data(random.child(0), rows);
      O objective = data.objective();
      Items items;
      for (std::uint32_t row = 0; row < rows; ++row)
        items.push_back(objective.item(row, 1 + random.below(5)));
      begin_node(objective, items);
      body(std::as_const(objective), std::as_const(items), random);
      if (HasFailure()) return;
    }
  }

  static void begin_node(O& objective, Items& items) {
    if constexpr (LooksAtNodes<O>) objective.begin_node(items);
  }

  static Sums sums_of(const O& objective, std::span<const typename O::Item> items) {
    Sums sums(objective.statistics_size());
    for (const auto& item : items) objective.add(sums.data(), item);
    return sums;
  }
  static Sums added(const Sums& a, const Sums& b) {
    Sums sums(a.size());
    std::transform(a.begin(), a.end(), b.begin(), sums.begin(), std::plus<>());
    return sums;
  }
};
TYPED_TEST_SUITE(ObjectiveProperty, test::ObjectiveCases);

// Entropies are whole numbers of 2^-22 per class; other costs are rounded as floats are.
double tolerance(double cost) { return 1e-5 + 1e-12 * std::abs(cost); }

TYPED_TEST(ObjectiveProperty, SumsOfDisjointSetsAddUp) {
  this->for_random_sets([&](const auto& objective, const auto& items, RandomStream& random) {
    const std::size_t cut = random.below(static_cast<std::uint32_t>(items.size()) + 1);
    const std::span all(items);
    EXPECT_EQ(this->sums_of(objective, all),
              this->added(this->sums_of(objective, all.first(cut)),
                          this->sums_of(objective, all.subspan(cut))));
  });
}

TYPED_TEST(ObjectiveProperty, OrderChangesNoBitOfTheCost) {
  this->for_random_sets([&](const auto& objective, auto items, RandomStream& random) {
    const double cost = objective.cost(this->sums_of(objective, items).data());
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[random.below(static_cast<std::uint32_t>(i))]);
    EXPECT_EQ(cost, objective.cost(this->sums_of(objective, items).data()));
  });
}

TYPED_TEST(ObjectiveProperty, NoSplitLoses) {
  this->for_random_sets([&](const auto& objective, const auto& items, RandomStream& random) {
    const std::size_t cut = 1 + random.below(static_cast<std::uint32_t>(items.size()) - 1);
    const std::span all(items);
    const double parent = objective.cost(this->sums_of(objective, all).data());
    const double children =
        children_cost(objective, this->sums_of(objective, all.first(cut)).data(),
                      this->sums_of(objective, all.subspan(cut)).data());
    EXPECT_GE(parent - children, -tolerance(parent));
  });
}

TYPED_TEST(ObjectiveProperty, SomeSplitGains) {
  double gains = 0;
  this->for_random_sets([&](const auto& objective, const auto& items, RandomStream&) {
    const std::span all(items);
    gains += objective.cost(this->sums_of(objective, all).data()) -
             children_cost(objective, this->sums_of(objective, all.first(1)).data(),
                           this->sums_of(objective, all.subspan(1)).data());
  });
  EXPECT_GT(gains, 1);
}

TYPED_TEST(ObjectiveProperty, TheSameSetTwiceCostsTwice) {
  this->for_random_sets([&](const auto& objective, const auto& items, RandomStream&) {
    const auto once = this->sums_of(objective, items);
    const auto twice = this->added(once, once);
    const double cost = objective.cost(once.data());
    EXPECT_NEAR(objective.cost(twice.data()), 2 * cost, tolerance(cost));
  });
}

TYPED_TEST(ObjectiveProperty, SplittingASetOfAlikeSamplesGainsNothing) {
  this->for_random_sets([&](auto objective, const auto&, RandomStream& random) {
    std::vector<typename TypeParam::Bound::Item> alike;
    for (std::uint32_t i = 0; i < 8; ++i) alike.push_back(objective.item(0, 1 + random.below(4)));
    this->begin_node(objective, alike);
    for (const auto& item : alike) ASSERT_TRUE(objective.alike(item, alike.front()));
    const std::span all(alike);
    const double parent = objective.cost(this->sums_of(objective, all).data());
    const double children = children_cost(objective, this->sums_of(objective, all.first(3)).data(),
                                          this->sums_of(objective, all.subspan(3)).data());
    EXPECT_NEAR(parent, children, tolerance(parent));
  });
}

TYPED_TEST(ObjectiveProperty, TheMeanOfOneSampleIsThatOfTheSampleTwice) {
  this->for_random_sets([&](const auto& objective, const auto& items, RandomStream&) {
    const auto once = this->sums_of(objective, std::span(items).first(1));
    std::vector<double> mean(objective.mean_size()), mean_twice(objective.mean_size());
    objective.mean(once.data(), mean.data());
    objective.mean(this->added(once, once).data(), mean_twice.data());
    EXPECT_EQ(mean, mean_twice);
  });
}

// Some samples move one by one and some as a group; calls body(running, moved) after every move.
// The scratch is not clean to begin with.
template <class O, class Body>
void run_through(const O& objective, const std::vector<typename O::Sum>& parent,
                 const std::vector<typename O::Item>& items, RandomStream& random, Body body) {
  std::vector<typename O::Sum> scratch(RunningSplit<O>::scratch_size(objective), 77);
  const typename RunningSplit<O>::Start start(objective, parent);
  RunningSplit<O> running(start, scratch);
  const std::span all(items);
  for (std::size_t moved = 0; moved < items.size();) {
    const auto left = static_cast<std::uint32_t>(items.size() - moved);
    const std::size_t step = 1 + random.below(std::min<std::uint32_t>(5, left));
    std::vector<typename O::Sum> group(parent.size());
    for (const auto& item : all.subspan(moved, step)) objective.add(group.data(), item);
    if (random.below(2) == 0) {
      EXPECT_EQ(running.move(group.data()), objective.weight(group.data()));
    } else {
      for (const auto& item : all.subspan(moved, step)) running.move(item);
    }
    moved += step;
    body(running, moved);
  }
}

TYPED_TEST(ObjectiveProperty, RunningSplitCostsWhatTheSidesCost) {
  this->for_random_sets([&](const auto& objective, const auto& items, RandomStream& random) {
    const std::span all(items);
    run_through(objective, this->sums_of(objective, items), items, random,
                [&](auto& running, std::size_t moved) {
                  const auto left = this->sums_of(objective, all.first(moved));
                  const auto right = this->sums_of(objective, all.subspan(moved));
                  EXPECT_EQ(running.children_cost(),
                            children_cost(objective, left.data(), right.data()));
                });
  });
}

// The bar is the cost of another boundary of the same set, as in a scan.
TYPED_TEST(ObjectiveProperty, NoBoundaryAtTheBarIsPassedOver) {
  this->for_random_sets([&](const auto& objective, const auto& items, RandomStream& random) {
    const auto parent = this->sums_of(objective, items);
    std::vector<double> costs{std::numeric_limits<double>::infinity()};
    run_through(objective, parent, items, random,
                [&](auto& running, std::size_t) { costs.push_back(running.children_cost()); });
    run_through(objective, parent, items, random, [&](auto& running, std::size_t moved) {
      if (moved == items.size()) return;
      const double cost = running.children_cost();
      costs.push_back(cost);
      for (const double bar : costs) {
        running.set_bar(bar);
        if (cost <= bar) {
          EXPECT_TRUE(running.may_clear_bar()) << cost << " against " << bar;
        }
      }
    });
  });
}

TYPED_TEST(ObjectiveProperty, WeightIsThatOfTheSamples) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed);
    const TypeParam data(random.child(0), 20);
    auto objective = data.objective();
    std::vector<typename TypeParam::Bound::Item> items;
    std::uint64_t expected = 0;
    for (std::uint32_t row = 0; row < 20; ++row) {
      const std::uint32_t weight = 1 + random.below(1000);
      items.push_back(objective.item(row, weight));
      expected += weight;
    }
    this->begin_node(objective, items);
    EXPECT_EQ(objective.weight(this->sums_of(objective, items).data()), expected);
  }
}

}  // namespace
}  // namespace coppice
