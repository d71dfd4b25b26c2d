// What the eigen-solver knows of an affinity: products with vectors.
#pragma once

#include <cstddef>

#include "affinity/panel.h"

namespace coppice {

// A symmetric matrix whose eigenvalues lie between 0 and 1.
class AffinityOperator {
 public:
  virtual ~AffinityOperator() = default;

  virtual std::size_t size() const = 0;
  // y = S x, the same bits for any number of workers. REQUIRES: both have size() rows.
  virtual void apply(const Panel& x, Panel& y, std::size_t workers) const = 0;
};

}  // namespace coppice
