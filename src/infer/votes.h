// What leaves say of a row, added up over trees. The sum runs in the order of the trees, in double.
#pragma once

#include <cstdint>
#include <span>

#include "coppice/model.h"

namespace coppice {

// Classes or targets that a payload speaks of.
inline std::size_t outputs_of(const Forest& forest) {
  const std::size_t size = forest.arrays().payload_size;
  return forest.info().payload_kind == PayloadKind::mean_variance ? size / 2 : size;
}

// sums has payload_size entries. For mean_variance: [ sum mean | sum (variance + mean^2) ].
void add_vote(PayloadKind, std::span<const float> payload, std::span<double> sums);

// Mean over `votes` trees and, for mean_variance, the variance of the mixture of all leaves:
//   var = E[leaf variance + leaf mean^2] - E[leaf mean]^2
// `variance` is empty or has one entry per output.
void read_out(PayloadKind, std::span<const double> sums, std::size_t votes, std::span<double> mean,
              std::span<double> variance);

// The first of the largest entries.
std::uint32_t most_probable(std::span<const double> probabilities);

}  // namespace coppice
