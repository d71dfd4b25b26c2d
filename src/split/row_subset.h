// Few of many rows, for nodes that are too large to be searched whole.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "split/node_splitter.h"

namespace coppice {

class RowSubset {
 public:
  // All rows, or so many at random in the same order (selection sampling); valid until the next
  // call.
  std::span<const SampleId> of(std::span<const SampleId> rows, std::uint32_t most,
                               RandomStream random) {
    if (rows.size() <= most) return rows;
    chosen_.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto left = static_cast<std::uint32_t>(rows.size() - i);
      if (random.below(left) < most - chosen_.size()) chosen_.push_back(rows[i]);
    }
    return chosen_;
  }

 private:
  std::vector<SampleId> chosen_;
};

}  // namespace coppice
