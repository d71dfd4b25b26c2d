// The responses of rows to a projection, term by term over all rows; NaN where missing.
#pragma once

#include <span>
#include <vector>

#include "data/coded_columns.h"
#include "data/node_samples.h"
#include "split/projection.h"

namespace coppice {

class Responses {
 public:
  // Valid until the next call. REQUIRES: the columns know their centres if there are terms.
  std::span<const float> of(const CodedColumns&, const Projection&, std::span<const SampleId> rows);
  // What a proposal compares with its threshold: its response, its feature, nothing for categories.
  std::span<const float> compared(const CodedColumns&, const Projection&,
                                  std::span<const SampleId> rows);

 private:
  std::vector<double> sums_, factors_;
  std::vector<float> responses_;
};

}  // namespace coppice
