// Splits on several features at once: a row is projected to one number, its response, which is
// compared with a threshold.
//   response = sum over terms of  coefficient * u  or  coefficient * u * u of the partner
// where u is the value less the centre of its feature for a number, and for a category 1 if it is
// in the set of the term, else 0. The response of a row that lacks any of it is missing (NaN).
// Sums run in the order of the terms, in double: the same bits in training and prediction.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace coppice {

struct Term {
  static constexpr std::uint32_t kNoPartner = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t feature = 0;
  std::uint32_t partner = kNoPartner;  // a number; only numbers have partners
  std::uint32_t first_word = 0;        // of the categories in the set; a number has none
  float coefficient = 0;
};

// u of a number.
inline double centred(float value, float centre) {
  return static_cast<double>(value) - static_cast<double>(centre);
}

// u of a category; NaN if it is missing or not known.
inline double membership(float category, std::size_t categories,
                         std::span<const std::uint32_t> words) {
  if (!(category >= 0 && category < static_cast<float>(categories)))
    return std::numeric_limits<double>::quiet_NaN();
  const auto code = static_cast<std::uint32_t>(category);
  return words[code / 32] >> (code % 32) & 1;
}

}  // namespace coppice
