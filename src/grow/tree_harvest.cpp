// What a grown tree leaves behind: arrays for the model, leaf ids and gains. All walk the
// tree from left to right, so nothing depends on the order of growth.
#include <algorithm>
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

TreeGrower::Standing TreeGrower::standing() const {
  Standing standing;
  TreeArrays& tree = standing.arrays;
  const std::size_t splits = tree_.splits.size();
  for (std::vector<std::uint32_t>* const array : {&tree.right, &tree.threshold, &tree.code})
    array->reserve(splits);
  standing.split_gains.reserve(splits);
  tree.support.reserve(splits + 1);
  tree.payload.reserve((splits + 1) * payload_size_);
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
      const KeptSplits::Kept& split = tree_.splits[static_cast<std::size_t>(node.split)];
      write_split(split, tree);
      standing.split_gains.push_back(split.gain);
    }
    return static_cast<std::int32_t>(number);
  });
  return standing;
}

void TreeGrower::append_payloads(std::vector<float>& payloads) const {
  for_each_leaf([&](const Node& leaf) {
    const auto row = static_cast<std::size_t>(leaf.payload);
    const auto payload = std::span(payloads_).subspan(row * payload_size_, payload_size_);
    payloads.insert(payloads.end(), payload.begin(), payload.end());
  });
}

void TreeGrower::replace_payloads(std::span<const float> payloads) {
  std::size_t next = 0;
  for_each_leaf([&](const Node& leaf) {
    const auto own = payloads.subspan(next, payload_size_);
    std::copy(own.begin(), own.end(),
              payloads_.begin() + leaf.payload * static_cast<std::ptrdiff_t>(payload_size_));
    next += payload_size_;
  });
}

void TreeGrower::write_split(const KeptSplits::Kept& split, TreeArrays& tree) const {
  const auto write = [&](Split::Kind kind, std::uint32_t what, std::uint32_t threshold) {
    tree.right.push_back(0);
    tree.threshold.push_back(threshold);
    tree.code.push_back(what | static_cast<std::uint32_t>(kind) << SplitCode::kKindShift |
                        (split.missing_left ? SplitCode::kMissingLeft : 0));
  };
  const auto first_word = static_cast<std::uint32_t>(tree.category_words.size());
  const auto add_words = [&](const std::vector<std::uint32_t>& words) {
    tree.category_words.insert(tree.category_words.end(), words.begin(), words.end());
  };
  const KeptSplits::More* const more = tree_.splits.more(split);
  if (!more) {
    write(Split::Kind::numeric, split.feature, std::bit_cast<std::uint32_t>(split.threshold));
  } else if (more->projection.axis_aligned()) {
    write(Split::Kind::category_set, split.feature, first_word);
    add_words(more->left_categories);
  } else {
    write(Split::Kind::projection, static_cast<std::uint32_t>(tree.lower.size()),
          std::bit_cast<std::uint32_t>(split.threshold));
    tree.lower.push_back(more->lower);
    tree.terms_of.push_back(more->projection.terms.size());
    for (Term term : more->projection.terms) {
      term.first_word += first_word;
      tree.terms.push_back(term);
    }
    add_words(more->projection.category_words);
  }
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

}  // namespace coppice
