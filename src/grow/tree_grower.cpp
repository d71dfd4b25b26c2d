#include "grow/tree_grower.h"

#include <algorithm>
#include <utility>

#include "base/worker_team.h"
#include "coppice/error.h"
#include "split/partition.h"
#include "split/rows_ahead.h"

namespace coppice {
namespace {

// Rows that the split was not found on. Few are better off with codes that lie row by row, or in
// one byte each; many read a column from end to end.
std::size_t partition_column(const CodedColumn& column, const ChosenSplit& split,
                             std::span<SampleId> rows, std::vector<SampleId>& right) {
  constexpr std::size_t kFewRows = 4096, kFewestForCut = 16;
  if (column.narrow() && rows.size() >= kFewestForCut)
    return partition_by_byte(column, split, rows, right);
  const bool between_codes = split.left_code < split.right_code;
  if (column.narrow() && between_codes)
    return partition_by_neighbours(column, column.bytes(), split, rows, right);
  return column.row_codes.first && between_codes && rows.size() <= kFewRows
             ? partition_by_neighbours(column, column.row_codes, split, rows, right)
             : partition_by_value(column, split, rows, right);
}

}  // namespace

TreeGrower::TreeGrower(const CodedColumns& columns, Bag bag, const GrowthOptions& options,
                       RandomStream random)
    : columns_(columns),
      options_(options),
      inside_(std::move(bag.inside)),
      outside_(std::move(bag.outside)),
      draws_(std::move(bag.draws)) {
  tree_.nodes.push_back({.inside = {0, static_cast<std::uint32_t>(inside_.size())},
                         .outside = {0, static_cast<std::uint32_t>(outside_.size())}});
  tree_.open.push_back({0, 0, random});
}

void TreeGrower::follow(const RecordedTree& record) {
  record_ = &record;
  tree_.open.front().recorded = record.root();
}

bool TreeGrower::behind_record() const {
  return std::any_of(tree_.open.begin(), tree_.open.end(),
                     [](const OpenNode& open) { return open.recorded != RecordedTree::kUnknown; });
}

void TreeGrower::grow_fully(std::span<const std::unique_ptr<NodeSplitter>> splitters,
                            const std::function<bool()>& cancelled) {
  if (record_ && record_->finished()) {
    grow_depth_first(tree_, *splitters.front(), cancelled);
  } else if (splitters.size() > 1) {
    grow_together(splitters, cancelled);
  } else if (options_.order == GrowthOrder::depth_first) {
    splitters.front()->begin_tree({inside_, draws_.data()});
    grow_depth_first(tree_, *splitters.front(), cancelled);
  } else {
    splitters.front()->begin_tree({inside_, draws_.data()});
    while (!finished() && !(cancelled && cancelled()))
      split_open_nodes(*splitters.front(), cancelled);
  }
}

void TreeGrower::grow_one_level(NodeSplitter& splitter, const std::function<bool()>& cancelled) {
  if (any_to_search()) splitter.begin_level(open_rows(), draws_.data());
  const std::size_t first_new = tree_.nodes.size();
  close_leaves(split_open_nodes(splitter, cancelled), first_new);
}

// What was open and has no children; and, at the last depth, the children.
void TreeGrower::close_leaves(std::span<const OpenNode> level, std::size_t first_new) {
  just_closed_.clear();
  for (const OpenNode& open : level)
    if (tree_.nodes[static_cast<std::size_t>(open.node)].left == kNoNode)
      just_closed_.push_back(open.node);
  for (std::size_t node = first_new; finished() && node < tree_.nodes.size(); ++node)
    just_closed_.push_back(static_cast<std::int32_t>(node));
}

bool TreeGrower::any_to_search() const {
  return std::any_of(tree_.open.begin(), tree_.open.end(),
                     [](const OpenNode& open) { return open.recorded == RecordedTree::kUnknown; });
}

std::vector<std::span<const SampleId>> TreeGrower::open_rows() {
  std::vector<std::span<const SampleId>> nodes;
  nodes.reserve(tree_.open.size());
  for (const OpenNode& open : tree_.open)
    nodes.push_back(rows_inside(tree_.nodes[static_cast<std::size_t>(open.node)]));
  return nodes;
}

// Returns those that were open.
std::vector<TreeGrower::OpenNode> TreeGrower::split_open_nodes(
    NodeSplitter& splitter, const std::function<bool()>& cancelled) {
  std::vector<OpenNode> level = std::exchange(tree_.open, {});
  for (std::size_t i = 0; i < level.size(); ++i) {
    if (cancelled && cancelled()) {
      tree_.open.insert(tree_.open.end(), level.begin() + static_cast<std::ptrdiff_t>(i),
                        level.end());
      break;
    }
    split_or_close(tree_, level[i], splitter);
  }
  return level;
}

// The rows of a node are copied to a cache where that pays, until its subtree is finished.
void TreeGrower::grow_depth_first(Branch& branch, NodeSplitter& splitter,
                                  const std::function<bool()>& cancelled) {
  struct Copy {
    std::span<SampleId> rows;
    std::size_t open;  // nodes that were open beside it
  };
  std::vector<Copy> copies;
  const auto release_finished = [&](std::size_t open) {
    for (; !copies.empty() && copies.back().open >= open; copies.pop_back())
      splitter.release(copies.back().rows);
  };
  while (!branch.open.empty()) {
    const OpenNode next = branch.open.back();
    const bool recorded = next.recorded != RecordedTree::kUnknown;
    const std::span<SampleId> rows = rows_inside(branch.nodes[static_cast<std::size_t>(next.node)]);
    const bool leaf = rows.size() < 2 && !recorded;  // as every third node or so is
    if (!leaf && cancelled && cancelled()) break;
    branch.open.pop_back();
    if (!leaf) {
      // What is recorded is not divided by the splitter, to which copied rows go by other names.
      if (!recorded && splitter.copy_rows(rows)) copies.push_back({rows, branch.open.size()});
      split_or_close(branch, next, splitter);
    }
    release_finished(branch.open.size());
  }
  release_finished(0);
}

// Rounds: every open node is a task of its own, and a small one grows to the end.
void TreeGrower::grow_together(std::span<const std::unique_ptr<NodeSplitter>> splitters,
                               const std::function<bool()>& cancelled) {
  for (const auto& splitter : splitters) splitter->begin_tree({inside_, draws_.data()});
  const std::size_t large = std::max<std::size_t>(4096, inside_.size() / (8 * splitters.size()));
  while (!finished() && !(cancelled && cancelled())) {
    const std::vector<OpenNode> roots = std::move(tree_.open);
    tree_.open.clear();
    std::vector<Branch> branches(roots.size());
    for_each_task(roots.size(), splitters.size(), [&](std::size_t worker, std::size_t task) {
      const Node& node = tree_.nodes[static_cast<std::size_t>(roots[task].node)];
      Branch& branch = branches[task];
      branch.nodes.push_back(node);
      const OpenNode root{0, roots[task].depth, roots[task].random, roots[task].recorded};
      if (rows_inside(node).size() > large) {
        split_or_close(branch, root, *splitters[worker]);
      } else {
        branch.open.push_back(root);
        grow_depth_first(branch, *splitters[worker], cancelled);
      }
    });
    for (std::size_t task = 0; task < roots.size(); ++task)
      graft(std::move(branches[task]), roots[task].node);
  }
}

// Puts a branch where its first node is; the others are renumbered behind the tree's.
void TreeGrower::graft(Branch&& branch, std::int32_t node) {
  const auto first_node = static_cast<std::int32_t>(tree_.nodes.size()) - 1;
  const auto first_split = static_cast<std::int32_t>(tree_.splits.size());
  const auto renumbered = [&](std::int32_t number) {
    return number == 0 ? node : number + first_node;
  };
  for (Node& grown : branch.nodes) {
    if (grown.left != kNoNode) grown.left += first_node, grown.split += first_split;
  }
  tree_.nodes[static_cast<std::size_t>(node)] = branch.nodes.front();
  tree_.nodes.insert(tree_.nodes.end(), branch.nodes.begin() + 1, branch.nodes.end());
  tree_.splits.append(std::move(branch.splits));
  for (const OpenNode& open : branch.open)
    tree_.open.push_back({renumbered(open.node), open.depth, open.random, open.recorded});
  tree_.depth = std::max(tree_.depth, branch.depth);
}

void TreeGrower::split_or_close(Branch& branch, const OpenNode& open, NodeSplitter& splitter) {
  if (options_.max_depth && open.depth >= *options_.max_depth) return;
  if (open.recorded == RecordedTree::kLeaf) return;
  if (open.recorded != RecordedTree::kUnknown)
    return add_children(branch, open, record_->split(open.recorded), splitter);
  const std::span<const SampleId> rows =
      rows_inside(branch.nodes[static_cast<std::size_t>(open.node)]);
  if (rows.size() < 2) return;
  const ChosenSplit* const split = splitter.best_split(rows, open.random);
  if (split && gains_enough(open, *split)) add_children(branch, open, *split, splitter);
}

bool TreeGrower::gains_enough(const OpenNode& open, const ChosenSplit& split) {
  if (open.depth == 0) root_weight_ = split.node_weight;
  return options_.min_impurity_decrease <= 0 ||
         split.gain >= options_.min_impurity_decrease * root_weight_;
}

void TreeGrower::add_children(Branch& branch, const OpenNode& open, const ChosenSplit& split,
                              NodeSplitter& splitter) {
  const auto index = static_cast<std::size_t>(open.node);
  const Node parent = branch.nodes[index];
  const bool recorded = open.recorded != RecordedTree::kUnknown;
  const auto left_inside = static_cast<std::uint32_t>(
      recorded ? partition_as_recorded(branch, open.depth, split, rows_inside(parent))
               : splitter.partition(rows_inside(parent), split));
  const std::span<SampleId> outside(outside_.data() + parent.outside.begin,
                                    parent.outside.end - parent.outside.begin);
  const auto left_outside = static_cast<std::uint32_t>(partition(branch, split, outside));
  const std::uint32_t middle = parent.inside.begin + left_inside;
  const std::uint32_t outside_middle = parent.outside.begin + left_outside;
  const std::int32_t inherited =
      parent.payload != LeafPayloads::kNone ? parent.payload : parent.inherited;
  const auto left = static_cast<std::int32_t>(branch.nodes.size());
  branch.nodes[index].left = left;
  branch.nodes[index].split = static_cast<std::int32_t>(branch.splits.size());
  branch.splits.add(split);
  branch.nodes.push_back({.inside = {parent.inside.begin, middle},
                          .outside = {parent.outside.begin, outside_middle},
                          .inherited = inherited});
  branch.nodes.push_back({.inside = {middle, parent.inside.end},
                          .outside = {outside_middle, parent.outside.end},
                          .inherited = inherited});
  branch.depth = std::max(branch.depth, open.depth + 1);
  if (options_.max_depth && open.depth + 1 >= *options_.max_depth) return;
  const std::uint32_t depth = open.depth + 1;
  const auto [on_left, on_right] =
      recorded ? record_->children(open.recorded, depth) : RecordedTree::Children();
  branch.open.push_back({left + 1, depth, open.random.child(1), on_right});
  branch.open.push_back({left, depth, open.random.child(0), on_left});
}

// Rows that the splitter has not seen: those outside the bag, or of a split that is recorded.
std::size_t TreeGrower::partition(Branch& branch, const ChosenSplit& split,
                                  std::span<SampleId> rows) {
  if (rows.empty()) return 0;
  if (split.projection.axis_aligned())
    return partition_column(columns_.column(split.feature), split, rows, branch.right_rows);
  return partition_by_response(branch.responses.of(columns_, split.projection, rows), split, rows,
                               branch.right_rows);
}

std::size_t TreeGrower::partition_as_recorded(Branch& branch, std::uint32_t depth,
                                              const ChosenSplit& split, std::span<SampleId> rows) {
  if (depth == 0) root_weight_ = split.node_weight;
  const bool possible = split.projection.axis_aligned() || !columns_.centres().empty();
  const std::size_t left = possible ? partition(branch, split, rows) : 0;
  if (left == 0 || left == rows.size())
    throw Error(ErrorKind::corrupt_model,
                "the checkpoint has a split that leaves nothing on one side: it is not of this "
                "training; begin anew");
  return left;
}

std::span<SampleId> TreeGrower::rows_inside(const Node& node) {
  return std::span(inside_).subspan(node.inside.begin, node.inside.end - node.inside.begin);
}

NodeSamples TreeGrower::samples_of(const Node& node) const {
  return {std::span(inside_).subspan(node.inside.begin, node.inside.end - node.inside.begin),
          draws_.data()};
}

void TreeGrower::fit_new_leaves(const LeafModel& leaf_model) {
  payloads_.begin(leaf_model);
  votes_size_ = leaf_model.votes_size();
  voter_ = leaf_model.votes_by_row() ? &leaf_model : nullptr;
  for (; fitted_nodes_ < tree_.nodes.size(); ++fitted_nodes_) {
    Node& node = tree_.nodes[fitted_nodes_];
    fetch_leaf(fitted_nodes_ + kNodesAhead, leaf_model);
    if (node.left == kNoNode) fit_leaf(node, leaf_model);
    // Of a level, the second child is the last heir.
    const bool second = fitted_nodes_ % 2 == 0;
    if (second && node.inherited != LeafPayloads::kNone) payloads_.free(node.inherited);
  }
}

void TreeGrower::fit_all_leaves(const LeafModel& leaf_model) {
  payloads_.clear();
  for (Node& node : tree_.nodes) node.payload = node.inherited = LeafPayloads::kNone;
  fitted_nodes_ = 0;
  fit_new_leaves(leaf_model);
}

// Children stand side by side, behind the root.
void TreeGrower::tell_of_new_leaves(const CountingLeafModel& leaf_model, ShareTally& tally) {
  const std::size_t classes = tally.classes();
  std::vector<std::uint32_t> counts(2 * classes);
  const auto first = std::span(counts).first(classes), second = std::span(counts).last(classes);
  std::size_t rows = 0;
  for (std::size_t node = fitted_nodes_; node < tree_.nodes.size(); ++node)
    rows += tree_.nodes[node].inside.size() + tree_.nodes[node].outside.size();
  tally.begin_tree(rows);
  if (fitted_nodes_ == 0) tally.plant(counted(tree_.nodes[fitted_nodes_++], leaf_model, first));
  for (; fitted_nodes_ < tree_.nodes.size(); fitted_nodes_ += 2)
    tally.split(counted(tree_.nodes[fitted_nodes_], leaf_model, first),
                counted(tree_.nodes[fitted_nodes_ + 1], leaf_model, second));
}

ShareTally::Leaf TreeGrower::counted(const Node& leaf, const CountingLeafModel& leaf_model,
                                     std::span<std::uint32_t> counts) const {
  const NodeSamples samples = samples_of(leaf);
  leaf_model.count(samples, counts);
  return {{samples.rows,
           std::span(outside_).subspan(leaf.outside.begin, leaf.outside.end - leaf.outside.begin)},
          counts};
}

// If it is one, and has few rows: those of a large one are read in a stream.
void TreeGrower::fetch_leaf(std::size_t number, const LeafModel& leaf_model) const {
  if (draws_.size() <= kRowsInCache || number >= tree_.nodes.size()) return;
  const Node& node = tree_.nodes[number];
  if (node.left == kNoNode && node.inside.size() <= kFewRows) leaf_model.fetch(samples_of(node));
}

void TreeGrower::fit_leaf(Node& node, const LeafModel& leaf_model) {
  node.payload = payloads_.fit(leaf_model, samples_of(node), node.inherited);
}

}  // namespace coppice
