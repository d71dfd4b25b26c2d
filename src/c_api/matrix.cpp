// Strides are the caller's word: nothing here can check that memory lies behind them.
#include "c_api/matrix.h"

#include <fmt/format.h>

#include "c_api/boundary.h"
#include "coppice/error.h"
#include "data/limits.h"

namespace coppice {
namespace {

const float* address(const CoppiceMatrix& matrix, std::size_t row, std::size_t column) {
  return matrix.values + static_cast<std::ptrdiff_t>(row) * matrix.row_stride +
         static_cast<std::ptrdiff_t>(column) * matrix.column_stride;
}

bool packed(const CoppiceMatrix& matrix) {
  return (matrix.column_stride == 1 || matrix.columns == 1) &&
         matrix.row_stride == static_cast<std::ptrdiff_t>(matrix.columns);
}

}  // namespace

const CoppiceMatrix& required_matrix(const CoppiceMatrix* given) {
  const CoppiceMatrix& matrix = required(given, "matrix");
  if (matrix.rows > kMostRows || matrix.columns > kMostFeatures)
    throw Error(ErrorKind::invalid_data,
                fmt::format("a matrix of {} rows and {} columns is too large; there can be {} rows "
                            "and {} columns",
                            matrix.rows, matrix.columns, kMostRows, kMostFeatures));
  if (matrix.values == nullptr && matrix.rows > 0 && matrix.columns > 0)
    refuse_null("matrix->values");
  return matrix;
}

const CoppiceMatrix& required_rows(const CoppiceMatrix* given, std::size_t features) {
  const CoppiceMatrix& matrix = required_matrix(given);
  if (matrix.columns == features && features > 0) return matrix;
  throw Error(ErrorKind::invalid_data,
              fmt::format("the matrix has {} columns, but the forest was trained on {}",
                          matrix.columns, features));
}

std::vector<float> column_of(const CoppiceMatrix& matrix, std::size_t column) {
  std::vector<float> values(matrix.rows);
  for (std::size_t row = 0; row < matrix.rows; ++row) values[row] = *address(matrix, row, column);
  return values;
}

std::span<const float> rows_of(const CoppiceMatrix& matrix, std::size_t first, std::size_t count,
                               std::vector<float>& buffer) {
  if (packed(matrix)) return {address(matrix, first, 0), count * matrix.columns};
  buffer.resize(count * matrix.columns);
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t column = 0; column < matrix.columns; ++column)
      buffer[row * matrix.columns + column] = *address(matrix, first + row, column);
  return buffer;
}

}  // namespace coppice
