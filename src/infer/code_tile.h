// Rows as codes, row after row, ready to be looked up in registers by 16 trees at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/huge_pages.h"
#include "infer/row_keys.h"
#include "infer/threshold_codes.h"

namespace coppice {

// A row has a plane of codes or, if a number is missing in the tile, two: in the second one missing
// numbers go left everywhere. A plane has a code per feature and fills whole pages of 64.
class CodeTile {
 public:
  static constexpr std::size_t kPage = 64;  // codes that one look-up chooses from
  static constexpr std::size_t kMostPages = 2;

  static std::size_t pages_of(std::size_t features) { return (features + kPage - 1) / kPage; }

  // REQUIRES: processor_has_avx512().
  void load(const KeyTile&, const ThresholdCodes&);

  std::size_t rows() const { return rows_; }
  std::size_t pages() const { return pages_; }  // of a plane
  bool second_plane() const { return planes_ == 2; }
  std::size_t row_size() const { return planes_ * pages_ * kPage; }
  // Rows after the last one, up to a multiple of KeyTile::kLanes, repeat it.
  const std::uint16_t* row(std::size_t number) const { return codes_.data() + number * row_size(); }

 private:
  std::size_t rows_ = 0, pages_ = 0, planes_ = 1;
  LargeVector<std::uint16_t> codes_;
};

}  // namespace coppice
