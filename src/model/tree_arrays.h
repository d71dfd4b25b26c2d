// One grown tree in the layout of the model: splits in pre-order, leaves from left to right.
#pragma once

#include <cstdint>
#include <vector>

namespace coppice {

// Entry n of the first three arrays is split n as ForestArrays writes it (see coppice/model.h).
// first_word of a category_set split counts from the beginning of this tree's category_words.
struct TreeArrays {
  std::vector<std::uint32_t> right, threshold, code;
  std::vector<std::uint32_t> category_words;
  std::vector<float> payload;  // leaf-major: one row of payload_size floats per leaf
  std::vector<float> support;  // per leaf; one leaf more than splits
};

}  // namespace coppice
