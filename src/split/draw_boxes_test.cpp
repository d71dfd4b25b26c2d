// What is drawn is one box of means less another, inside the grid and of features that may be used.
#include "split/draw_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace coppice {
namespace {

class Boxes : public testing::Test {
 protected:
  Boxes() {
    data_.rows = 2;
    data_.columns.assign(30, {0, 1});
    data_.labels = {0, 1};
    data_.schema.classes = {"a", "b"};
    for (int f = 0; f < 30; ++f)
      data_.schema.features.push_back({"p" + std::to_string(f), FeatureKind::numeric});
    scales_.spread.assign(30, 1);
    scales_.centre.assign(30, 0);
    for (std::uint32_t f = 0; f < 30; ++f) all_.push_back(f);
  }

  using Shares = std::map<std::uint32_t, double>;  // coefficient by feature

  // Of many draws.
  std::vector<Shares> draw(FeatureGrid grid, std::uint32_t side,
                           const std::vector<std::uint32_t>& usable) {
    const CodedColumns columns(data_.view(), 0, 1);
    TermSource source(columns, scales_, FeatureUrn(usable));
    const DrawBoxes boxes(grid, side, usable);
    std::vector<Shares> drawn;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      RandomStream random(seed);
      Projection projection;
      boxes(source, random, projection);
      EXPECT_FALSE(projection.axis_aligned());
      Shares& shares = drawn.emplace_back();
      for (const Term& term : projection.terms)
        EXPECT_TRUE(shares.emplace(term.feature, double{term.coefficient}).second) << "twice";
    }
    return drawn;
  }

  Dataset data_;
  FeatureScales scales_;
  std::vector<std::uint32_t> all_;
};

// The least box around these features.
struct Extent {
  std::uint32_t left = 99, right = 0, top = 99, bottom = 0;
  void add(std::uint32_t feature, std::uint32_t width) {
    left = std::min(left, feature % width), right = std::max(right, feature % width);
    top = std::min(top, feature / width), bottom = std::max(bottom, feature / width);
  }
  std::uint32_t columns() const { return right - left + 1; }
  std::uint32_t rows() const { return bottom - top + 1; }
};

TEST_F(Boxes, AreMeansOfRectanglesThatDiffer) {
  std::set<std::uint32_t> seen;
  std::size_t apart = 0;
  for (const Shares& shares : draw({6, 5}, 3, all_)) {
    double sum = 0;
    Extent plus, minus;
    std::size_t positive = 0, negative = 0;
    std::set<double> different;
    for (const auto& [feature, share] : shares) {
      seen.insert(feature);
      different.insert(share);
      sum += share;
      share > 0 ? ++positive : ++negative;
      (share > 0 ? plus : minus).add(feature, 6);
    }
    EXPECT_TRUE(std::abs(sum) < 1e-6 || std::abs(sum - 1) < 1e-6) << sum;
    EXPECT_LE(shares.size(), 18u);
    if (different.size() != 2 || positive == 0 || negative == 0) continue;
    if (std::abs(*different.rbegin() * static_cast<double>(positive) - 1) > 1e-6) continue;
    ++apart;  // nothing is in both
    EXPECT_LE(std::max({plus.columns(), plus.rows(), minus.columns(), minus.rows()}), 3u);
    EXPECT_EQ(plus.columns() * plus.rows(), positive);
    EXPECT_EQ(minus.columns() * minus.rows(), negative);
  }
  EXPECT_EQ(seen.size(), 30u);
  EXPECT_GT(apart, 200u);
}

TEST_F(Boxes, OfASeriesAreStretches) {
  for (const Shares& shares : draw({30, 1}, 4, all_)) EXPECT_LE(shares.size(), 8u);
}

TEST_F(Boxes, LeaveOutWhatMayNotBeUsed) {
  const std::vector<std::uint32_t> usable{3, 4, 11, 28};
  for (const Shares& shares : draw({6, 5}, 5, usable))
    for (const auto& [feature, share] : shares)
      EXPECT_NE(std::find(usable.begin(), usable.end(), feature), usable.end());
}

// Of one feature two boxes may cancel each other.
TEST_F(Boxes, AreNeverEmpty) {
  for (const Shares& shares : draw({6, 5}, 1, {7})) EXPECT_EQ(shares, (Shares{{7, 1.0}}));
}

}  // namespace
}  // namespace coppice
