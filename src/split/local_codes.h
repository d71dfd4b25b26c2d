// The codes of a node's rows, copied out of the columns and ranked anew among themselves: a subtree
// then grows inside the cache, on codes of one or two bytes. Order and ties of codes are kept, so
// nothing that is decided on them changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/coded_columns.h"
#include "split/searched_column.h"
#include "split/sorted_codes.h"

namespace coppice {

class LocalCodes {
 public:
  // REQUIRES: ranks of the rows fit 16 bits.
  void begin(std::size_t features, std::size_t rows);
  // The codes that the parent has of these rows; categories, bins and columns of one byte keep
  // theirs. REQUIRES: codes that are kept fit 16 bits.
  void copy(std::size_t feature, const SearchedColumn& parent, std::span<const SampleId> rows);

  // The same for all columns of the table.
  void copy(const RowTable<std::uint32_t>&, const CodedColumns&, std::span<const SampleId> rows);

  // Seen through this copy. REQUIRES: it was copied.
  SearchedColumn searched(std::size_t feature, const CodedColumn&) const;

 private:
  struct Copied {
    CodeSpan span;
    SearchedColumn::Kind kind = SearchedColumn::Kind::codes;
  };

  void copy_gathered(std::size_t feature, const SearchedColumn& parent);
  void rank_anew(Copied&);
  template <class Code>
  void store(std::size_t feature);

  std::size_t rows_ = 0;
  std::vector<Copied> features_;
  std::vector<std::uint16_t> storage_;  // `rows_` of them per feature
  std::vector<std::uint32_t> block_;    // some columns of a table
  NodeCodes gathered_;
  CodeRanks ranks_;
  SortedCodes sorted_;
};

}  // namespace coppice
