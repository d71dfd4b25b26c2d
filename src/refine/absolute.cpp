#include "refine/absolute.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/random_stream.h"
#include "base/worker_team.h"

namespace coppice {
namespace {

// One output.
class CoordinateDescent {
 public:
  // leaves: as leaves_by_row() of the problem's.
  CoordinateDescent(const AbsoluteProblem& problem, const AbsoluteRules& rules,
                    std::span<const std::uint32_t> leaves, std::size_t output,
                    std::span<float> beta)
      : problem_(problem),
        rules_(rules),
        output_(output),
        beta_(beta),
        w_(problem.leaves.unknowns()),
        trees_(problem.leaves.trees()),
        leaves_(leaves),
        curvature_(static_cast<float>(trees_)),
        epsilon_(static_cast<float>(problem.epsilon)) {
    for (std::size_t row = 0; row < beta_.size(); ++row)
      if (beta_[row] != 0) shift(row, beta_[row]);
  }

  // Rows that will stay at their bound are left out until the others have settled.
  std::size_t run() {
    std::vector<std::uint32_t> active = all_rows();
    RandomStream random = RandomStream(rules_.seed).child(output_);
    double at_first = -1;
    for (std::size_t pass = 0; pass < rules_.most_passes; ++pass) {
      for (std::size_t i = active.size(); i > 1; --i)
        std::swap(active[i - 1], active[random.below(static_cast<std::uint32_t>(i))]);
      const bool all = active.size() == beta_.size();
      const double violations = visit(active);
      if (at_first < 0) at_first = violations;
      if (violations > rules_.tolerance * at_first) continue;
      if (all) return pass + 1;
      active = all_rows();
      patience_ = std::numeric_limits<float>::infinity();
    }
    return rules_.most_passes;
  }

  const std::vector<float>& weights() const { return w_; }

 private:
  std::vector<std::uint32_t> all_rows() const {
    std::vector<std::uint32_t> rows(beta_.size());
    std::iota(rows.begin(), rows.end(), 0u);
    return rows;
  }

  float& weight_at(std::size_t tree, std::size_t row) { return w_[leaves_[row * trees_ + tree]]; }
  void shift(std::size_t row, float change) {
    for (std::size_t tree = 0; tree < trees_; ++tree) weight_at(tree, row) += change;
  }

  double visit(std::vector<std::uint32_t>& active) {
    double sum = 0;
    float largest = 0;
    std::size_t kept = 0;
    for (const std::uint32_t row : active) {
      const float violation = improve(row);
      if (violation < 0) continue;
      sum += double{violation};
      largest = std::max(largest, violation);
      active[kept++] = row;
    }
    active.resize(kept);
    patience_ = largest;
    return sum;
  }

  // Returns the violation before, or -1 if the row is settled at a bound.
  float improve(std::uint32_t row) {
    const float bound = static_cast<float>(problem_.cost) * problem_.leaves.weight(row);
    float gradient = -problem_.targets.row(row)[output_];
    for (std::size_t tree = 0; tree < trees_; ++tree) gradient += weight_at(tree, row);
    const float above = gradient + epsilon_, below = gradient - epsilon_;  // for beta > 0, < 0
    float& beta = beta_[row];
    float violation = 0;
    if (beta == 0) {
      violation = std::max({0.0f, -above, below});
      if (above > patience_ && below < -patience_) return -1;
    } else if (beta >= bound) {
      violation = std::max(0.0f, above);
      if (above < -patience_) return -1;
    } else if (beta <= -bound) {
      violation = std::max(0.0f, -below);
      if (below > patience_) return -1;
    } else {
      violation = beta > 0 ? std::max(above, -above) : std::max(below, -below);
    }
    const float old = beta, reach = curvature_ * beta;
    float change = -old;
    if (above < reach) change = -above / curvature_;
    if (below > reach) change = -below / curvature_;
    beta = std::clamp(old + change, -bound, bound);
    if (beta != old) shift(row, beta - old);
    return violation;
  }

  const AbsoluteProblem& problem_;
  const AbsoluteRules& rules_;
  std::size_t output_;
  std::span<float> beta_;
  std::vector<float> w_;
  std::size_t trees_;
  std::span<const std::uint32_t> leaves_;
  float curvature_;  // |phi|^2: every row is in one leaf of every tree
  float epsilon_;
  float patience_ = std::numeric_limits<float>::infinity();  // the last pass's largest violation
};

double objective(const AbsoluteProblem& problem, const OutputBlock& w, std::size_t workers) {
  OutputBlock predicted(problem.leaves.rows(), w.outputs);
  problem.leaves.predict(w, predicted, workers);
  double losses = 0, norm = 0;
  for (std::size_t row = 0; row < predicted.rows; ++row)
    for (std::size_t k = 0; k < w.outputs; ++k) {
      const double distance = double{problem.targets.row(row)[k]} - double{predicted.row(row)[k]};
      losses += double{problem.leaves.weight(row)} *
                std::max(0.0, std::max(distance, -distance) - problem.epsilon);
    }
  for (const float value : w.values) norm += double{value} * double{value};
  return norm / 2 + problem.cost * losses;
}

}  // namespace

Solved solve_absolute(const AbsoluteProblem& problem, const AbsoluteRules& rules,
                      AbsoluteDual& dual, OutputBlock& w, std::size_t workers) {
  const std::size_t rows = problem.leaves.rows();
  dual.beta.resize(rows * w.outputs);
  if (dual.cost > 0)
    for (float& beta : dual.beta) beta *= static_cast<float>(problem.cost / dual.cost);
  dual.cost = problem.cost;
  const std::vector<std::uint32_t> leaves = problem.leaves.leaves_by_row();
  std::vector<std::size_t> passes(w.outputs);
  for_each_task(w.outputs, workers, [&](std::size_t, std::size_t k) {
    CoordinateDescent descent(problem, rules, leaves, k,
                              std::span(dual.beta).subspan(k * rows, rows));
    passes[k] = descent.run();
    for (std::size_t leaf = 0; leaf < w.rows; ++leaf) w.row(leaf)[k] = descent.weights()[leaf];
  });
  return {objective(problem, w, workers), *std::max_element(passes.begin(), passes.end())};
}

}  // namespace coppice
