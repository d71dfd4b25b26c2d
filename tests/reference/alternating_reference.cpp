#include "tests/reference/alternating_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coppice::reference {
namespace {

using Numbers = std::vector<double>;

struct Moments {
  double mean = 0, deviation = 1;
};

Moments moments(const Numbers& values) {
  Moments found;
  for (const double value : values) found.mean += value;
  found.mean /= static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - found.mean) * (value - found.mean);
  if (squares > 0) found.deviation = std::sqrt(squares / static_cast<double>(values.size()));
  return found;
}

// Sum over outputs of the squared distances to the mean, each drawn sample counted.
double spread(const std::vector<Numbers>& learnt, const std::vector<unsigned>& draws,
              const std::vector<std::size_t>& rows) {
  double cost = 0;
  for (const Numbers& output : learnt) {
    double sum = 0, count = 0;
    for (const std::size_t row : rows) sum += draws[row] * output[row], count += draws[row];
    for (const std::size_t row : rows)
      cost += draws[row] * (output[row] - sum / count) * (output[row] - sum / count);
  }
  return cost;
}

class Grower {
 public:
  explicit Grower(const AlternatingProblem& problem) : problem_(problem) {
    for (const Numbers& output : problem.targets) {
      scale_.push_back(moments(output));
      learnt_.push_back(output);
      for (double& value : learnt_.back())
        value = (value - scale_.back().mean) / scale_.back().deviation;
    }
    targets_ = learnt_;
  }

  AlternatingForest run() {
    std::vector<std::size_t> all(rows());
    for (std::size_t row = 0; row < rows(); ++row) all[row] = row;
    for (std::size_t t = 0; t < problem_.draws.size(); ++t) {
      AlternatingNode root;
      root.rows = all;
      root.value = mean(t, all);
      trees_.push_back({root});
    }
    for (std::size_t level = 0; level < problem_.levels; ++level) {
      learn_residuals();
      for (std::size_t t = 0; t < trees_.size(); ++t) grow_level(t);
    }
    return in_units_of_the_data();
  }

 private:
  std::size_t rows() const { return problem_.features[0].size(); }

  std::vector<std::size_t> drawn(std::size_t t, const std::vector<std::size_t>& from) const {
    std::vector<std::size_t> found;
    for (const std::size_t row : from)
      if (problem_.draws[t][row] > 0) found.push_back(row);
    return found;
  }

  Numbers mean(std::size_t t, const std::vector<std::size_t>& from) const {
    Numbers means;
    for (const Numbers& output : learnt_) {
      double sum = 0, count = 0;
      for (const std::size_t row : drawn(t, from))
        sum += problem_.draws[t][row] * output[row], count += problem_.draws[t][row];
      means.push_back(sum / count);
    }
    return means;
  }

  // Equation 2.14.
  void learn_residuals() {
    learnt_ = targets_;
    for (const AlternatingTree& tree : trees_)
      for (const AlternatingNode& node : tree)
        if (node.left < 0)
          for (const std::size_t row : node.rows)
            for (std::size_t k = 0; k < learnt_.size(); ++k)
              learnt_[k][row] -= node.value[k] / static_cast<double>(trees_.size());
  }

  void grow_level(std::size_t t) {
    const std::size_t nodes = trees_[t].size();
    for (std::size_t n = 0; n < nodes; ++n)
      if (trees_[t][n].left < 0) split(t, n);
  }

  void split(std::size_t t, std::size_t n) {
    const std::vector<std::size_t> inside = drawn(t, trees_[t][n].rows);
    unsigned samples = 0;
    for (const std::size_t row : inside) samples += problem_.draws[t][row];
    if (inside.size() < 2 || samples < problem_.min_samples_split) return;
    double least = std::numeric_limits<double>::infinity(), threshold = 0;
    std::size_t feature = 0;
    bool ambiguous = false;
    for (std::size_t f = 0; f < problem_.features.size(); ++f) {
      std::vector<double> values;
      for (const std::size_t row : inside) values.push_back(problem_.features[f][row]);
      std::sort(values.begin(), values.end());
      for (std::size_t i = 1; i < values.size(); ++i) {
        if (values[i] == values[i - 1]) continue;
        const double cut = (values[i] + values[i - 1]) / 2;
        const double cost = cost_of(t, inside, f, cut);
        const bool tied = std::abs(cost - least) <= 1e-9 * least;
        ambiguous = (tied && f != feature) || (ambiguous && (tied || cost > least));
        if (cost < least) least = cost, feature = f, threshold = cut;
      }
    }
    ambiguous_ |= ambiguous;
    if (least < std::numeric_limits<double>::infinity()) add_children(t, n, feature, threshold);
  }

  double cost_of(std::size_t t, const std::vector<std::size_t>& inside, std::size_t feature,
                 double cut) const {
    std::vector<std::size_t> left, right;
    for (const std::size_t row : inside)
      (problem_.features[feature][row] < cut ? left : right).push_back(row);
    return spread(learnt_, problem_.draws[t], left) + spread(learnt_, problem_.draws[t], right);
  }

  void add_children(std::size_t t, std::size_t n, std::size_t feature, double threshold) {
    AlternatingNode left, right;
    for (const std::size_t row : trees_[t][n].rows)
      (problem_.features[feature][row] < threshold ? left : right).rows.push_back(row);
    for (AlternatingNode* child : {&left, &right}) {
      child->value = mean(t, child->rows);
      for (std::size_t k = 0; k < child->value.size(); ++k)
        child->value[k] += trees_[t][n].value[k];
    }
    trees_[t][n].feature = feature;
    trees_[t][n].threshold = threshold;
    trees_[t][n].left = static_cast<int>(trees_[t].size());
    trees_[t].push_back(left);
    trees_[t][n].right = static_cast<int>(trees_[t].size());
    trees_[t].push_back(right);
  }

  AlternatingForest in_units_of_the_data() {
    for (AlternatingTree& tree : trees_)
      for (AlternatingNode& node : tree)
        for (std::size_t k = 0; k < node.value.size(); ++k)
          node.value[k] = scale_[k].mean + node.value[k] * scale_[k].deviation;
    return {trees_, ambiguous_};
  }

  const AlternatingProblem& problem_;
  std::vector<Moments> scale_;
  std::vector<Numbers> targets_, learnt_;  // outputs x rows, scaled
  std::vector<AlternatingTree> trees_;
  bool ambiguous_ = false;
};

}  // namespace

AlternatingForest grow_alternating(const AlternatingProblem& problem) {
  return Grower(problem).run();
}

std::vector<double> predict(const AlternatingForest& forest, const std::vector<double>& row) {
  const std::vector<AlternatingTree>& trees = forest.trees;
  std::vector<double> sum(trees[0][0].value.size());
  for (const AlternatingTree& tree : trees) {
    std::size_t n = 0;
    while (tree[n].left >= 0)
      n = static_cast<std::size_t>(row[tree[n].feature] < tree[n].threshold ? tree[n].left
                                                                            : tree[n].right);
    for (std::size_t k = 0; k < sum.size(); ++k)
      sum[k] += tree[n].value[k] / static_cast<double>(trees.size());
  }
  return sum;
}

}  // namespace coppice::reference
