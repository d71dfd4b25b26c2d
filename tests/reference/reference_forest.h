// A forest grown in the slow and obvious way: recursion, every split tried on the raw values, every
// sum taken anew. Written from the contracts; the library must give the same trees, bit for bit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/options.h"

namespace coppice::reference {

struct SplitRule {
  std::uint32_t feature = 0;
  bool on_categories = false;
  float threshold = 0;                // numbers: left if below
  std::vector<bool> left_categories;  // categories: left if true
  bool missing_left = false;

  bool goes_left(float value) const;
};

struct Node {
  SplitRule split;  // if it has children
  std::unique_ptr<Node> left, right;
  std::vector<float> payload;  // if it has none
  float support = 0;

  bool leaf() const { return left == nullptr; }
};
using Tree = std::unique_ptr<Node>;

std::vector<Tree> grow_forest(const DatasetView&, const FitOptions&);

const Node& leaf_of(const Tree&, std::span<const float> row);

}  // namespace coppice::reference
