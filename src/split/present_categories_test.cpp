// Categories of a node against a set of the standard library.
#include "split/present_categories.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

// Few rows of many categories are sorted, many rows of few are marked: both must agree with a set.
TEST(PresentCategories, NumbersWhatOccursInAscendingOrder) {
  PresentCategories present;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomStream random(seed);
    NodeCodes node;
    node.missing_code = 1 + random.below(random.below(2) == 0 ? 5 : 500);
    std::set<std::uint32_t> expected;
    for (std::uint32_t rows = random.below(60); rows > 0; --rows) {
      node.codes.push_back(random.below(node.missing_code + 1));
      if (node.codes.back() != node.missing_code) expected.insert(node.codes.back());
    }
    present.find(node);
    EXPECT_EQ(std::vector<std::uint32_t>(present.codes().begin(), present.codes().end()),
              std::vector<std::uint32_t>(expected.begin(), expected.end()));
    std::uint32_t number = 0;
    for (const std::uint32_t code : expected) EXPECT_EQ(present.number(code), number++);
    EXPECT_EQ(present.number(node.missing_code), expected.size());
  }
}

}  // namespace
}  // namespace coppice
