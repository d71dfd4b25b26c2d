// What a candidate compares with its threshold: the value of a feature, or a sum of terms.
#pragma once

#include <cstdint>
#include <vector>

#include "coppice/projection.h"

namespace coppice {

struct Projection {
  std::uint32_t feature = 0;  // the projection, if there are no terms
  std::vector<Term> terms;    // first_word counts from the beginning of category_words
  std::vector<std::uint32_t> category_words;

  bool axis_aligned() const { return terms.empty(); }
  void clear() {
    terms.clear();
    category_words.clear();
  }
};

}  // namespace coppice
