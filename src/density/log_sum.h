// log(sum of exp(x)) as the x come, without overflow; the sum runs in their order.
#pragma once

#include <limits>

#include "base/portable_math.h"

namespace coppice {

class LogSum {
 public:
  void add(double log) {
    if (log <= largest_) {
      sum_ += portable_exp(log - largest_);
    } else {
      sum_ = sum_ * portable_exp(largest_ - log) + 1;
      largest_ = log;
    }
  }
  // -infinity if nothing was added.
  double log() const { return sum_ > 0 ? largest_ + portable_log(sum_) : largest_; }

 private:
  double largest_ = -std::numeric_limits<double>::infinity(), sum_ = 0;
};

}  // namespace coppice
