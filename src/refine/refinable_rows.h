// Rows as refinement sees them: their leaves, and what is to be learnt about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coppice/refine.h"
#include "refine/constant_leaves.h"

namespace coppice {

// What turns targets into deviations from their mean, per target; classes have none.
struct RefinementScale {
  std::vector<double> centre, deviation;
};

// Means over rows.
struct RowErrors {
  double error = 0;  // misclassified share, or square in the units of the targets, over all of them
  double loss = 0;   // of classes: logistic or hinge; of numbers the error
};

struct RefinableRows {
  std::unique_ptr<LeafMatrix> matrix = {};
  std::unique_ptr<ConstantLeaves> places = {};  // of linear leaves, where each row is
  OutputBlock targets = {};                     // of numbers: scaled
  std::vector<std::uint32_t> labels = {};       // of classes
  std::size_t classes = 0;
  OutputBlock offset = {};  // of classes: scores that are there already; no rows: none

  std::size_t outputs() const { return labels.empty() ? targets.outputs : classes; }
  // REQUIRES: the leaves are constant, or `places` are known.
  const ConstantLeaves& constant() const {
    return places ? *places : static_cast<const ConstantLeaves&>(*matrix);
  }

  RefinableRows subset(std::span<const std::uint32_t> rows) const;

  // With W in the leaves.
  RowErrors errors(const OutputBlock& w, const RefinementScale&, const RefinementLoss&,
                   std::size_t workers) const;

 private:
  RowErrors errors_of_row(std::size_t row, float* answer, const RefinementScale&,
                          bool logistic) const;
};

}  // namespace coppice
