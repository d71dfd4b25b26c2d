// What the leaves of a growing tree hold: a row of floats each, or one that several leaves share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "leaf/leaf_model.h"

namespace coppice {

class LeafPayloads {
 public:
  static constexpr std::int32_t kNone = -1;

  // REQUIRES: a model of the same sizes each time, unless cleared.
  void begin(const LeafModel&);
  void clear();

  // Fits a leaf and returns the number by which its payload goes from now on. `inherited` is such a
  // number, or kNone.
  std::int32_t fit(const LeafModel&, const NodeSamples& leaf, std::int32_t inherited);
  // Nobody asks for it any more.
  void free(std::int32_t number);

  std::span<const float> operator[](std::int32_t number) const {
    return std::span(floats_).subspan(row(number) * size_, size_);
  }
  float support(std::int32_t number) const { return of(number).support; }
  // Below rows(); leaves of the same row share their payload.
  std::size_t row(std::int32_t number) const { return of(number).row; }
  std::size_t rows() const { return floats_.size() / size_; }
  // Whether any leaves may.
  bool shares() const { return !stock_.empty(); }

  // REQUIRES: shares() is false.
  void replace(std::int32_t number, std::span<const float> payload);

 private:
  static constexpr std::uint32_t kNoRow = UINT32_MAX;
  struct Held {
    std::uint32_t row;
    float support;
  };

  const Held& of(std::int32_t number) const { return held_[static_cast<std::size_t>(number)]; }
  std::span<float> floats(std::uint32_t row) {
    return std::span(floats_).subspan(row * size_, size_);
  }
  std::uint32_t new_row();
  std::int32_t hold(Held);
  std::int32_t fit_its_own(const LeafModel&, const NodeSamples& leaf, std::int32_t inherited);

  std::size_t size_ = 1;              // of a payload
  std::vector<float> floats_;         // row after row
  std::vector<Held> held_;            // by number
  std::vector<std::uint32_t> stock_;  // by number in the leaf model's stock: the row, if any yet
  std::vector<std::int32_t> free_;    // numbers with a row of their own
};

}  // namespace coppice
