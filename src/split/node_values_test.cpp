// The range of a node's values against the standard library, for every number of rows that vectors
// may stumble over.
#include "split/node_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(NodeValues, RangeIsThatOfTheKnownValues) {
  NodeValues node;  // used for all: nothing of an earlier node may show
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    RandomStream random(seed);
    const std::uint32_t holes = random.below(4) * 30;  // percent
    std::vector<float> raw(100);
    for (float& value : raw) {
      value = static_cast<float>(random.uniform()) - 0.5f;
      if (random.below(30) == 0) value = random.below(2) == 0 ? kInfinity : -kInfinity;
      if (random.below(100) < holes) value = kMissing;
    }
    std::vector<SampleId> rows(1 + random.below(40));
    for (SampleId& row : rows) row = random.below(100);
    node.gather(raw.data(), true, rows);
    std::vector<float> known;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_TRUE(node.values[i] == raw[rows[i]] || std::isnan(raw[rows[i]]));
      if (!std::isnan(raw[rows[i]])) known.push_back(raw[rows[i]]);
    }
    EXPECT_EQ(node.values.size(), rows.size());
    EXPECT_EQ(node.missing, rows.size() - known.size());
    ASSERT_EQ(node.any_known(), !known.empty());
    if (known.empty()) {
      EXPECT_TRUE(node.constant());
      continue;
    }
    const auto [least, most] = std::minmax_element(known.begin(), known.end());
    EXPECT_EQ(node.least, *least);
    EXPECT_EQ(node.most, *most);
    EXPECT_EQ(node.varies(), *least < *most);
    EXPECT_EQ(node.constant(), *least == *most && node.missing == 0);
  }
}

}  // namespace
}  // namespace coppice
