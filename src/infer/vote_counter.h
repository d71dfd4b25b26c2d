// Adds up what the leaves of many rows say: the sums of votes.h bit for bit, in an order of memory
// that suits the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/model.h"

namespace coppice {

// Leaves of some rows in some trees: leaves[tree * rows + row], trees counted from first_tree.
struct LeafBatch {
  std::uint32_t* leaves = nullptr;
  std::size_t first_tree = 0;
  std::size_t trees = 0;
  std::size_t rows = 0;

  std::span<std::uint32_t> of_tree(std::size_t tree) const { return {leaves + tree * rows, rows}; }
  // REQUIRES: rows == 1.
  std::span<std::uint32_t> of_row() const { return {leaves, trees}; }
};

class VoteCounter {
 public:
  // Keeps a reference to the forest.
  explicit VoteCounter(const Forest&);

  // Adds the votes of every row to sums[row * outputs + k] and, for mean_variance, leaf variance +
  // mean^2 to squares[row * outputs + k]. Trees must come in their order. Spoils the leaves.
  void count(const LeafBatch&, double* sums, double* squares) const;

  // From sums to the answers of votes.h, in place.
  void read_out(std::span<double> sums, std::span<double> squares) const;

 private:
  static constexpr std::uint32_t kMixed = ~0u;

  void find_pure_rows();
  void to_payload_rows(std::size_t tree, std::span<std::uint32_t> leaves) const;
  void count_pure(const LeafBatch&, double* sums) const;

  const ForestArrays& arrays_;
  PayloadKind kind_;
  std::size_t outputs_;
  // Per payload row: the class that has all of the probability, or kMixed. Empty unless most leaves
  // are pure: then a vote is one addition, and the zeros that are left out would change nothing.
  std::vector<std::uint32_t> pure_class_;
};

}  // namespace coppice
