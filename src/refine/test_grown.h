// For tests of this folder: toy data and small forests grown on it.
#pragma once

#include "coppice/fit.h"
#include "coppice/toy_data.h"

namespace coppice::test {

inline Dataset toy(ToyShape shape, std::size_t rows, std::uint64_t seed = 1) {
  ToyOptions options;
  options.shape = shape;
  options.rows = rows;
  options.seed = seed;
  return generate(options);
}

inline Forest grown(const Dataset& data, std::uint32_t depth, std::uint32_t trees = 10) {
  FitOptions options;
  if (data.schema.classes.empty()) options.task.emplace<1>();  // numbers
  options.forest.trees = trees;
  options.growth.max_depth = depth;
  return fit(data.view(), options).forest;
}

}  // namespace coppice::test
