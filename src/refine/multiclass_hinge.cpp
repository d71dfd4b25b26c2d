#include "refine/multiclass_hinge.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random_stream.h"

namespace coppice {
namespace {

// A score that padding has, and that never wins.
constexpr float kNever = -1e30f;

FloatQuad all_lanes(float value) { return FloatQuad{value, value, value, value}; }
FloatQuad& quad(float* first) { return *reinterpret_cast<FloatQuad*>(first); }
const FloatQuad& quad(const float* first) { return *reinterpret_cast<const FloatQuad*>(first); }

class DualDescent {
 public:
  DualDescent(const ClassProblem& problem, const HingeRules& rules, OutputBlock& alpha,
              OutputBlock& w)
      : problem_(problem),
        rules_(rules),
        alpha_(alpha),
        w_(w),
        trees_(problem.leaves.trees()),
        curvature_(static_cast<float>(trees_)),
        leaves_(problem.leaves.leaves_by_row()),
        scores_(w.stride),
        step_(w.stride) {
    std::fill(w_.values.begin(), w_.values.end(), 0.0f);
    with_quads(w_.stride, [&]<std::size_t quads>() { add_alphas<quads>(); });
  }

  std::size_t run() {
    std::size_t passes = 0;
    with_quads(w_.stride, [&]<std::size_t quads>() { passes = descend<quads>(); });
    return passes;
  }

 private:
  const std::uint32_t* leaves_of(std::size_t row) const { return leaves_.data() + row * trees_; }

  template <std::size_t quads>
  void add_alphas() {
    for (std::size_t row = 0; row < alpha_.rows; ++row)
      for (std::size_t t = 0; t < trees_; ++t)
        add_row<quads>(w_.row(leaves_of(row)[t]), alpha_.row(row), w_.stride);
  }

  // Rows that violate nothing are left out until all the others are as far.
  template <std::size_t quads>
  std::size_t descend() {
    std::vector<std::uint32_t> active(alpha_.rows);
    RandomStream random(rules_.seed);
    double goal = std::max(1.0, 10 * rules_.tolerance);
    bool all = false;
    const std::size_t most_visits = rules_.most_passes * alpha_.rows;
    for (std::size_t visits = 0; visits < most_visits;) {
      if (!all && (visits == 0 || active.empty())) {
        active.resize(alpha_.rows);
        std::iota(active.begin(), active.end(), 0u);
        all = true;
      }
      for (std::size_t i = active.size(); i > 1; --i)
        std::swap(active[i - 1], active[random.below(static_cast<std::uint32_t>(i))]);
      visits += active.size();
      const double violation = visit<quads>(active, goal);
      if (violation >= goal) {
        all = false;
        continue;
      }
      if (all && goal <= rules_.tolerance) return (visits + alpha_.rows - 1) / alpha_.rows;
      if (all) goal = std::max(rules_.tolerance, goal / 4);
      all = false;
      active.clear();
    }
    return rules_.most_passes;
  }

  // Keeps in `active` what is worth another visit; returns the largest violation.
  template <std::size_t quads>
  double visit(std::vector<std::uint32_t>& active, double goal) {
    constexpr double kSettled = 0.05;
    double largest = 0;
    std::size_t kept = 0;
    for (std::size_t n = 0; n < active.size(); ++n) {
      if (n + 1 < active.size()) fetch(active[n + 1]);
      const double violation = improve<quads>(active[n]);
      largest = std::max(largest, violation);
      if (violation > kSettled * goal) active[kept++] = active[n];
    }
    active.resize(kept);
    return largest;
  }

  void fetch(std::uint32_t row) const {
    for (std::size_t t = 0; t < trees_; ++t) __builtin_prefetch(w_.row(leaves_of(row)[t]));
  }

  template <std::size_t quads>
  void find_scores(std::uint32_t row) {
    float* const scores = scores_.data();
    std::fill(scores_.begin(), scores_.end(), 1.0f);
    scores[problem_.labels[row]] = 0;
    if (problem_.offset) add_row<quads>(scores, problem_.offset->row(row), w_.stride);
    const std::uint32_t* const leaves = leaves_of(row);
    add_several<quads>(scores, trees_, w_.stride, [&](std::size_t t) { return w_.row(leaves[t]); });
    for (std::size_t k = w_.outputs; k < w_.stride; ++k) scores[k] = kNever;
  }

  // How far the row is from its optimum: the largest score less the least one that may still rise.
  float violation(std::uint32_t row, float bound) const {
    const float* const alpha = alpha_.row(row);
    const std::uint32_t label = problem_.labels[row];
    FloatQuad largest = all_lanes(kNever), least = all_lanes(-kNever);
    for (std::size_t k = 0; k < w_.stride; k += kQuad) {
      const FloatQuad score = quad(scores_.data() + k), held = quad(alpha + k);
      largest = score > largest ? score : largest;
      const FloatQuad free = held < all_lanes(0) ? score : all_lanes(-kNever);
      least = free < least ? free : least;
    }
    float low = std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
    if (alpha[label] < bound) low = std::min(low, scores_[label]);
    return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3])) - low;
  }

  // Solves the dual for one row: alpha_k = min(bound_k, (beta - B_k) / T), which must add up to 0;
  // B = scores - T alpha, and the bound is C v for the label and 0 for the others.
  template <std::size_t quads>
  double improve(std::uint32_t row) {
    const float bound = static_cast<float>(problem_.cost) * problem_.leaves.weight(row);
    find_scores<quads>(row);
    const float found = violation(row, bound);
    if (!(found > 1e-6f)) return 0;
    float* const alpha = alpha_.row(row);
    const std::uint32_t label = problem_.labels[row];
    for (std::size_t k = 0; k < w_.stride; k += kQuad)
      quad(scores_.data() + k) -= all_lanes(curvature_) * quad(alpha + k);
    scores_[label] += curvature_ * bound;
    const FloatQuad beta = all_lanes(threshold(curvature_ * bound));
    const FloatQuad inverse = all_lanes(1 / curvature_);
    alpha[label] -= bound;
    for (std::size_t k = 0; k < w_.stride; k += kQuad) {
      const FloatQuad over = (beta - quad(scores_.data() + k)) * inverse;
      const FloatQuad fresh = over < all_lanes(0) ? over : all_lanes(0);
      quad(step_.data() + k) = fresh - quad(alpha + k);
      quad(alpha + k) = fresh;
    }
    alpha[label] += bound;
    take_step<quads>(leaves_of(row));
    return double{found};
  }

  template <std::size_t quads>
  void take_step(const std::uint32_t* leaves) {
    FloatQuad held[std::max<std::size_t>(1, quads)];
    for (std::size_t n = 0; n < quads; ++n) held[n] = quad(step_.data() + n * kQuad);
    for (std::size_t t = 0; t < trees_; ++t) {
      float* const w = w_.row(leaves[t]);
      if constexpr (quads == 0) add_row<0>(w, step_.data(), w_.stride);
      for (std::size_t n = 0; n < quads; ++n) quad(w + n * kQuad) += held[n];
    }
  }

  // beta with sum over k of max(0, D_k - beta) = excess, D being in scores_ (Michelot 1986).
  float threshold(float excess) const {
    float beta = kNever / 2;
    for (std::size_t round = 0; round <= w_.outputs; ++round) {
      FloatQuad sums = all_lanes(0), counts = all_lanes(0);
      for (std::size_t k = 0; k < w_.stride; k += kQuad) {
        const FloatQuad score = quad(scores_.data() + k);
        const auto above = score > all_lanes(beta);
        sums += above ? score : all_lanes(0);
        counts += above ? all_lanes(1) : all_lanes(0);
      }
      const float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]) - excess;
      const float next = sum / ((counts[0] + counts[1]) + (counts[2] + counts[3]));
      if (!(next > beta)) break;
      beta = next;
    }
    return beta;
  }

  const ClassProblem& problem_;
  const HingeRules& rules_;
  OutputBlock &alpha_, &w_;
  std::size_t trees_;
  float curvature_;  // |phi|^2: every row is in one leaf of every tree
  std::vector<std::uint32_t> leaves_;
  std::vector<float> scores_, step_;
};

double objective(const ClassProblem& problem, const OutputBlock& w) {
  OutputBlock scores(problem.leaves.rows(), problem.classes);
  problem.leaves.predict(w, scores, 1);
  double losses = 0, norm = 0;
  for (std::size_t row = 0; row < scores.rows; ++row) {
    float* const score = scores.row(row);
    for (std::size_t k = 0; problem.offset && k < problem.classes; ++k)
      score[k] += problem.offset->row(row)[k];
    const float own = score[problem.labels[row]];
    float most = 0;
    for (std::size_t k = 0; k < problem.classes; ++k)
      if (k != problem.labels[row]) most = std::max(most, score[k] - own + 1);
    losses += double{problem.leaves.weight(row)} * double{most};
  }
  for (const float value : w.values) norm += double{value} * double{value};
  return norm / 2 + problem.cost * losses;
}

}  // namespace

Solved solve_hinge(const ClassProblem& problem, const HingeRules& rules, HingeDual& dual,
                   OutputBlock& w) {
  if (dual.alpha.rows == 0) dual.alpha = OutputBlock(problem.leaves.rows(), problem.classes);
  if (dual.cost > 0)
    for (float& alpha : dual.alpha.values) alpha *= static_cast<float>(problem.cost / dual.cost);
  dual.cost = problem.cost;
  const std::size_t passes = DualDescent(problem, rules, dual.alpha, w).run();
  return {objective(problem, w), passes, passes < rules.most_passes};
}

}  // namespace coppice
