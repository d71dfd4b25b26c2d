// The only place where candidates are compared; one instance per objective, shared by every task.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "split/category_search.h"
#include "split/column_search.h"
#include "split/cut_lanes.h"
#include "split/lane_rule.h"
#include "split/loaded_node.h"
#include "split/node_splitter.h"
#include "split/number_search.h"
#include "split/pair_lanes.h"
#include "split/partition.h"
#include "split/proposals.h"
#include "split/response_search.h"
#include "split/responses.h"
#include "split/row_copies.h"
#include "split/row_subset.h"
#include "split/tree_items.h"
#include "split/value_reads.h"
#include "split/weak_learner.h"

namespace coppice {

template <Objective O>
class SplitSearch final : public NodeSplitter {
 public:
  // Weights are units per row (see FixedPointWeights).
  SplitSearch(const CodedColumns& columns, O objective, std::span<const std::uint32_t> weights,
              std::unique_ptr<WeakLearner> learner, SearchLimits limits)
      : columns_(columns),
        objective_(objective),
        learner_(std::move(learner)),
        limits_(limits),
        tree_(weights),
        at_hand_(objective_, node_, limits_),
        lane_rule_(columns, *learner_, limits, !LooksAtCandidates<O>),
        copies_(columns, *learner_, limits) {
    for (std::size_t feature = 0; feature < columns.features(); ++feature) {
      const CodedColumn& column = columns.column(feature);
      any_categorical_ |= column.kind == FeatureKind::categorical;
      any_common_ |= column.common != CodedColumn::kNone;
    }
  }

  void begin_tree(const NodeSamples& tree) override {
    begin_stage({&tree.rows, 1}, tree.draws, true);
  }
  // Rows are loaded once, and asked for again only where few have another than the common code.
  void begin_level(TreeParts nodes, const std::uint16_t* draws) override {
    begin_stage(nodes, draws, any_common_);
  }

  const ChosenSplit* best_split(std::span<const SampleId> rows, RandomStream random) override {
    std::span<const SampleId> searched =
        subset_.of(rows, limits_.max_node_samples, random, kSubset);
    if (!load_impure(rows, searched)) return nullptr;
    learner_->begin(searched, random.child(kProjections));
    at_hand_.begin_node();
    copies_.others().begin_node(searched);
    lane_rule_.suits_all()
        ? lanes_.search_all(at_hand_, *learner_, {{columns_, searched.size()}, searched, random})
        : search_candidates(searched, random);
    if (!at_hand_.best.boundary.found()) return nullptr;
    if (at_hand_.best.boundary.weighed)
      at_hand_.count_samples_left(copies_.seen(at_hand_.best.split.feature, searched.size()).span,
                                  searched);
    ChosenSplit& split = at_hand_.best.finish();
    const double searched_share =
        static_cast<double>(searched.size()) / static_cast<double>(rows.size());
    split.gain =
        (objective_.cost(node_.sums.data()) - at_hand_.best.boundary.cost) / searched_share;
    split.node_weight = static_cast<double>(at_hand_.weight()) / searched_share;
    return &split;
  }

  std::size_t partition(std::span<SampleId> rows, const ChosenSplit& split) override {
    if (!split.projection.axis_aligned())
      return partition_by_response(responses_.of(columns_, split.projection, rows), split, rows,
                                   right_rows_);
    if (lanes_.found(split, rows.size())) return lanes_.partition(rows, right_rows_);
    const CodedColumn& column = columns_.column(split.feature);
    const RowTable<float>& table = columns_.value_rows();
    if (table.has(split.feature) && fits_cache(table, rows.size()))
      return partition_by_value(table.column(split.feature), column.has_missing, split, rows,
                                right_rows_);
    const SearchedColumn searched = copies_.seen(split.feature, rows.size());
    // A cut that was found on some of the rows cannot divide the others by code.
    if (searched.kind == SearchedColumn::Kind::values || rows.size() > limits_.max_node_samples)
      return partition_by_value(column, split, rows, right_rows_);
    return partition_by_code(searched.span, split, rows, right_rows_);
  }

  bool copy_rows(std::span<SampleId> rows) override {
    if (rows.size() < CopyingRule::kFewestRows) return false;
    if (LooksAtCandidates<O>) return false;  // it reads values, which copies do not have
    if (!copies_.codes_pay(rows.size())) return copies_.copy_bits(rows);
    load(rows);
    copies_.copy_codes(rows, node_);
    return true;
  }

  void release(std::span<SampleId> rows) override { copies_.release(rows); }

 private:
  // Purposes of a node's random streams; 0 and 1 are its children.
  enum Purpose : std::uint64_t { kSubset = 2, kProjections = 3 };

  static_assert(PairCodes::kMostWeight < SearchLimits::kLargeNode,
                "pairs do not say which of them vary");

  void begin_stage(TreeParts parts, const std::uint16_t* draws, bool often) {
    tree_.begin(objective_, parts, draws, often);
    at_hand_.unit_weights = tree_.unit_weights();
    if (!any_categorical_) return;
    std::vector<SampleId> all;
    for (const auto rows : parts) all.insert(all.end(), rows.begin(), rows.end());
    load(all);
    for (std::size_t feature = 0; feature < columns_.features(); ++feature) {
      const CodedColumn& column = columns_.column(feature);
      if (column.kind == FeatureKind::categorical)
        categories_.begin_tree(at_hand_, feature, column.code_span(), all);
    }
  }

  void load(std::span<const SampleId> rows) {
    const auto load_by = [&](auto&& item_of, auto&& draws_of, auto&& fetch) {
      const auto load_row = [&](std::size_t i, auto& item, std::uint32_t& drawn) {
        item = item_of(rows[i]), drawn = draws_of(rows[i]);
      };
      node_.load(objective_, rows.size(), load_row, RowsAhead(rows, fetch));
    };
    if (!copies_.renamed()) return tree_.visit(objective_, load_by);
    load_by([all = copies_.last().items.data()](SampleId row) { return all[row]; },
            [all = copies_.last().draws.data()](SampleId row) { return all[row]; },
            [](SampleId) {});
  }

  std::uint64_t samples_in(std::span<const SampleId> rows) const {
    std::uint64_t samples = 0;
    for (const SampleId row : rows)
      samples += copies_.renamed() ? copies_.last().draws[row] : tree_.draws()[row];
    return samples;
  }

  // Loads the searched rows, or all of the node's if those are pure. False if the node is pure or
  // too small.
  bool load_impure(std::span<const SampleId> rows, std::span<const SampleId>& searched) {
    const bool all_searched = searched.size() == rows.size();
    if (!all_searched && samples_in(rows) < limits_.min_split_samples) return false;
    load(searched);
    if (all_searched && node_.samples < limits_.min_split_samples) return false;
    if (!node_.pure(objective_)) return true;
    if (all_searched) return false;
    searched = rows;
    load(searched);
    return !node_.pure(objective_);
  }

  // Tries the learner's proposals: as many as it has candidates, and more while a large node has
  // met nothing but constant ones.
  void search_candidates(std::span<const SampleId> rows, const RandomStream& random) {
    const std::size_t candidates = learner_->candidates();
    const ValueReads values(columns_, rows.size());
    // Two rows are told apart by the first lane that varies; no other is better.
    const bool alone = CostsFromZero<O> && limits_.random_thresholds > 0 && rows.size() == 2;
    const bool in_pairs = begin_pairs(rows, candidates);
    bool splittable = node_.samples < SearchLimits::kLargeNode;
    lanes_.begin_node(), dealt_.clear();
    for (std::size_t tried = 0; tried < candidates || !splittable; ++tried) {
      if (!dealt_.next(*learner_, tried < candidates && !alone ? candidates - tried : 1, proposal_))
        break;
      show_candidate(rows);
      const bool axis = proposal_.axis_aligned();
      const std::uint32_t feature = proposal_.feature;
      if (in_pairs && axis && joins_pairs(feature)) continue;
      if (!axis || !lane_rule_.suits(feature)) {
        search_pairs();
        splittable |= search_lanes(values, rows, random);
        axis ? search(feature, rows, {random, tried}) : search_responses(rows, {random, tried});
        splittable |= !at_hand_.constant;
        continue;
      }
      lanes_.add(feature, tried);
      if (lanes_.full() || alone || tried + 1 >= candidates)
        splittable |= search_lanes(values, rows, random);
      if (alone && at_hand_.best.boundary.cost == 0) return;
    }
    search_lanes(values, rows, random);
    search_pairs();
  }

  // Whether candidates may join them.
  bool begin_pairs(std::span<const SampleId> rows, std::size_t candidates) {
    if constexpr (TriesPairs<O>)
      return limits_.random_thresholds == 0 && pairs_.begin_node(at_hand_, rows, candidates);
    return false;
  }
  // False if the candidate has to be searched by itself; a constant one need not be searched.
  bool joins_pairs(std::uint32_t feature) {
    if constexpr (TriesPairs<O>) {
      if (copies_.all_common(feature)) return true;
      if (!pairs_.add(feature, copies_)) return false;
      if (pairs_.full()) search_pairs();
    }
    return TriesPairs<O>;
  }
  void search_pairs() {
    if constexpr (TriesPairs<O>)
      if (!pairs_.empty()) pairs_.search(at_hand_, copies_);
  }

  // To objectives that look at candidates.
  void show_candidate(std::span<const SampleId> rows) {
    if constexpr (LooksAtCandidates<O>) {
      objective_.begin_candidate(node_.items, responses_.compared(columns_, proposal_, rows));
      node_.sum_up(objective_);
      at_hand_.begin_candidate();
    }
  }

  void search_responses(std::span<const SampleId> rows, const CandidateRandom& random) {
    const std::span<const float> found = responses_.of(columns_, proposal_, rows);
    if (!response_search_.search(at_hand_, found, random)) return;
    BestSplit& best = at_hand_.best;
    best.split.feature = proposal_.terms.front().feature;
    best.split.projection = proposal_;
    best.split.missing_left = goes_missing_left(best.boundary, at_hand_.missing, node_.samples);
  }

  // Searches the candidates that wait in lanes; returns whether any of them varies.
  bool search_lanes(const ValueReads& values, std::span<const SampleId> rows,
                    const RandomStream& random) {
    if (lanes_.empty()) return false;
    const bool varies = lanes_.search(at_hand_, {values, rows, random});
    lanes_.clear();
    return varies;
  }

  // Improves on the best split so far, if the candidate can.
  void search(std::uint32_t feature, std::span<const SampleId> rows, CandidateRandom random) {
    at_hand_.constant = copies_.all_common(feature);
    if (at_hand_.constant) return;
    const SearchedColumn column = copies_.seen(feature, rows.size());
    if (!improves(feature, column, rows, random)) return;
    BestSplit& best = at_hand_.best;
    best.split.feature = feature;
    best.split.missing_left = goes_missing_left(best.boundary, at_hand_.missing, node_.samples);
  }

  bool improves(std::uint32_t feature, const SearchedColumn& column, std::span<const SampleId> rows,
                const CandidateRandom& random) {
    if (column.kind == SearchedColumn::Kind::values) {
      at_hand_.gather_values(ValueReads(columns_, rows.size()).of(feature), column.span.has_missing,
                             rows);
      return !at_hand_.constant && numbers_.search_random_cuts(at_hand_, column, random.stream());
    }
    const bool number = column.column.kind == FeatureKind::numeric;
    OtherRows& others = copies_.others();
    if (number && SparseSearch<O>::pays(at_hand_, column) && others.knows(feature))
      return numbers_.search_sparse(
          at_hand_, column,
          {column.span, column.column.common, others.of(feature), tree_.table(), tree_.draws()});
    if (number && NumberSearch<O>::one_pass_pays(at_hand_, column))
      return numbers_.search_in_one_pass(at_hand_, column, rows);
    at_hand_.gather_codes(column.span, rows);
    if (at_hand_.constant) return false;
    if (!number) return categories_.search(at_hand_, feature, random);
    const auto row_at = [&](std::size_t i) { return copies_.row_of_data(rows[i]); };
    return numbers_.search(at_hand_, column, row_at);
  }

  const CodedColumns& columns_;
  O objective_;
  std::unique_ptr<WeakLearner> learner_;
  const SearchLimits limits_;

  bool any_categorical_ = false, any_common_ = false;  // columns, or those with a common code
  TreeItems<O> tree_;
  RowSubset subset_;
  std::vector<SampleId> right_rows_;
  LoadedNode<O> node_;
  ColumnSearch<O> at_hand_;
  NumberSearch<O> numbers_;
  LaneRule lane_rule_;
  CutLanes<O> lanes_;
  PairLanes<O> pairs_;
  Proposals dealt_;
  Projection proposal_;
  Responses responses_;
  ResponseSearch<O> response_search_;
  CategorySearch<O> categories_;
  RowCopies<O> copies_;
};

}  // namespace coppice
