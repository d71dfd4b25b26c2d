// Leaves that hold one number per output: entry (row, leaf) of Phi is 1 if the row is in the leaf
// (eq. 2.16), so that a product is a sum over trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/leaf_ids.h"
#include "refine/leaf_matrix.h"
#include "refine/narrow_ids.h"

namespace coppice {

class ConstantLeaves final : public LeafMatrix {
 public:
  // first_leaf: per tree, and the number of all leaves. `weights` of the rows; empty: all 1.
  ConstantLeaves(const LeafIds&, std::vector<std::size_t> first_leaf, std::vector<float> weights);

  std::size_t rows() const override { return rows_; }
  std::size_t unknowns() const override { return first_leaf_.back(); }
  std::span<const float> weights() const override { return weights_; }
  std::unique_ptr<LeafMatrix> subset(std::span<const std::uint32_t> rows) const override;
  std::size_t trees() const { return first_leaf_.size() - 1; }
  std::span<const std::size_t> first_leaf() const { return first_leaf_; }
  const NarrowIds& ids() const { return ids_; }

  // Numbers over all leaves, row after row: trees() each.
  std::vector<std::uint32_t> leaves_by_row() const;
  // Weight of the rows in every leaf.
  const std::vector<double>& leaf_weights() const { return leaf_weights_; }

  // Leaf n of all leaves becomes leaf new_leaf[n] of all leaves, in the same tree.
  void relabel(std::span<const std::uint32_t> new_leaf, std::vector<std::size_t> first_leaf);
  std::size_t relabellings() const { return relabellings_; }

  void predict(const OutputBlock& w, OutputBlock& z, std::size_t workers) const override;
  void collect(const OutputBlock& r, OutputBlock& g, std::size_t workers) const override;
  void pass(const OutputBlock& w, OutputBlock& z, const RowChange& change, OutputBlock& g,
            std::size_t workers) const override;
  void set_block_scale(double scale) override;
  void solve_blocks(const OutputBlock& r, OutputBlock& z, std::size_t workers) const override;

 private:
  ConstantLeaves() = default;
  void weigh_leaves();
  double leaves_of(std::size_t tree) const {
    return static_cast<double>(first_leaf_[tree + 1] - first_leaf_[tree]);
  }

  // Rows [first, last), which are few.
  void predict_tile(const OutputBlock& w, OutputBlock& z, std::size_t first,
                    std::size_t last) const;
  void collect_tile(const OutputBlock& r, std::span<float> sums, std::size_t first,
                    std::size_t last) const;

  // Whether rows are summed part by part: then there are many of them per leaf and part.
  bool sums_by_part() const;
  // g = sum over all parts of rows of what body(first, last, sums) adds up, in double.
  template <class Body>
  void sum_parts(OutputBlock& g, std::size_t workers, Body&& body) const;
  void collect_by_tree(const OutputBlock& r, OutputBlock& g, std::size_t workers) const;
  void collect_single_output(const OutputBlock& r, std::size_t tree, std::span<double> sums) const;
  void collect_outputs(const OutputBlock& r, std::size_t tree, std::span<double> sums) const;

  std::size_t rows_ = 0;
  std::vector<std::size_t> first_leaf_;
  std::size_t relabellings_ = 0;
  NarrowIds ids_;
  std::vector<float> weights_;
  std::vector<double> leaf_weights_;
  std::vector<float> inverse_;  // 1 / (1 + scale * leaf weight)
  double rows_weight_ = 0;      // scale * that of all rows
};

}  // namespace coppice
