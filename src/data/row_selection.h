// Some rows of a data set: copies of any of them, views of a few in a line, and random orders.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "coppice/dataset.h"

namespace coppice {

// REQUIRES: every row is one of the data.
Dataset rows_of(const DatasetView& data, std::span<const std::uint32_t> rows);

// Rows [first, first + count); borrows.
DatasetView row_block(const DatasetView& data, std::size_t first, std::size_t count);

// 0 ... rows - 1 in random order.
std::vector<std::uint32_t> shuffled_rows(std::size_t rows, RandomStream);

}  // namespace coppice
