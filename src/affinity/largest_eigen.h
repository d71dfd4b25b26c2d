// The largest eigenvalues of an affinity and their vectors: block Lanczos with full
// orthogonalisation and thick restarts. Start, order of sums and restarts are fixed, so that the
// result is the same for any number of workers.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "affinity/affinity_operator.h"

namespace coppice {

struct EigenRequest {
  std::size_t values = 16;  // eigenvalues wanted
  std::size_t exact = 3;    // of these, the first whose vectors are wanted
  // |S u - value u| of a unit vector u. An eigenvalue is off by no more than the square of that
  // over its distance to the others.
  double tolerance = 1e-6;           // of the first `exact`
  double value_tolerance = 3e-4;     // of the others
  std::size_t most_products = 1000;  // with panels
  std::size_t workers = 1;
  // Told of products so far and the largest residual in units of its tolerance; false stops.
  std::function<bool(std::size_t, double)> go_on = {};
};

struct LargestEigen {
  std::vector<double> values = {};     // descending; fewer than asked for if the matrix is smaller
  std::vector<double> residuals = {};  // of every value
  std::vector<Panel> vectors =
      {};  // those of the first `exact` values, eight per panel; then zeros
  std::size_t products = 0;
  bool converged = false;
};

LargestEigen largest_eigen(const AffinityOperator&, const EigenRequest&);

// Bytes that the basis takes.
std::size_t eigen_bytes(std::size_t size, const EigenRequest&);

}  // namespace coppice
