// Objective values against those that LIBLINEAR reaches on 50 random forests.
#include <gtest/gtest.h>

#include <cmath>

#include "refine/absolute.h"
#include "refine/multiclass_hinge.h"
#include "refine/ridge.h"
#include "refine/test_rows.h"

#ifdef COPPICE_LIBLINEAR
#include <linear.h>
#endif

namespace coppice {
namespace {

#ifdef COPPICE_LIBLINEAR

struct Reference {
  int solver;
  double cost, epsilon, tolerance;
};

// The weights that LIBLINEAR finds, leaf by leaf; classes in the order of their numbers.
std::vector<double> liblinear(const test::RandomRows& made, const std::vector<double>& y,
                              const Reference& asked, std::size_t outputs) {
  const std::size_t rows = made.ids.rows(), trees = made.ids.trees();
  std::vector<feature_node> nodes(rows * (trees + 1));
  std::vector<feature_node*> starts(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    starts[row] = nodes.data() + row * (trees + 1);
    for (std::size_t t = 0; t < trees; ++t)
      starts[row][t] = {static_cast<int>(made.leaf(t, row)) + 1, 1};
    starts[row][trees] = {-1, 0};
  }
  std::vector<double> targets = y;
  const problem given{static_cast<int>(rows), static_cast<int>(made.first_leaf.back()),
                      targets.data(), starts.data(), -1};
  parameter rules{};
  rules.solver_type = asked.solver;
  rules.C = asked.cost;
  rules.p = asked.epsilon;
  rules.eps = asked.tolerance;
  set_print_string_function([](const char*) {});
  model* const trained = train(&given, &rules);
  const auto found = static_cast<std::size_t>(outputs == 1 ? 1 : trained->nr_class);
  std::vector<double> weights(made.first_leaf.back() * outputs);
  for (std::size_t leaf = 0; leaf < made.first_leaf.back(); ++leaf)
    for (std::size_t k = 0; k < found; ++k)
      weights[leaf * outputs + (outputs == 1 ? 0 : static_cast<std::size_t>(trained->label[k]))] =
          trained->w[leaf * found + k];
  model* to_free = trained;
  free_and_destroy_model(&to_free);
  return weights;
}

double half_norm(const std::vector<double>& w) {
  double sum = 0;
  for (const double x : w) sum += x * x / 2;
  return sum;
}

double says(const test::RandomRows& made, const std::vector<double>& w, std::size_t row,
            std::size_t outputs, std::size_t k) {
  double sum = 0;
  for (std::size_t t = 0; t < made.ids.trees(); ++t) sum += w[made.leaf(t, row) * outputs + k];
  return sum;
}

class Liblinear : public testing::TestWithParam<int> {
 protected:
  Liblinear()
      : seed_(static_cast<std::uint64_t>(GetParam())),
        made_(seed_, 100 + 20 * seed_, 2 + seed_ % 15, 1),
        cost_(std::array{0.01, 0.1, 1.0}[seed_ % 3]) {}

  std::vector<double> targets() const {
    return {made_.targets.values.begin(), made_.targets.values.end()};
  }
  template <class Loss>
  double objective(const std::vector<double>& w, Loss loss) const {
    double sum = 0;
    for (std::size_t row = 0; row < made_.ids.rows(); ++row)
      sum += loss(double{made_.targets.values[row]} - says(made_, w, row, 1, 0));
    return half_norm(w) + cost_ * sum;
  }

  std::uint64_t seed_;
  test::RandomRows made_;
  double cost_;
};

TEST_P(Liblinear, SquaredLoss) {
  ConstantLeaves leaves = made_.leaves();
  OutputBlock w(leaves.unknowns(), 1);
  const double ours =
      solve_ridge({.matrix = leaves, .targets = made_.targets, .cost = cost_}, w, 1).objective;
  for (const int solver : {11, 12}) {
    const std::vector<double> theirs =
        liblinear(made_, targets(), {solver, cost_, 0, solver == 11 ? 1e-5 : 1e-4}, 1);
    const double expected = objective(theirs, [](double e) { return e * e; });
    EXPECT_NEAR(ours, expected, 1e-3 * expected) << solver;
  }
}

TEST_P(Liblinear, AbsoluteLoss) {
  const ConstantLeaves leaves = made_.leaves();
  OutputBlock w(leaves.unknowns(), 1);
  AbsoluteDual dual;
  const double ours = solve_absolute({leaves, made_.targets, cost_, 0.1},
                                     {.tolerance = 1e-4, .most_passes = 20000}, dual, w, 1)
                          .objective;
  const std::vector<double> theirs = liblinear(made_, targets(), {13, cost_, 0.1, 1e-4}, 1);
  const double expected =
      objective(theirs, [](double e) { return std::max(0.0, std::abs(e) - 0.1); });
  EXPECT_NEAR(ours, expected, 1e-3 * expected);
}

TEST_P(Liblinear, CrammerAndSinger) {
  const ConstantLeaves leaves = made_.leaves();
  OutputBlock w(leaves.unknowns(), made_.classes);
  HingeDual dual;
  const double ours =
      solve_hinge(
          {.leaves = leaves, .labels = made_.labels, .classes = made_.classes, .cost = cost_},
          {.tolerance = 1e-3, .most_passes = 20000}, dual, w)
          .objective;
  const std::vector<double> theirs = liblinear(made_, {made_.labels.begin(), made_.labels.end()},
                                               {4, cost_, 0, 1e-3}, made_.classes);
  double losses = 0;
  for (std::size_t row = 0; row < made_.ids.rows(); ++row) {
    const double own = says(made_, theirs, row, made_.classes, made_.labels[row]);
    double most = 0;
    for (std::size_t k = 0; k < made_.classes; ++k)
      if (k != made_.labels[row])
        most = std::max(most, says(made_, theirs, row, made_.classes, k) - own + 1);
    losses += most;
  }
  const double expected = half_norm(theirs) + cost_ * losses;
  EXPECT_NEAR(ours, expected, 1e-3 * expected);
}

INSTANTIATE_TEST_SUITE_P(Forests, Liblinear, testing::Range(0, 50));

#else

TEST(Liblinear, IsNotInstalled) { GTEST_SKIP() << "liblinear-dev is not installed"; }

#endif

}  // namespace
}  // namespace coppice
