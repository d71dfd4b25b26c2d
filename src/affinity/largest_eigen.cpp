#include "affinity/largest_eigen.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random_stream.h"
#include "base/row_sums.h"
#include "base/symmetric_eigen.h"

namespace coppice {
namespace {

constexpr std::size_t kSparePanels = 1;       // kept at a restart beyond what is wanted
constexpr std::size_t kPanelsPerRestart = 8;  // products between two restarts
constexpr std::size_t kPanelsPerCheck = 4;    // products between two looks at the residuals
constexpr double kVanished = 1e-12;           // length of what is rounding of a unit vector

std::size_t kept_panels(const EigenRequest& request) {
  return (request.values + kPanelWidth - 1) / kPanelWidth + kSparePanels;
}

std::size_t most_panels(std::size_t size, const EigenRequest& request) {
  return std::min(kept_panels(request) + kPanelsPerRestart, (size + kPanelWidth - 1) / kPanelWidth);
}

class BlockLanczos {
 public:
  BlockLanczos(const AffinityOperator& affinity, const EigenRequest& request)
      : affinity_(affinity),
        request_(request),
        most_(most_panels(affinity.size(), request)),
        width_(most_ * kPanelWidth),
        projected_(width_ * width_) {}

  LargestEigen run() {
    next_ = random_panel();
    orthonormalise(next_);
    while (true) {
      extend();
      const bool full = basis_.size() == most_;
      if (!full && basis_.size() % kPanelsPerCheck != 0) continue;
      const SymmetricEigen ritz = rayleigh_ritz();
      const double worst = worst_residual(ritz);
      const bool whole =
          basis_.size() * kPanelWidth >= affinity_.size();  // nothing is left to find
      const bool stop = products_ >= request_.most_products ||
                        (request_.go_on && !request_.go_on(products_, worst));
      // A basis that the matrix maps into itself says nothing about what lies outside of it, such
      // as more vectors of the same value.
      const bool closed = vanished_ && !full && !whole;
      if ((worst <= 1 && !closed) || whole || stop) return finish(ritz, worst <= 1 || whole);
      if (full) restart(ritz);
    }
  }

 private:
  double& projected(std::size_t i, std::size_t j) { return projected_[i * width_ + j]; }

  Panel random_panel() {
    Panel panel(affinity_.size());
    const RandomStream stream = RandomStream(0).child(random_panels_++);
    for (std::size_t row = 0; row < panel.rows; ++row) {
      RandomStream random = stream.child(row);
      for (std::size_t k = 0; k < kPanelWidth; ++k) panel.row(row)[k] = random.uniform() - 0.5;
    }
    return panel;
  }

  // The products with the last panel of the basis: a column of the projected matrix, and what
  // sticks out of the basis, which is the next panel.
  void extend() {
    basis_.push_back(std::move(next_));
    const std::size_t last = basis_.size() - 1;
    Panel image(affinity_.size());
    affinity_.apply(basis_[last], image, request_.workers);
    ++products_;
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t p = 0; p <= last; ++p) {
        const LaneMatrix shares = product(basis_[p], image, request_.workers);
        subtract(image, basis_[p], shares, request_.workers);
        for (std::size_t i = 0; i < kPanelWidth; ++i)
          for (std::size_t j = 0; j < kPanelWidth; ++j) {
            double& entry = projected(p * kPanelWidth + i, last * kPanelWidth + j);
            entry = pass == 0 ? shares[i * kPanelWidth + j] : entry + shares[i * kPanelWidth + j];
            if (p < last) projected(last * kPanelWidth + j, p * kPanelWidth + i) = entry;
          }
      }
    coupling_ = orthonormalise(image);
    next_ = std::move(image);
  }

  void subtract_basis(Panel& panel) const {
    for (int pass = 0; pass < 2; ++pass)
      for (const Panel& known : basis_)
        subtract(panel, known, product(known, panel, request_.workers), request_.workers);
  }

  // Makes the vectors of a panel orthonormal, one after the other, and returns R of panel = Q R. A
  // vector of which nothing is left is replaced by a random one, whose row of R is zero; by zero if
  // the basis spans everything.
  LaneMatrix orthonormalise(Panel& panel) {
    LaneMatrix r{};
    vanished_ = false;
    for (std::size_t k = 0; k < kPanelWidth; ++k) {
      const double length = normalise(panel, k, kVanished, &r);
      r[k * kPanelWidth + k] = length;
      if (length == 0) vanished_ = true;
      for (int attempt = 0; length == 0 && attempt < 2 && !replace(panel, k); ++attempt) continue;
    }
    return r;
  }

  // Vector k without its share of the vectors before it, at unit length. Returns its length before,
  // 0 if it was not above `least`: then it is zero.
  double normalise(Panel& panel, std::size_t k, double least, LaneMatrix* r) {
    for (int pass = 0; pass < 2; ++pass) {
      const std::vector<double> shares = sums_with(panel, k, k);
      for_each_value(panel, k, [&](double value, const double* row) {
        for (std::size_t i = 0; i < k; ++i) value -= shares[i] * row[i];
        return value;
      });
      for (std::size_t i = 0; r && i < k; ++i) (*r)[i * kPanelWidth + k] += shares[i];
    }
    const double length = std::sqrt(sums_with(panel, k, k + 1)[k]);
    const double scale = length > least ? 1 / length : 0;
    for_each_value(panel, k, [&](double value, const double*) { return scale * value; });
    return scale > 0 ? length : 0;
  }

  // The products of vector k with the first `count` vectors of its panel.
  std::vector<double> sums_with(const Panel& panel, std::size_t k, std::size_t count) const {
    return sum_rows(panel.rows, count, request_.workers, [&](std::size_t row, double* sums) {
      const double* const values = panel.row(row);
      for (std::size_t i = 0; i < count; ++i) sums[i] += values[i] * values[k];
    });
  }

  template <class Change>
  void for_each_value(Panel& panel, std::size_t k, Change&& change) const {
    for_each_chunk(panel.rows, request_.workers,
                   [&](std::size_t, std::size_t first, std::size_t last) {
                     for (std::size_t row = first; row < last; ++row)
                       panel.row(row)[k] = change(panel.row(row)[k], panel.row(row));
                   });
  }

  // Vector k becomes a random one; false if it vanishes too.
  bool replace(Panel& panel, std::size_t k) {
    Panel fresh = random_panel();
    subtract_basis(fresh);
    for (std::size_t row = 0; row < panel.rows; ++row) panel.row(row)[k] = fresh.row(row)[0];
    return normalise(panel, k, kVanished, nullptr) > 0;
  }

  SymmetricEigen rayleigh_ritz() {
    const std::size_t used = basis_.size() * kPanelWidth;
    std::vector<double> matrix(used * used);
    for (std::size_t i = 0; i < used; ++i)
      for (std::size_t j = 0; j < used; ++j)
        matrix[i * used + j] = (projected(i, j) + projected(j, i)) / 2;
    return symmetric_eigen(matrix, used);
  }

  // |S u - value u| = |R y|, y being the last entries of the vector in the basis.
  double residual(const SymmetricEigen& ritz, std::size_t n) const {
    const std::size_t used = basis_.size() * kPanelWidth;
    const double* const last = ritz.vectors.data() + n * used + used - kPanelWidth;
    double sum = 0;
    for (std::size_t i = 0; i < kPanelWidth; ++i) {
      double entry = 0;
      for (std::size_t j = 0; j < kPanelWidth; ++j)
        entry += coupling_[i * kPanelWidth + j] * last[j];
      sum += entry * entry;
    }
    return std::sqrt(sum);
  }

  std::size_t values_in(const SymmetricEigen& ritz) const {
    return std::min({request_.values, ritz.values.size(), affinity_.size()});
  }

  // The largest residual in units of its tolerance.
  double worst_residual(const SymmetricEigen& ritz) const {
    if (ritz.values.size() < std::min(request_.values, affinity_.size())) return 1e10;
    double worst = 0;
    for (std::size_t n = 0; n < values_in(ritz); ++n)
      worst = std::max(worst, residual(ritz, n) / (n < request_.exact ? request_.tolerance
                                                                      : request_.value_tolerance));
    return worst;
  }

  // Panel n of the vectors of the largest values.
  Panel ritz_panel(const SymmetricEigen& ritz, std::size_t n, std::size_t count) const {
    const std::size_t used = basis_.size() * kPanelWidth;
    std::vector<double> factors(used * kPanelWidth);
    for (std::size_t k = 0; k < kPanelWidth && n * kPanelWidth + k < count; ++k)
      for (std::size_t i = 0; i < used; ++i)
        factors[i * kPanelWidth + k] = ritz.vectors[(n * kPanelWidth + k) * used + i];
    return combined(basis_, factors, request_.workers);
  }

  void restart(const SymmetricEigen& ritz) {
    const std::size_t kept = std::min(kept_panels(request_), basis_.size() - 1);
    std::vector<Panel> fresh;
    for (std::size_t n = 0; n < kept; ++n) fresh.push_back(ritz_panel(ritz, n, kept * kPanelWidth));
    basis_ = std::move(fresh);
    std::fill(projected_.begin(), projected_.end(), 0.0);
    for (std::size_t n = 0; n < kept * kPanelWidth; ++n) projected(n, n) = ritz.values[n];
  }

  LargestEigen finish(const SymmetricEigen& ritz, bool converged) const {
    LargestEigen found{.products = products_, .converged = converged};
    const std::size_t values = values_in(ritz), vectors = std::min(request_.exact, values);
    for (std::size_t n = 0; n < values; ++n) {
      found.values.push_back(ritz.values[n]);
      found.residuals.push_back(residual(ritz, n));
    }
    for (std::size_t n = 0; n * kPanelWidth < vectors; ++n)
      found.vectors.push_back(ritz_panel(ritz, n, vectors));
    return found;
  }

  const AffinityOperator& affinity_;
  const EigenRequest& request_;
  std::size_t most_, width_;
  std::vector<double> projected_;  // basis' S basis
  std::vector<Panel> basis_;
  Panel next_;             // orthonormal to the basis
  LaneMatrix coupling_{};  // R: S times the last panel = basis x ... + next x R
  bool vanished_ = false;  // of what sticks out of the basis, a vector was replaced
  std::size_t products_ = 0;
  std::uint64_t random_panels_ = 0;
};

}  // namespace

LargestEigen largest_eigen(const AffinityOperator& affinity, const EigenRequest& request) {
  return BlockLanczos(affinity, request).run();
}

std::size_t eigen_bytes(std::size_t size, const EigenRequest& request) {
  const std::size_t restarted = kept_panels(request) + 3;
  return (most_panels(size, request) + restarted) * size * kPanelWidth * sizeof(double);
}

}  // namespace coppice
