// Numbers as 16-bit codes: how many of the thresholds that a forest compares their feature with do
// not exceed them. A row is then small enough for registers, and compares as it did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/model.h"

namespace coppice {

class ThresholdCodes {
 public:
  static constexpr std::size_t kMostThresholds = 0xffff;  // of a feature

  // of_splits[split] is set to the code of its threshold: a value goes right if its own is no less.
  // REQUIRES: fit(); all splits are numeric.
  ThresholdCodes(const Forest&, std::vector<std::uint16_t>& of_splits);

  // Whether no feature can have too many thresholds: every split may have its own.
  static bool fit(const ForestArrays&, std::size_t features);

  std::size_t features() const { return first_.size() - 1; }

  // Keys of the thresholds of a feature, ascending, and as many of the largest number as fill
  // 2^n - 1 places: a search by halves takes n steps.
  std::span<const std::uint32_t> table(std::size_t feature) const {
    return std::span(keys_).subspan(first_[feature], first_[feature + 1] - first_[feature]);
  }
  std::size_t bytes() const {
    return keys_.size() * sizeof(std::uint32_t) + first_.size() * sizeof(std::size_t);
  }

 private:
  // By key << 32 | split; codes begin at 1, since no threshold is one too few.
  void add_feature(std::span<const std::uint64_t> sorted, std::vector<std::uint16_t>& of_splits);

  std::vector<std::uint32_t> keys_;
  std::vector<std::size_t> first_;  // of each feature, and the end
};

}  // namespace coppice
