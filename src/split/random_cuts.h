// Extremely randomised thresholds (Geurts, Ernst, Wehenkel 2006): where a candidate may be cut is
// drawn before its samples are looked at.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "data/coded_columns.h"
#include "split/node_values.h"
#include "split/searched_column.h"

namespace coppice {

// Cuts divide the groups [0, cuts]; a group may be empty, no side of a cut is.
class RandomCuts {
 public:
  // A threshold uniform between the least and the largest value of the node. REQUIRES: these
  // differ; the column has codes if one of them is infinite.
  static float between(const CodedColumn& column, float least, float most, RandomStream& random) {
    const double span = double{most} - double{least};
    if (!std::isfinite(span)) return between_infinite(column, least, most, random);
    const auto threshold = static_cast<float>(least + random.uniform() * span);
    return threshold > least ? threshold : std::nextafter(least, most);
  }
  // Thresholds uniform between the least and the largest value of the node, ascending; none if
  // these are equal.
  std::span<const float> between_values(const SearchedColumn&, const NodeValues&,
                                        std::uint32_t count, RandomStream);

  // The group of each category of a node: a random order, cut at random places. REQUIRES: two.
  std::span<const std::uint32_t> between_categories(std::size_t categories, std::uint32_t count,
                                                    RandomStream);
  std::size_t category_groups() const { return places_.size() + 1; }

 private:
  static float between_infinite(const CodedColumn&, float least, float most, RandomStream&);

  std::vector<float> thresholds_;
  std::vector<std::uint32_t> places_, group_of_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order_;
};

}  // namespace coppice
