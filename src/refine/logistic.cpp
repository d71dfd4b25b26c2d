#include "refine/logistic.h"

#include <algorithm>

#include "base/portable_math.h"
#include "refine/conjugate_gradient.h"

namespace coppice {
namespace {

// The Hessian I + C Phi' V (diag p - p p') Phi at the probabilities p.
class LogisticSystem {
 public:
  LogisticSystem(const ClassProblem& problem, std::size_t workers)
      : problem_(problem),
        workers_(workers),
        scores_(problem.leaves.rows(), problem.classes),
        probabilities_(scores_),
        rows_(scores_),
        diagonal_(problem.leaves.unknowns(), problem.classes) {}

  bool joint() const { return true; }

  void multiply(const OutputBlock& direction, OutputBlock& product) {
    problem_.leaves.pass(
        direction, rows_,
        [&](std::size_t first, std::size_t last) {
          for (std::size_t row = first; row < last; ++row) curve(row);
        },
        product, workers_);
    for_each_chunk(product.rows, workers_, [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t n = first * product.stride; n < last * product.stride; ++n)
        product.values[n] += direction.values[n];
    });
  }

  void precondition(const OutputBlock& residual, OutputBlock& step) {
    for_each_chunk(step.rows, workers_, [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t n = first * step.stride; n < last * step.stride; ++n)
        step.values[n] = residual.values[n] / diagonal_.values[n];
    });
  }

  // Nash and Sofer (1990): further iterations would hardly improve the quadratic model.
  bool finished(std::size_t, const CgProgress& progress) const {
    constexpr double kSlow = 0.5;
    return static_cast<double>(progress.iterations) * progress.decreases.back() <=
           kSlow * progress.decrease;
  }

  void set_scores(const OutputBlock& w) {
    problem_.leaves.predict(w, scores_, workers_);
    if (!problem_.offset) return;
    for (std::size_t n = 0; n < scores_.values.size(); ++n)
      scores_.values[n] += problem_.offset->values[n];
  }

  // Sum of v_i (log sum exp(s_i + share * step_i) - s_i,y - share * step_i,y), and the
  // probabilities there.
  double losses(double share) {
    return sum_rows(scores_.rows, 1, workers_,
                    [&](std::size_t row, double* sum) { sum[0] += loss(row, share); })[0];
  }

  // Leaves Phi step in rows_.
  void set_step(const OutputBlock& step) { problem_.leaves.predict(step, rows_, workers_); }
  void take(double share) {
    for (std::size_t n = 0; n < scores_.values.size(); ++n)
      scores_.values[n] += static_cast<float>(share) * rows_.values[n];
  }
  void clear_step() { std::fill(rows_.values.begin(), rows_.values.end(), 0.0f); }

  // -gradient, and the diagonal of the Hessian.
  void descend(const OutputBlock& w, OutputBlock& residual) {
    fill_rows([&](float p, bool own) { return (own ? 1 : 0) - p; });
    problem_.leaves.collect(rows_, residual, workers_);
    for (std::size_t n = 0; n < w.values.size(); ++n) residual.values[n] -= w.values[n];
    fill_rows([](float p, bool) { return p * (1 - p); });
    problem_.leaves.collect(rows_, diagonal_, workers_);
    for (float& value : diagonal_.values) value += 1;
  }

 private:
  float scale(std::size_t row) const {
    return static_cast<float>(problem_.cost) * problem_.leaves.weight(row);
  }

  template <class Value>
  void fill_rows(Value&& value) {
    for_each_chunk(rows_.rows, workers_, [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t row = first; row < last; ++row)
        for (std::size_t k = 0; k < problem_.classes; ++k)
          rows_.row(row)[k] =
              scale(row) * value(probabilities_.row(row)[k], k == problem_.labels[row]);
    });
  }

  // u = C v (p u - p (p'u)).
  void curve(std::size_t row) {
    float* const u = rows_.row(row);
    const float* const p = probabilities_.row(row);
    float along = 0;
    for (std::size_t k = 0; k < problem_.classes; ++k) along += p[k] * u[k];
    for (std::size_t k = 0; k < problem_.classes; ++k) u[k] = scale(row) * p[k] * (u[k] - along);
  }

  double loss(std::size_t row, double share) {
    const float *score = scores_.row(row), *step = rows_.row(row);
    float* const p = probabilities_.row(row);
    double most = -1e300, sum = 0;
    const auto at = [&](std::size_t k) { return double{score[k]} + share * double{step[k]}; };
    for (std::size_t k = 0; k < problem_.classes; ++k) most = std::max(most, at(k));
    for (std::size_t k = 0; k < problem_.classes; ++k) {
      const double grown = portable_exp(at(k) - most);
      p[k] = static_cast<float>(grown);
      sum += grown;
    }
    const auto norm = static_cast<float>(1 / sum);
    for (std::size_t k = 0; k < problem_.classes; ++k) p[k] *= norm;
    return double{problem_.leaves.weight(row)} *
           (most + portable_log(sum) - at(problem_.labels[row]));
  }

  const ClassProblem& problem_;
  std::size_t workers_;
  OutputBlock scores_, probabilities_;
  OutputBlock rows_;      // scratch, or the step that is tried
  OutputBlock diagonal_;  // of the Hessian
};

double norm(const OutputBlock& a, const OutputBlock& b, std::size_t workers) {
  return total(dot(a, b, workers));
}

}  // namespace

Solved solve_logistic(const ClassProblem& problem, const LogisticRules& rules, OutputBlock& w,
                      std::size_t workers) {
  constexpr std::size_t kMostIterations = 100, kMostHalvings = 40;
  LogisticSystem system(problem, workers);
  system.set_scores(w);
  system.clear_step();
  Solved solved{norm(w, w, workers) / 2 + problem.cost * system.losses(0)};
  for (std::size_t n = 0; n < rules.most_steps; ++n) {
    OutputBlock residual(w.rows, w.outputs), step(w.rows, w.outputs);
    system.descend(w, residual);
    solved.iterations +=
        ConjugateGradient<LogisticSystem>::run(system, step, residual, kMostIterations, workers);
    system.set_step(step);
    const double along = norm(w, step, workers), square = norm(step, step, workers);
    double share = 1, reached = solved.objective;
    for (std::size_t halving = 0; halving < kMostHalvings; ++halving, share /= 2) {
      reached = (norm(w, w, workers) + share * (2 * along + share * square)) / 2 +
                problem.cost * system.losses(share);
      if (reached < solved.objective) break;
    }
    const double improvement = solved.objective - reached;
    if (!(improvement > 0)) break;
    for (std::size_t i = 0; i < w.values.size(); ++i)
      w.values[i] += static_cast<float>(share) * step.values[i];
    system.take(share);
    solved.objective = reached;
    if (improvement <= rules.tolerance * reached) break;
  }
  return solved;
}

}  // namespace coppice
