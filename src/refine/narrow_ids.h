// The leaf of every row in every tree, within the tree: one byte each if no tree has more than 256
// leaves, else two or four, since products with the matrix of leaves read little else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace coppice {

class NarrowIds {
 public:
  NarrowIds() = default;
  // first_leaf: per tree, and the number of all leaves. leaf(tree, row) is asked once for each.
  template <class Leaf>
  NarrowIds(std::size_t rows, const std::vector<std::size_t>& first_leaf, Leaf&& leaf) {
    std::size_t most = 0;
    for (std::size_t tree = 0; tree + 1 < first_leaf.size(); ++tree)
      most = std::max(most, first_leaf[tree + 1] - first_leaf[tree]);
    if (most <= 1u << 8) {
      ids_ = std::vector<std::uint8_t>();
    } else if (most <= 1u << 16) {
      ids_ = std::vector<std::uint16_t>();
    } else {
      ids_ = std::vector<std::uint32_t>();
    }
    std::visit(
        [&]<class Id>(std::vector<Id>& ids) {
          ids.reserve(rows * (first_leaf.size() - 1));
          for (std::size_t tree = 0; tree + 1 < first_leaf.size(); ++tree)
            for (std::size_t row = 0; row < rows; ++row)
              ids.push_back(static_cast<Id>(leaf(tree, row)));
        },
        ids_);
  }

  // Leaf n of tree t becomes to(t)[n], which is no more than before: the width stays.
  template <class To>
  void relabel(std::size_t rows, std::size_t trees, To&& to) {
    std::visit(
        [&]<class Id>(std::vector<Id>& ids) {
          for (std::size_t tree = 0; tree < trees; ++tree) {
            const std::vector<std::uint32_t> of_tree = to(tree);
            for (std::size_t n = tree * rows; n < (tree + 1) * rows; ++n)
              ids[n] = static_cast<Id>(of_tree[ids[n]]);
          }
        },
        ids_);
  }

  // Calls body(ids), a pointer to the ids of all rows, tree after tree.
  template <class Body>
  decltype(auto) visit(Body&& body) const {
    return std::visit([&](const auto& ids) -> decltype(auto) { return body(ids.data()); }, ids_);
  }

 private:
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>
      ids_;
};

}  // namespace coppice
