// Least squares on terms that enter one after the other, each time the one that explains most of
// what is left (orthogonal forward selection). Terms that depend on the chosen ones are rejected.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace coppice {

// Numbers with a weighted mean of (about) 0, a row per sample.
struct TermMatrix {
  std::size_t rows = 0, terms = 0;
  std::vector<double> values = {};  // row by row

  const double* row(std::size_t i) const { return values.data() + i * terms; }
  double* row(std::size_t i) { return values.data() + i * terms; }
};

// With T the chosen terms and W the weights: T = Q L' where Q' W Q = I (Gram and Schmidt), so that
// T'WT = L L' and T'Wy = L Q'Wy. One pass over all terms per choice. Its memory is used again by
// the next start().
class ForwardLeastSquares {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  // Targets one column after the other. Borrows terms and weights.
  void start(const TermMatrix& terms, std::span<const double> targets,
             std::span<const double> weights);

  // The open term that explains most, as the sum over targets of the share of its squares.
  std::size_t best() const;
  // False if the term depends on those taken.
  bool open(std::size_t term) const { return open_[term]; }
  void take(std::size_t term);

  // Takes the best terms up to `most`; with by_entropy only while the entropy of the predictive
  // distributions, summed over samples and targets, falls (Einfalt 2014, eq. 4.6).
  void select(std::size_t most, bool by_entropy);

  const std::vector<std::size_t>& chosen() const { return chosen_; }
  std::size_t outputs() const { return squares_.size(); }
  // The lower triangle of F, F F' = T'WT + ridge I.
  std::vector<double> factor_with(double ridge) const;
  std::vector<double> moments(std::size_t output) const;  // T'Wy
  double residual_squares(std::size_t output, std::span<const double> coefficients) const;

 private:
  std::size_t directions() const { return projections_.size() / outputs(); }
  std::span<double> residual(std::size_t output) { return nth(residuals_, output, rows()); }
  std::span<double> unexplained(std::size_t output) { return nth(unexplained_, output, terms()); }
  std::span<double> direction(std::size_t j) { return nth(directions_, j, rows()); }
  std::size_t rows() const { return terms_->rows; }
  std::size_t terms() const { return terms_->terms; }
  double factor(std::size_t n, std::size_t j) const {  // L(n, j)
    return along_[j * terms() + chosen_[n]];
  }
  double projection(std::size_t j, std::size_t output) const {
    return projections_[j * outputs() + output];
  }
  static std::span<double> nth(std::vector<double>& all, std::size_t n, std::size_t size) {
    return std::span(all).subspan(n * size, size);
  }
  double entropy() const;
  std::span<double> add_direction(std::size_t term);

  const TermMatrix* terms_ = nullptr;
  std::span<const double> weights_;
  double total_ = 0;
  std::vector<double> squares_, all_squares_;  // per output: of what is left, of all
  std::vector<double> residuals_;              // per output and row
  std::vector<double> unexplained_;            // per output and term: T'W times the residual
  std::vector<double> norms_, least_norms_;    // per term: of its part outside of Q
  std::vector<char> open_;                     // per term
  std::vector<std::size_t> chosen_;
  std::vector<double> directions_;   // columns of Q
  std::vector<double> along_;        // per direction: T'Wq for all terms
  std::vector<double> projections_;  // per direction: q'Wy for every output
  std::vector<double> leverage_;     // per row: 1 / n + |q|^2
};

}  // namespace coppice
