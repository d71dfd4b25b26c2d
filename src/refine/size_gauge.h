// Bytes of a forest that shrinks: measured now and then, in between by the number of leaves.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>

namespace coppice {

class SizeGauge {
 public:
  // Whether a forest of so many leaves should be measured; it must be if it may fit.
  bool should_measure(std::size_t leaves, std::optional<std::size_t> most_bytes) const {
    constexpr double kShrunk = 0.75, kNear = 1.1;
    if (measured_ < 2 || static_cast<double>(leaves) <= kShrunk * leaves_) return true;
    return most_bytes && estimate(leaves) <= kNear * static_cast<double>(*most_bytes);
  }

  void measure(std::size_t leaves, std::size_t bytes) {
    const auto n = static_cast<double>(leaves), size = static_cast<double>(bytes);
    if (measured_ > 0 && n < leaves_ && size < bytes_) per_leaf_ = (bytes_ - size) / (leaves_ - n);
    leaves_ = n;
    bytes_ = size;
    ++measured_;
  }

  double estimate(std::size_t leaves) const {
    return bytes_ - per_leaf_ * (leaves_ - static_cast<double>(leaves));
  }

  // How many leaves take so many bytes; infinite while nothing is known about that.
  double leaves_of(double bytes) const {
    return per_leaf_ > 0 ? bytes / per_leaf_ : std::numeric_limits<double>::infinity();
  }

 private:
  double leaves_ = 0, bytes_ = 0, per_leaf_ = 0;  // of the last measurement
  std::size_t measured_ = 0;
};

}  // namespace coppice
