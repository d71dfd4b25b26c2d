// How wrong an answer for one row is, and how much the row counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "coppice/dataset.h"

namespace coppice {

// 1 for a wrong class, else 0; or the mean squared error of the targets. `answer` holds a number
// per class or target.
template <class Number>
double row_error(const DatasetView& data, std::size_t row, std::span<const Number> answer) {
  if (!data.labels.empty()) {
    const auto vote = std::max_element(answer.begin(), answer.end()) - answer.begin();
    return static_cast<std::uint32_t>(vote) != data.labels[row] ? 1 : 0;
  }
  double squares = 0;
  for (std::size_t k = 0; k < answer.size(); ++k) {
    const double residual = data.targets[row * answer.size() + k] - answer[k];
    squares += residual * residual;
  }
  return squares / static_cast<double>(answer.size());
}

inline double row_weight(const DatasetView& data, std::size_t row) {
  return data.weights.empty() ? 1 : data.weights[row];
}

}  // namespace coppice
