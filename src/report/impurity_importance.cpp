#include <numeric>

#include "report/importance.h"

namespace coppice {

std::vector<float> impurity_importance(std::span<const double> gains) {
  const double total = std::accumulate(gains.begin(), gains.end(), 0.0);
  std::vector<float> shares(gains.size());
  for (std::size_t f = 0; total > 0 && f < gains.size(); ++f)
    shares[f] = static_cast<float>(gains[f] / total);
  return shares;
}

}  // namespace coppice
