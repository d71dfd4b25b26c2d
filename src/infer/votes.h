// What leaves say of a row, added up over trees. The sum runs in the order of the trees, in double.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "coppice/model.h"
#include "infer/leaf_answer.h"

namespace coppice {

// One entry per output of a row; nullptr where there is nothing to add up.
struct VoteSums {
  double* sums = nullptr;
  double* squares = nullptr;  // numbers only
  double* weights = nullptr;  // numbers only, if VoteRule::weighs()

  VoteSums of_row(std::size_t row, std::size_t outputs) const {
    const auto at = [&](double* first) { return first ? first + row * outputs : nullptr; };
    return {at(sums), at(squares), at(weights)};
  }
};

// How the votes of trees become one answer (coppice::Ensemble). With p_t the histogram, or m_t and
// v_t mean and variance, that tree t gives:
//   mean        E[p_t];                        m = E[m_t], v = E[v_t + m_t^2] - m^2
//   product     prod p_t / Z;                  1/v = sum 1/v_t, m = v sum m_t / v_t
//   vote        share of trees whose most probable class it is
//   confidence  sum w_t p_t / sum w_t with w_t = 1 - entropy(p_t) / log K;
//               as mean, with weights 1 / v_t
//   sum         exp(sum s_t) / Z, s_t being class scores;   m = sum m_t, v = E[v_t]
// Probabilities below kLeastProbability, weights below kLeastWeight and variances below a share of
// kLeastVarianceShare of all variance in the leaves are taken for these, so that no leaf alone
// decides.
class VoteRule {
 public:
  static constexpr double kLeastProbability = 1e-6;
  static constexpr double kLeastWeight = 1e-3;
  static constexpr double kLeastVarianceShare = 1e-3;

  explicit VoteRule(const Forest& forest);

  const PayloadLayout& layout() const { return layout_; }
  std::size_t outputs() const { return layout_.outputs(); }
  Ensemble ensemble() const { return ensemble_; }
  bool classes() const { return predicts_classes(layout_.kind()); }
  bool weighs() const { return !classes() && ensemble_ == Ensemble::confidence; }

  // What a leaf with this variance of output k counts for.
  double weight_of(double variance, std::size_t k) const {
    return least_variance_.empty() ? 1 : 1 / std::max(variance, least_variance_[k]);
  }

  // What the histogram or the scores of a leaf add to the sums.
  void weigh_classes(std::span<const float> payload, std::span<float> vote) const;

  // Adds the vote of a leaf about the row with these values.
  template <class ValueOf>
  void add(std::span<const float> payload, ValueOf&& value_of, const VoteSums& row) const {
    thread_local LeafAnswer answer;
    if (classes()) return add_classes(payload, row);
    read_leaf(layout_, payload, std::forward<ValueOf>(value_of), answer);
    add_moments(answer, row);
  }

  // The same, of numbers, given what the leaf says.
  void add_moments(const LeafAnswer&, const VoteSums& row) const;

  // From the sums of `votes` trees to mean and variance, in place of sums and squares.
  void read_out(std::size_t votes, const VoteSums& row) const;

 private:
  void find_least_variances(const ForestArrays&);
  void add_classes(std::span<const float> payload, const VoteSums& row) const;
  void normalise_classes(double* sums) const;

  PayloadLayout layout_;
  Ensemble ensemble_;
  std::vector<double> least_variance_;  // per output, if variances weigh
};

// exp(score) / Z in place of every score.
void take_softmax(std::span<double> scores);

// The first of the largest entries.
std::uint32_t most_probable(std::span<const double> probabilities);

}  // namespace coppice
