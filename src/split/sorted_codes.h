// The rows of a node that have a code, in ascending order of it; equal codes keep their order.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/radix_sort.h"
#include "split/code_ranks.h"
#include "split/few_keys.h"
#include "split/node_codes.h"

namespace coppice {

class SortedCodes {
 public:
  void sort(const NodeCodes& node) {
    if (order_.size() < node.rows()) order_.resize(node.rows());
    known_ = node.known_rows();
    if (known_ <= FewKeys::kMost && node.missing == 0 && node.range() <= FewKeys::kRange) {
      sort_by_pairs(node);
    } else if (node.range() <= 4 * known_ && known_ <= UINT16_MAX) {
      sort_by_counts(node);
    } else if (CodeRanks::pays(node.range(), known_)) {
      sort_by_rank(node);
    } else {
      sort_by_radix(node);
    }
  }

  // Positions in the node.
  std::span<const std::uint32_t> order() const { return {order_.data(), known_}; }

 private:
  // Calls visit(row, code - offset). What it stores may not be the node's: then the compiler keeps
  // all of this in registers.
  template <class Visit>
  static void for_each_known(const NodeCodes& node, std::uint32_t offset, Visit&& visit) {
    const auto rows = static_cast<std::uint32_t>(node.rows());
    const std::uint32_t* const codes = node.codes.data();
    const std::uint32_t missing_code = node.missing_code;
    if (node.missing == 0) {
      for (std::uint32_t i = 0; i < rows; ++i) visit(i, codes[i] - offset);
    } else {
      for (std::uint32_t i = 0; i < rows; ++i)
        if (codes[i] != missing_code) visit(i, codes[i] - offset);
    }
  }

  void sort_by_pairs(const NodeCodes& node) {
    const std::uint32_t* const codes = node.codes.data();
    const std::uint32_t least = node.least;
    few_.sort(
        known_, [=](std::size_t i) { return codes[i] - least; }, order_.data());
  }

  // A counting sort.
  void sort_by_counts(const NodeCodes& node) {
    places_.assign(node.range() + 1, 0);
    std::uint16_t* const places = places_.data();
    for_each_known(node, node.least,
                   [=](std::uint32_t, std::uint32_t code) { ++places[code + 1]; });
    for (std::size_t code = 1; code < node.range(); ++code)
      places[code] = static_cast<std::uint16_t>(places[code] + places[code - 1]);
    std::uint32_t* const order = order_.data();
    for_each_known(node, node.least,
                   [=](std::uint32_t i, std::uint32_t code) { order[places[code]++] = i; });
  }

  // Where no two codes are equal the rank is the place; else a counting sort by rank.
  void sort_by_rank(const NodeCodes& node) {
    ranks_.clear(node.range());
    const CodeRanks::Words words = ranks_.words();
    for_each_known(node, node.least, [=](std::uint32_t, std::uint32_t code) { words.mark(code); });
    const std::uint32_t distinct = ranks_.count();
    std::uint32_t* const order = order_.data();
    if (distinct == known_) {
      for_each_known(node, node.least,
                     [=](std::uint32_t i, std::uint32_t code) { order[words.rank(code)] = i; });
      return;
    }
    starts_.assign(distinct + 1, 0);
    std::uint32_t* const starts = starts_.data();
    for_each_known(node, node.least,
                   [=](std::uint32_t, std::uint32_t code) { ++starts[words.rank(code) + 1]; });
    for (std::uint32_t rank = 0; rank < distinct; ++rank) starts[rank + 1] += starts[rank];
    for_each_known(node, node.least, [=](std::uint32_t i, std::uint32_t code) {
      order[starts[words.rank(code)]++] = i;
    });
  }

  // Few rows of a wide range: keys are code << position bits | position.
  void sort_by_radix(const NodeCodes& node) {
    const auto position_bits = static_cast<unsigned>(std::bit_width(node.rows()));
    keys_.clear();
    for_each_known(node, 0, [&](std::uint32_t i, std::uint32_t code) {
      keys_.push_back(std::uint64_t{code} << position_bits | i);
    });
    if (keys_.size() <= kInsertionPays) {
      insertion_sort();
    } else {
      const auto code_bits = static_cast<unsigned>(std::bit_width(node.least ^ node.most));
      radix_sort(keys_, spare_, position_bits, position_bits + code_bits);
    }
    const std::uint64_t position_mask = (std::uint64_t{1} << position_bits) - 1;
    for (std::size_t k = 0; k < keys_.size(); ++k)
      order_[k] = static_cast<std::uint32_t>(keys_[k] & position_mask);
  }

  static constexpr std::size_t kInsertionPays = 32;

  void insertion_sort() {
    for (std::size_t i = 1; i < keys_.size(); ++i) {
      const std::uint64_t key = keys_[i];
      std::size_t place = i;
      for (; place > 0 && keys_[place - 1] > key; --place) keys_[place] = keys_[place - 1];
      keys_[place] = key;
    }
  }

  CodeRanks ranks_;
  FewKeys few_;
  std::vector<std::uint32_t> order_, starts_;
  std::vector<std::uint16_t> places_;
  std::vector<std::uint64_t> keys_, spare_;
  std::size_t known_ = 0;
};

}  // namespace coppice
