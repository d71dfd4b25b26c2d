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

namespace {

// Appends what leaves hold; rows that leaves share are written once.
class PayloadWriter {
 public:
  PayloadWriter(const LeafPayloads& payloads, TreeArrays& tree)
      : payloads_(payloads),
        tree_(tree),
        place_(payloads.shares() ? payloads.rows() : 0, kNowhere) {}

  void add(std::int32_t number) {
    tree_.support.push_back(payloads_.support(number));
    if (place_.empty()) return append(number);
    std::uint32_t& place = place_[payloads_.row(number)];
    if (place == kNowhere) {
      place = written_++;
      append(number);
    }
    tree_.payload_row.push_back(place);
  }

 private:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  void append(std::int32_t number) {
    const std::span<const float> payload = payloads_[number];
    tree_.payload.insert(tree_.payload.end(), payload.begin(), payload.end());
  }

  const LeafPayloads& payloads_;
  TreeArrays& tree_;
  std::vector<std::uint32_t> place_;  // by row of the payloads, if leaves share them
  std::uint32_t written_ = 0;
};

}  // namespace

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
  PayloadWriter writer(payloads_, tree);
  walk_preorder([&](const Node& node, std::int32_t right_of) {
    const auto number = static_cast<std::uint32_t>(tree.right.size());
    const bool leaf = node.left == kNoNode;
    if (right_of != kNoNode) {
      tree.right[static_cast<std::size_t>(right_of)] = number;
      if (leaf) tree.code[static_cast<std::size_t>(right_of)] |= SplitCode::kRightIsLeaf;
    }
    if (leaf) {
      writer.add(node.payload);
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
    const std::span<const float> payload = payloads_[leaf.payload];
    payloads.insert(payloads.end(), payload.begin(), payload.end());
  });
}

void TreeGrower::replace_payloads(std::span<const float> payloads) {
  std::size_t next = 0;
  for_each_leaf([&](const Node& leaf) {
    const std::size_t size = payloads_[leaf.payload].size();
    payloads_.replace(leaf.payload, payloads.subspan(next, size));
    next += size;
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
