#include "refine/ridge.h"

#include <cmath>

#include "refine/conjugate_gradient.h"

namespace coppice {
namespace {

// About how much further iterations would gain. The distance from the least value falls like a
// power of the iterations, or faster: in their last quarter by a share q of what it fell by in the
// quarter before, and from then on by q / (1 - q) of what it fell by in the last. Before there are
// enough of them, and at most, q is taken to be 5/8; after the first one 3/4.
double distance_left(const CgProgress& progress) {
  constexpr double kFirstShare = 0.75, kMostShare = 0.625;
  constexpr double kLeastWindow = 4;
  const auto count = static_cast<double>(progress.iterations);
  if (count <= 2) {  // a good start
    const double share = count < 2 ? kFirstShare : kMostShare;
    return progress.after(0) * share / (1 - share);
  }
  if (count < kLeastWindow) return INFINITY;
  const double last = progress.after(count - std::max(kLeastWindow, count / 4));
  const double before = progress.after(count * 9 / 16) - last;
  const bool enough = count >= 4 * kLeastWindow;
  const double share = enough && last < before * kMostShare ? last / before : kMostShare;
  return last * share / (1 - share);
}

// A = I + 2 C Phi' V Phi.
class RidgeSystem {
 public:
  RidgeSystem(const RidgeProblem& problem, std::size_t outputs, std::size_t workers)
      : problem_(problem), workers_(workers), predicted_(problem.matrix.rows(), outputs) {}

  bool joint() const { return false; }

  void multiply(const OutputBlock& direction, OutputBlock& product) {
    problem_.matrix.pass(
        direction, predicted_, [&](std::size_t first, std::size_t last) { weigh(first, last); },
        product, workers_);
    const auto scale = static_cast<float>(2 * problem_.cost);
    for_each_chunk(product.rows, workers_, [&](std::size_t, std::size_t first, std::size_t last) {
      const float* const from = direction.values.data();
      float* const to = product.values.data();
      for (std::size_t n = first * product.stride; n < last * product.stride; ++n)
        to[n] = from[n] + scale * to[n];
    });
  }

  void precondition(const OutputBlock& residual, OutputBlock& step) {
    problem_.matrix.solve_blocks(residual, step, workers_);
  }

  bool finished(std::size_t output, const CgProgress& progress) const {
    return distance_left(progress) <= problem_.tolerance * (objective_[output] - progress.decrease);
  }

  // The residual 2 C Phi' V (y - Phi w) - w of the normal equations, and the objective at w.
  void start(const OutputBlock& w, OutputBlock& residual) {
    measure(w);
    problem_.matrix.collect(predicted_, residual, workers_);
    const auto scale = static_cast<float>(2 * problem_.cost);
    for (std::size_t n = 0; n < residual.values.size(); ++n)
      residual.values[n] = scale * residual.values[n] - w.values[n];
  }

  // Leaves v (y - Phi w) in predicted_.
  double measure(const OutputBlock& w) {
    problem_.matrix.predict(w, predicted_, workers_);
    const std::vector<double> losses =
        sum_rows(predicted_.rows, predicted_.stride, workers_, [&](std::size_t row, double* sums) {
          float* const z = predicted_.row(row);
          const float* const y = problem_.targets.row(row);
          const float weight = problem_.matrix.weight(row);
          for (std::size_t k = 0; k < predicted_.stride; ++k) {
            const float distance = y[k] - z[k];
            sums[k] += double{weight} * double{distance} * double{distance};
            z[k] = weight * distance;
          }
        });
    objective_ = dot(w, w, workers_);
    for (std::size_t k = 0; k < objective_.size(); ++k)
      objective_[k] = objective_[k] / 2 + problem_.cost * losses[k];
    return total(objective_);
  }

 private:
  void weigh(std::size_t first, std::size_t last) {
    if (problem_.matrix.weights().empty()) return;
    for (std::size_t row = first; row < last; ++row)
      for (std::size_t k = 0; k < predicted_.stride; ++k)
        predicted_.row(row)[k] *= problem_.matrix.weight(row);
  }

  const RidgeProblem& problem_;
  std::size_t workers_;
  OutputBlock predicted_;
  std::vector<double> objective_;  // per output
};

}  // namespace

Solved solve_ridge(const RidgeProblem& problem, OutputBlock& w, std::size_t workers) {
  problem.matrix.set_block_scale(2 * problem.cost);
  RidgeSystem system(problem, w.outputs, workers);
  OutputBlock residual(w.rows, w.outputs);
  system.start(w, residual);
  const std::size_t iterations =
      ConjugateGradient<RidgeSystem>::run(system, w, residual, problem.most_iterations, workers);
  return {system.measure(w), iterations};
}

Solved solve_ridge(const RidgeProblem& problem, const LeafGram& gram, OutputBlock& w,
                   std::size_t workers) {
  RidgeSystem system(problem, w.outputs, workers);
  OutputBlock right_side(w.rows, w.outputs);
  std::fill(w.values.begin(), w.values.end(), 0.0f);
  system.start(w, right_side);
  gram.solve(2 * problem.cost, right_side, w, workers);
  return {system.measure(w), 0};
}

}  // namespace coppice
