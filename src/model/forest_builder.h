// Joins grown trees into the arrays of a forest; the result depends on their order alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "coppice/model.h"
#include "model/tree_arrays.h"

namespace coppice {

class ForestBuilder {
 public:
  explicit ForestBuilder(std::size_t payload_size);
  // Of splits alone: what leaves hold is left out, and the payload size of the view is 0.
  static ForestBuilder without_leaves() { return ForestBuilder(); }

  // Throws Error(invalid_data) if the sizes of the arrays do not agree, or if the forest outgrows
  // 2^32 - 1 leaves or category words.
  void append(const TreeArrays&);

  // Of every feature: what projections take from its values.
  void set_centres(std::vector<float> centres) { centres_ = std::move(centres); }

  // The forest so far, until the next call of anything else. REQUIRES: a tree.
  ForestArrays view() const;

  // Leaves with bitwise equal payloads share a row, numbered by first occurrence, if that saves
  // bytes. Leaves the builder empty, ready for another forest.
  ForestStorage finish();

 private:
  ForestBuilder() = default;

  void append_splits(const TreeArrays&);
  void append_leaves(const TreeArrays&);
  void append_projections(const TreeArrays&, std::uint32_t first_word);
  std::uint32_t row_of(std::span<const float> payload);
  void grow_table();
  void give_every_leaf_its_row();

  ForestStorage forest_;  // payload: the distinct rows so far
  std::vector<float> centres_;
  std::size_t leaves_ = 0;
  std::vector<std::uint32_t> row_;    // per leaf, unless they are left out
  std::vector<std::uint32_t> table_;  // open addressing by hash: row + 1, or 0
};

}  // namespace coppice
