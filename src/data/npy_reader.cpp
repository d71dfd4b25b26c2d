// The array is read in blocks: of rows in C order, of parts of a column in Fortran order.
#include "data/npy_reader.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "data/column_plan.h"
#include "data/npy_header.h"

namespace coppice {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are read as they are stored");

constexpr std::size_t kBlockBytes = 1u << 20;

// A rectangle of the array: its rows are rows of the table.
struct Block {
  std::span<const char> bytes;
  std::size_t first_row = 0, rows = 0;
  std::size_t first_column = 0, columns = 0;
};

template <typename Number>
void add_block(const Block& block, Table& table, const std::string& file) {
  for (std::size_t c = 0; c < block.columns; ++c) {
    Column& column = table.columns[block.first_column + c];
    for (std::size_t r = 0; r < block.rows; ++r) {
      Number value;
      const char* const cell = block.bytes.data() + (r * block.columns + c) * sizeof(Number);
      std::memcpy(&value, cell, sizeof(Number));
      column.add_number(value, {file, block.first_row + r + 1, block.first_column + c + 1});
    }
  }
}

using AddBlock = void (*)(const Block&, Table&, const std::string&);

AddBlock block_adder(NpyType type) {
  switch (type) {
    case NpyType::f4:
      return add_block<float>;
    case NpyType::f8:
      return add_block<double>;
    case NpyType::i1:
      return add_block<std::int8_t>;
    case NpyType::i2:
      return add_block<std::int16_t>;
    case NpyType::i4:
      return add_block<std::int32_t>;
    case NpyType::i8:
      return add_block<std::int64_t>;
    case NpyType::u2:
      return add_block<std::uint16_t>;
    case NpyType::u4:
      return add_block<std::uint32_t>;
    case NpyType::u8:
      return add_block<std::uint64_t>;
    case NpyType::u1:
    case NpyType::b1:
      break;
  }
  return add_block<std::uint8_t>;
}

// `block` has its place and its number of columns; reads its rows one buffer after the other.
void read_rows(TextSource& source, const NpyHeader& header, Block block, Table& table) {
  const AddBlock add = block_adder(header.type);
  const std::size_t row_bytes = block.columns * header.item_bytes;
  const std::size_t rows_at_once = std::max<std::size_t>(1, kBlockBytes / row_bytes);
  std::vector<char> buffer(std::min(rows_at_once, header.rows) * row_bytes);
  for (std::size_t row = 0; row < header.rows; row += rows_at_once) {
    block.first_row = row;
    block.rows = std::min(rows_at_once, header.rows - row);
    block.bytes = std::span(buffer).first(block.rows * row_bytes);
    if (source.read(std::span(buffer).first(block.bytes.size())) < block.bytes.size()) {
      throw data_error({source.name()}, "the file became shorter while it was read");
    }
    add(block, table, source.name());
  }
}

}  // namespace

Table read_npy(TextSource& source, const ReadOptions& options) {
  const NpyHeader header = read_npy_header(source);
  if (header.rows == 0) throw data_error({source.name()}, "has no rows");
  if (header.columns == 0) throw data_error({source.name()}, "has no columns");
  ColumnNames columns{{}, {}, {source.name()}};
  for (std::size_t i = 0; i < std::min(header.columns, kMostColumns + 1); ++i) {
    columns.names.push_back(numbered_name(i + 1));
  }
  columns.declared.assign(columns.names.size(), Declared::numbers);
  Table table = plan_columns(columns, options);
  table.rows = header.rows;
  if (header.fortran_order) {
    for (std::size_t c = 0; c < header.columns; ++c) {
      read_rows(source, header, {{}, 0, 0, c, 1}, table);
    }
  } else {
    read_rows(source, header, {{}, 0, 0, 0, header.columns}, table);
  }
  return table;
}

}  // namespace coppice
