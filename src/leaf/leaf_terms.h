// The terms that a linear leaf may use: powers of numeric features, standardised within the leaf.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/huge_pages.h"
#include "base/payload_layout.h"
#include "coppice/dataset.h"
#include "leaf/forward_least_squares.h"
#include "leaf/leaf_rows.h"

namespace coppice {

// A copy of the numeric columns, row by row: the rows of a leaf lie anywhere.
class NumericTable {
 public:
  explicit NumericTable(const DatasetView&);

  std::size_t columns() const { return features_.size(); }
  std::size_t feature(std::size_t column) const { return features_[column]; }
  const float* row(SampleId row) const { return values_.data() + row * columns(); }

  static std::size_t bytes(const Schema&, std::size_t rows);

 private:
  std::vector<std::size_t> features_;
  LargeVector<float> values_;
};

// Arrays with an entry per term, so that the terms of a row are worked out side by side. Their
// memory is used again by the next leaf.
class LeafTerms {
 public:
  static constexpr std::size_t kBlock = 2048;

  // Every power up to `degree` of every column, lower ones first. The terms of a column that does
  // not vary within the leaf are 0. Of a leaf of up to kBlock rows, evaluates them.
  void find(const NumericTable&, const LeafRows&, std::size_t degree, TermMatrix&);
  // Only these, in this order.
  void keep(std::span<const std::size_t> chosen);

  std::size_t size() const { return columns_.size(); }
  void evaluate(const NumericTable&, std::span<const SampleId> rows, TermMatrix&);
  // As payloads have it: term_value() of this is what evaluate() gives.
  std::array<float, LinearTerm::kFloats> term(const NumericTable&, std::size_t n) const;

 private:
  void find_scales(const NumericTable&, const LeafRows&);
  void find_means(const NumericTable&, const LeafRows&, TermMatrix&);
  void evaluate_row(const float* row, double* out);

  std::size_t linear_terms_ = 0;  // the first ones, known to have a power of 1
  std::vector<std::size_t> columns_;
  std::vector<float> powers_, centres_;
  std::vector<double> scales_, most_, means_;  // scales and means are floats
  std::vector<float> row_;
  std::vector<double> sums_, totals_;
};

}  // namespace coppice
