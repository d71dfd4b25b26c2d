// The quick test of a boundary may say "perhaps" too often, but never "no" where the cost is at or
// below the bar: with many classes, and with sums as large as they get.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/random_stream.h"
#include "objective/class_impurity.h"
#include "objective/variance.h"

namespace coppice {
namespace {

struct Verdicts {
  std::size_t hidden = 0;   // boundaries at or below the bar that the test denies
  std::size_t spared = 0;   // boundaries above the bar that it denies
  std::size_t allowed = 0;  // boundaries above the bar that it does not deny
};

// Groups move to the left one by one; after each, every cost seen so far is the bar once.
template <class O>
void judge(const O& objective, const std::vector<std::vector<typename O::Sum>>& groups,
           Verdicts& verdicts) {
  std::vector<typename O::Sum> parent(objective.statistics_size());
  for (const auto& group : groups)
    std::transform(parent.begin(), parent.end(), group.begin(), parent.begin(), std::plus<>());
  std::vector<typename O::Sum> scratch(RunningSplit<O>::scratch_size(objective));
  const typename RunningSplit<O>::Start start(objective, parent);
  RunningSplit<O> running(start, scratch);
  std::vector<double> bars{std::numeric_limits<double>::infinity(), objective.cost(parent.data())};
  for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
    running.move(groups[g].data());
    const double cost = running.children_cost();
    bars.push_back(cost);
    for (const double bar : bars) {
      running.set_bar(bar);
      const bool denied = !running.may_clear_bar();
      if (cost <= bar) {
        verdicts.hidden += denied;
      } else {
        ++(denied ? verdicts.spared : verdicts.allowed);
      }
    }
  }
}

// How the weights of a node are spread over its classes.
enum class Spread { even, one_heavy, sparse };

// Weights are uniform, so that their sum is about a quarter of `most_total`.
std::vector<std::vector<std::uint32_t>> class_groups(RandomStream& random, std::size_t classes,
                                                     std::uint64_t most_total, Spread spread) {
  const std::size_t count = 2 + random.below(60);
  const auto most = static_cast<std::uint32_t>(
      std::max<std::uint64_t>(2, most_total / 2 / count / (spread == Spread::even ? classes : 3)));
  std::vector<std::vector<std::uint32_t>> groups(count, std::vector<std::uint32_t>(classes));
  for (auto& group : groups) {
    if (spread == Spread::sparse) {
      for (int i = 0; i < 3; ++i)
        group[random.below(static_cast<std::uint32_t>(classes))] += random.below(most);
    } else {
      for (std::size_t c = 0; c < classes; ++c)
        group[c] = spread == Spread::one_heavy && c > 0 ? random.below(2) : random.below(most);
    }
    ++group[random.below(static_cast<std::uint32_t>(classes))];  // none is empty
  }
  return groups;
}

TEST(Bar, OfGiniHidesNothing) {
  Verdicts verdicts;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomStream random(seed);
    const std::size_t classes = std::vector<std::size_t>{2, 3, 26, 1000}[random.below(4)];
    // Totals of up to 2^31; squares change their type at 2^16.
    const std::uint64_t total = std::uint64_t{1}
                                << std::vector{10, 17, 18, 24, 32}[random.below(5)];
    const auto spread = static_cast<Spread>(random.below(3));
    judge(GiniImpurity{{{}, classes}}, class_groups(random, classes, total, spread), verdicts);
  }
  EXPECT_EQ(verdicts.hidden, 0u);
  EXPECT_GT(verdicts.spared, verdicts.allowed);
}

TEST(Bar, OfEntropyHidesNothing) {
  Verdicts verdicts;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed);
    judge(EntropyImpurity{{{}, 5}}, class_groups(random, 5, std::uint64_t{1} << 32, Spread::even),
          verdicts);
  }
  EXPECT_EQ(verdicts.hidden, 0u);
}

// Groups that are nearly alike: costs differ by less than their rounding.
TEST(Bar, OfNearlyEqualCostsHidesNothing) {
  Verdicts verdicts;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomStream random(seed);
    const std::size_t classes = 2 + random.below(500);
    std::vector<std::vector<std::uint32_t>> groups(
        10,
        std::vector<std::uint32_t>(classes, (1u << 31) / 11 / static_cast<std::uint32_t>(classes)));
    for (auto& group : groups) ++group[random.below(static_cast<std::uint32_t>(classes))];
    judge(GiniImpurity{{{}, classes}}, groups, verdicts);
  }
  EXPECT_EQ(verdicts.hidden, 0u);
}

TEST(Bar, OfVarianceHidesNothing) {
  Verdicts verdicts;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomStream random(seed);
    const double scale = std::vector{1.0, 1e-30, 1e19}[random.below(3)];
    const bool alike = random.below(3) == 0;
    std::vector<double> targets(2 + random.below(60));
    for (double& target : targets)
      target = scale * (alike ? static_cast<double>(random.below(2)) : random.uniform() - 0.5);
    const FixedPointTargets fixed(targets, 1);
    const Variance variance{fixed};
    const std::uint32_t most = (1u << 31) / static_cast<std::uint32_t>(targets.size()) - 1;
    std::vector<std::vector<std::int64_t>> groups;
    for (std::uint32_t row = 0; row < targets.size(); ++row) {
      groups.emplace_back(2);
      variance.add(groups.back().data(),
                   variance.item(row, 1 + random.below(random.below(2) == 0 ? 3 : most)));
    }
    judge(variance, groups, verdicts);
  }
  EXPECT_EQ(verdicts.hidden, 0u);
  EXPECT_GT(verdicts.spared, verdicts.allowed);
}

}  // namespace
}  // namespace coppice
