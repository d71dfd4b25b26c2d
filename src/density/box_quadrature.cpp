// One variable is integrated numerically, given which the mass of the others is known. Panels are
// short where that mass changes fast: near the borders of a variable that is almost a function of
// the first.
#include "density/box_quadrature.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "density/gauss_legendre.h"
#include "density/normal_share.h"

namespace coppice {
namespace {

constexpr double kLeastSpread = 1e-8;  // of a variable given another

// Places along x between which a function is smooth enough for one panel each.
class Panels {
 public:
  explicit Panels(const Interval& range)
      : lower_(std::max(range.lower, -NormalShare::kReach)),
        upper_(std::min(range.upper, NormalShare::kReach)) {
    ends_.push_back(lower_);
    ends_.push_back(upper_);
  }

  // Another variable with this correlation crosses the borders of its box.
  void add_crossings(const Interval& box, double correlation) {
    const double slope = std::abs(correlation);
    const double width = std::sqrt(std::max(0.0, 1 - slope * slope)) / slope;
    if (!(width < 0.7)) return;
    for (const double border : {box.lower, box.upper}) {
      if (!(std::abs(border) < 2 * NormalShare::kReach)) continue;
      for (const double at : {-8.0, -4.0, -2.0, 0.0, 2.0, 4.0, 8.0}) {
        const double x = border / correlation + at * std::max(width, kLeastSpread);
        if (x > lower_ && x < upper_) ends_.push_back(x);
      }
    }
  }

  template <class Function>
  double integrate(Function&& function) {
    constexpr double kLongest = 1.5;
    if (!(lower_ < upper_)) return 0;
    std::sort(ends_.begin(), ends_.end());
    double sum = 0;
    for (std::size_t i = 1; i < ends_.size(); ++i) {
      const double length = ends_[i] - ends_[i - 1];
      const double parts = std::ceil(length / kLongest);
      for (double part = 0; part < parts; ++part)
        sum += GaussLegendre::rule().integral(ends_[i - 1] + length * part / parts, length / parts,
                                              function);
    }
    return sum;
  }

 private:
  double lower_, upper_;
  std::vector<double> ends_;
};

// The interval of a variable given x, in its own standard deviations.
Interval given(const Interval& box, double correlation, double spread, double x) {
  return {(box.lower - correlation * x) / spread, (box.upper - correlation * x) / spread};
}

double spread_of(double correlation) {
  return std::max(kLeastSpread, std::sqrt(std::max(0.0, 1 - correlation * correlation)));
}

}  // namespace

double mass_of_two(const std::array<Interval, 2>& box, double correlation) {
  const NormalShare& normal = NormalShare::table();
  const double spread = spread_of(correlation);
  Panels panels(box[0]);
  panels.add_crossings(box[1], correlation);
  return panels.integrate([&](double x) {
    const Interval other = given(box[1], correlation, spread, x);
    return normal_peak(x) * normal.between(other.lower, other.upper);
  });
}

double mass_of_three(const std::array<Interval, 3>& box, const std::array<double, 3>& correlation) {
  const double second = correlation[0], third = correlation[1], between = correlation[2];
  const double spread_2 = spread_of(second), spread_3 = spread_of(third);
  const double rest = std::clamp((between - second * third) / (spread_2 * spread_3), -1.0, 1.0);
  Panels panels(box[0]);
  panels.add_crossings(box[1], second);
  panels.add_crossings(box[2], third);
  return panels.integrate([&](double x) {
    const std::array others{given(box[1], second, spread_2, x), given(box[2], third, spread_3, x)};
    return normal_peak(x) * mass_of_two(others, rest);
  });
}

}  // namespace coppice
