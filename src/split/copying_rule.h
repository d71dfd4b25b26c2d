// Whether the rows of a node should be copied before its subtree grows. Never changes a result.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "data/coded_columns.h"
#include "split/search_limits.h"
#include "split/weak_learner.h"

namespace coppice {

class CopyingRule {
 public:
  // A copy to the second level of the cache, and one from there to the first.
  static constexpr std::size_t kMostCopies = 2;
  static constexpr std::size_t kFewestRows = 16, kMostRows = 8192;  // of a copy

  CopyingRule(const CodedColumns& columns, const WeakLearner& learner, const SearchLimits& limits)
      : features_(learner.features()), candidates_(learner.candidates()) {
    // Nodes of more rows are not searched by the codes that a copy would have.
    if (limits.exact_rows > 0) most_rows_ = std::min<std::size_t>(most_rows_, limits.exact_rows);
    // Values need no ranks: they are used where they are. And a cut that was found on some of the
    // rows cannot divide the others by code.
    possible_ = limits.random_thresholds == 0 && limits.max_node_samples == UINT32_MAX &&
                !learner.projects();
    for (const std::uint32_t feature : features_) {
      const CodedColumn& column = columns.column(feature);
      const bool wide = column.known > 256;
      any_wide_ |= wide && column.kind == FeatureKind::numeric;
      possible_ &= column.kind == FeatureKind::numeric || column.known < kMostKept;
    }
  }

  std::span<const std::uint32_t> features() const { return features_; }

  // For a node inside a copy of `enclosing` rows; 0: none.
  bool pays(std::size_t rows, std::size_t enclosing) const {
    if (!possible_ || rows < kFewestRows || rows > most_rows_) return false;
    // A copy of every feature is used by the candidates of each level below.
    const auto levels = static_cast<std::size_t>(std::bit_width(rows));
    if (levels * candidates_ < features_.size()) return false;
    const bool small = rows <= kSmallCopy;
    return enclosing == 0 ? small || any_wide_ : small && enclosing > kSmallCopy;
  }

 private:
  static constexpr std::size_t kSmallCopy = 64;
  static constexpr std::uint32_t kMostKept = 1 << 16;

  std::vector<std::uint32_t> features_;
  std::size_t candidates_, most_rows_ = kMostRows;
  bool any_wide_ = false, possible_ = true;
};

}  // namespace coppice
