#include "grow/leaf_payloads.h"

#include <algorithm>

namespace coppice {

void LeafPayloads::begin(const LeafModel& leaf_model) {
  size_ = leaf_model.payload_size();
  stock_.resize(leaf_model.stock_size(), kNoRow);
}

void LeafPayloads::clear() { floats_.clear(), held_.clear(), stock_.clear(), free_.clear(); }

std::int32_t LeafPayloads::fit(const LeafModel& leaf_model, const NodeSamples& leaf,
                               std::int32_t inherited) {
  const auto stocked = shares() ? leaf_model.stocked(leaf) : std::nullopt;
  if (!stocked) return fit_its_own(leaf_model, leaf, inherited);
  std::uint32_t& row = stock_[stocked->payload];
  if (row == kNoRow) {
    row = new_row();
    leaf_model.fit(leaf, {}, floats(row));
  }
  return hold({row, stocked->support});
}

std::int32_t LeafPayloads::fit_its_own(const LeafModel& leaf_model, const NodeSamples& leaf,
                                       std::int32_t inherited) {
  std::int32_t number;
  if (free_.empty()) {
    number = hold({new_row(), 0});
  } else {
    number = free_.back();
    free_.pop_back();
    std::ranges::fill(floats(of(number).row), 0.0f);
  }
  const auto from = inherited == kNone ? std::span<const float>() : (*this)[inherited];
  Held& held = held_[static_cast<std::size_t>(number)];
  held.support = leaf_model.fit(leaf, from, floats(held.row));
  return number;
}

void LeafPayloads::free(std::int32_t number) {
  const bool its_own = std::find(stock_.begin(), stock_.end(), of(number).row) == stock_.end();
  if (its_own) free_.push_back(number);
}

void LeafPayloads::replace(std::int32_t number, std::span<const float> payload) {
  std::ranges::copy(payload, floats(of(number).row).begin());
}

// Of zeros.
std::uint32_t LeafPayloads::new_row() {
  floats_.resize(floats_.size() + size_);
  return static_cast<std::uint32_t>(rows() - 1);
}

std::int32_t LeafPayloads::hold(Held held) {
  held_.push_back(held);
  return static_cast<std::int32_t>(held_.size()) - 1;
}

}  // namespace coppice
