// Sums and sample counts of few bins out of many: only the bins that were touched cost anything.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "objective/objective.h"
#include "split/running_split.h"

namespace coppice {

template <Objective O>
class SparseHistogram {
 public:
  using Sum = typename O::Sum;
  static constexpr std::size_t kMostBins = 256;

  // All bins are empty: clear() has been called since they were filled.
  void begin(std::size_t bins, std::size_t statistics_size) {
    width_ = statistics_size;
    if (sums_.size() < bins * width_) sums_.resize(bins * width_);
  }
  Sum* bin(std::size_t index) { return sums_.data() + index * width_; }
  const Sum* bin(std::size_t index) const { return sums_.data() + index * width_; }
  std::uint32_t samples(std::size_t bin) const { return samples_[bin]; }

  void add(const O& objective, std::uint32_t bin, const typename O::Item& item) {
    objective.add(sums_.data() + bin * width_, item);
    touched_[bin] = 1;
  }
  // Follows the add() of all samples. Where every sample weighs one unit this is not needed.
  void count(std::uint32_t bin, std::uint32_t draws) { samples_[bin] += draws; }

  // Gives the common bin what the others leave of the node; returns whether there is only one bin,
  // and then clears it.
  bool finish(const O& objective, std::uint32_t common, std::span<const Sum> node,
              std::uint32_t node_samples, bool unit_weights) {
    collect_marks();
    Sum* const rest = bin(common);
    std::copy(node.begin(), node.end(), rest);
    std::uint32_t samples = node_samples;
    std::size_t bins = 0;
    for (std::size_t b = next(0); b < kMostBins; b = next(b + 1), ++bins) {
      const Sum* const sums = bin(b);
      for (std::size_t k = 0; k < width_; ++k) rest[k] -= sums[k];
      if (unit_weights) samples_[b] = static_cast<std::uint32_t>(objective.weight(sums));
      samples -= samples_[b];
    }
    samples_[common] = samples;
    if (samples > 0) {
      marked_[common / 64] |= std::uint64_t{1} << common % 64;
      ++bins;
    } else {
      std::fill_n(rest, width_, Sum{0});
    }
    if (bins > 1) return false;
    clear();
    return true;
  }
  // The first bin in use from this one on; kMostBins if there is none.
  std::size_t next(std::size_t bin) const {
    for (std::size_t word = bin / 64; word < marked_.size(); ++word) {
      const std::uint64_t skipped = word == bin / 64 ? bin % 64 : 0;
      const std::uint64_t left = marked_[word] >> skipped;
      if (left != 0) return word * 64 + skipped + static_cast<std::size_t>(std::countr_zero(left));
    }
    return kMostBins;
  }
  void clear() {
    for (std::size_t b = next(0); b < kMostBins; b = next(b + 1)) {
      std::fill_n(bin(b), width_, Sum{0});
      samples_[b] = 0;
    }
    marked_.fill(0);
  }

 private:
  // A bit per byte that is set: eight bytes are gathered into one by a product that shifts each of
  // them to its place.
  void collect_marks() {
    for (std::size_t b = 0; b < kMostBins; b += 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, touched_.data() + b, 8);
      marked_[b / 64] |= (bytes * 0x0102040810204080u >> 56) << b % 64;
    }
    touched_.fill(0);
  }

  std::size_t width_ = 0;
  std::vector<Sum> sums_;
  std::array<std::uint8_t, kMostBins> touched_{};  // 1 where anything was added
  std::array<std::uint32_t, kMostBins> samples_{};
  std::array<std::uint64_t, kMostBins / 64> marked_{};
};

// The bins in use from left to right.
template <Objective O>
class MarkedCursor {
 public:
  explicit MarkedCursor(const SparseHistogram<O>& histogram) : histogram_(histogram) {}

  bool next(RunningSplit<O>& split) {
    bin_ = histogram_.next(bin_ + 1);
    if (bin_ >= SparseHistogram<O>::kMostBins) return false;
    split.move(histogram_.bin(bin_));
    return true;
  }
  bool ends_group() const { return true; }
  std::uint32_t group() const { return static_cast<std::uint32_t>(bin_); }
  std::uint32_t samples() const { return histogram_.samples(bin_); }

 private:
  const SparseHistogram<O>& histogram_;
  std::size_t bin_ = SIZE_MAX;
};

}  // namespace coppice
