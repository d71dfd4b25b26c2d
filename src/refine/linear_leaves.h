// Leaves that hold a coefficient per regressor and output (Grabner 2016, eq. 3.3): a row of Phi has
// the values of the regressors of its leaf in each tree. They are computed when needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coppice/leaf_ids.h"
#include "refine/leaf_matrix.h"

namespace coppice {

// What is multiplied by the coefficients of a leaf.
class Regressors {
 public:
  virtual ~Regressors() = default;
  // Of a leaf, numbered over all trees.
  virtual std::size_t count(std::size_t leaf) const = 0;
  // Values for some rows: count(leaf) of the first row, then of the next.
  virtual void fill(std::size_t leaf, std::span<const std::uint32_t> rows, float* values) const = 0;
};

class LinearLeaves final : public LeafMatrix {
 public:
  // first_leaf: per tree, and the number of all leaves. `weights` of the rows; empty: all 1.
  LinearLeaves(const LeafIds&, std::span<const std::size_t> first_leaf,
               std::shared_ptr<const Regressors>, std::vector<float> weights, std::size_t workers);

  std::size_t rows() const override { return data_rows_.size(); }
  std::size_t unknowns() const override { return first_unknown_.back(); }
  std::span<const float> weights() const override { return weights_; }
  std::unique_ptr<LeafMatrix> subset(std::span<const std::uint32_t> rows) const override;
  // The unknowns of a leaf begin here.
  std::size_t first_unknown(std::size_t leaf) const { return first_unknown_[leaf]; }

  void predict(const OutputBlock& w, OutputBlock& z, std::size_t workers) const override;
  void collect(const OutputBlock& r, OutputBlock& g, std::size_t workers) const override;
  void set_block_scale(double scale) override;
  void solve_blocks(const OutputBlock& r, OutputBlock& z, std::size_t workers) const override;

 private:
  struct Scratch;

  LinearLeaves() = default;
  std::size_t trees() const { return first_leaf_.size() - 1; }
  void group_rows(std::size_t tree, std::vector<std::uint32_t> leaf_of_row);
  void find_products(std::size_t workers);
  template <class Visit>
  void for_each_run(std::size_t tree, std::size_t tile, Scratch&, Visit&&) const;

  std::shared_ptr<const Regressors> regressors_;
  std::vector<std::size_t> first_leaf_, first_unknown_;
  std::vector<std::uint32_t> data_rows_;  // per row: its number for the regressors
  std::vector<float> weights_;
  std::vector<std::uint32_t> leaf_;   // per tree, in the order of order_: leaf over all trees
  std::vector<std::uint32_t> order_;  // per tree: rows of a tile by leaf, tile after tile
  std::vector<double> products_;      // per leaf: lower triangle of R' V R
  std::vector<std::size_t> first_product_;
  std::vector<float> inverses_;  // per leaf: (I + scale R' V R)^-1
  std::vector<std::size_t> first_inverse_;
};

}  // namespace coppice
