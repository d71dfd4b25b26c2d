// Which terms enter a linear leaf: one after the other, each time the one that explains most of
// what is left (orthogonal forward selection). Terms that depend on the chosen ones are rejected.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace coppice {

// Columns of equal length with weighted mean 0.
struct CentredColumns {
  std::size_t rows = 0;
  std::vector<double> values;  // one column after the other

  std::size_t count() const { return rows == 0 ? 0 : values.size() / rows; }
  std::span<double> column(std::size_t n) { return std::span(values).subspan(n * rows, rows); }
  std::span<const double> column(std::size_t n) const {
    return std::span(values).subspan(n * rows, rows);
  }
};

struct SelectionRule {
  std::size_t most = 0;  // terms to choose at most
  // Stop where the entropy of the predictive distributions, summed over samples and targets, does
  // not fall any more (Einfalt 2014, eq. 4.6).
  bool by_entropy = false;
};

// Numbers of the chosen terms in order of choice.
std::vector<std::size_t> select_regressors(CentredColumns terms, CentredColumns targets,
                                           std::span<const double> weights, SelectionRule rule);

}  // namespace coppice
