// The best threshold, or band between two thresholds, of a candidate's responses. Responses exist
// for one node only, so they are ranked there: exactly, or into bins if the node is large.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/radix_sort.h"
#include "split/column_search.h"
#include "split/random_cuts.h"

namespace coppice {

template <Objective O>
class ResponseSearch {
 public:
  // Improves on the best split so far, if the responses (NaN where missing) can.
  bool search(ColumnSearch<O>& at_hand, std::span<const float> responses,
              const CandidateRandom& random) {
    at_hand.take_values(responses);
    if (at_hand.constant || !std::isfinite(at_hand.values.least) ||
        !std::isfinite(at_hand.values.most))
      return false;
    if (at_hand.limits.random_thresholds > 0) return search_random_cuts(at_hand, random.stream());
    if (responses.size() > at_hand.limits.exact_rows) {
      bin(at_hand);
    } else {
      rank(at_hand);
    }
    return at_hand.limits.two_sided ? search_bands(at_hand) : search_thresholds(at_hand);
  }

 private:
  using Sum = typename O::Sum;
  static constexpr std::uint32_t kBins = 256, kBandGroups = 16;

  // --- From responses to codes: values_ holds the least and the largest value of each code
  // --------

  struct Extent {
    float least, most;
  };

  void rank(ColumnSearch<O>& at_hand) {
    const std::vector<float>& values = at_hand.values.values;
    keys_.clear();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] == values[i]) keys_.push_back(std::uint64_t{ordered(values[i])} << 32 | i);
    if (keys_.size() <= kFewKeys) {
      std::sort(keys_.begin(), keys_.end());
    } else {
      radix_sort(keys_, spare_, 32, 64);
    }
    NodeCodes& codes = at_hand.codes;
    codes.codes.resize(values.size());
    extents_.clear();
    for (const std::uint64_t key : keys_) {
      const auto i = static_cast<std::uint32_t>(key);
      if (extents_.empty() || values[i] != extents_.back().most)
        extents_.push_back({values[i], values[i]});
      codes.codes[i] = static_cast<std::uint32_t>(extents_.size()) - 1;
    }
    finish_codes(at_hand);
  }

  // Bins of equal width.
  void bin(ColumnSearch<O>& at_hand) {
    const NodeValues& values = at_hand.values;
    const double scale = kBins / (double{values.most} - double{values.least});
    extents_.assign(kBins, {INFINITY, -INFINITY});
    at_hand.codes.codes.resize(values.values.size());
    for (std::size_t i = 0; i < values.values.size(); ++i) {
      const float value = values.values[i];
      if (value != value) continue;
      const auto bin =
          std::min(kBins - 1, static_cast<std::uint32_t>((value - double{values.least}) * scale));
      at_hand.codes.codes[i] = bin;
      extents_[bin].least = std::min(extents_[bin].least, value);
      extents_[bin].most = std::max(extents_[bin].most, value);
    }
    finish_codes(at_hand);
  }

  void finish_codes(ColumnSearch<O>& at_hand) {
    NodeCodes& codes = at_hand.codes;
    codes.least = 0;
    codes.most = static_cast<std::uint32_t>(extents_.size()) - 1;
    codes.missing_code = codes.most + 1;
    codes.missing = at_hand.missing;
    for (std::size_t i = 0; at_hand.missing > 0 && i < codes.codes.size(); ++i)
      if (at_hand.values.values[i] != at_hand.values.values[i]) codes.codes[i] = codes.missing_code;
  }

  // Bits that compare like the float.
  static std::uint32_t ordered(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value + 0.0f);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
  }

  // --- One threshold
  // ------------------------------------------------------------------------------

  bool search_thresholds(ColumnSearch<O>& at_hand) {
    const std::size_t bins = extents_.size();
    const double span = double{at_hand.values.most} - double{at_hand.values.least};
    const bool histogram =
        bins * (8 + at_hand.objective.statistics_size()) < 8 * at_hand.node.items.size();
    const auto code_of = [&](std::uint32_t group) {
      return histogram ? group : at_hand.codes.codes[at_hand.row_at(group)];
    };
    const auto gap_of = [&](const Boundary& boundary) {
      if (boundary.first_right == Boundary::kNone) return 0.0;
      return (double{extents_[code_of(boundary.first_right)].least} -
              double{extents_[code_of(boundary.last_left)].most}) /
             span;
    };
    bool found;
    if (histogram) {
      at_hand.fill_histogram(bins, [](std::uint32_t code) { return code; });
      found = at_hand.scan_bins(bins, gap_of);
    } else {
      found = at_hand.scan_sorted(gap_of);
    }
    if (!found) return false;
    const Boundary& boundary = at_hand.best.boundary;
    if (boundary.first_right == Boundary::kNone) {
      at_hand.best.cut_off_missing_response();
    } else {
      const double gap = gap_of(boundary);
      at_hand.best.cut_response(
          -INFINITY, between(code_of(boundary.last_left), code_of(boundary.first_right)));
      at_hand.best.boundary.gap = gap;
    }
    return true;
  }

  // Half way between two neighbours, or the right one where no float lies between.
  float between(std::uint32_t left, std::uint32_t right) const {
    return threshold_between(extents_[left].most, extents_[right].least);
  }

  bool search_random_cuts(ColumnSearch<O>& at_hand, RandomStream random) {
    const NodeValues& values = at_hand.values;
    cuts_.clear();
    for (std::uint32_t k = 0; k < at_hand.limits.random_thresholds; ++k) {
      const double span = double{values.most} - double{values.least};
      const auto cut = static_cast<float>(values.least + random.uniform() * span);
      cuts_.push_back(cut <= values.least ? values.most : cut);
    }
    std::sort(cuts_.begin(), cuts_.end());
    const std::optional<float> cut = at_hand.scan_cuts(cuts_, random);
    if (!cut) return false;
    if (*cut == -INFINITY) {
      at_hand.best.cut_off_missing_response();
    } else {
      at_hand.best.cut_response(-INFINITY, *cut);
    }
    return true;
  }

  // --- Two thresholds: lower <= response < upper goes left (Criminisi, eq. 2.4) ----------------

  // All bands over at most kBandGroups groups of about as many rows.
  bool search_bands(ColumnSearch<O>& at_hand) {
    group_codes(at_hand);
    const std::size_t groups = first_code_.size(), width = at_hand.objective.statistics_size();
    at_hand.fill_histogram(groups, [&](std::uint32_t code) { return group_of_[code]; });
    prefix_sums(at_hand, groups, width);
    bool found = false;
    for (const bool missing_left : {false, true}) {
      if (missing_left && at_hand.missing == 0) break;
      for (std::size_t first = 0; first < groups; ++first)
        for (std::size_t last = first; last < groups; ++last)
          found |= try_band(at_hand, first, last, missing_left);
    }
    return found;
  }

  void group_codes(const ColumnSearch<O>& at_hand) {
    rows_of_.assign(extents_.size(), 0);
    for (const std::uint32_t code : at_hand.codes.codes)
      if (code < extents_.size()) ++rows_of_[code];
    const std::size_t known = at_hand.codes.known_rows();
    group_of_.assign(extents_.size(), 0);
    first_code_.clear();
    const bool few = extents_.size() <= kBandGroups;
    std::size_t before = 0, limit = 0;
    for (std::uint32_t code = 0; code < extents_.size(); ++code) {
      if (rows_of_[code] > 0 && (few || before >= limit)) {
        first_code_.push_back(code);
        limit = (first_code_.size() * known + kBandGroups - 1) / kBandGroups;
      }
      group_of_[code] = static_cast<std::uint32_t>(first_code_.size()) - 1;
      before += rows_of_[code];
    }
  }

  void prefix_sums(const ColumnSearch<O>& at_hand, std::size_t groups, std::size_t width) {
    sums_.assign((groups + 2) * width, Sum{0});
    samples_.assign(groups + 2, 0);
    for (std::size_t g = 0; g <= groups; ++g) {  // the last one: the missing
      for (std::size_t k = 0; k < width; ++k)
        sums_[(g + 1) * width + k] = sums_[g * width + k] + at_hand.histogram.bin(g)[k];
      samples_[g + 1] = samples_[g] + at_hand.histogram.samples[g];
    }
    left_.resize(width);
    right_.resize(width);
  }

  bool try_band(ColumnSearch<O>& at_hand, std::size_t first, std::size_t last, bool missing_left) {
    const std::size_t groups = first_code_.size(), width = left_.size();
    std::uint32_t left = samples_[last + 1] - samples_[first];
    if (missing_left) left += samples_[groups + 1] - samples_[groups];
    const std::uint32_t least = at_hand.limits.min_child_samples;
    if (std::min(left, at_hand.node.samples - left) < std::max(1u, least)) return false;
    for (std::size_t k = 0; k < width; ++k) {
      left_[k] = sums_[(last + 1) * width + k] - sums_[first * width + k];
      if (missing_left) left_[k] += at_hand.histogram.bin(groups)[k];
      right_[k] = at_hand.node.sums[k] - left_[k];
    }
    const double cost = children_cost(at_hand.objective, left_.data(), right_.data());
    BestSplit& best = at_hand.best;
    if (cost >= best.boundary.cost) return false;
    best.boundary = {cost, 0, 0, 1, left, missing_left};
    best.cut_response(first == 0 ? -INFINITY : edge(first),
                      last + 1 == groups ? INFINITY : edge(last + 1));
    return true;
  }

  // The threshold before a group.
  float edge(std::size_t group) const {
    std::uint32_t left = first_code_[group] - 1;
    while (extents_[left].least > extents_[left].most) --left;  // an empty bin
    return between(left, first_code_[group]);
  }

  static constexpr std::size_t kFewKeys = 64;

  std::vector<std::uint64_t> keys_, spare_;
  std::vector<Extent> extents_;  // by code
  std::vector<float> cuts_;
  std::vector<std::uint32_t> rows_of_, group_of_, first_code_, samples_;
  std::vector<Sum> sums_, left_, right_;
};

}  // namespace coppice
