// The best split of a node so far. What a scan does not need - its gap, its threshold - is looked
// up when it is asked for: most candidates are beaten before anybody asks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "split/node_splitter.h"
#include "split/scan.h"
#include "split/searched_column.h"

namespace coppice {

// Half way between the neighbours in the node, or the right one where no float lies between.
inline float threshold_between(float left, float right) {
  const float middle = left / 2 + right / 2;
  return middle > left && middle <= right ? middle : right;
}

class BestSplit {
 public:
  Boundary boundary;
  ChosenSplit split;

  void begin() {
    boundary = {};
    clear_choice();
  }

  // Between two neighbouring codes of a numeric column.
  void cut_between(const SearchedColumn& column, CodeOfRow left, CodeOfRow right) {
    clear_choice();
    column_.emplace(column);
    left_ = left, right_ = right;
    column.fetch(left.row), column.fetch(right.row);
    split.cut = right.code;
  }
  void cut_at(float threshold) {
    clear_choice();
    split.threshold = threshold;
  }
  // Missing values against all others. They go left, because only on the right is there room for
  // every value: nothing is below minus infinity.
  void cut_off_missing() {
    cut_at(-INFINITY);
    split.cut = 0;
    boundary.missing_left = true;
  }
  // A band of the responses to split.projection, which the caller writes.
  void cut_response(float lower, float threshold) {
    column_.reset();
    split.left_categories.clear();
    split.lower = lower;
    split.threshold = threshold;
  }
  void cut_off_missing_response() {
    cut_response(-INFINITY, -INFINITY);
    boundary.missing_left = true;
  }
  // A set of categories, which the caller writes.
  std::vector<std::uint32_t>& choose_categories() {
    column_.reset();
    split.projection.clear();
    return split.left_categories;
  }

  double gap() {
    if (boundary.gap == Boundary::kUnknown)
      boundary.gap = column_ ? column_->gap(left_, right_) : 0;
    return boundary.gap;
  }

  // Fills in what makes the split complete.
  ChosenSplit& finish() {
    split.left_code = split.right_code = 0;
    if (column_) {
      split.left_code = column_->last_code(left_);
      split.right_code = column_->first_code(right_);
      split.threshold = threshold_between(column_->last_value(left_), column_->first_value(right_));
    }
    return split;
  }

 private:
  void clear_choice() {
    column_.reset();
    split.left_categories.clear();
    split.projection.clear();
  }

  std::optional<SearchedColumn> column_;  // of a split between two neighbouring codes
  CodeOfRow left_, right_;
};

}  // namespace coppice
