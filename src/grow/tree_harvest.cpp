// What a grown tree leaves behind: arrays for the model, leaf ids, votes and gains. All walk the
// tree from left to right, so nothing depends on the order of growth.
#include <bit>

#include "coppice/model.h"
#include "grow/tree_grower.h"

namespace coppice {

// Calls on_node(node, split above if the node is a right child, else kNoNode) in pre-order; it
// returns the number that the node's right child will be told.
template <class OnNode>
void TreeGrower::walk_preorder(OnNode&& on_node) const {
  struct Pending {
    std::int32_t node, right_of;
  };
  std::vector<Pending> pending{{0, kNoNode}};
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    const Node& node = tree_.nodes[static_cast<std::size_t>(next.node)];
    const std::int32_t number = on_node(node, next.right_of);
    if (node.left == kNoNode) continue;
    pending.push_back({node.left + 1, number});
    pending.push_back({node.left, kNoNode});
  }
}

template <class Visit>
void TreeGrower::for_each_leaf(Visit&& visit) const {
  walk_preorder([&](const Node& node, std::int32_t) {
    if (node.left == kNoNode) visit(node);
    return kNoNode;
  });
}

TreeArrays TreeGrower::arrays() const {
  TreeArrays tree;
  walk_preorder([&](const Node& node, std::int32_t right_of) {
    const auto number = static_cast<std::uint32_t>(tree.right.size());
    const bool leaf = node.left == kNoNode;
    if (right_of != kNoNode) {
      tree.right[static_cast<std::size_t>(right_of)] = number;
      if (leaf) tree.code[static_cast<std::size_t>(right_of)] |= SplitCode::kRightIsLeaf;
    }
    if (leaf) {
      const auto row = static_cast<std::size_t>(node.payload);
      const auto payload = std::span(payloads_).subspan(row * payload_size_, payload_size_);
      tree.payload.insert(tree.payload.end(), payload.begin(), payload.end());
      tree.support.push_back(supports_[row]);
    } else {
      write_split(tree_.splits[static_cast<std::size_t>(node.split)], tree);
    }
    return static_cast<std::int32_t>(number);
  });
  return tree;
}

void TreeGrower::write_split(const ChosenSplit& split, TreeArrays& tree) const {
  const bool categories = !split.left_categories.empty();
  const auto kind = categories ? Split::Kind::category_set : Split::Kind::numeric;
  tree.right.push_back(0);
  tree.threshold.push_back(categories ? static_cast<std::uint32_t>(tree.category_words.size())
                                      : std::bit_cast<std::uint32_t>(split.threshold));
  tree.code.push_back(split.feature | static_cast<std::uint32_t>(kind) << SplitCode::kKindShift |
                      (split.missing_left ? SplitCode::kMissingLeft : 0));
  tree.category_words.insert(tree.category_words.end(), split.left_categories.begin(),
                             split.left_categories.end());
}

void TreeGrower::write_leaf_ids(LeafIds& ids, std::size_t tree) const {
  std::uint32_t leaf = 0;
  for_each_leaf([&](const Node& node) {
    for (std::uint32_t i = node.inside.begin; i < node.inside.end; ++i)
      ids.set(tree, inside_[i], leaf, false);
    for (std::uint32_t i = node.outside.begin; i < node.outside.end; ++i)
      ids.set(tree, outside_[i], leaf, true);
    ++leaf;
  });
}

void TreeGrower::add_votes(float scale, std::span<float> votes) const {
  for_each_leaf([&](const Node& node) {
    const float* payload =
        payloads_.data() + static_cast<std::size_t>(node.payload) * payload_size_;
    const auto add = [&](SampleId row) {
      for (std::size_t k = 0; k < payload_size_; ++k)
        votes[row * payload_size_ + k] += scale * payload[k];
    };
    for (std::uint32_t i = node.inside.begin; i < node.inside.end; ++i) add(inside_[i]);
    for (std::uint32_t i = node.outside.begin; i < node.outside.end; ++i) add(outside_[i]);
  });
}

void TreeGrower::add_gains(std::span<double> gains) const {
  walk_preorder([&](const Node& node, std::int32_t) {
    if (node.left != kNoNode) {
      const ChosenSplit& split = tree_.splits[static_cast<std::size_t>(node.split)];
      gains[split.feature] += split.gain;
    }
    return kNoNode;
  });
}

}  // namespace coppice
