#include "leaf/forward_least_squares.h"

#include <algorithm>
#include <cmath>

#include "base/cholesky.h"
#include "base/portable_math.h"
#include "base/wide_loops.h"

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

// T'W times a column, all terms side by side.
struct MultiplyLoop {
  [[gnu::always_inline]] static void run(const double* values, std::size_t rows, std::size_t terms,
                                         const double* weights, const double* column,
                                         double* __restrict sums) {
    for (std::size_t i = 0; i < rows; ++i, values += terms) {
      const double factor = weights[i] * column[i];
      for (std::size_t c = 0; c < terms; ++c) sums[c] += factor * values[c];
    }
  }
};

void multiply(const TermMatrix& terms, std::span<const double> weights,
              std::span<const double> column, std::span<double> products) {
  std::fill(products.begin(), products.end(), 0.0);
  run_loop<MultiplyLoop>(terms.values.data(), terms.rows, terms.terms, weights.data(),
                         column.data(), products.data());
}

struct NormsLoop {
  [[gnu::always_inline]] static void run(const double* values, std::size_t rows, std::size_t terms,
                                         const double* weights, double* __restrict sums) {
    for (std::size_t i = 0; i < rows; ++i, values += terms)
      for (std::size_t c = 0; c < terms; ++c) sums[c] += weights[i] * values[c] * values[c];
  }
};

void squared_norms(const TermMatrix& terms, std::span<const double> weights,
                   std::vector<double>& norms) {
  norms.assign(terms.terms, 0);
  run_loop<NormsLoop>(terms.values.data(), terms.rows, terms.terms, weights.data(), norms.data());
}

}  // namespace

void ForwardLeastSquares::start(const TermMatrix& terms, std::span<const double> targets,
                                std::span<const double> weights) {
  terms_ = &terms;
  weights_ = weights;
  total_ = 0;
  for (const double weight : weights) total_ += weight;
  squared_norms(terms, weights, norms_);
  least_norms_ = norms_;
  for (double& norm : least_norms_) norm *= kLeastIndependentShare;
  open_.resize(terms.terms);
  for (std::size_t c = 0; c < terms.terms; ++c) open_[c] = norms_[c] > 0;
  for (std::vector<double>* emptied : {&squares_, &directions_, &along_, &projections_})
    emptied->clear();
  chosen_.clear();
  leverage_.assign(terms.rows, 1 / total_);
  residuals_.assign(targets.begin(), targets.end());
  const std::size_t outputs = terms.rows == 0 ? 0 : targets.size() / terms.rows;
  unexplained_.resize(outputs * terms.terms);
  for (std::size_t k = 0; k < outputs; ++k) {
    squares_.push_back(product(weights, residual(k), residual(k)));
    multiply(terms, weights, residual(k), unexplained(k));
  }
  all_squares_ = squares_;
}

std::size_t ForwardLeastSquares::best() const {
  std::size_t best = kNone;
  double most = 0;
  for (std::size_t c = 0; c < terms(); ++c) {
    if (!open_[c]) continue;
    double gain = 0;
    for (std::size_t k = 0; k < outputs(); ++k) {
      const double product = unexplained_[k * terms() + c];
      if (all_squares_[k] > 0) gain += product * product / (norms_[c] * all_squares_[k]);
    }
    if (best != kNone && gain <= most) continue;
    best = c;
    most = gain;
  }
  return best;
}

// Adds the part of the term outside of Q, of length 1.
std::span<double> ForwardLeastSquares::add_direction(std::size_t term) {
  const std::size_t known = directions();
  directions_.resize((known + 1) * rows());
  const std::span<double> added = direction(known);
  for (std::size_t i = 0; i < rows(); ++i) added[i] = terms_->row(i)[term];
  for (std::size_t j = 0; j < known; ++j) subtract(added, along_[j * terms() + term], direction(j));
  const double length = std::sqrt(product(weights_, added, added));
  for (double& value : added) value /= length;
  return added;
}

void ForwardLeastSquares::take(std::size_t term) {
  const std::span<const double> added = add_direction(term);
  along_.resize(along_.size() + terms());
  const std::span<double> along = std::span(along_).last(terms());
  multiply(*terms_, weights_, added, along);
  for (std::size_t k = 0; k < outputs(); ++k) {
    const double projection = product(weights_, added, residual(k));
    projections_.push_back(projection);
    subtract(residual(k), projection, added);
    squares_[k] = product(weights_, residual(k), residual(k));
    subtract(unexplained(k), projection, along);
  }
  for (std::size_t i = 0; i < rows(); ++i) leverage_[i] += added[i] * added[i];
  for (std::size_t c = 0; c < terms(); ++c) {
    norms_[c] -= along[c] * along[c];
    open_[c] = open_[c] && norms_[c] > least_norms_[c];
  }
  open_[term] = false;
  chosen_.push_back(term);
}

// Twice the entropy of the predictive distributions N(y, s^2 (1 + leverage)), less a constant; the
// chosen terms take as many degrees of freedom.
double ForwardLeastSquares::entropy() const {
  double sum = 0;
  for (std::size_t k = 0; k < outputs(); ++k) {
    const double least = kLeastResidualShare * all_squares_[k];
    const double freedom = total_ - 1 - static_cast<double>(chosen_.size());
    if (all_squares_[k] > 0)
      sum += total_ * portable_log(std::max(squares_[k], least) / freedom / all_squares_[k]);
  }
  double spread = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i)
    spread += weights_[i] * portable_log(1 + leverage_[i]);
  return sum + static_cast<double>(outputs()) * spread;
}

void ForwardLeastSquares::select(std::size_t most, bool by_entropy) {
  double entropy_before = by_entropy ? entropy() : 0;
  while (chosen_.size() < most) {
    const std::size_t next = best();
    if (next == kNone) return;
    take(next);
    if (!by_entropy) continue;
    const double entropy_after = entropy();
    if (!(entropy_after < entropy_before)) {
      chosen_.pop_back();
      return;
    }
    entropy_before = entropy_after;
  }
}

std::vector<double> ForwardLeastSquares::factor_with(double ridge) const {
  const std::size_t size = chosen_.size();
  std::vector<double> own(size * (size + 1) / 2), matrix(own.size());
  for (std::size_t n = 0; n < size; ++n)
    for (std::size_t m = 0; m <= n; ++m) {
      own[triangle_index(n, m)] = factor(n, m);
      double sum = n == m ? ridge : 0;
      for (std::size_t j = 0; j <= m; ++j) sum += factor(n, j) * factor(m, j);
      matrix[triangle_index(n, m)] = sum;
    }
  return ridge > 0 && factorise(matrix, size, kLeastIndependentShare / 100) ? matrix : own;
}

std::vector<double> ForwardLeastSquares::moments(std::size_t output) const {
  std::vector<double> moments(chosen_.size());
  for (std::size_t n = 0; n < moments.size(); ++n)
    for (std::size_t j = 0; j <= n; ++j) moments[n] += factor(n, j) * projection(j, output);
  return moments;
}

// y - T b = residual + Q (Q'Wy - L'b), and the two parts are orthogonal.
double ForwardLeastSquares::residual_squares(std::size_t output,
                                             std::span<const double> coefficients) const {
  double squares = squares_[output];
  for (std::size_t j = 0; j < directions(); ++j) {
    double rest = projection(j, output);
    for (std::size_t n = j; n < chosen_.size(); ++n) rest -= factor(n, j) * coefficients[n];
    squares += rest * rest;
  }
  return squares;
}

}  // namespace coppice
