// Grows one tree node by node. Knows nothing of tasks: a NodeSplitter splits, a LeafModel fills the
// leaves. The rows outside the bag are carried along, so that the leaf of every row is known at any
// time without a traversal.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "coppice/leaf_ids.h"
#include "coppice/options.h"
#include "data/coded_columns.h"
#include "grow/kept_splits.h"
#include "grow/leaf_payloads.h"
#include "grow/recorded_tree.h"
#include "grow/sampling.h"
#include "grow/share_tally.h"
#include "leaf/leaf_model.h"
#include "model/tree_arrays.h"
#include "split/node_splitter.h"
#include "split/responses.h"

namespace coppice {

class TreeGrower {
 public:
  // `random` is the tree's own; the key of a node follows from its path, so that the order of
  // growth cannot matter.
  TreeGrower(const CodedColumns&, Bag, const GrowthOptions&, RandomStream random);

  // Nodes are split as the record says, without a search, where it says something; it is borrowed.
  // REQUIRES: nothing has grown. Growth throws Error(corrupt_model) if the record is of other data.
  void follow(const RecordedTree&);
  // Whether nodes wait for a split that is recorded.
  bool behind_record() const;

  bool finished() const { return tree_.open.empty(); }
  std::uint32_t depth() const { return tree_.depth; }

  // Return early, unfinished, once `cancelled` (if any) says so. Several splitters grow the tree
  // together, a thread each.
  void grow_fully(std::span<const std::unique_ptr<NodeSplitter>>,
                  const std::function<bool()>& cancelled);
  // A stage by itself: the splitter looks anew at the rows of the nodes that are still open.
  void grow_one_level(NodeSplitter&, const std::function<bool()>& cancelled);

  // Ends a stage: fits the leaves that it made, on top of what they inherited.
  void fit_new_leaves(const LeafModel&);
  // Ends a stage, too, where all that is asked of leaves is what a tally counts, which is told of
  // those that the stage made: they are fitted once they are wanted, by the second.
  void tell_of_new_leaves(const CountingLeafModel&, ShareTally&);
  void fit_all_leaves(const LeafModel&);

  // All leaves; or those that the last level has closed, or that may still be split.
  enum class Voters { all, just_closed, open };
  // The rows [first, last) of the data, and what is added up of each.
  struct Ballot {
    std::size_t first = 0, last = 0;
    std::span<float> sums;           // per row, votes_size() of the leaf model
    std::span<std::uint32_t> votes;  // per row: trees that were counted; if any
    float scale = 1;
    bool out_of_bag_only = false;
  };
  // Adds scale * what these leaves say of their rows. No traversal: leaves know their rows.
  void add_votes(Voters, const Ballot&) const;

  // What the leaves hold, from left to right, appended; and something else for it to be replaced
  // by.
  std::size_t leaves() const { return tree_.splits.size() + 1; }
  void append_payloads(std::vector<float>&) const;
  void replace_payloads(std::span<const float>);

  // The tree as it stands, and the gain of each of its splits; nodes still open count as leaves.
  // REQUIRES: the leaves were fitted after the last growth.
  struct Standing {
    TreeArrays arrays;
    std::vector<double> split_gains;
  };
  Standing standing() const;
  void write_leaf_ids(LeafIds&, std::size_t tree) const;
  double root_weight() const { return root_weight_; }

 private:
  struct Range {
    std::uint32_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
  };
  struct Node {
    Range inside, outside;        // of inside_ and outside_
    std::int32_t left = kNoNode;  // the right child is left + 1
    std::int32_t split = -1;      // of splits_
    // Numbers of payloads_.
    std::int32_t payload = LeafPayloads::kNone;  // not fitted yet
    std::int32_t inherited = LeafPayloads::kNone;
  };
  struct OpenNode {
    std::int32_t node;
    std::uint32_t depth;
    RandomStream random;
    RecordedTree::Place recorded = RecordedTree::kUnknown;
  };
  // A part of the tree that grows by itself; its first node is the one that it grew from.
  struct Branch {
    std::vector<Node> nodes;
    KeptSplits splits;
    std::vector<OpenNode> open;
    std::uint32_t depth = 0;
    std::vector<SampleId> right_rows = {};  // scratch of the partition
    Responses responses = {};               // scratch, too
  };
  static constexpr std::int32_t kNoNode = -1;
  static constexpr std::size_t kNodesAhead = 8,
                               kFewRows = 64;  // that leaf models are asked to fetch

  void grow_together(std::span<const std::unique_ptr<NodeSplitter>>,
                     const std::function<bool()>& cancelled);
  std::vector<OpenNode> split_open_nodes(NodeSplitter&, const std::function<bool()>& cancelled);
  void grow_depth_first(Branch&, NodeSplitter&, const std::function<bool()>& cancelled);
  void graft(Branch&&, std::int32_t node);
  bool any_to_search() const;
  void split_or_close(Branch&, const OpenNode&, NodeSplitter&);
  bool gains_enough(const OpenNode&, const ChosenSplit&);
  void add_children(Branch&, const OpenNode&, const ChosenSplit&, NodeSplitter&);
  std::size_t partition(Branch&, const ChosenSplit&, std::span<SampleId> rows);
  std::size_t partition_as_recorded(Branch&, std::uint32_t depth, const ChosenSplit&,
                                    std::span<SampleId> rows);
  std::span<SampleId> rows_inside(const Node&);
  NodeSamples samples_of(const Node&) const;
  void fetch_leaf(std::size_t number, const LeafModel&) const;
  void fit_leaf(Node&, const LeafModel&);
  ShareTally::Leaf counted(const Node&, const CountingLeafModel&, std::span<std::uint32_t>) const;
  void add_votes_of(const Node& leaf, const Ballot&) const;
  void close_leaves(std::span<const OpenNode> level, std::size_t first_new);
  std::vector<std::span<const SampleId>> open_rows();
  void write_split(const KeptSplits::Kept&, TreeArrays&) const;
  template <class Visit>
  void for_each_leaf(Visit&&) const;
  template <class OnNode>
  void walk_preorder(OnNode&&) const;

  const CodedColumns& columns_;
  GrowthOptions options_;
  const RecordedTree* record_ = nullptr;
  std::vector<SampleId> inside_, outside_;  // permuted so that every node owns a range of each
  LargeVector<std::uint16_t> draws_;
  Branch tree_;
  LeafPayloads payloads_;
  std::vector<std::int32_t> just_closed_;  // leaves, by the last level
  std::size_t votes_size_ = 0;
  const LeafModel* voter_ = nullptr;  // asked about every row, if leaves say more than floats
  std::size_t fitted_nodes_ = 0;      // nodes before this one have been fitted, or a tally was told
  double root_weight_ = 0;
};

}  // namespace coppice
