// p(y|x) of one row and target: a mixture of Gaussians, one for each tree or for each quantile that
// leaves keep. Where trees disagree it has several modes.
#pragma once

#include <cstddef>
#include <vector>

namespace coppice {

class Mixture {
 public:
  struct Part {
    double mean = 0, deviation = 0, weight = 1;
  };

  // REQUIRES: at least one part; finite, deviations not negative, weights positive. Deviations are
  // raised to the bandwidth of a kernel estimate from the means (Silverman 1986, eq. 3.28), taking
  // them for `independent` samples; to next to nothing if all are the same. If all are 0, the means
  // are samples: quantiles are theirs, not those of the kernel estimate.
  Mixture(std::vector<Part> parts, std::size_t independent);

  double density(double y) const;
  double below(double y) const;         // P(Y < y)
  double quantile(double level) const;  // REQUIRES: 0 < level < 1
  double mode() const;

 private:
  double quantile_of_samples(double level) const;

  bool samples_;
  std::vector<Part> parts_;  // in order of their means; weights add up to 1
};

}  // namespace coppice
