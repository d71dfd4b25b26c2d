// Payloads as codes of one or two bytes, as a model file may keep them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coppice/model.h"

namespace coppice {

// Code c of a column stands for low + c (high - low) / 255.
class ByteCodes {
 public:
  // Ranges: low and high of every column, one pair after the other.
  explicit ByteCodes(std::span<const float> ranges) : ranges_(ranges.begin(), ranges.end()) {}
  // From the least to the largest value of each column; of probabilities, from 0 to 1.
  ByteCodes(const ForestArrays&, PayloadKind);

  const std::vector<float>& ranges() const { return ranges_; }
  float value(std::size_t column, std::uint8_t code) const;
  std::uint8_t nearest(std::size_t column, float value) const;

 private:
  std::vector<float> ranges_;
};

// Whether payloads of this kind can be anything but whole floats: their numbers must not be exact.
bool can_be_rounded(PayloadKind);

// A payload as a file of this precision holds it. Probabilities still add up to 1.
void round_payload(PayloadPrecision, PayloadKind, const ByteCodes&, std::span<float> payload);

// The first value that a file of this precision cannot hold.
std::optional<std::size_t> first_unrounded(const ForestArrays&, const ForestInfo&);

}  // namespace coppice
