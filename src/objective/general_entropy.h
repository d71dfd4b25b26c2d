// Classification by the entropies of one parameter, n times
//   Tsallis  H = (1 - sum p_c^q) / (q - 1)                  q = 2: Gini
//   Renyi    H = log2(sum p_c^alpha) / (1 - alpha)
// Both become Shannon's as the parameter approaches 1, which itself is not allowed.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>

#include "base/portable_math.h"
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
struct GeneralEntropy {
  struct Item {
    std::uint32_t label, weight;
  };
  using Sum = std::uint32_t;

  std::span<const std::uint32_t> labels;
  std::size_t classes = 0;
  double order = 2;

  std::size_t statistics_size() const { return classes; }
  Item item(std::uint32_t row, std::uint32_t weight) const { return {labels[row], weight}; }
  void add(Sum* counts, const Item& item) const { counts[item.label] += item.weight; }
  bool alike(const Item& a, const Item& b) const { return a.label == b.label; }
  std::uint64_t weight(const Sum* counts) const {
    return std::accumulate(counts, counts + classes, std::uint64_t{0});
  }
  double cost(const Sum* counts) const {
    const auto total = static_cast<double>(weight(counts));
    if (total == 0) return 0;
    double powers = 0;
    for (std::size_t c = 0; c < classes; ++c)
      if (counts[c] > 0) powers += power(counts[c] / total);
    return total * Rule::entropy(powers, order);
  }

  std::size_t mean_size() const { return classes; }
  void mean(const Sum* counts, double* shares) const {
    const auto total = static_cast<double>(weight(counts));
    for (std::size_t c = 0; c < classes; ++c) shares[c] = counts[c] / total;
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
