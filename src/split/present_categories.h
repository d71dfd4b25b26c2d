// The categories that occur in a node, numbered from 0 in ascending order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "split/node_codes.h"

namespace coppice {

class PresentCategories {
 public:
  // Costs O(rows + categories) or O(rows log rows), whichever is less.
  void find(const NodeCodes& node) {
    present_.clear();
    number_.resize(std::max<std::size_t>(number_.size(), node.missing_code + 1));
    if (node.missing_code <= node.rows()) {
      std::fill_n(number_.begin(), node.missing_code + 1, 0);
      for (const std::uint32_t code : node.codes) number_[code] = 1;
      for (std::uint32_t code = 0; code < node.missing_code; ++code)
        if (number_[code] == 1) present_.push_back(code);
    } else {
      std::copy_if(node.codes.begin(), node.codes.end(), std::back_inserter(present_),
                   [&](std::uint32_t code) { return code != node.missing_code; });
      std::sort(present_.begin(), present_.end());
      present_.erase(std::unique(present_.begin(), present_.end()), present_.end());
    }
    for (std::uint32_t i = 0; i < present_.size(); ++i) number_[present_[i]] = i;
    number_[node.missing_code] = static_cast<std::uint32_t>(present_.size());
  }

  std::span<const std::uint32_t> codes() const { return present_; }
  // The number of a code that occurs; missing values come last.
  std::uint32_t number(std::uint32_t code) const { return number_[code]; }

 private:
  std::vector<std::uint32_t> present_, number_;
};

}  // namespace coppice
