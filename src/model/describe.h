// Splits in words.
#pragma once

#include <cstddef>
#include <string>

#include "coppice/model.h"

namespace coppice {

// What makes a row go left: "petal_width < 0.8", "sex in {F, M} or missing". Thresholds read back
// as the same float. `split` is a number within the tree.
std::string split_sentence(const Forest&, std::size_t tree, std::size_t split);

}  // namespace coppice
