// What an objective needs to know of a node's samples, gathered once and used by every candidate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "data/node_samples.h"
#include "objective/objective.h"

namespace coppice {

template <Objective O>
struct LoadedNode {
  using Sum = typename O::Sum;
  using Item = typename O::Item;

  std::vector<Item> items;           // per row of the node
  std::vector<std::uint32_t> draws;  // per row of the node
  std::vector<Sum> sums;             // of all
  std::uint32_t samples = 0;
  std::uint64_t weight = 0;

  // `weights` are units per row of the data.
  void load(const O& objective, const NodeSamples& node, std::span<const std::uint32_t> weights) {
    items.resize(node.rows.size());
    draws.resize(node.rows.size());
    sums.assign(objective.statistics_size(), Sum{0});
    samples = 0;
    weight = 0;
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
      const SampleId row = node.rows[i];
      const std::uint32_t drawn = node.draws[row];
      items[i] = objective.item(row, weights[row] * drawn);
      draws[i] = drawn;
      objective.add(sums.data(), items[i]);
      samples += drawn;
      weight += std::uint64_t{weights[row]} * drawn;
    }
  }

  bool pure(const O& objective) const {
    return std::all_of(items.begin(), items.end(),
                       [&](const Item& item) { return objective.alike(item, items.front()); });
  }
};

}  // namespace coppice
