// The bins of a histogram of small class counts, 16 bits each: for nodes of little weight.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/huge_pages.h"
#include "split/narrow_split.h"

namespace coppice {

// Objectives of which NarrowSplit<O::Rule, ...> is the running split.
template <class O>
concept CountsNarrowly = requires {
  requires O::Rule::kFraction;
};

// A cursor over all bins, see groups.h.
template <class O, std::size_t kVectors>
class NarrowCursor {
 public:
  NarrowCursor(const std::int16_t* bins, std::size_t count) : bins_(bins), count_(count) {}

  bool next(NarrowSplit<typename O::Rule, kVectors>& split) {
    if (++position_ >= count_) return false;
    samples_ = split.move(bins_ + position_ * kNarrowClasses<kVectors>);
    return true;
  }
  bool ends_group() const { return samples_ > 0; }
  std::uint32_t group() const { return static_cast<std::uint32_t>(position_); }
  std::uint32_t samples() const { return samples_; }

 private:
  const std::int16_t* bins_;
  std::size_t count_, position_ = SIZE_MAX;
  std::uint32_t samples_ = 0;
};

class NarrowBins {
 public:
  static constexpr std::size_t kMostVectors = 4, kMostBins = 1024;

  static bool suit(std::size_t classes, std::uint64_t weight) {
    return classes <= kNarrowClasses<kMostVectors> && weight < kNarrowWeight;
  }

  // All are empty.
  void begin(std::size_t bins, std::size_t classes) {
    bins_ = bins;
    classes_ = classes;
    shift_ = classes <= 8 ? 3 : classes <= 16 ? 4 : 5;
    if (counts_.size() < bins << shift_) counts_.resize(bins << shift_);
    std::fill_n(counts_.begin(), bins << shift_, 0);
  }

  template <class Item>
  void add(std::size_t bin, const Item& item) {
    std::int16_t& count = of(bin)[item.label];
    count = static_cast<std::int16_t>(count + item.weight);
  }
  // What the whole has more than all bins together.
  void add_rest(std::size_t bin, std::span<const std::uint32_t> whole) {
    for (std::size_t first = 0; first < classes_; first += 8) {
      Shorts others{};
      for (std::size_t b = 0; b < bins_; ++b) others += load_shorts(of(b) + first);
      std::int16_t* const rest = of(bin) + first;
      for (std::size_t c = 0; c < std::min<std::size_t>(8, classes_ - first); ++c)
        rest[c] = static_cast<std::int16_t>(rest[c] + static_cast<std::int32_t>(whole[first + c]) -
                                            others[c]);
    }
  }

  std::uint32_t weight(std::size_t bin) const {
    const std::int16_t* const counts = of(bin);
    std::uint32_t sum = 0;
    for (std::size_t c = 0; c < classes_; ++c) sum += static_cast<std::uint32_t>(counts[c]);
    return sum;
  }

  // visit(split, cursor), to be copied for every scan.
  template <class O, class Visit>
  auto visit(std::span<const std::uint32_t> parent, Visit&& visit_with) const {
    const auto with = [&]<std::size_t kVectors>() {
      return visit_with(NarrowSplit<typename O::Rule, kVectors>(parent),
                        NarrowCursor<O, kVectors>(counts_.data(), bins_));
    };
    switch (shift_) {
      case 3:
        return with.template operator()<1>();
      case 4:
        return with.template operator()<2>();
      default:
        return with.template operator()<4>();
    }
  }

 private:
  std::int16_t* of(std::size_t bin) { return counts_.data() + (bin << shift_); }
  const std::int16_t* of(std::size_t bin) const { return counts_.data() + (bin << shift_); }

  LargeVector<std::int16_t> counts_;
  std::size_t bins_ = 0, classes_ = 0;
  unsigned shift_ = 3;  // of the classes that a bin has room for
};

}  // namespace coppice
