// The mean log-likelihood of rows under the trees that were not trained on them, for every depth at
// which the trees may be cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/leaf_ids.h"
#include "coppice/options.h"
#include "density/weighed_tree.h"

namespace coppice {

class OutOfBagDensity {
 public:
  // Looks at some thousands of rows, evenly spaced; not at incomplete ones (a 1 per row, or empty)
  // if enough others are left. Everything is borrowed.
  OutOfBagDensity(const DatasetView&, const LeafIds&, Normalisation, std::size_t workers,
                  std::span<const std::uint8_t> incomplete = {});

  // For depths 0 to the largest; empty if no row was ever out of bag.
  std::vector<double> by_depth(const std::vector<WeighedTree>&) const;
  // With the trees cut at this depth, for the first 1, 2 ... trees.
  std::vector<double> by_trees(const std::vector<WeighedTree>&, std::size_t depth) const;
  // Of every row that was ever out of bag, with the trees cut at this depth.
  std::vector<double> of_rows(const std::vector<WeighedTree>&, std::size_t depth) const;

 private:
  struct Sums;
  void add_tree(const WeighedTree&, std::size_t number, Sums&) const;

  const DatasetView& data_;
  const LeafIds& ids_;
  Normalisation normalisation_;
  std::size_t workers_;
  std::vector<std::size_t> rows_;
};

}  // namespace coppice
