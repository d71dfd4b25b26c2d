// The recursion, the order of comparisons, and what a node draws at random.
#include "tests/reference/reference_forest.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/random_stream.h"
#include "grow/sampling.h"
#include "split/category_order.h"
#include "tests/reference/training_set.h"
#include "tests/reference/trial_splits.h"

namespace coppice::reference {
namespace {

// Children of a node's random stream: 0 and 1 are its child nodes.
enum Purpose { kSubset = 2, kFeatures = 3, kThresholds = 4 };

struct BestSplit {
  SplitRule rule;
  double cost = INFINITY, gap = 0;  // cost of both children
  bool found = false;
};

class GrowingTree {
 public:
  GrowingTree(const TrainingSet& set, const Samples& bag) : set_(set) {
    for (std::uint32_t feature = 0; feature < set.data().columns.size(); ++feature)
      category_ranks_.push_back(rank_categories(bag, feature));
  }

  Tree grow(const Samples& samples, std::uint32_t depth, RandomStream random) {
    Tree node = std::make_unique<Node>();
    const std::optional<SplitRule> split = choose_split(samples, depth, random);
    if (!split) {
      node->payload = set_.payload(samples);
      node->support = set_.support(samples);
      return node;
    }
    node->split = *split;
    const auto [left, right] = divide(samples, *split);
    node->left = grow(left, depth + 1, random.child(0));
    node->right = grow(right, depth + 1, random.child(1));
    return node;
  }

 private:
  struct Sides {
    Samples left, right;
  };
  Sides divide(const Samples& samples, const SplitRule& rule) const {
    Sides sides;
    for (const Drawn& sample : samples)
      (rule.goes_left(set_.data().columns[rule.feature][sample.row]) ? sides.left : sides.right)
          .push_back(sample);
    return sides;
  }

  // By the means of the categories among all of the tree's samples. With several outputs that is
  // the order along the main axis, whose own test is category_order_test.cpp.
  std::vector<std::uint32_t> rank_categories(const Samples& bag, std::uint32_t feature) const {
    const std::size_t categories = set_.data().schema->features[feature].categories.size();
    std::vector<std::uint32_t> present, draws, order;
    std::vector<double> means;
    for (std::uint32_t category = 0; category < categories; ++category) {
      Samples members;
      for (const Drawn& sample : bag)
        if (set_.data().columns[feature][sample.row] == static_cast<float>(category))
          members.push_back(sample);
      if (members.empty()) continue;
      present.push_back(category);
      draws.push_back(count(members));
      const std::vector<double> mean = set_.mean(members);
      means.insert(means.end(), mean.begin(), mean.end());
    }
    const std::size_t size = present.empty() ? 1 : means.size() / present.size();
    order.resize(present.size());
    std::iota(order.begin(), order.end(), 0u);
    if (size == 1) {
      std::stable_sort(order.begin(), order.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return means[a] < means[b]; });
    } else {
      CategoryOrder main_axis;
      const auto along = main_axis.along_main_axis(means, size, draws);
      order.assign(along.begin(), along.end());
    }
    std::vector<std::uint32_t> ranks(categories);
    for (std::uint32_t place = 0; place < order.size(); ++place)
      ranks[present[order[place]]] = place;
    return ranks;
  }

  std::optional<SplitRule> choose_split(const Samples& samples, std::uint32_t depth,
                                        RandomStream random) {
    const GrowthOptions& growth = set_.options().growth;
    if (growth.max_depth && depth >= *growth.max_depth) return std::nullopt;
    if (samples.size() < 2 || count(samples) < growth.min_samples_split) return std::nullopt;
    Samples searched = subset(samples, random.child(kSubset));
    if (set_.alike(searched)) searched = samples;
    if (set_.alike(searched)) return std::nullopt;
    const BestSplit best = search(searched, random);
    if (!best.found) return std::nullopt;
    const double share = static_cast<double>(searched.size()) / static_cast<double>(samples.size());
    if (depth == 0) root_weight_ = static_cast<double>(set_.weight(searched)) / share;
    const double gain = (set_.cost(searched) - best.cost) / share;
    if (growth.min_impurity_decrease > 0 && gain < growth.min_impurity_decrease * root_weight_)
      return std::nullopt;
    return best.rule;
  }

  // Each row is taken with probability wanted / left.
  Samples subset(const Samples& samples, RandomStream random) const {
    const auto wanted = set_.options().split.max_node_samples;
    if (!wanted || samples.size() <= *wanted) return samples;
    Samples taken;
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (random.below(static_cast<std::uint32_t>(samples.size() - i)) < *wanted - taken.size())
        taken.push_back(samples[i]);
    return taken;
  }

  // A large node that has met only constant features goes on until it meets another.
  BestSplit search(const Samples& samples, RandomStream random) const {
    constexpr std::uint32_t kLargeNode = 200;
    BestSplit best;
    bool go_on = count(samples) >= kLargeNode;
    const std::vector<std::uint32_t> features = shuffled_features(random.child(kFeatures));
    for (std::size_t tried = 0; tried < features.size(); ++tried) {
      if (tried >= set_.candidates() && !go_on) break;
      const std::vector<TrialSplit> trials =
          trial_splits(set_, samples, features[tried], category_ranks_[features[tried]],
                       random.child(kThresholds).child(tried));
      for (const TrialSplit& trial : trials) try_split(samples, trial, best);
      if (!trials.empty()) go_on = false;
    }
    return best;
  }

  // A Fisher-Yates shuffle of the features that are not constant in the data.
  std::vector<std::uint32_t> shuffled_features(RandomStream random) const {
    std::vector<std::uint32_t> features;
    for (std::uint32_t feature = 0; feature < set_.data().columns.size(); ++feature)
      if (varies(set_, feature)) features.push_back(feature);
    for (std::uint32_t i = 0; i < features.size(); ++i)
      std::swap(features[i],
                features[i + random.below(static_cast<std::uint32_t>(features.size()) - i)]);
    return features;
  }

  // Lower cost, then the wider gap, then the earlier one.
  void try_split(const Samples& samples, const TrialSplit& trial, BestSplit& best) const {
    const auto [left, right] = divide(samples, trial.rule);
    const std::uint32_t least = set_.options().growth.min_samples_leaf;
    if (count(left) < least || count(right) < least) return;
    const double cost = set_.cost(left) + set_.cost(right);
    if (cost > best.cost || (cost == best.cost && trial.gap <= best.gap && best.found)) return;
    best = {settle_missing(samples, trial.rule, count(left) >= count(right)), cost, trial.gap,
            true};
  }

  // Where a node has no missing values they go with the larger child, and so do, in any node, the
  // categories that it does not hold.
  SplitRule settle_missing(const Samples& samples, SplitRule rule, bool left_is_larger) const {
    const std::span<const float> column = set_.data().columns[rule.feature];
    const bool missing = std::any_of(samples.begin(), samples.end(), [&](const Drawn& sample) {
      return std::isnan(column[sample.row]);
    });
    if (!missing) rule.missing_left = left_is_larger;
    for (std::size_t category = 0; category < rule.left_categories.size(); ++category) {
      const bool present = std::any_of(samples.begin(), samples.end(), [&](const Drawn& sample) {
        return column[sample.row] == static_cast<float>(category);
      });
      if (!present) rule.left_categories[category] = rule.missing_left;
    }
    return rule;
  }

  const TrainingSet& set_;
  std::vector<std::vector<std::uint32_t>> category_ranks_;  // per feature and category
  double root_weight_ = 0;
};

}  // namespace

bool SplitRule::goes_left(float value) const {
  if (std::isnan(value)) return missing_left;
  if (!on_categories) return value < threshold;
  if (value < 0 || value >= static_cast<float>(left_categories.size())) return missing_left;
  return left_categories[static_cast<std::size_t>(value)];
}

std::vector<Tree> grow_forest(const DatasetView& data, const FitOptions& options) {
  const TrainingSet set(data, options);
  std::vector<Tree> trees;
  for (std::uint32_t tree = 0; tree < options.forest.trees; ++tree) {
    const RandomStream random = RandomStream(options.forest.seed).child(tree);
    const Bag drawn = draw_bag(set.weights(), options.sampling, random.child(0));
    Samples bag;
    for (const SampleId row : drawn.inside) bag.push_back({row, drawn.draws[row]});
    trees.push_back(GrowingTree(set, bag).grow(bag, 0, random.child(1)));
  }
  return trees;
}

const Node& leaf_of(const Tree& tree, std::span<const float> row) {
  const Node* node = tree.get();
  while (!node->leaf())
    node = node->split.goes_left(row[node->split.feature]) ? node->left.get() : node->right.get();
  return *node;
}

}  // namespace coppice::reference
