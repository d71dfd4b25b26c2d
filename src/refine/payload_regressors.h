// The regressors of leaves with linear payloads: 1, then the values of their terms.
#pragma once

#include <cstdint>
#include <vector>

#include "base/payload_layout.h"
#include "coppice/dataset.h"
#include "refine/linear_leaves.h"

namespace coppice {

class PayloadRegressors final : public Regressors {
 public:
  // Copies of the data the columns that any term looks at.
  PayloadRegressors(const Forest&, const DatasetView&);

  std::size_t count(std::size_t leaf) const override { return 1 + terms_[leaf]; }
  void fill(std::size_t leaf, std::span<const std::uint32_t> rows, float* values) const override;

 private:
  const ForestArrays& arrays_;
  PayloadLayout layout_;
  std::vector<std::uint32_t> terms_;  // per leaf
  std::vector<std::uint32_t> slot_;   // per feature: its place in a row of values_
  std::size_t width_ = 0;
  std::vector<float> values_;  // rows x width
};

}  // namespace coppice
