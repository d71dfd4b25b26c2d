// Rows as 32-bit keys that compare like their values, so that a step through a tree compares
// integers and missing values need no test of their own.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/dataset.h"
#include "infer/row_blocks.h"

namespace coppice {

// Keys of numbers lie in [0x007fffff, 0xff800000]. What is missing goes left everywhere with one
// key and right everywhere with the other.
inline constexpr std::uint32_t kMissingLeftKey = 0;
inline constexpr std::uint32_t kMissingRightKey = 0xff800001u;
// Nothing in a row has this key or one above it.
inline constexpr std::uint32_t kFirstFreeKey = 0xff800002u;

// key(a) < key(b) if and only if a < b. REQUIRES: not NaN.
inline std::uint32_t number_key(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0f);  // -0 and 0 are the same number
  const std::uint32_t negative = 0u - (bits >> 31);
  return bits ^ (negative | 0x80000000u);
}

// How a value of a feature becomes a key: categories are their codes, and anything that is not the
// code of a known category has the code after the last.
class FeatureKeys {
 public:
  explicit FeatureKeys(const Feature& feature)
      : categorical_(feature.kind == FeatureKind::categorical),
        categories_(static_cast<std::uint32_t>(feature.categories.size())) {}

  bool categorical() const { return categorical_; }
  std::uint32_t categories() const { return categories_; }

  // Missing numbers have kMissingRightKey.
  std::uint32_t operator()(float value) const {
    if (categorical_) {
      const bool known = value >= 0 && value < static_cast<float>(categories_);
      return known ? static_cast<std::uint32_t>(value) : categories_;
    }
    return value != value ? kMissingRightKey : number_key(value);
  }

 private:
  bool categorical_;
  std::uint32_t categories_;
};

// Rows in blocks of 16, column by column: one cache line per block and column. If a number is
// missing, the columns come twice: in the second plane, missing numbers have kMissingLeftKey.
class KeyTile {
 public:
  static constexpr std::size_t kLanes = 16;

  explicit KeyTile(std::span<const FeatureKeys> features);

  // Rows [first, first + count) of the source; the lanes after the last row repeat it.
  // REQUIRES: count > 0.
  void load(const RowSource&, std::size_t first, std::size_t count);

  std::size_t rows() const { return rows_; }
  std::size_t blocks() const { return (rows_ + kLanes - 1) / kLanes; }
  const std::uint32_t* block(std::size_t number) const {
    return keys_.data() + number * columns_ * kLanes;
  }
  bool second_plane() const { return columns_ > features_.size(); }
  // Columns of a split are feature | plane << feature_bits; the mask ignores a plane that is not
  // there.
  std::uint32_t column_mask() const { return column_mask_; }

 private:
  void load_block(const RowSource&, std::size_t first, std::size_t count, std::uint32_t* block);
  void set_planes(bool second);
  void fill_second_plane(std::uint32_t* block) const;

  std::span<const FeatureKeys> features_;
  std::uint32_t column_mask_ = 0;
  std::size_t columns_ = 0;
  std::size_t rows_ = 0;
  bool missing_ = false;
  std::vector<std::uint32_t> keys_;
};

// Bits that number the features.
inline std::uint32_t feature_bits(std::size_t features) {
  return static_cast<std::uint32_t>(std::bit_width(features - 1));
}

}  // namespace coppice
