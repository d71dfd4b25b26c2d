// One grown tree in the layout of the model: splits in pre-order, leaves from left to right.
#pragma once

#include <cstdint>
#include <vector>

#include "coppice/projection.h"

namespace coppice {

// Entry n of the first three arrays is split n as ForestArrays writes it (see coppice/model.h).
// first_word of a category_set split or a term counts from the beginning of this tree's
// category_words, the number of a projection from that of its projections.
struct TreeArrays {
  std::vector<std::uint32_t> right, threshold, code;
  std::vector<std::uint32_t> category_words;
  std::vector<std::size_t> terms_of;  // per projection
  std::vector<float> lower;           // per projection
  std::vector<Term> terms;
  std::vector<float> payload;  // row after row of payload_size floats
  // Per leaf: its row of the payload; if there are none, leaf n has row n.
  std::vector<std::uint32_t> payload_row;
  std::vector<float> support;  // per leaf; one leaf more than splits
};

}  // namespace coppice
