// For tests of this folder: random leaves, and affinities written down in full.
#pragma once

#include <cmath>
#include <vector>

#include "base/random_stream.h"
#include "coppice/fit.h"
#include "coppice/leaf_ids.h"
#include "coppice/toy_data.h"

namespace coppice::test {

// Rows fall into leaves near their number, so that the affinity is that of a curve.
inline LeafIds random_leaves(std::size_t rows, std::size_t trees, std::uint32_t leaves,
                             std::uint64_t seed) {
  LeafIds ids(rows, trees);
  for (std::size_t tree = 0; tree < trees; ++tree) {
    RandomStream random = RandomStream(seed).child(tree);
    const double shift = random.uniform();
    for (std::size_t row = 0; row < rows; ++row) {
      const double place = static_cast<double>(row) / static_cast<double>(rows) * leaves + shift +
                           0.5 * random.uniform();
      ids.set(tree, row, 2 * static_cast<std::uint32_t>(place), random.below(2) == 0);
    }
  }
  return ids;
}

// rows x rows, row by row: the share of trees with a common leaf.
inline std::vector<double> dense_affinity(const LeafIds& ids) {
  std::vector<double> w(ids.rows() * ids.rows());
  for (std::size_t i = 0; i < ids.rows(); ++i)
    for (std::size_t j = 0; j < ids.rows(); ++j) w[i * ids.rows() + j] = proximity(ids, i, j);
  return w;
}

// D^-1/2 W D^-1/2.
inline std::vector<double> dense_normalised(std::vector<double> w, std::size_t rows) {
  std::vector<double> degree(rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j) degree[i] += w[i * rows + j];
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j) w[i * rows + j] /= std::sqrt(degree[i] * degree[j]);
  return w;
}

inline Dataset toy(ToyShape shape, std::size_t rows, double noise = 0, std::uint64_t seed = 1) {
  return generate({.shape = shape, .rows = rows, .noise = noise, .seed = seed});
}

}  // namespace coppice::test
