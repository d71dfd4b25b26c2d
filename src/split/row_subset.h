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
  // call. The stream is the node's, of which few ask for the one of this purpose.
  std::span<const SampleId> of(std::span<const SampleId> rows, std::uint32_t most,
                               const RandomStream& node, std::uint64_t purpose) {
    if (rows.size() <= most) return rows;
    RandomStream random = node.child(purpose);
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
