// See node_summary.h.
#include "draw/node_summary.h"

namespace coppice {
namespace {

// A child of a split: another split, or a leaf of the tree.
struct Child {
  bool is_leaf;
  std::size_t number;
};

class Summary {
 public:
  Summary(const Forest& forest, std::size_t tree)
      : arrays_(forest.arrays()),
        outputs_(output_count(forest.info().schema)),
        tree_(tree),
        splits_(arrays_.first_split[tree + 1] - arrays_.first_split[tree]) {
    made_.size = forest.info().schema.classes.empty() ? 2 * outputs_ : outputs_;
    made_.first_leaf.assign(splits_, 0);
    made_.leaves.assign(splits_, 0);
    made_.support.assign(splits_, 0);
    made_.entries.assign(splits_ * made_.size, 0);
    number_leaves();
    for (std::size_t split = splits_; split-- > 0;) add_up(split);
    for (std::size_t split = 0; split < splits_; ++split) finish(split);
  }
  NodeSummaries result() && { return std::move(made_); }

 private:
  void number_leaves() {
    for (std::size_t n = 0; n < splits_; ++n) {
      const Split split = arrays_.split(tree_, n);
      if (split.right != n + 1) made_.first_leaf[n + 1] = made_.first_leaf[n];
      if (!split.right_is_leaf) {
        made_.first_leaf[split.right] =
            made_.first_leaf[n] + static_cast<std::uint32_t>(split.right - n);
      }
    }
  }

  // Sums: support * mean, and for regression support * (variance + mean^2).
  void add_up(std::size_t n) {
    const Split split = arrays_.split(tree_, n);
    add(n, split.right == n + 1 ? Child{true, made_.first_leaf[n]} : Child{false, n + 1});
    add(n, split.right_is_leaf ? Child{true, made_.first_leaf[n] + split.right - n}
                               : Child{false, split.right});
  }

  void add(std::size_t n, const Child& child) {
    double* const sums = made_.entries.data() + n * made_.size;
    if (!child.is_leaf) {
      made_.support[n] += made_.support[child.number];
      made_.leaves[n] += made_.leaves[child.number];
      for (std::size_t k = 0; k < made_.size; ++k) sums[k] += made_.of(child.number)[k];
      return;
    }
    const std::size_t leaf = arrays_.first_leaf(tree_) + child.number;
    const auto payload = arrays_.payload_of(leaf);
    const auto support = static_cast<double>(arrays_.support[leaf]);
    made_.support[n] += support;
    made_.leaves[n] += 1;
    for (std::size_t k = 0; k < made_.size; ++k) {
      double value = static_cast<double>(payload[k]);
      if (k >= outputs_) {
        const auto mean = static_cast<double>(payload[k - outputs_]);
        value += mean * mean;
      }
      sums[k] += support * value;
    }
  }

  void finish(std::size_t n) {
    double* const sums = made_.entries.data() + n * made_.size;
    const double support = made_.support[n] > 0 ? made_.support[n] : 1;
    for (std::size_t k = 0; k < made_.size; ++k) sums[k] /= support;
    for (std::size_t k = outputs_; k < made_.size; ++k) {
      sums[k] -= sums[k - outputs_] * sums[k - outputs_];
    }
  }

  const ForestArrays& arrays_;
  std::size_t outputs_, tree_, splits_;
  NodeSummaries made_;
};

}  // namespace

NodeSummaries summarize(const Forest& forest, std::size_t tree) {
  return Summary(forest, tree).result();
}

}  // namespace coppice
