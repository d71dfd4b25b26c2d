// Sums over many rows in a fixed order: chunk by chunk, so that the number of workers changes no
// bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/worker_team.h"

namespace coppice {

constexpr std::size_t kRowsPerChunk = 2048;
constexpr std::size_t kFewChunks = 32;  // not worth starting threads for

// Calls body(chunk, first row, one beyond the last).
template <class Body>
void for_each_chunk(std::size_t rows, std::size_t workers, Body&& body) {
  const std::size_t chunks = (rows + kRowsPerChunk - 1) / kRowsPerChunk;
  for_each_task(chunks, chunks > kFewChunks ? workers : 1, [&](std::size_t, std::size_t chunk) {
    const std::size_t first = chunk * kRowsPerChunk;
    body(chunk, first, std::min(rows, first + kRowsPerChunk));
  });
}

// Calls body(row, sums) for every row, sums having `width` entries of the row's chunk, and returns
// the sums of all chunks in their order.
template <class Body>
std::vector<double> sum_rows(std::size_t rows, std::size_t width, std::size_t workers,
                             Body&& body) {
  const std::size_t chunks = (rows + kRowsPerChunk - 1) / kRowsPerChunk;
  std::vector<double> partial(chunks * width);
  for_each_chunk(rows, workers, [&](std::size_t chunk, std::size_t first, std::size_t last) {
    double* const sums = partial.data() + chunk * width;
    for (std::size_t row = first; row < last; ++row) body(row, sums);
  });
  std::vector<double> total(width);
  for (std::size_t n = 0; n < partial.size(); ++n) total[n % width] += partial[n];
  return total;
}

}  // namespace coppice
