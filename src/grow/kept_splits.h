// What the splits of a tree leave behind for its model, once the rows are divided: a few bytes
// each. Sets of categories and sums of terms, which most splits do not have, lie apart.
#pragma once

#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "split/node_splitter.h"

namespace coppice {

class KeptSplits {
 public:
  struct Kept {
    double gain;
    std::uint32_t feature;
    float threshold;
    std::uint32_t more;  // of those that have more; kNoMore: nothing
    bool missing_left;
  };
  struct More {
    Projection projection;
    float lower;
    std::vector<std::uint32_t> left_categories;
  };

  std::size_t size() const { return kept_.size(); }
  const Kept& operator[](std::size_t index) const { return kept_[index]; }
  // Null if the split compares one number with its threshold.
  const More* more(const Kept& split) const {
    return split.more == kNoMore ? nullptr : &more_[split.more];
  }

  void add(const ChosenSplit& split) {
    const bool plain = split.projection.axis_aligned() && split.left_categories.empty();
    const auto more = plain ? kNoMore : static_cast<std::uint32_t>(more_.size());
    if (!plain) more_.push_back({split.projection, split.lower, split.left_categories});
    kept_.push_back({split.gain, split.feature, split.threshold, more, split.missing_left});
  }
  void append(KeptSplits&& others) {
    const auto first = static_cast<std::uint32_t>(more_.size());
    for (Kept& split : others.kept_)
      if (split.more != kNoMore) split.more += first;
    kept_.insert(kept_.end(), others.kept_.begin(), others.kept_.end());
    more_.insert(more_.end(), std::make_move_iterator(others.more_.begin()),
                 std::make_move_iterator(others.more_.end()));
  }

 private:
  static constexpr std::uint32_t kNoMore = UINT32_MAX;

  std::vector<Kept> kept_;
  std::vector<More> more_;
};

}  // namespace coppice
