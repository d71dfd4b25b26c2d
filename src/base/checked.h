// Size arithmetic on numbers that a file may have made up: every sum, product and narrowing that
// reaches an allocation or an offset goes through here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "coppice/error.h"

namespace coppice {

// Each throws Error(corrupt_model) if the result cannot be represented; `where` begins the
// sentence: "model.coppice: section 'split.right'".
inline std::size_t checked_add(std::size_t a, std::size_t b, std::string_view where) {
  std::size_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  throw Error(ErrorKind::corrupt_model, std::string(where) + ": " + std::to_string(a) + " + " +
                                            std::to_string(b) + " is more than memory can hold");
}

inline std::size_t checked_multiply(std::size_t a, std::size_t b, std::string_view where) {
  std::size_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  throw Error(ErrorKind::corrupt_model, std::string(where) + ": " + std::to_string(a) + " x " +
                                            std::to_string(b) + " is more than memory can hold");
}

template <class To, class From>
To checked_narrow(From value, std::string_view where) {
  if (std::in_range<To>(value)) return static_cast<To>(value);
  throw Error(ErrorKind::corrupt_model,
              std::string(where) + ": " + std::to_string(value) + " is too large");
}

}  // namespace coppice
