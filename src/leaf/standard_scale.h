// Targets with mean 0 and variance 1: losses that look at several targets weigh them alike, and a
// sum of many small corrections loses no digits to a large mean.
#pragma once

#include <cmath>
#include <span>
#include <vector>

namespace coppice {

struct StandardScale {
  std::vector<double> centre, deviation;  // per output

  // Row-major, rows x outputs; a target that never changes has the deviation 1.
  StandardScale(std::span<const double> targets, std::size_t outputs)
      : centre(outputs), deviation(outputs, 1) {
    const auto rows = static_cast<double>(targets.size() / outputs);
    for (std::size_t k = 0; k < outputs; ++k) {
      double sum = 0, squares = 0;
      for (std::size_t i = k; i < targets.size(); i += outputs) sum += targets[i] / rows;
      for (std::size_t i = k; i < targets.size(); i += outputs)
        squares += (targets[i] - sum) * ((targets[i] - sum) / rows);
      centre[k] = sum;
      if (squares > 0) deviation[k] = std::sqrt(squares);
    }
  }

  std::vector<double> scaled(std::span<const double> targets) const {
    std::vector<double> result(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i)
      result[i] = (targets[i] - centre[i % centre.size()]) / deviation[i % centre.size()];
    return result;
  }
};

}  // namespace coppice
