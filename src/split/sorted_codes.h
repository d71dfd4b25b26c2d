// The known codes of a node in ascending order, each with the position of its sample.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/radix_sort.h"
#include "split/node_codes.h"

namespace coppice {

class SortedCodes {
 public:
  void sort(const NodeCodes& node) {
    position_bits_ = static_cast<unsigned>(std::bit_width(node.rows()));
    keys_.resize(node.rows());
    std::size_t known = 0;
    for (std::size_t i = 0; i < node.rows(); ++i) {
      keys_[known] = std::uint64_t{node.codes[i]} << position_bits_ | i;
      known += node.codes[i] != node.missing_code;
    }
    keys_.resize(known);
    if (known <= kInsertionPays) {
      insertion_sort();
    } else {
      const auto code_bits = static_cast<unsigned>(std::bit_width(node.least ^ node.most));
      radix_sort(keys_, spare_, position_bits_, position_bits_ + code_bits);
    }
  }

  std::span<const std::uint64_t> keys() const { return keys_; }
  std::uint64_t code(std::uint64_t key) const { return key >> position_bits_; }
  std::size_t position(std::uint64_t key) const {
    return key & ((std::uint64_t{1} << position_bits_) - 1);
  }

 private:
  static constexpr std::size_t kInsertionPays = 32;

  void insertion_sort() {
    for (std::size_t i = 1; i < keys_.size(); ++i) {
      const std::uint64_t key = keys_[i];
      std::size_t place = i;
      for (; place > 0 && keys_[place - 1] > key; --place) keys_[place] = keys_[place - 1];
      keys_[place] = key;
    }
  }

  std::vector<std::uint64_t> keys_, spare_;  // code << position_bits_ | position
  unsigned position_bits_ = 0;
};

}  // namespace coppice
