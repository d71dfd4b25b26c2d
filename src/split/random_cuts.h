// Extremely randomised thresholds (Geurts, Ernst, Wehenkel 2006): where a candidate may be cut is
// drawn before its samples are looked at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "data/coded_columns.h"
#include "split/node_codes.h"
#include "split/searched_column.h"

namespace coppice {

// Cuts divide the groups [0, cuts.size()]; a group may be empty, no side of a cut is.
class RandomCuts {
 public:
  struct Cut {
    std::uint32_t first_right = 0;  // code of the span
    float threshold = 0;
  };

  // Thresholds uniform between the least and the largest value of the node. REQUIRES: two distinct
  // known codes. Equal cuts are drawn once.
  std::span<const Cut> between_values(const SearchedColumn&, const NodeCodes&, std::uint32_t count,
                                      RandomStream);
  // The first cut that has the code on its left.
  static auto first_above(std::span<const Cut> cuts, std::uint32_t code) {
    return std::upper_bound(
        cuts.begin(), cuts.end(), code,
        [](std::uint32_t value, const Cut& cut) { return value < cut.first_right; });
  }

  // The group of each category of a node: a random order, cut at random places. REQUIRES: two.
  std::span<const std::uint32_t> between_categories(std::size_t categories, std::uint32_t count,
                                                    RandomStream);
  std::size_t category_groups() const { return places_.size() + 1; }

 private:
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> places_, group_of_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order_;
};

}  // namespace coppice
