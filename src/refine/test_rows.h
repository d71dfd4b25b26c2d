// For tests of this folder: random leaves of random rows, and what to learn about them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/portable_math.h"
#include "base/random_stream.h"
#include "refine/constant_leaves.h"

namespace coppice::test {

// Trees of different sizes; the target depends on the leaves, with noise.
struct RandomRows {
  LeafIds ids;
  std::vector<std::size_t> first_leaf{0};
  OutputBlock targets;
  std::vector<std::uint32_t> labels;
  std::size_t classes = 0;

  RandomRows(std::uint64_t seed, std::size_t rows, std::size_t trees, std::size_t outputs)
      : ids(rows, trees), targets(rows, outputs), labels(rows), classes(2 + seed % 4) {
    RandomStream random = RandomStream(seed).child(7);
    std::vector<std::vector<double>> truth;
    for (std::size_t tree = 0; tree < trees; ++tree) {
      const std::uint32_t leaves = 1 + random.below(12);
      first_leaf.push_back(first_leaf.back() + leaves);
      truth.emplace_back();
      for (std::size_t n = 0; n < leaves * (outputs + classes); ++n)
        truth.back().push_back(standard_normal(random));
      for (std::size_t row = 0; row < rows; ++row) ids.set(tree, row, random.below(leaves), false);
    }
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<double> says(outputs + classes);
      for (double& value : says) value = standard_normal(random);
      for (std::size_t tree = 0; tree < trees; ++tree)
        for (std::size_t k = 0; k < says.size(); ++k)
          says[k] += truth[tree][ids.leaf(tree, row) * says.size() + k];
      for (std::size_t k = 0; k < outputs; ++k) targets.row(row)[k] = static_cast<float>(says[k]);
      for (std::size_t k = 1; k < classes; ++k)
        if (says[outputs + k] > says[outputs + labels[row]])
          labels[row] = static_cast<std::uint32_t>(k);
    }
  }

  ConstantLeaves leaves(std::vector<float> weights = {}) const {
    return ConstantLeaves(ids, first_leaf, std::move(weights));
  }
  std::size_t leaf(std::size_t tree, std::size_t row) const {
    return first_leaf[tree] + ids.leaf(tree, row);
  }
};

}  // namespace coppice::test
