#include "infer/row_keys.h"

#include <algorithm>

namespace coppice {

KeyTile::KeyTile(std::span<const FeatureKeys> features) : features_(features) {}

void KeyTile::load(const RowSource& source, std::size_t first, std::size_t count) {
  rows_ = count;
  const auto load_all = [&](bool second) {
    set_planes(second);
    missing_ = false;
    keys_.resize(blocks() * columns_ * kLanes);
    for (std::size_t b = 0; b < blocks(); ++b) {
      std::uint32_t* block = keys_.data() + b * columns_ * kLanes;
      load_block(source, first + b * kLanes, std::min(kLanes, count - b * kLanes), block);
      if (second) fill_second_plane(block);
      if (missing_ && !second) return;
    }
  };
  load_all(missing_);  // where something was missing in the last tile, something will be in this
  if (missing_ && !second_plane()) load_all(true);
}

void KeyTile::set_planes(bool second) {
  const std::uint32_t bits = feature_bits(features_.size());
  columns_ = second ? (std::size_t{1} << bits) + features_.size() : features_.size();
  column_mask_ = (1u << (bits + second)) - 1;
}

void KeyTile::load_block(const RowSource& source, std::size_t first, std::size_t count,
                         std::uint32_t* block) {
  std::uint32_t missing = 0;
  for (std::size_t f = 0; f < features_.size(); ++f, block += kLanes) {
    float values[kLanes] = {};
    source.values(f, first, count, values);
    std::fill(values + count, values + kLanes, values[count - 1]);
    const FeatureKeys key = features_[f];
    if (key.categorical()) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) block[lane] = key(values[lane]);
      continue;
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float value = values[lane];
      const std::uint32_t unordered = value != value;
      missing |= unordered;
      block[lane] = unordered ? kMissingRightKey : number_key(value);
    }
  }
  missing_ |= missing != 0;
}

void KeyTile::fill_second_plane(std::uint32_t* block) const {
  const std::size_t plane = (columns_ - features_.size()) * kLanes;
  for (std::size_t i = 0; i < features_.size() * kLanes; ++i)
    block[plane + i] = block[i] == kMissingRightKey ? kMissingLeftKey : block[i];
}

}  // namespace coppice
