// Counts the shares that leaves give to classes, row by row, while trees grow by levels: where a
// leaf is split, only what its children say otherwise is added. Counts are whole numbers, so that
// the order of leaves, trees and workers changes nothing.
//
// Additions wait until several trees have spoken: a row's counts then come to the cache once.
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
  // Trees whose changes wait.
  static constexpr std::size_t kMostWaiting = 16;

  // A leaf says of its rows the shares of its weights by class, each with the prior added.
  // REQUIRES: trees <= kMostTrees, each of which says something of a row at any time.
  ShareTally(std::size_t rows, std::size_t classes, std::size_t trees, double prior = 0);

  struct Leaf {
    std::array<std::span<const SampleId>, 2> rows;
    std::span<const std::uint32_t> weights;  // by class; their sum is below 2^31
  };
  // A tree speaks, of so many rows and of each of them once.
  void begin_tree(std::size_t rows);
  // Its first leaf.
  void plant(const Leaf& root);
  // The children of a leaf: each says something else, in its place, of its own rows.
  void split(const Leaf& left, const Leaf& right);
  // Adds what waits.
  void settle();

  std::size_t classes() const { return classes_; }
  // What a share of 1 counts.
  std::uint32_t unit() const { return unit_; }
  // Per class of the rows [first, last): scale times the shares that all tallies have counted
  // together, one for each worker. REQUIRES: all are settled.
  static void read(std::span<const ShareTally> all, std::size_t first, std::size_t last,
                   float scale, std::span<float> sums);

 private:
  static constexpr std::size_t kEight = 8;
  typedef std::uint16_t Eight __attribute__((vector_size(kEight * sizeof(std::uint16_t))));
  // Of a tree: its changes, the first of which is none, and which of them each row has.
  struct Waiting {
    std::vector<Eight> changes;
    LargeVector<std::uint16_t> number;
  };
  struct Settle;
  struct Read;

  // In place of what is in before_.
  void replace(const Leaf&);
  void add_at_once(std::span<const SampleId> rows);
  void round_shares(std::span<const std::uint32_t> weights, std::vector<std::uint16_t>&) const;

  std::size_t rows_, classes_, eights_;  // of a row
  std::uint32_t unit_;
  float prior_;
  LargeVector<Eight> counts_;  // modulo 2^16: a change may follow what another worker has counted
  std::array<Waiting, kMostWaiting> waiting_;
  std::size_t trees_waiting_ = 0;
  bool at_once_ = false;  // the tree that speaks does not wait
  // Scratch.
  std::vector<std::uint16_t> before_, said_;  // as a row of counts_
  std::vector<Eight> change_;
  std::vector<std::uint32_t> parent_;
};

}  // namespace coppice
