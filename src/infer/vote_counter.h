// Adds up what the leaves of many rows say: the sums of votes.h bit for bit, in an order of memory
// that suits the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/model.h"
#include "infer/row_blocks.h"
#include "infer/votes.h"

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

  const VoteRule& rule() const { return rule_; }

  // Adds the votes about every row to its sums, which begin at `sums` and lie one after the other.
  // The first row of the batch is row `first` of the source. Trees must come in their order. Spoils
  // the leaves.
  void count(const LeafBatch&, const RowSource&, std::size_t first, const VoteSums& sums) const;

  // From the sums of some rows to the answers of votes.h, in place.
  void read_out(std::size_t rows, const VoteSums& sums) const;

 private:
  static constexpr std::uint32_t kMixed = ~0u;

  void find_pure_rows();
  void weigh_histograms();
  void to_payload_rows(std::size_t tree, std::span<std::uint32_t> leaves) const;
  void count_pure(const LeafBatch&, double* sums) const;
  void count_by_rule(std::span<const std::uint32_t> payload_rows, const RowSource&,
                     std::size_t first, const VoteSums& sums) const;
  void count_linear(const LeafBatch&, const RowSource&, std::size_t first,
                    const VoteSums& sums) const;
  const float* payload_row(std::size_t row) const {
    return arrays_.payload.data() + row * arrays_.payload_size;
  }

  const ForestArrays& arrays_;
  VoteRule rule_;
  std::size_t outputs_;
  std::vector<float> weighed_;  // histograms as the rule adds them; empty if as they are
  // Per payload row: the class that has all of the probability, or kMixed. Empty unless most leaves
  // are pure: then a vote is one addition, and the zeros that are left out would change nothing.
  std::vector<std::uint32_t> pure_class_;
};

}  // namespace coppice
