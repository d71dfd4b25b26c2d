// A k-d tree: the nearest of many points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace coppice {

class PointTree {
 public:
  // Points one after the other; borrowed.
  PointTree(std::span<const double> points, std::size_t dimensions);

  // The `count` points nearest to point `centre`, itself left out: the nearest first, ties to the
  // lower number. After `most_visits` points have been looked at, what was found has to do.
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  std::vector<std::uint32_t> nearest(std::size_t centre, std::size_t count,
                                     std::size_t most_visits = kAll) const;

  // All points, so that those near each other are mostly near each other here.
  std::span<const std::uint32_t> order() const { return order_; }

 private:
  struct Search;
  static constexpr std::size_t kLeafPoints = 8;

  double at(std::uint32_t point, std::size_t axis) const {
    return points_[point * dimensions_ + axis];
  }
  std::size_t widest_axis(std::size_t first, std::size_t last) const;
  void build(std::size_t first, std::size_t last);
  void visit(std::size_t first, std::size_t last, Search&) const;

  std::span<const double> points_;
  std::size_t dimensions_;
  // How the range whose middle is here is split: nothing before is above the cut, nothing from
  // there on below it.
  struct Cut {
    std::size_t axis = 0;
    double value = 0;
  };
  std::vector<std::uint32_t> order_;  // a range is split at its middle
  std::vector<double> ordered_;       // the points in that order
  std::vector<Cut> cuts_;
};

}  // namespace coppice
