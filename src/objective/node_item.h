// A sample of objectives that look at nodes: what they keep of it is found by its place there.
#pragma once

#include <cstdint>
#include <span>

namespace coppice {

struct NodeItem {
  std::uint32_t row, weight;
  std::uint32_t position = 0;  // in the node
};

inline void number_items(std::span<NodeItem> items) {
  for (std::uint32_t i = 0; i < items.size(); ++i) items[i].position = i;
}

}  // namespace coppice
