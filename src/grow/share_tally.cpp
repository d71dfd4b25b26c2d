#include "grow/share_tally.h"

#include <algorithm>
#include <cstring>

namespace coppice {

ShareTally::ShareTally(std::size_t rows, std::size_t classes, std::size_t trees)
    : classes_(classes),
      eights_((classes + kEight - 1) / kEight),
      unit_(static_cast<std::uint32_t>(UINT16_MAX / trees)) {
  counts_.resize(rows * eights_);
  std::fill(counts_.begin(), counts_.end(), Eight{});
}

void ShareTally::replace(const LeafRows& leaf, std::span<const float> before,
                         std::span<const float> said) {
  find_changes(before, said);
  const std::span<const Change> changes = changes_;
  for (std::size_t done = 0; done < changes.size(); done += kChangesAtOnce) {
    const auto some = changes.subspan(done, std::min(kChangesAtOnce, changes.size() - done));
    for (const std::span<const SampleId> rows : leaf) add_to_rows(rows, some);
  }
}

void ShareTally::add_to_rows(std::span<const SampleId> rows, std::span<const Change> changes) {
  switch (changes.size()) {
    case 1:
      return add_changes<1>(rows, changes.data());
    case 2:
      return add_changes<2>(rows, changes.data());
    case 3:
      return add_changes<3>(rows, changes.data());
    default:
      return add_changes<kChangesAtOnce>(rows, changes.data());
  }
}

// All changes stay in registers.
template <std::size_t kChanges>
void ShareTally::add_changes(std::span<const SampleId> rows, const Change* changes) {
  Eight by[kChanges];
  std::size_t place[kChanges];
  for (std::size_t c = 0; c < kChanges; ++c) by[c] = changes[c].by, place[c] = changes[c].place;
  for (const SampleId row : rows) {
    Eight* const counts = counts_.data() + row * eights_;
    for (std::size_t c = 0; c < kChanges; ++c) counts[place[c]] += by[c];
  }
}

void ShareTally::find_changes(std::span<const float> before, std::span<const float> said) {
  changes_.clear();
  for (std::size_t place = 0; place < eights_; ++place) {
    const Eight by = counts_of(said, place) - counts_of(before, place);
    std::uint64_t halves[2];
    std::memcpy(halves, &by, sizeof(by));
    if ((halves[0] | halves[1]) != 0) changes_.push_back({place, by});
  }
}

// The nearest whole numbers.
ShareTally::Eight ShareTally::counts_of(std::span<const float> shares, std::size_t place) const {
  std::uint16_t counts[kEight] = {};
  const std::size_t first = place * kEight;
  const std::size_t last = std::min(shares.size(), first + kEight);
  for (std::size_t c = first; c < last; ++c)
    counts[c - first] = static_cast<std::uint16_t>(shares[c] * static_cast<float>(unit_) + 0.5f);
  Eight eight;
  std::memcpy(&eight, counts, sizeof(eight));
  return eight;
}

void ShareTally::read(std::span<const ShareTally> all, std::size_t first, std::size_t last,
                      float scale, std::span<float> sums) {
  const std::size_t classes = all[0].classes_, eights = all[0].eights_;
  const float factor = scale / static_cast<float>(all[0].unit_);
  float* next = sums.data();
  for (std::size_t row = first; row < last; ++row) {
    for (std::size_t place = 0; place < eights; ++place) {
      Eight counts{};
      for (const ShareTally& tally : all) counts += tally.counts_[row * eights + place];
      std::uint16_t of_class[kEight];
      float shares[kEight];
      std::memcpy(of_class, &counts, sizeof(counts));
      for (std::size_t c = 0; c < kEight; ++c) shares[c] = factor * static_cast<float>(of_class[c]);
      next = std::copy_n(shares, std::min(kEight, classes - place * kEight), next);
    }
  }
}

}  // namespace coppice
