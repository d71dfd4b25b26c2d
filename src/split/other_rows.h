// Which rows of a node do not have the common code of a column. Rows are bits: of all rows of the
// data or, in a small node, of a copy that holds the rows of its subtree only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "data/coded_columns.h"

namespace coppice {

class OtherRows {
 public:
  // So many candidates out of so many features are looked at in a node. Borrows the columns.
  OtherRows(const CodedColumns&, std::size_t features, std::size_t candidates);

  // Copies the bits of these rows, if that pays in the nodes of the subtree that they are. Until
  // release() all nodes are of it. Copies nest.
  bool copy(std::span<const SampleId> rows);
  void release() { --copies_; }

  // Borrows the rows until the next node.
  void begin_node(std::span<const SampleId> rows);
  // Whether of() can tell: copies have no columns with bins.
  bool knows(std::size_t feature) const { return copies_ == 0 || bit_of_[feature] != kNoBit; }
  // False unless it is known that no row of the node has another code than the common one.
  bool none(std::size_t feature);
  // Rows of the data, in any order; valid until the next call. REQUIRES: the column has a common
  // code, and knows() says so.
  std::span<const SampleId> of(std::size_t feature);

 private:
  // A copy to the second level of the cache, and one from there of which a column is one word.
  static constexpr std::size_t kMostCopies = 2;
  static constexpr std::size_t kCopiedRows[kMostCopies] = {4096, 64};
  static constexpr std::uint32_t kNoBit = UINT32_MAX;

  struct Copy {
    std::vector<SampleId> rows;           // by place
    std::vector<std::uint16_t> place_of;  // by row of the data, if it is among them
    std::size_t words = 0;                // per column
    std::vector<std::uint64_t> bits;      // column by column

    void copy_word(const BitRows&, std::size_t word);
  };
  const Copy& copy() const { return local_[copies_ - 1]; }
  bool copying_pays(std::size_t rows) const;
  void find_places();
  std::size_t gather_by_mask(const std::uint64_t* bits);
  std::size_t gather_one_by_one(const std::uint64_t* bits);

  const CodedColumns& columns_;
  std::vector<std::uint32_t> bit_of_;  // by feature: its bit in the rows of bits
  std::size_t features_, candidates_;  // that are drawn from, and drawn in a node
  std::array<Copy, kMostCopies> local_;
  std::size_t copies_ = 0;  // nested, in use

  std::span<const SampleId> node_;
  bool placed_ = false;               // what follows is of this node
  std::span<const SampleId> places_;  // of its rows, among those that have bits
  std::vector<std::uint64_t> mask_;   // a bit per place; empty if rows are looked at one by one
  std::vector<SampleId> place_buffer_, found_;
};

}  // namespace coppice
