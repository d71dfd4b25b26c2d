// Refinement beside LIBLINEAR, which solves the same problems with the matrix of leaves written
// down: peer_liblinear WORK [FILE or ROWS]. Prints one JSON object; compare_refine.py makes the
// table. Seconds are of the clock and, beside them, of the processor.
#include <fmt/format.h>
#include <linear.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/portable_math.h"
#include "coppice/coppice.h"
#include "refine/linear_leaves.h"
#include "refine/multiclass_hinge.h"
#include "refine/ridge.h"

namespace coppice {
namespace {

constexpr std::size_t kThreads = 2;

struct Times {
  double clock = 0, processor = 0;

  static Times now() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return {std::chrono::duration<double>(since).count(),
            static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec)};
  }
  Times operator-(const Times& other) const {
    return {clock - other.clock, processor - other.processor};
  }
};

struct Grown {
  LeafIds ids;
  std::vector<std::size_t> first_leaf;
};

Grown grow(const Dataset& data, const FitOptions& options) {
  const Forest forest = fit(data.view(), options).forest;
  Grown grown{Predictor(forest).apply(data.view()), {}};
  for (std::size_t tree = 0; tree <= forest.trees(); ++tree)
    grown.first_leaf.push_back(forest.arrays().first_leaf(tree));
  return grown;
}

// --- LIBLINEAR -----------------------------------------------------------------------------------

class WrittenDown {
 public:
  explicit WrittenDown(const Grown& grown) : rows_(grown.ids.rows()), trees_(grown.ids.trees()) {
    nodes_.resize(rows_ * (trees_ + 1));
    for (std::size_t row = 0; row < rows_; ++row) {
      starts_.push_back(nodes_.data() + row * (trees_ + 1));
      for (std::size_t t = 0; t < trees_; ++t)
        starts_[row][t] = {static_cast<int>(grown.first_leaf[t] + grown.ids.leaf(t, row)) + 1, 1};
      starts_[row][trees_] = {-1, 0};
    }
    leaves_ = static_cast<int>(grown.first_leaf.back());
    set_print_string_function([](const char*) {});
  }

  // Weights of leaf after leaf; of classes in the order of their numbers.
  std::vector<double> solve(int solver, double cost, std::vector<double> y, std::size_t outputs) {
    problem given{static_cast<int>(rows_), leaves_, y.data(), starts_.data(), -1};
    parameter rules{};
    rules.solver_type = solver;
    rules.C = cost;
    rules.eps = solver == 4 ? 0.1 : 0.001;  // its defaults
    model* trained = train(&given, &rules);
    std::vector<double> w(static_cast<std::size_t>(leaves_) * outputs);
    for (std::size_t leaf = 0; leaf < static_cast<std::size_t>(leaves_); ++leaf)
      for (std::size_t k = 0; k < outputs; ++k)
        w[leaf * outputs + (outputs == 1 ? 0 : static_cast<std::size_t>(trained->label[k]))] =
            trained->w[leaf * outputs + k];
    free_and_destroy_model(&trained);
    return w;
  }

  double score(const std::vector<double>& w, std::size_t row, std::size_t outputs,
               std::size_t k) const {
    double sum = 0;
    for (std::size_t t = 0; t < trees_; ++t)
      sum += w[static_cast<std::size_t>(starts_[row][t].index - 1) * outputs + k];
    return sum;
  }

 private:
  std::size_t rows_, trees_;
  int leaves_ = 0;
  std::vector<feature_node> nodes_;
  std::vector<feature_node*> starts_;
};

double half_norm(const std::vector<double>& w) {
  double sum = 0;
  for (const double x : w) sum += x * x / 2;
  return sum;
}

void print(const std::string& work, const Times& ours, double our_objective, const Times& theirs,
           double their_objective) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  fmt::print(
      "{{\"work\": \"{}\", \"seconds\": {}, \"processor_seconds\": {}, \"objective\": {}, "
      "\"liblinear_seconds\": {}, \"liblinear_processor_seconds\": {}, "
      "\"liblinear_objective\": {}, \"peak_bytes\": {}}}\n",
      work, ours.clock, ours.processor, our_objective, theirs.clock, theirs.processor,
      their_objective, used.ru_maxrss * 1024);
}

// --- The works -----------------------------------------------------------------------------------

// 100,000 rows of ten features; targets are Friedman's function on features in turn.
Dataset friedman_rows(std::size_t rows, std::size_t targets) {
  RandomStream random(1);
  Dataset data;
  data.rows = rows;
  data.columns.resize(10);
  for (std::size_t f = 0; f < 10; ++f) {
    data.schema.features.push_back({fmt::format("x{}", f), FeatureKind::numeric});
    for (std::size_t row = 0; row < rows; ++row)
      data.columns[f].push_back(static_cast<float>(random.uniform()));
  }
  for (std::size_t k = 0; k < targets; ++k) data.schema.targets.push_back(fmt::format("y{}", k));
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < targets; ++k) {
      const auto x = [&](std::size_t f) { return double{data.columns[(f + k) % 10][row]}; };
      data.targets.push_back(10 * portable_sin(3.14159 * x(0) * x(1)) +
                             20 * (x(2) - 0.5) * (x(2) - 0.5) + 10 * x(3) + 5 * x(4) +
                             standard_normal(random));
    }
  return data;
}

void squared(std::size_t outputs) {
  constexpr double kCost = 0.1;
  const Dataset data = friedman_rows(100'000, outputs);
  FitOptions options;
  options.task = Regression{};
  options.forest.trees = 50;
  options.growth.max_depth = 8;
  options.report.out_of_bag = false;
  const Grown grown = grow(data, options);
  OutputBlock targets(data.rows, outputs);
  for (std::size_t n = 0; n < data.targets.size(); ++n)
    targets.row(n / outputs)[n % outputs] = static_cast<float>((data.targets[n] - 14.4) / 5);

  ConstantLeaves leaves(grown.ids, grown.first_leaf, {});
  OutputBlock w(leaves.unknowns(), outputs);
  const Times begin = Times::now();
  const Solved solved =
      solve_ridge({.matrix = leaves, .targets = targets, .cost = kCost}, w, kThreads);
  const Times ours = Times::now() - begin;

  WrittenDown written(grown);
  Times theirs;
  double objective = 0;
  for (std::size_t k = 0; k < outputs; ++k) {
    std::vector<double> y;
    for (std::size_t row = 0; row < data.rows; ++row) y.push_back(double{targets.row(row)[k]});
    const Times start = Times::now();
    const std::vector<double> found = written.solve(11, kCost, y, 1);
    const Times took = Times::now() - start;
    theirs.clock += took.clock;
    theirs.processor += took.processor;
    objective += half_norm(found);
    for (std::size_t row = 0; row < data.rows; ++row) {
      const double distance = y[row] - written.score(found, row, 1, 0);
      objective += kCost * distance * distance;
    }
  }
  print(fmt::format("squared loss, {} output{}", outputs, outputs > 1 ? "s" : ""), ours,
        solved.objective, theirs, objective);
}

void hinge(const std::string& path) {
  constexpr double kCost = 1;
  const Dataset data = read_dataset(path, {.targets = {"label"}});
  const std::size_t classes = data.schema.classes.size();
  FitOptions options;
  options.forest.trees = 50;
  options.growth.max_depth = 14;
  options.report.out_of_bag = false;
  const Grown grown = grow(data, options);

  const ConstantLeaves leaves(grown.ids, grown.first_leaf, {});
  OutputBlock w(leaves.unknowns(), classes);
  HingeDual dual;
  const Times begin = Times::now();
  const Solved solved = solve_hinge(
      {.leaves = leaves, .labels = data.labels, .classes = classes, .cost = kCost}, {}, dual, w);
  const Times ours = Times::now() - begin;

  WrittenDown written(grown);
  const Times start = Times::now();
  const std::vector<double> found =
      written.solve(4, kCost, {data.labels.begin(), data.labels.end()}, classes);
  const Times theirs = Times::now() - start;
  double objective = half_norm(found);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double own = written.score(found, row, classes, data.labels[row]);
    double most = 0;
    for (std::size_t k = 0; k < classes; ++k)
      if (k != data.labels[row])
        most = std::max(most, written.score(found, row, classes, k) - own + 1);
    objective += kCost * most;
  }
  print("Crammer-Singer, letter", ours, solved.objective, theirs, objective);
}

// --- Patches of images: linear leaves ------------------------------------------------------------

// The same regressors in all leaves.
class SharedRegressors final : public Regressors {
 public:
  SharedRegressors(std::size_t count, std::vector<float> values)
      : count_(count), values_(std::move(values)) {}
  std::size_t count(std::size_t) const override { return count_; }
  void fill(std::size_t, std::span<const std::uint32_t> rows, float* out) const override {
    for (const std::uint32_t row : rows)
      out = std::copy_n(values_.data() + row * count_, count_, out);
  }
  const float* row(std::size_t number) const { return values_.data() + number * count_; }

 private:
  std::size_t count_;
  std::vector<float> values_;
};

// Trees of depth 6 that compare random regressors with random thresholds.
LeafIds random_leaves(const SharedRegressors& x, std::size_t rows, std::size_t trees) {
  LeafIds ids(rows, trees);
  for (std::size_t tree = 0; tree < trees; ++tree) {
    RandomStream random = RandomStream(2).child(tree);
    std::uint32_t feature[64];
    float threshold[64];
    for (int n = 0; n < 64; ++n) {
      feature[n] = 1 + random.below(30);
      threshold[n] = static_cast<float>(0.7 * standard_normal(random));
    }
    for (std::size_t row = 0; row < rows; ++row) {
      std::uint32_t node = 1;
      while (node < 64) node = 2 * node + (x.row(row)[feature[node]] < threshold[node] ? 0 : 1);
      ids.set(tree, row, node - 64, false);
    }
  }
  return ids;
}

void patches(std::size_t rows) {
  constexpr std::size_t kTrees = 15, kLeaves = 64, kRegressors = 31, kOutputs = 81;
  RandomStream random(1);
  std::vector<float> values;
  for (std::size_t n = 0; n < rows * kRegressors; ++n)
    values.push_back(n % kRegressors == 0 ? 1 : static_cast<float>(standard_normal(random)));
  const auto x = std::make_shared<SharedRegressors>(kRegressors, std::move(values));
  const LeafIds ids = random_leaves(*x, rows, kTrees);
  std::vector<std::size_t> first_leaf;
  for (std::size_t tree = 0; tree <= kTrees; ++tree) first_leaf.push_back(tree * kLeaves);

  const Times begin = Times::now();
  LinearLeaves leaves(ids, first_leaf, x, {}, kThreads);
  const Times grouped = Times::now();
  OutputBlock targets(rows, kOutputs);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < kOutputs; ++k) {
      const auto at = [&](std::size_t n) { return x->row(row)[1 + (k + n) % 30]; };
      targets.row(row)[k] =
          at(0) + (at(1) > 0 ? at(2) : -0.5f * at(3)) + static_cast<float>(random.uniform() - 0.5);
    }

  const Times start = Times::now();
  OutputBlock w(leaves.unknowns(), kOutputs);
  const Solved solved =
      solve_ridge({.matrix = leaves, .targets = targets, .cost = 0.01}, w, kThreads);
  const Times took = Times::now() - start, grouping = grouped - begin;
  print(fmt::format("linear leaves, {} rows, {} iterations", rows, solved.iterations),
        {took.clock + grouping.clock, took.processor + grouping.processor}, solved.objective, {},
        0);
}

}  // namespace
}  // namespace coppice

int main(int argc, char** argv) {
  const std::string work = argc > 1 ? argv[1] : "";
  if (work == "squared-1") {
    coppice::squared(1);
  } else if (work == "squared-10") {
    coppice::squared(10);
  } else if (work == "hinge" && argc > 2) {
    coppice::hinge(argv[2]);
  } else if (work == "patches" && argc > 2) {
    coppice::patches(std::stoul(argv[2]));
  } else {
    std::fprintf(stderr, "peer_liblinear: squared-1, squared-10, hinge FILE or patches ROWS\n");
    return 2;
  }
  return 0;
}
