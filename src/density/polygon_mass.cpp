#include "density/polygon_mass.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "density/gauss_legendre.h"
#include "density/normal_share.h"

namespace coppice {
namespace {

struct Corner {
  double x = 0, y = 0;
};

// What is left of a convex polygon (Sutherland and Hodgman 1974).
std::vector<Corner> clipped(const std::vector<Corner>& polygon, const HalfPlane& by) {
  const auto beyond = [&](const Corner& at) {
    return by.slope[0] * at.x + by.slope[1] * at.y - by.bound;
  };
  std::vector<Corner> left;
  for (std::size_t n = 0; n < polygon.size(); ++n) {
    const Corner &from = polygon[n], &to = polygon[(n + 1) % polygon.size()];
    const double start = beyond(from), end = beyond(to);
    if (start <= 0) left.push_back(from);
    if ((start < 0 && end > 0) || (start > 0 && end < 0)) {
      const double way = start / (start - end);
      left.push_back({from.x + way * (to.x - from.x), from.y + way * (to.y - from.y)});
    }
  }
  return left;
}

// y where the lower and the upper side of the polygon are, at x.
struct Span {
  double lower = 0, upper = 0;
};
Span span_at(const std::vector<Corner>& polygon, double x) {
  Span span{NormalShare::kReach, -NormalShare::kReach};
  for (std::size_t n = 0; n < polygon.size(); ++n) {
    const Corner &a = polygon[n], &b = polygon[(n + 1) % polygon.size()];
    if (x < std::min(a.x, b.x) || x > std::max(a.x, b.x) || a.x == b.x) continue;
    const double y = a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x));
    span.lower = std::min(span.lower, y);
    span.upper = std::max(span.upper, y);
  }
  return span;
}

}  // namespace

// Between the x of two corners both sides are straight: panels are short where they rise fast.
double mass_of_polygon(std::span<const HalfPlane> planes) {
  constexpr double kReach = NormalShare::kReach, kLongest = 1.5;
  std::vector<Corner> polygon{
      {-kReach, -kReach}, {kReach, -kReach}, {kReach, kReach}, {-kReach, kReach}};
  for (const HalfPlane& plane : planes) polygon = clipped(polygon, plane);
  std::vector<double> ends;
  for (const Corner& corner : polygon) ends.push_back(corner.x);
  std::sort(ends.begin(), ends.end());
  const NormalShare& normal = NormalShare::table();
  double mass = 0;
  for (std::size_t n = 1; n < ends.size(); ++n) {
    const double from = ends[n - 1], length = ends[n] - from;
    if (!(length > 0)) continue;
    const Span near = span_at(polygon, from + length / 4);
    const Span far = span_at(polygon, from + 3 * length / 4);
    const double lower_rise = 2 * (far.lower - near.lower);
    const double upper_rise = 2 * (far.upper - near.upper);
    const double longest = std::max({length, std::abs(lower_rise), std::abs(upper_rise)});
    const double parts = std::ceil(longest / kLongest);
    const auto height = [&](double x) {
      const double way = (x - from) / length - 0.25;
      return normal_peak(x) *
             normal.between(near.lower + way * lower_rise, near.upper + way * upper_rise);
    };
    for (double part = 0; part < parts; ++part)
      mass += GaussLegendre::rule().integral(from + length * part / parts, length / parts, height);
  }
  return std::min(mass, 1.0);
}

}  // namespace coppice
