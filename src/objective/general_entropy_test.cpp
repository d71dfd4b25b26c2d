// Against the formulas, written once more with the standard library, and against Gini and Shannon.
#include "objective/general_entropy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "objective/class_impurity.h"

namespace coppice {
namespace {

const std::vector<std::vector<std::uint32_t>> kSets = {
    {4, 0, 0}, {1, 1, 1}, {5, 2, 1}, {0, 7, 3}, {100, 1, 0}};

double sum_of_powers(const std::vector<std::uint32_t>& counts, double order) {
  const double total = counts[0] + counts[1] + counts[2];
  double sum = 0;
  for (const std::uint32_t count : counts)
    if (count > 0) sum += std::pow(count / total, order);
  return sum;
}

TEST(GeneralEntropy, IsItsFormula) {
  for (const auto& counts : kSets) {
    const double total = counts[0] + counts[1] + counts[2];
    for (const double order : {0.5, 1.5, 2.0, 3.0}) {
      const double sum = sum_of_powers(counts, order);
      EXPECT_NEAR((TsallisEntropy{{{}, 3}, order}.cost(counts.data())),
                  total * (1 - sum) / (order - 1), 1e-9);
      EXPECT_NEAR((RenyiEntropy{{{}, 3}, order}.cost(counts.data())),
                  total * std::log2(sum) / (1 - order), 1e-9);
    }
  }
}

TEST(GeneralEntropy, TsallisOfOrderTwoIsGini) {
  for (const auto& counts : kSets)
    EXPECT_NEAR((TsallisEntropy{{{}, 3}, 2}.cost(counts.data())),
                (GiniImpurity{{{}, 3}}.cost(counts.data())), 1e-9);
}

TEST(GeneralEntropy, BothBecomeShannonsNearOne) {
  for (const auto& counts : kSets) {
    const double shannon = EntropyImpurity{{{}, 3}}.cost(counts.data());
    EXPECT_NEAR((RenyiEntropy{{{}, 3}, 1 + 1e-7}.cost(counts.data())), shannon, 1e-3);
    EXPECT_NEAR((TsallisEntropy{{{}, 3}, 1 + 1e-7}.cost(counts.data())) / std::log(2.0), shannon,
                1e-3);
  }
}

TEST(GeneralEntropy, NothingCostsNothing) {
  const std::vector<std::uint32_t> none(3);
  EXPECT_EQ((TsallisEntropy{{{}, 3}, 3}.cost(none.data())), 0);
  EXPECT_EQ((RenyiEntropy{{{}, 3}, 3}.cost(none.data())), 0);
}

}  // namespace
}  // namespace coppice
