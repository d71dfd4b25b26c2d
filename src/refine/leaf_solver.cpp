#include "refine/leaf_solver.h"

#include <optional>

#include "refine/absolute.h"
#include "refine/logistic.h"
#include "refine/multiclass_hinge.h"
#include "refine/ridge.h"

namespace coppice {
namespace {

class SquaredSolver final : public LeafSolver {
 public:
  explicit SquaredSolver(RefinableRows& rows) : rows_(rows) {}
  Solved solve(double cost, OutputBlock& w, std::size_t workers) override {
    const RidgeProblem problem{.matrix = *rows_.matrix, .targets = rows_.targets, .cost = cost};
    const auto* const constant = dynamic_cast<const ConstantLeaves*>(rows_.matrix.get());
    if (!constant || !gram_is_cheaper(*constant, w.outputs))
      return solve_ridge(problem, w, workers);
    return solve_ridge(problem, gram(*constant, workers), w, workers);
  }
  Solved follow(double cost, OutputBlock& w, std::size_t workers) override {
    return solve_ridge({*rows_.matrix, rows_.targets, cost, kFollowing}, w, workers);
  }

 private:
  static constexpr double kFollowing = 1e-2;  // tolerance

  // All costs have the same, until leaves are merged.
  const LeafGram& gram(const ConstantLeaves& leaves, std::size_t workers) {
    if (!gram_ || relabellings_ != leaves.relabellings()) {
      gram_.emplace(leaves, workers);
      relabellings_ = leaves.relabellings();
    }
    return *gram_;
  }

  RefinableRows& rows_;
  std::optional<LeafGram> gram_;
  std::size_t relabellings_ = 0;
};

class AbsoluteSolver final : public LeafSolver {
 public:
  AbsoluteSolver(const RefinableRows& rows, double epsilon, std::uint64_t seed)
      : rows_(rows), epsilon_(epsilon), rules_{.seed = seed} {}
  Solved solve(double cost, OutputBlock& w, std::size_t workers) override {
    return solve_absolute({rows_.constant(), rows_.targets, cost, epsilon_}, rules_, dual_, w,
                          workers);
  }

 private:
  const RefinableRows& rows_;
  double epsilon_;
  AbsoluteRules rules_;
  AbsoluteDual dual_;
};

ClassProblem class_problem(const RefinableRows& rows, double cost) {
  return {.leaves = rows.constant(),
          .labels = rows.labels,
          .classes = rows.classes,
          .offset = rows.offset.rows > 0 ? &rows.offset : nullptr,
          .cost = cost};
}

class LogisticSolver final : public LeafSolver {
 public:
  explicit LogisticSolver(const RefinableRows& rows) : rows_(rows) {}
  Solved solve(double cost, OutputBlock& w, std::size_t workers) override {
    return solve_logistic(class_problem(rows_, cost), {}, w, workers);
  }

 private:
  const RefinableRows& rows_;
};

class HingeSolver final : public LeafSolver {
 public:
  HingeSolver(const RefinableRows& rows, std::uint64_t seed) : rows_(rows), rules_{.seed = seed} {}
  Solved solve(double cost, OutputBlock& w, std::size_t) override {
    return solve_hinge(class_problem(rows_, cost), rules_, dual_, w);
  }

 private:
  const RefinableRows& rows_;
  HingeRules rules_;
  HingeDual dual_;
};

}  // namespace

std::unique_ptr<LeafSolver> make_solver(const RefinementLoss& loss, RefinableRows& rows,
                                        std::uint64_t seed) {
  if (const auto* absolute = std::get_if<AbsoluteLoss>(&loss))
    return std::make_unique<AbsoluteSolver>(rows, absolute->epsilon, seed);
  if (std::holds_alternative<LogisticLoss>(loss)) return std::make_unique<LogisticSolver>(rows);
  if (std::holds_alternative<HingeLoss>(loss)) return std::make_unique<HingeSolver>(rows, seed);
  return std::make_unique<SquaredSolver>(rows);
}

}  // namespace coppice
