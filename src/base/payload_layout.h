// Where the parts of a payload lie. Writers, validation and readers share it. About numbers:
//   [ mean per output | variance per output | what the kind adds ]
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/model.h"

namespace coppice {

// A term of a linear payload is t = ((x_feature - centre) * scale)^power - mean; a power of 0 ends
// the list. A value that is missing or infinite counts as the centre, one that is further away than
// kMostDeviations as if it were not: there are no powers of what the leaf has hardly seen.
struct LinearTerm {
  static constexpr std::size_t kFloats = 5;
  static constexpr std::size_t kMostPower = 8;
  static constexpr double kMostDeviations = 1e4, kMostDeviationsOfPowers = 3;
  enum Part : std::size_t { feature, power, centre, scale, mean };
};

// The value of a term, given its LinearTerm::kFloats numbers and the value of its feature.
inline double term_value(const float* term, float x) {
  if (!std::isfinite(x)) x = term[LinearTerm::centre];
  const double deviation = (double{x} - double{term[LinearTerm::centre]}) * term[LinearTerm::scale];
  const double most = term[LinearTerm::power] > 1 ? LinearTerm::kMostDeviationsOfPowers
                                                  : LinearTerm::kMostDeviations;
  const double base = std::clamp(deviation, -most, most);
  double value = base;
  for (float power = 1; power < term[LinearTerm::power]; ++power) value *= base;
  return value - double{term[LinearTerm::mean]};
}

class PayloadLayout {
 public:
  static constexpr std::size_t kMostExtra = 1024;

  // For kinds whose size follows from the outputs; `extra` counts the quantiles per output or the
  // terms of a linear payload.
  PayloadLayout(PayloadKind kind, std::size_t outputs, std::size_t extra = 0)
      : kind_(kind), outputs_(outputs), extra_(extra) {}

  // The layout that has this size, or one whose size() differs if there is none.
  static PayloadLayout of_size(PayloadKind kind, std::size_t outputs, std::size_t size) {
    PayloadLayout layout(kind, outputs);
    if (!layout.has_extra()) return layout;
    layout.extra_ = 1;
    while (layout.size() < size && layout.extra_ < kMostExtra) ++layout.extra_;
    return layout;
  }

  PayloadKind kind() const { return kind_; }
  std::size_t outputs() const { return outputs_; }
  bool linear() const {
    return kind_ == PayloadKind::linear || kind_ == PayloadKind::linear_gaussian;
  }
  std::size_t points() const { return kind_ == PayloadKind::mean_quantiles ? extra_ : 0; }
  std::size_t terms() const { return linear() ? extra_ : 0; }

  std::size_t size() const {
    switch (kind_) {
      case PayloadKind::class_histogram:
      case PayloadKind::class_scores:
        return outputs_;
      case PayloadKind::mean_variance:
        return 2 * outputs_;
      case PayloadKind::mean_covariance:
        return 2 * outputs_ + outputs_ * (outputs_ - 1) / 2;
      case PayloadKind::mean_quantiles:
        return 2 * outputs_ + outputs_ * extra_;
      case PayloadKind::linear:
        return inverse_weight();
      case PayloadKind::linear_gaussian:
        return factor() + extra_ * (extra_ + 1) / 2;
      case PayloadKind::gaussian:
        return mass_error() + 1;
    }
    return 0;
  }

  // Covariance of outputs j <= k.
  std::size_t covariance(std::size_t j, std::size_t k) const {
    if (j == k) return outputs_ + k;
    return 2 * outputs_ + k * (k - 1) / 2 + j;
  }
  // Of a Gaussian: log p(x) in its cell less that of the Gaussian; the log of its mass in its cell;
  // the standard error of that log.
  std::size_t log_weight() const { return 2 * outputs_ + outputs_ * (outputs_ - 1) / 2; }
  std::size_t log_mass() const { return log_weight() + 1; }
  std::size_t mass_error() const { return log_weight() + 2; }
  // Quantiles of output k at levels (i + 1/2) / points, ascending.
  std::size_t quantiles(std::size_t k) const { return 2 * outputs_ + k * extra_; }
  std::size_t term(std::size_t n) const { return 2 * outputs_ + n * LinearTerm::kFloats; }
  // Coefficients of output k, one per term.
  std::size_t coefficients(std::size_t k) const { return term(extra_) + k * extra_; }
  // 1 / n, and the lower triangle A, row by row, with A' A = (T' T)^-1 of the terms T:
  // the leverage of a row is 1 / n + |A t|^2.
  std::size_t inverse_weight() const { return coefficients(outputs_); }
  std::size_t factor() const { return inverse_weight() + 1; }

 private:
  bool has_extra() const { return linear() || kind_ == PayloadKind::mean_quantiles; }

  PayloadKind kind_;
  std::size_t outputs_, extra_;
};

// The values of the terms of a linear payload, in order; value_of(feature) is the row's.
template <class ValueOf>
void read_terms(const PayloadLayout& layout, const float* payload, ValueOf&& value_of,
                std::vector<double>& terms) {
  terms.clear();
  for (std::size_t n = 0; n < layout.terms(); ++n) {
    const float* const term = payload + layout.term(n);
    if (term[LinearTerm::power] <= 0) break;
    terms.push_back(
        term_value(term, value_of(static_cast<std::uint32_t>(term[LinearTerm::feature]))));
  }
}

// What the payload says of output k, given the values of its terms.
inline double linear_answer(const PayloadLayout& layout, const float* payload, std::size_t k,
                            std::span<const double> terms) {
  const float* const coefficients = payload + layout.coefficients(k);
  double sum = double{payload[k]};
  for (std::size_t n = 0; n < terms.size(); ++n) sum += double{coefficients[n]} * terms[n];
  return sum;
}

}  // namespace coppice
