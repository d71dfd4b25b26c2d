// Rows in blocks: work is shared out and copied by blocks, so that neither the batch nor the number
// of threads can change an answer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/worker_team.h"
#include "coppice/dataset.h"

namespace coppice {

inline constexpr std::size_t kRowsPerBlock = 64;

// Calls body(worker, first, count) for blocks that cover [0, rows). A single block starts no
// thread.
template <class Body>
void for_each_row_block(std::size_t rows, std::size_t workers, Body&& body) {
  const std::size_t blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  for_each_task(blocks, workers, [&](std::size_t worker, std::size_t block) {
    const std::size_t first = block * kRowsPerBlock;
    body(worker, first, std::min(kRowsPerBlock, rows - first));
  });
}

// Rows per tile, at most `most`, such that every worker has as many tiles as the others and none
// has fewer rows than a block.
inline std::size_t balanced_tile(std::size_t rows, std::size_t workers, std::size_t most) {
  const std::size_t blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  const std::size_t used = std::max<std::size_t>(1, std::min(workers, blocks));
  const std::size_t rounds = (rows + most * used - 1) / (most * used);
  const std::size_t tiles = std::max<std::size_t>(1, rounds * used);
  const std::size_t tile = (rows + tiles - 1) / tiles;
  return std::clamp((tile + kRowsPerBlock - 1) / kRowsPerBlock * kRowsPerBlock, kRowsPerBlock,
                    std::max(most, kRowsPerBlock));
}

// Rows from column-major data (copied) or row-major data (as they are).
class RowSource {
 public:
  explicit RowSource(const DatasetView& data)
      : columns_(data.columns), features_(columns_.size()) {}
  RowSource(std::span<const float> row_major, std::size_t features)
      : row_major_(row_major.data()), features_(features) {}

  // Rows [first, first + count), one after the other; `buffer` is used if they must be copied.
  const float* rows(std::size_t first, std::size_t count, std::vector<float>& buffer) const {
    if (row_major_) return row_major_ + first * features_;
    buffer.resize(count * features_);
    for (std::size_t f = 0; f < features_; ++f)
      for (std::size_t row = 0; row < count; ++row)
        buffer[row * features_ + f] = columns_[f][first + row];
    return buffer.data();
  }
  // One feature of rows [first, first + count).
  void values(std::size_t feature, std::size_t first, std::size_t count, float* out) const {
    if (row_major_) {
      const float* value = row_major_ + first * features_ + feature;
      for (std::size_t row = 0; row < count; ++row, value += features_) out[row] = *value;
    } else {
      std::copy_n(columns_[feature].data() + first, count, out);
    }
  }
  float value(std::size_t feature, std::size_t row) const {
    return row_major_ ? row_major_[row * features_ + feature] : columns_[feature][row];
  }
  std::size_t features() const { return features_; }

 private:
  std::vector<std::span<const float>> columns_;
  const float* row_major_ = nullptr;
  std::size_t features_;
};

}  // namespace coppice
