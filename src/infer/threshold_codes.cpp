#include "infer/threshold_codes.h"

#include <bit>

#include "base/radix_sort.h"
#include "infer/row_keys.h"

namespace coppice {

bool ThresholdCodes::fit(const ForestArrays& arrays, std::size_t features) {
  std::vector<std::size_t> splits(features);
  for (const std::uint32_t code : arrays.code)
    if (++splits[code & SplitCode::kFeatureMask] > kMostThresholds) return false;
  return true;
}

ThresholdCodes::ThresholdCodes(const Forest& forest, std::vector<std::uint16_t>& of_splits) {
  const ForestArrays& arrays = forest.arrays();
  std::vector<std::vector<std::uint64_t>> keys(forest.info().schema.features.size());
  for (std::size_t split = 0; split < arrays.splits(); ++split) {
    const std::uint64_t key = number_key(std::bit_cast<float>(arrays.threshold[split]));
    keys[arrays.code[split] & SplitCode::kFeatureMask].push_back(key << 32 | split);
  }
  of_splits.resize(arrays.splits());
  first_.push_back(0);
  std::vector<std::uint64_t> spare;
  for (std::vector<std::uint64_t>& own : keys) {
    radix_sort(own, spare, 32, 64);
    add_feature(own, of_splits);
  }
}

void ThresholdCodes::add_feature(std::span<const std::uint64_t> sorted,
                                 std::vector<std::uint16_t>& of_splits) {
  const std::size_t first = keys_.size();
  for (const std::uint64_t key_and_split : sorted) {
    const auto key = static_cast<std::uint32_t>(key_and_split >> 32);
    if (keys_.size() == first || keys_.back() != key) keys_.push_back(key);
    of_splits[static_cast<std::uint32_t>(key_and_split)] =
        static_cast<std::uint16_t>(keys_.size() - first);
  }
  first_.push_back(first + std::bit_ceil(keys_.size() - first + 1) - 1);
  keys_.resize(first_.back(), ~0u);
}

}  // namespace coppice
