// Counts the shares that leaves give to classes, row by row, while trees grow by levels: where a
// leaf is split, only what its children say otherwise is added. Counts are whole numbers, so that
// the order of leaves, trees and workers changes nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_pages.h"
#include "data/coded_columns.h"

namespace coppice {

class ShareTally {
 public:
  // Of more, too few of 16 bits would be left for each: a share is a multiple of 1 / unit().
  static constexpr std::size_t kMostTrees = 256;

  // REQUIRES: trees <= kMostTrees, each of which says something of a row at any time.
  ShareTally(std::size_t rows, std::size_t classes, std::size_t trees);

  using LeafRows = std::array<std::span<const SampleId>, 2>;
  // A leaf of these rows says `said` of them and no longer `before`, which may be empty. Shares are
  // between 0 and 1.
  void replace(const LeafRows&, std::span<const float> before, std::span<const float> said);

  // What a share of 1 counts.
  std::uint32_t unit() const { return unit_; }
  // Per class of the rows [first, last): scale times the shares that all tallies have counted
  // together, one for each worker.
  static void read(std::span<const ShareTally> all, std::size_t first, std::size_t last,
                   float scale, std::span<float> sums);

 private:
  static constexpr std::size_t kEight = 8;
  typedef std::uint16_t Eight __attribute__((vector_size(kEight * sizeof(std::uint16_t))));
  struct Change {
    std::size_t place;  // among the eights of a row
    Eight by;
  };

  static constexpr std::size_t kChangesAtOnce = 4;
  void add_to_rows(std::span<const SampleId> rows, std::span<const Change> changes);
  template <std::size_t kChanges>
  void add_changes(std::span<const SampleId> rows, const Change* changes);

  Eight counts_of(std::span<const float> shares, std::size_t place) const;
  void find_changes(std::span<const float> before, std::span<const float> said);

  std::size_t classes_, eights_;  // of a row
  std::uint32_t unit_;
  LargeVector<Eight> counts_;  // modulo 2^16: a change may follow what another worker has counted
  std::vector<Change> changes_;
};

}  // namespace coppice
