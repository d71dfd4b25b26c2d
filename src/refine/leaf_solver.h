// A loss at work: finds what the leaves should hold for one cost after the other, each solution
// from the last one.
#pragma once

#include <cstdint>
#include <memory>

#include "coppice/refine.h"
#include "refine/refinable_rows.h"
#include "refine/solved.h"

namespace coppice {

class LeafSolver {
 public:
  virtual ~LeafSolver() = default;

  // Goes on from w, or from what it remembers.
  virtual Solved solve(double cost, OutputBlock& w, std::size_t workers) = 0;
  // The same where w was right until a few leaves were merged, and will be followed again: may be
  // less precise.
  virtual Solved follow(double cost, OutputBlock& w, std::size_t workers) {
    return solve(cost, w, workers);
  }
};

// Borrows the rows. REQUIRES: a loss that fits them; not DefaultLoss.
std::unique_ptr<LeafSolver> make_solver(const RefinementLoss&, RefinableRows&, std::uint64_t seed);

}  // namespace coppice
