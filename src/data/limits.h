// How large data may be: what the codes of a model and the arithmetic of training can hold.
#pragma once

#include <cstddef>

namespace coppice {

inline constexpr std::size_t kMostFeatures = (std::size_t{1} << 27) - 1;
inline constexpr std::size_t kMostRows = (std::size_t{1} << 31) - 1;
inline constexpr std::size_t kMostCategories = std::size_t{1} << 24;  // whole floats are exact
// Of a target: a leaf keeps its variance as a float.
inline constexpr double kMostTarget = 1e19;

// Of files.
inline constexpr std::size_t kMostColumns = std::size_t{1} << 24;
inline constexpr std::size_t kMostCells = std::size_t{1} << 33;

}  // namespace coppice
