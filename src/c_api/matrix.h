// The strided matrices of callers, as columns and as rows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "coppice/c_api.h"

namespace coppice {

// Throws Error(invalid_option) or Error(invalid_data) unless it can be read.
const CoppiceMatrix& required_matrix(const CoppiceMatrix*);
// The same; and it has these many columns, at least one.
const CoppiceMatrix& required_rows(const CoppiceMatrix*, std::size_t features);

std::vector<float> column_of(const CoppiceMatrix&, std::size_t column);

// Rows [first, first + count), one after the other: those of the caller if they lie so, else
// copies in `buffer`.
std::span<const float> rows_of(const CoppiceMatrix&, std::size_t first, std::size_t count,
                               std::vector<float>& buffer);

}  // namespace coppice
