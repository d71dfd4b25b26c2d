// The matrix Phi of eq. 2.16 as an operator: rows x unknowns, an unknown being a number that a leaf
// holds per output. Nobody writes the matrix down: the leaf of every row in every tree is enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "refine/output_block.h"

namespace coppice {

// Alters the rows [first, last).
using RowChange = std::function<void(std::size_t first, std::size_t last)>;

// Matrices are as OutputBlock has them. Results are the same bits for any number of workers.
class LeafMatrix {
 public:
  virtual ~LeafMatrix() = default;

  virtual std::size_t rows() const = 0;
  virtual std::size_t unknowns() const = 0;
  // V, the weights of the rows; empty: all 1.
  virtual std::span<const float> weights() const = 0;
  float weight(std::size_t row) const { return weights().empty() ? 1 : weights()[row]; }
  // The rows whose numbers are given.
  virtual std::unique_ptr<LeafMatrix> subset(std::span<const std::uint32_t> rows) const = 0;

  // z = Phi w.
  virtual void predict(const OutputBlock& w, OutputBlock& z, std::size_t workers) const = 0;
  // g = Phi' r, added up in double.
  virtual void collect(const OutputBlock& r, OutputBlock& g, std::size_t workers) const = 0;

  // g = Phi' z, where z = Phi w after `change` has altered it; the rows of z go through the cache
  // once where that is possible.
  virtual void pass(const OutputBlock& w, OutputBlock& z, const RowChange& change, OutputBlock& g,
                    std::size_t workers) const;

  // Prepares solve_blocks(): B = I + scale * (the part of Phi' V Phi within single leaves), and
  // what is as cheap to know.
  virtual void set_block_scale(double scale) = 0;
  // z = B^-1 r.
  virtual void solve_blocks(const OutputBlock& r, OutputBlock& z, std::size_t workers) const = 0;
};

}  // namespace coppice
