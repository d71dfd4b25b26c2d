// What the search of a node may try.
#pragma once

#include <cstdint>

namespace coppice {

struct SearchLimits {
  // A node of so many samples that only meets constant candidates draws on until it meets another;
  // a smaller one becomes a leaf, which guards against fitting noise with what little is left.
  static constexpr std::uint32_t kLargeNode = 200;

  std::uint32_t min_split_samples = 2;
  std::uint32_t min_child_samples = 1;
  std::uint32_t random_thresholds = 0;  // per candidate; 0: every boundary between two groups
  std::uint32_t max_node_samples = UINT32_MAX;  // larger nodes are searched on a random subset
  std::uint32_t exact_rows = UINT32_MAX;        // nodes of more rows are searched by bins
  bool two_sided = false;  // projections are cut by a lower and an upper threshold
};

}  // namespace coppice
