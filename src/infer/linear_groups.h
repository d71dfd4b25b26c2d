// Linear leaves of many rows: rows are grouped by leaf, so that a leaf is read once and its answers
// are a product of two small matrices, coefficients x terms. Bit for bit what read_leaf() says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/payload_layout.h"
#include "infer/row_blocks.h"
#include "infer/votes.h"

namespace coppice {

class LinearGroups {
 public:
  explicit LinearGroups(const VoteRule& rule) : rule_(rule), layout_(rule.layout()) {}

  // Whether groups are large enough to pay.
  static bool pay(std::size_t rows, std::size_t leaves) { return rows >= 4 * leaves; }

  // Adds the votes of one tree, given the leaf of every row, below `leaves`. payload_of(leaf) is
  // its payload; row 0 is row `first` of the source.
  template <class PayloadOf>
  void count(std::span<const std::uint32_t> leaf_of_row, std::size_t leaves, PayloadOf&& payload_of,
             const RowSource& source, std::size_t first, const VoteSums& sums) {
    sort_rows(leaf_of_row, leaves);
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      const auto rows = std::span(rows_).subspan(ends_[leaf], ends_[leaf + 1] - ends_[leaf]);
      if (rows.empty()) continue;
      answer(payload_of(leaf), rows, source, first);
      add(rows, sums);
    }
  }

 private:
  void sort_rows(std::span<const std::uint32_t> leaf_of_row, std::size_t leaves);
  void answer(const float* payload, std::span<const std::uint32_t> rows, const RowSource& source,
              std::size_t first);
  std::size_t find_terms(const float* payload, std::span<const std::uint32_t> rows,
                         const RowSource& source, std::size_t first);
  void widen_variances(const float* payload, std::size_t rows, std::size_t terms);
  void add(std::span<const std::uint32_t> rows, const VoteSums& sums);

  const VoteRule& rule_;
  PayloadLayout layout_;
  std::vector<std::uint32_t> rows_, ends_;         // grouped by leaf; where groups begin
  std::vector<double> terms_, means_, variances_;  // of a group: per term or output, its rows
  std::vector<double> along_, leverages_;          // of a group: per row
  LeafAnswer answer_;
};

}  // namespace coppice
