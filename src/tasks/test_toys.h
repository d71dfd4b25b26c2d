// For tests of methods: generated data with a little noise.
#pragma once

#include "coppice/toy_data.h"

namespace coppice::test {

inline Dataset toy(ToyShape shape, std::size_t rows = 400, std::uint64_t seed = 1) {
  return generate({.shape = shape, .rows = rows, .classes = 3, .noise = 0.2, .seed = seed});
}

}  // namespace coppice::test
