#include "grow/tree_grower.h"

#include <algorithm>
#include <bit>

#include "coppice/model.h"

namespace coppice {
namespace {

// Stable: both sides keep the order of their rows.
template <class GoesLeft>
std::size_t partition_rows(std::span<SampleId> rows, std::vector<SampleId>& right,
                           GoesLeft&& goes_left) {
  right.resize(std::max(right.size(), rows.size()));
  std::size_t left_count = 0, right_count = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SampleId row = rows[i];
    const bool left = goes_left(row);
    rows[left_count] = row;
    right[right_count] = row;
    left_count += left;
    right_count += !left;
  }
  std::copy_n(right.begin(), right_count, rows.begin() + static_cast<std::ptrdiff_t>(left_count));
  return left_count;
}

bool contains(std::span<const std::uint32_t> words, std::uint32_t bit) {
  return words[bit / 32] >> (bit % 32) & 1;
}

}  // namespace

TreeGrower::TreeGrower(const CodedColumns& columns, Bag bag, const GrowthOptions& options,
                       RandomStream random)
    : columns_(columns),
      options_(options),
      inside_(std::move(bag.inside)),
      outside_(std::move(bag.outside)),
      draws_(std::move(bag.draws)) {
  nodes_.push_back({.inside = {0, static_cast<std::uint32_t>(inside_.size())},
                    .outside = {0, static_cast<std::uint32_t>(outside_.size())}});
  frontier_.push_back({0, 0, random});
}

void TreeGrower::grow_fully(NodeSplitter& splitter, const std::function<bool()>& cancelled) {
  splitter.begin_tree({inside_, draws_.data()});
  while (!finished() && !(cancelled && cancelled()))
    split_or_close(take_next(options_.order == GrowthOrder::depth_first), splitter);
}

void TreeGrower::grow_one_level(NodeSplitter& splitter, const std::function<bool()>& cancelled) {
  splitter.begin_tree({inside_, draws_.data()});
  for (std::size_t open = frontier_.size(); open > 0 && !(cancelled && cancelled()); --open)
    split_or_close(take_next(false), splitter);
}

TreeGrower::OpenNode TreeGrower::take_next(bool newest) {
  const OpenNode open = newest ? frontier_.back() : frontier_.front();
  newest ? frontier_.pop_back() : frontier_.pop_front();
  return open;
}

void TreeGrower::split_or_close(const OpenNode& open, NodeSplitter& splitter) {
  if (!worth_splitting(open)) return;
  std::optional<ChosenSplit> split =
      splitter.best_split(samples_of(nodes_[static_cast<std::size_t>(open.node)]), open.random);
  if (split && gains_enough(*split)) add_children(open, std::move(*split));
}

bool TreeGrower::worth_splitting(const OpenNode& open) const {
  if (options_.max_depth && open.depth >= *options_.max_depth) return false;
  const NodeSamples samples = samples_of(nodes_[static_cast<std::size_t>(open.node)]);
  std::size_t count = samples.rows.size();
  if (count < options_.min_samples_split) {
    count = 0;
    for (const SampleId row : samples.rows) count += samples.draws[row];
  }
  return samples.rows.size() > 1 && count >= options_.min_samples_split;
}

bool TreeGrower::gains_enough(const ChosenSplit& split) {
  if (nodes_.size() == 1) root_weight_ = split.node_weight;
  return options_.min_impurity_decrease <= 0 ||
         split.gain >= options_.min_impurity_decrease * root_weight_;
}

void TreeGrower::add_children(const OpenNode& open, ChosenSplit&& split) {
  const auto index = static_cast<std::size_t>(open.node);
  const Range inside = nodes_[index].inside, outside = nodes_[index].outside;
  const std::uint32_t middle = partition(inside_, inside, split);
  const std::uint32_t outside_middle = partition(outside_, outside, split);
  const std::int32_t inherited =
      nodes_[index].payload >= 0 ? nodes_[index].payload : nodes_[index].inherited;
  const auto left = static_cast<std::int32_t>(nodes_.size());
  nodes_[index].left = left;
  nodes_[index].split = static_cast<std::int32_t>(splits_.size());
  splits_.push_back(std::move(split));
  nodes_.push_back({.inside = {inside.begin, middle},
                    .outside = {outside.begin, outside_middle},
                    .inherited = inherited});
  nodes_.push_back({.inside = {middle, inside.end},
                    .outside = {outside_middle, outside.end},
                    .inherited = inherited});
  depth_ = std::max(depth_, open.depth + 1);
  frontier_.push_back({left + 1, open.depth + 1, open.random.child(1)});
  frontier_.push_back({left, open.depth + 1, open.random.child(0)});
}

NodeSamples TreeGrower::samples_of(const Node& node) const {
  return {std::span(inside_).subspan(node.inside.begin, node.inside.end - node.inside.begin),
          draws_.data()};
}

std::uint32_t TreeGrower::partition(std::vector<SampleId>& rows, Range range,
                                    const ChosenSplit& split) {
  const std::span<SampleId> node(rows.data() + range.begin, range.end - range.begin);
  const CodedColumn& column = columns_.column(split.feature);
  const std::size_t left = column.visit([&](const auto* codes) {
    if (!split.left_categories.empty()) {
      return partition_rows(node, right_rows_, [&](SampleId row) {
        return codes[row] == column.known ? split.missing_left
                                          : contains(split.left_categories, codes[row]);
      });
    }
    if (column.has_missing && split.missing_left) {
      return partition_rows(node, right_rows_, [&](SampleId row) {
        return (codes[row] < split.cut) | (codes[row] == column.known);
      });
    }
    return partition_rows(node, right_rows_, [&](SampleId row) { return codes[row] < split.cut; });
  });
  return range.begin + static_cast<std::uint32_t>(left);
}

void TreeGrower::fit_new_leaves(const LeafModel& leaf_model) {
  payload_size_ = leaf_model.payload_size();
  for (; fitted_nodes_ < nodes_.size(); ++fitted_nodes_) {
    Node& node = nodes_[fitted_nodes_];
    if (node.left == kNoNode) fit_leaf(node, leaf_model);
  }
}

void TreeGrower::fit_leaf(Node& node, const LeafModel& leaf_model) {
  node.payload = static_cast<std::int32_t>(supports_.size());
  payloads_.resize(payloads_.size() + payload_size_);
  const std::span rows(payloads_);
  const std::span<float> inherited =
      node.inherited < 0
          ? std::span<float>{}
          : rows.subspan(static_cast<std::size_t>(node.inherited) * payload_size_, payload_size_);
  supports_.push_back(leaf_model.fit(samples_of(node), inherited, rows.last(payload_size_)));
}

}  // namespace coppice
