// Classification by the entropies of one parameter, n times
//   Tsallis  H = (1 - sum p_c^q) / (q - 1)                  q = 2: Gini
//   Renyi    H = log2(sum p_c^alpha) / (1 - alpha)
// Both become Shannon's as the parameter approaches 1, which itself is not allowed.
#pragma once

#include "base/portable_math.h"
#include "objective/class_counts.h"
#include "objective/objective.h"

namespace coppice {

struct TsallisRule {
  static double entropy(double sum_of_powers, double order) {
    return (1 - sum_of_powers) / (order - 1);
  }
};
struct RenyiRule {
  static double entropy(double sum_of_powers, double order) {
    return portable_log2(sum_of_powers) / (1 - order);
  }
};

template <class Rule>
struct GeneralEntropy : ClassCounts {
  double order = 2;

  double cost(const Sum* counts) const {
    const auto total = static_cast<double>(weight(counts));
    if (total == 0) return 0;
    double powers = 0;
    for (std::size_t c = 0; c < classes; ++c)
      if (counts[c] > 0) powers += power(counts[c] / total);
    return total * Rule::entropy(powers, order);
  }

 private:
  double power(double share) const {
    return order == 2 ? share * share : portable_exp(order * portable_log(share));
  }
};

using TsallisEntropy = GeneralEntropy<TsallisRule>;
using RenyiEntropy = GeneralEntropy<RenyiRule>;
static_assert(Objective<TsallisEntropy> && Objective<RenyiEntropy>);

}  // namespace coppice
