// The leaf of every row in every tree: the sparse 0/1 matrix on which out-of-bag estimates,
// importances, proximities and global refinement stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

class LeafIds {
 public:
  LeafIds() = default;
  LeafIds(std::size_t rows, std::size_t trees) : rows_(rows), trees_(trees), ids_(rows * trees) {}

  std::size_t rows() const { return rows_; }
  std::size_t trees() const { return trees_; }
  bool empty() const { return ids_.empty(); }

  // Numbers of leaves within their tree, left to right from 0.
  std::uint32_t leaf(std::size_t tree, std::size_t row) const { return entry(tree, row) & ~kOut; }
  // True if the tree was not trained on the row.
  bool out_of_bag(std::size_t tree, std::size_t row) const { return entry(tree, row) & kOut; }

  void set(std::size_t tree, std::size_t row, std::uint32_t leaf, bool out_of_bag) {
    ids_[tree * rows_ + row] = leaf | (out_of_bag ? kOut : 0);
  }
  void keep_trees(std::size_t trees) { ids_.resize((trees_ = trees) * rows_); }

 private:
  static constexpr std::uint32_t kOut = 1u << 31;
  std::uint32_t entry(std::size_t tree, std::size_t row) const { return ids_[tree * rows_ + row]; }

  std::size_t rows_ = 0, trees_ = 0;
  std::vector<std::uint32_t> ids_;  // one column per tree
};

// The share of trees in which two rows fall into the same leaf (Breiman's proximity).
double proximity(const LeafIds&, std::size_t row, std::size_t other);

struct Neighbour {
  std::size_t row = 0;
  double proximity = 0;
};
// The `count` rows nearest to `row`, itself excluded; ties to the lower row number.
std::vector<Neighbour> nearest(const LeafIds&, std::size_t row, std::size_t count);

}  // namespace coppice
