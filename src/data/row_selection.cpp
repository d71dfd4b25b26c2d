#include "data/row_selection.h"

#include <numeric>
#include <utility>

namespace coppice {
namespace {

template <class T>
std::vector<T> picked(std::span<const T> values, std::span<const std::uint32_t> rows,
                      std::size_t width) {
  std::vector<T> some;
  for (std::size_t n = 0; !values.empty() && n < rows.size(); ++n) {
    const auto row = values.subspan(rows[n] * width, width);
    some.insert(some.end(), row.begin(), row.end());
  }
  return some;
}

std::size_t targets_per_row(const DatasetView& data) {
  return data.rows == 0 ? 0 : data.targets.size() / data.rows;
}

}  // namespace

Dataset rows_of(const DatasetView& data, std::span<const std::uint32_t> rows) {
  Dataset some;
  some.schema = *data.schema;
  some.rows = rows.size();
  for (const auto column : data.columns) some.columns.push_back(picked(column, rows, 1));
  some.labels = picked(data.labels, rows, 1);
  some.weights = picked(data.weights, rows, 1);
  some.targets = picked(data.targets, rows, targets_per_row(data));
  return some;
}

DatasetView row_block(const DatasetView& data, std::size_t first, std::size_t count) {
  const auto part = [&](auto values, std::size_t width) {
    return values.empty() ? values : values.subspan(first * width, count * width);
  };
  DatasetView block = data;
  block.rows = count;
  for (auto& column : block.columns) column = part(column, 1);
  block.labels = part(data.labels, 1);
  block.weights = part(data.weights, 1);
  block.targets = part(data.targets, targets_per_row(data));
  return block;
}

std::vector<std::uint32_t> shuffled_rows(std::size_t rows, RandomStream random) {
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = rows; i > 1; --i)
    std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  return order;
}

}  // namespace coppice
