#include "transduce/point_tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace coppice {

struct PointTree::Search {
  std::span<const double> centre;
  std::uint32_t itself;
  std::size_t count, visits_left;
  std::vector<std::pair<double, std::uint32_t>> found;  // a heap, the farthest on top

  bool full() const { return found.size() == count; }
  void offer(double distance, std::uint32_t point) {
    const std::pair candidate(distance, point);
    if (full() && !(candidate < found.front())) return;
    if (full()) {
      std::pop_heap(found.begin(), found.end());
      found.pop_back();
    }
    found.push_back(candidate);
    std::push_heap(found.begin(), found.end());
  }
};

PointTree::PointTree(std::span<const double> points, std::size_t dimensions)
    : points_(points),
      dimensions_(dimensions),
      order_(points.size() / dimensions),
      cuts_(order_.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  build(0, order_.size());
  ordered_.reserve(points.size());
  for (const std::uint32_t point : order_)
    for (std::size_t k = 0; k < dimensions_; ++k) ordered_.push_back(at(point, k));
}

std::size_t PointTree::widest_axis(std::size_t first, std::size_t last) const {
  std::size_t widest = 0;
  double most = -1;
  for (std::size_t axis = 0; axis < dimensions_; ++axis) {
    double low = at(order_[first], axis), high = low;
    for (std::size_t n = first; n < last; ++n) {
      low = std::min(low, at(order_[n], axis));
      high = std::max(high, at(order_[n], axis));
    }
    if (high - low > most) widest = axis, most = high - low;
  }
  return widest;
}

void PointTree::build(std::size_t first, std::size_t last) {
  if (last - first <= kLeafPoints) return;
  const std::size_t axis = widest_axis(first, last), middle = (first + last) / 2;
  const auto begin = order_.begin();
  std::nth_element(begin + std::ptrdiff_t(first), begin + std::ptrdiff_t(middle),
                   begin + std::ptrdiff_t(last), [&](std::uint32_t a, std::uint32_t b) {
                     return std::pair(at(a, axis), a) < std::pair(at(b, axis), b);
                   });
  cuts_[middle] = {axis, at(order_[middle], axis)};
  build(first, middle);
  build(middle, last);
}

void PointTree::visit(std::size_t first, std::size_t last, Search& search) const {
  if (search.visits_left == 0) return;
  if (last - first <= kLeafPoints) {
    search.visits_left -= std::min(search.visits_left, last - first);
    for (std::size_t n = first; n < last; ++n) {
      if (order_[n] == search.itself) continue;
      double distance = 0;
      for (std::size_t k = 0; k < dimensions_; ++k) {
        const double step = ordered_[n * dimensions_ + k] - search.centre[k];
        distance += step * step;
      }
      search.offer(distance, order_[n]);
    }
    return;
  }
  const std::size_t middle = (first + last) / 2;
  const double beyond = search.centre[cuts_[middle].axis] - cuts_[middle].value;
  beyond < 0 ? visit(first, middle, search) : visit(middle, last, search);
  if (search.full() && beyond * beyond > search.found.front().first) return;
  beyond < 0 ? visit(middle, last, search) : visit(first, middle, search);
}

std::vector<std::uint32_t> PointTree::nearest(std::size_t centre, std::size_t count,
                                              std::size_t most_visits) const {
  Search search{points_.subspan(centre * dimensions_, dimensions_),
                static_cast<std::uint32_t>(centre),
                std::min(count, order_.size() - 1),
                most_visits,
                {}};
  if (search.count > 0) visit(0, order_.size(), search);
  std::sort_heap(search.found.begin(), search.found.end());
  std::vector<std::uint32_t> points;
  for (const auto& [distance, point] : search.found) points.push_back(point);
  return points;
}

}  // namespace coppice
