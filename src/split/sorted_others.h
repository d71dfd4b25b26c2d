// The rows of a node that do not have the common code of a column, where they are few: they are
// sorted and scanned one by one, and the rows with the common code are one group among them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "objective/objective.h"
#include "split/loaded_node.h"
#include "split/running_split.h"
#include "split/sorted_codes.h"

namespace coppice {

// Rows of the data; items and draws are by row of the data.
template <Objective O>
struct OthersOfNode {
  CodeSpan span;
  std::uint32_t common;  // the code that they do not have
  std::span<const SampleId> rows;
  const typename O::Item* items;
  const std::uint16_t* draws;
};

template <Objective O>
class SortedOthers {
 public:
  using Sum = typename O::Sum;

  // Whether this beats bins.
  static bool pays(std::size_t others) { return others <= kMostRows; }

  // Returns whether all rows of the node have one code. REQUIRES: there are others.
  bool take(const O& objective, const LoadedNode<O>& node, const OthersOfNode<O>& given) {
    const std::span<const SampleId> others = given.rows;
    codes_.gather(given.span, others);
    items_.resize(others.size());
    draws_.resize(others.size());
    of_common_.assign(node.sums.begin(), node.sums.end());
    of_others_.assign(node.sums.size(), Sum{0});
    common_samples_ = node.samples;
    for (std::size_t k = 0; k < others.size(); ++k) {
      items_[k] = given.items[others[k]];
      draws_[k] = given.draws[others[k]];
      objective.add(of_others_.data(), items_[k]);
      common_samples_ -= draws_[k];
    }
    for (std::size_t k = 0; k < of_common_.size(); ++k) of_common_[k] -= of_others_[k];
    if (common_samples_ == 0 && codes_.constant()) return true;
    sorted_.sort(codes_);
    return false;
  }

  // The codes from left to right; a group is a code.
  class Cursor {
   public:
    Cursor(const SortedOthers& others, std::uint32_t common)
        : others_(others),
          order_(others.sorted_.order()),
          codes_(others.codes_.codes.data()),
          common_(others.common_samples_ > 0 ? common : kPassed) {}

    bool next(RunningSplit<O>& split) {
      const bool any = end_ < order_.size();
      if (common_ != kPassed && (!any || codes_[order_[end_]] > common_)) return pass_common(split);
      if (!any) return false;
      const std::uint32_t position = order_[end_++];
      split.move(others_.items_[position]);
      group_ = codes_[position];
      samples_ = others_.draws_[position];
      return true;
    }
    bool ends_group() const { return end_ == order_.size() || codes_[order_[end_]] != group_; }
    std::uint32_t group() const { return group_; }
    std::uint32_t samples() const { return samples_; }

   private:
    static constexpr std::uint32_t kPassed = UINT32_MAX;

    bool pass_common(RunningSplit<O>& split) {
      split.move(others_.of_common_.data());
      group_ = common_;
      samples_ = others_.common_samples_;
      common_ = kPassed;
      return true;
    }

    const SortedOthers& others_;
    std::span<const std::uint32_t> order_;
    const std::uint32_t* codes_;
    std::uint32_t common_;  // or kPassed
    std::size_t end_ = 0;
    std::uint32_t group_ = 0, samples_ = 0;
  };

 private:
  static constexpr std::size_t kMostRows = 512;

  NodeCodes codes_;
  SortedCodes sorted_;
  std::vector<typename O::Item> items_;
  std::vector<std::uint32_t> draws_;
  std::vector<Sum> of_common_, of_others_;
  std::uint32_t common_samples_ = 0;
};

}  // namespace coppice
