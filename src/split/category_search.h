// The best set of categories to go left.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "split/category_order.h"
#include "split/column_search.h"
#include "split/node_splitter.h"
#include "split/present_categories.h"
#include "split/random_cuts.h"

namespace coppice {

template <Objective O>
class CategorySearch {
 public:
  // Orders the categories of a column once for a tree, by its in-bag samples. An order of each
  // small node's own would let the categories split it as they please, which fits noise.
  // REQUIRES: the tree's samples are loaded; the rows are theirs.
  void begin_tree(ColumnSearch<O>& at_hand, std::size_t feature, const CodeSpan& column,
                  std::span<const SampleId> rows) {
    count_all(at_hand, column, rows);
    const O& objective = at_hand.objective;
    const std::size_t groups = codes_.size(), size = objective.mean_size();
    std::vector<double> means(groups * size);
    std::vector<std::uint32_t> samples(groups);
    for (std::size_t g = 0; g < groups; ++g) {
      objective.mean(at_hand.histogram.bin(bins_[g]), means.data() + g * size);
      samples[g] = at_hand.samples_in(bins_[g]);
    }
    const auto order = order_.along_main_axis(means, size, samples);
    ranks_.resize(std::max(ranks_.size(), feature + 1));
    ranks_[feature].assign(column.known, 0);
    for (std::uint32_t place = 0; place < groups; ++place)
      ranks_[feature][codes_[order[place]]] = place;
  }

  // As NumberSearch::search().
  bool search(ColumnSearch<O>& at_hand, std::size_t feature, const CandidateRandom& random) {
    const std::size_t groups = count_categories(at_hand);
    const std::uint32_t random_cuts = at_hand.limits.random_thresholds;
    bool found;
    if (random_cuts > 0 && groups > 1) {
      place_of_ = cuts_.between_categories(groups, random_cuts, random.stream());
      at_hand.fill_histogram(cuts_.category_groups(),
                             [&](std::uint32_t code) { return place_of_[present_.number(code)]; });
      found = at_hand.scan_bins(cuts_.category_groups(), ColumnSearch<O>::no_gap);
    } else {
      place_of_ = places_by_rank(ranks_[feature]);
      found = at_hand.scan_in_order(by_rank_);
    }
    if (found) write_set(at_hand);
    return found;
  }

 private:
  // Fills a histogram with all samples; notes which categories occur, and their bins.
  void count_all(ColumnSearch<O>& at_hand, const CodeSpan& column, std::span<const SampleId> rows) {
    codes_.clear(), bins_.clear();
    if (column.known <= rows.size()) {
      at_hand.fill_by_code(column, rows);
      for (std::uint32_t code = 0; code < column.known; ++code)
        if (at_hand.samples_in(code) > 0) codes_.push_back(code);
      bins_ = codes_;
    } else {
      at_hand.gather_codes(column, rows);
      bins_.resize(count_categories(at_hand));
      std::iota(bins_.begin(), bins_.end(), 0u);
      codes_.assign(present_.codes().begin(), present_.codes().end());
    }
  }

  // Numbers the categories of the node and fills a histogram of them.
  std::size_t count_categories(ColumnSearch<O>& at_hand) {
    present_.find(at_hand.codes);
    at_hand.fill_histogram(present_.codes().size(),
                           [&](std::uint32_t code) { return present_.number(code); });
    return present_.codes().size();
  }

  std::span<const std::uint32_t> places_by_rank(std::span<const std::uint32_t> ranks) {
    by_rank_.resize(present_.codes().size());
    std::iota(by_rank_.begin(), by_rank_.end(), 0u);
    std::sort(by_rank_.begin(), by_rank_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return ranks[present_.codes()[a]] < ranks[present_.codes()[b]];
    });
    places_.resize(by_rank_.size());
    for (std::uint32_t place = 0; place < by_rank_.size(); ++place)
      places_[by_rank_[place]] = place;
    return places_;
  }

  // A category goes left if its place does; those that the node did not see go with the missing
  // values.
  void write_set(ColumnSearch<O>& at_hand) {
    const Boundary& found = at_hand.best.boundary;
    const std::uint32_t categories = at_hand.codes.missing_code;
    const bool unseen_left = goes_missing_left(found, at_hand.missing, at_hand.node.samples);
    std::vector<std::uint32_t>& words = at_hand.best.choose_categories();
    words.assign((std::size_t{categories} + 31) / 32, unseen_left ? UINT32_MAX : 0);
    if (categories % 32 != 0) words.back() &= (1u << categories % 32) - 1;
    for (std::uint32_t number = 0; number < present_.codes().size(); ++number) {
      const std::uint32_t code = present_.codes()[number], bit = 1u << code % 32;
      std::uint32_t& word = words[code / 32];
      word = place_of_[number] <= found.last_left ? word | bit : word & ~bit;
    }
  }

  PresentCategories present_;
  CategoryOrder order_;
  RandomCuts cuts_;
  std::vector<std::vector<std::uint32_t>> ranks_;  // per feature and category, for the tree at hand
  std::vector<std::uint32_t> codes_, bins_;        // of the categories that the tree has
  std::vector<std::uint32_t> by_rank_, places_;
  std::span<const std::uint32_t> place_of_;  // per number of a present category
};

}  // namespace coppice
