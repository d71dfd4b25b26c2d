#include "infer/votes.h"
#include "model/walk.h"
#include "report/importance.h"
#include "report/row_error.h"

namespace coppice {
namespace {

// Sums over the samples of a node: [ in-bag weight | in-bag sums | out-of-bag sums ].
class NodeSums {
 public:
  explicit NodeSums(std::size_t outputs) : outputs_(outputs), width_(1 + 2 * outputs) {}

  void resize(std::size_t nodes) { values_.assign(nodes * width_, 0); }
  double& weight(std::size_t node) { return values_[node * width_]; }
  double& inside(std::size_t node, std::size_t k) { return values_[node * width_ + 1 + k]; }
  double& outside(std::size_t node, std::size_t k) {
    return values_[node * width_ + 1 + outputs_ + k];
  }
  void set_sum(std::size_t node, const double* left, const double* right) {
    for (std::size_t i = 0; i < width_; ++i) values_[node * width_ + i] = left[i] + right[i];
  }
  const double* of(std::size_t node) const { return values_.data() + node * width_; }
  // (mean of the child - mean of the node) . out-of-bag sums of the child
  double confirmed(const double* child, const double* node) const {
    double product = 0;
    for (std::size_t k = 1; k <= outputs_; ++k)
      product += (child[k] / child[0] - node[k] / node[0]) * child[outputs_ + k];
    return product;
  }

 private:
  std::size_t outputs_, width_;
  std::vector<double> values_;
};

class ConfirmedGains {
 public:
  ConfirmedGains(const Forest& forest, const LeafIds& ids, const DatasetView& data)
      : arrays_(forest.arrays()),
        ids_(ids),
        data_(data),
        outputs_(outputs_of(forest)),
        leaf_sums_(outputs_),
        split_sums_(outputs_) {}

  // gains[feature] += what the out-of-bag rows of the tree confirm, per row.
  void add(std::size_t tree, std::span<double> gains) {
    const double rows = sum_leaves(tree);
    if (rows <= 0) return;
    const std::size_t first = arrays_.first_split[tree];
    const std::size_t splits = arrays_.first_split[tree + 1] - first;
    number_leaves(tree, splits);
    split_sums_.resize(splits);
    for (std::size_t s = splits; s-- > 0;) {  // children come after their parent
      const Split split = arrays_.split(tree, s);
      const double* left =
          split.right == s + 1 ? leaf_sums_.of(leaves_before_[s]) : split_sums_.of(s + 1);
      const double* right = split.right_is_leaf ? leaf_sums_.of(leaves_before_[s] + split.right - s)
                                                : split_sums_.of(split.right);
      split_sums_.set_sum(s, left, right);
      const double* node = split_sums_.of(s);
      const double gain =
          (split_sums_.confirmed(left, node) + split_sums_.confirmed(right, node)) / rows;
      for_each_feature(arrays_, split, [&](std::uint32_t feature, double share) {
        gains[feature] += share * gain;
      });
    }
  }

 private:
  // Returns the weight of the out-of-bag rows.
  double sum_leaves(std::size_t tree) {
    const std::size_t leaves = arrays_.first_leaf(tree + 1) - arrays_.first_leaf(tree);
    leaf_sums_.resize(leaves);
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      const std::size_t global = arrays_.first_leaf(tree) + leaf;
      leaf_sums_.weight(leaf) = arrays_.support[global];
      for (std::size_t k = 0; k < outputs_; ++k)
        leaf_sums_.inside(leaf, k) =
            arrays_.support[global] * double{arrays_.payload_of(global)[k]};
    }
    const std::vector<double> centre = root_mean(leaves);
    double total = 0;
    for (std::size_t row = 0; row < data_.rows; ++row) {
      const double weight = row_weight(data_, row);
      if (!ids_.out_of_bag(tree, row) || weight <= 0) continue;
      total += weight;
      add_target(ids_.leaf(tree, row), row, weight, centre);
    }
    return total;
  }

  // The in-bag mean of all leaves. Targets are taken relative to it, or an offset of theirs would
  // be confirmed by chance.
  std::vector<double> root_mean(std::size_t leaves) {
    std::vector<double> mean(outputs_);
    double total = 0;
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      total += leaf_sums_.weight(leaf);
      for (std::size_t k = 0; k < outputs_; ++k) mean[k] += leaf_sums_.inside(leaf, k);
    }
    for (double& entry : mean) entry /= total;
    return mean;
  }

  void add_target(std::size_t leaf, std::size_t row, double weight,
                  std::span<const double> centre) {
    for (std::size_t k = 0; k < outputs_; ++k) {
      const double target = data_.labels.empty() ? data_.targets[row * outputs_ + k]
                                                 : (data_.labels[row] == k ? 1.0 : 0.0);
      leaf_sums_.outside(leaf, k) += weight * (target - centre[k]);
    }
  }

  void number_leaves(std::size_t tree, std::size_t splits) {
    leaves_before_.assign(splits, 0);
    for (std::uint32_t s = 0; s < splits; ++s) {
      const Split split = arrays_.split(tree, s);
      if (split.right != s + 1) leaves_before_[s + 1] = leaves_before_[s];
      if (!split.right_is_leaf) leaves_before_[split.right] = leaves_before_[s] + split.right - s;
    }
  }

  const ForestArrays& arrays_;
  const LeafIds& ids_;
  const DatasetView& data_;
  std::size_t outputs_;
  NodeSums leaf_sums_, split_sums_;
  std::vector<std::uint32_t> leaves_before_;
};

}  // namespace

std::vector<float> unbiased_importance(const Forest& forest, const LeafIds& ids,
                                       const DatasetView& data) {
  std::vector<double> gains(data.columns.size());
  ConfirmedGains confirmed(forest, ids, data);
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) confirmed.add(tree, gains);
  std::vector<float> importance(gains.size());
  for (std::size_t f = 0; f < gains.size(); ++f)
    importance[f] = static_cast<float>(gains[f] / static_cast<double>(forest.trees()));
  return importance;
}

}  // namespace coppice
