#include "leaf/regressor_selection.h"

#include <algorithm>

#include "base/portable_math.h"

namespace coppice {
namespace {

// A term whose independent part is a smaller share of it is ill-conditioned (Einfalt 2014, 5.1).
constexpr double kLeastIndependentShare = 1e-8;
// Residuals below this share of the target are rounding errors.
constexpr double kLeastResidualShare = 1e-12;

double product(std::span<const double> weights, std::span<const double> a,
               std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * a[i] * b[i];
  return sum;
}

void subtract(std::span<double> from, double factor, std::span<const double> column) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= factor * column[i];
}

class ForwardSelection {
 public:
  ForwardSelection(CentredColumns& terms, CentredColumns& targets, std::span<const double> weights)
      : terms_(terms), residuals_(targets), weights_(weights), leverage_(weights.size()) {
    for (const double weight : weights) total_ += weight;
    std::fill(leverage_.begin(), leverage_.end(), 1 / total_);
    for (std::size_t c = 0; c < terms.count(); ++c) {
      norms_.push_back(product(weights, terms.column(c), terms.column(c)));
      least_norms_.push_back(kLeastIndependentShare * norms_.back());
      open_.push_back(norms_.back() > 0);
    }
    for (std::size_t k = 0; k < targets.count(); ++k)
      squares_.push_back(product(weights, targets.column(k), targets.column(k)));
    all_squares_ = squares_;
  }

  // The open term that explains most, as the sum over targets of the share of its squares.
  std::size_t best() {
    std::size_t best = kNone;
    double most = 0;
    for (std::size_t c = 0; c < terms_.count(); ++c) {
      if (!open_[c]) continue;
      double gain = 0;
      for (std::size_t k = 0; k < squares_.size(); ++k) {
        const double along = product(weights_, terms_.column(c), residuals_.column(k));
        if (all_squares_[k] > 0) gain += along * along / (norms_[c] * all_squares_[k]);
      }
      if (best != kNone && gain <= most) continue;
      best = c;
      most = gain;
    }
    return best;
  }

  // Twice the entropy of the predictive distributions N(y, s^2 (1 + leverage)), less a constant;
  // `chosen` terms take as many degrees of freedom.
  double entropy(std::size_t chosen) const {
    double sum = 0;
    for (std::size_t k = 0; k < squares_.size(); ++k) {
      const double least = kLeastResidualShare * all_squares_[k];
      const double freedom = total_ - 1 - static_cast<double>(chosen);
      if (all_squares_[k] > 0)
        sum += total_ * portable_log(std::max(squares_[k], least) / freedom / all_squares_[k]);
    }
    double spread = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i)
      spread += weights_[i] * portable_log(1 + leverage_[i]);
    return sum + static_cast<double>(squares_.size()) * spread;
  }

  void take(std::size_t chosen) {
    open_[chosen] = false;
    const std::span<double> basis = terms_.column(chosen);
    const double norm = norms_[chosen];
    for (std::size_t k = 0; k < squares_.size(); ++k) {
      const std::span<double> residual = residuals_.column(k);
      subtract(residual, product(weights_, basis, residual) / norm, basis);
      squares_[k] = product(weights_, residual, residual);
    }
    for (std::size_t i = 0; i < basis.size(); ++i) leverage_[i] += basis[i] * basis[i] / norm;
    for (std::size_t c = 0; c < terms_.count(); ++c) {
      if (!open_[c]) continue;
      const std::span<double> column = terms_.column(c);
      subtract(column, product(weights_, basis, column) / norm, basis);
      norms_[c] = product(weights_, column, column);
      open_[c] = norms_[c] > least_norms_[c];
    }
  }

  static constexpr std::size_t kNone = ~std::size_t{0};

 private:
  CentredColumns &terms_, &residuals_;
  std::span<const double> weights_;
  std::vector<double> leverage_, norms_, least_norms_, squares_, all_squares_;
  std::vector<bool> open_;
  double total_ = 0;
};

}  // namespace

std::vector<std::size_t> select_regressors(CentredColumns terms, CentredColumns targets,
                                           std::span<const double> weights, SelectionRule rule) {
  std::vector<std::size_t> chosen;
  ForwardSelection selection(terms, targets, weights);
  double entropy = rule.by_entropy ? selection.entropy(0) : 0;
  while (chosen.size() < rule.most) {
    const std::size_t next = selection.best();
    if (next == ForwardSelection::kNone) break;
    selection.take(next);
    if (rule.by_entropy) {
      const double lower = selection.entropy(chosen.size() + 1);
      if (!(lower < entropy)) break;
      entropy = lower;
    }
    chosen.push_back(next);
  }
  return chosen;
}

}  // namespace coppice
