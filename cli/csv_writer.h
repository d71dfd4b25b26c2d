// Tables on their way out: CSV to a file or to standard output, NumPy's .npy, or part of a JSON
// object. Numbers are written with the fewest digits that read back as the same number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "json_output.h"

namespace coppice {

// NaN is an empty field (null in JSON).
using Cell = std::variant<std::uint64_t, float, double, std::string_view>;

class TableWriter {
 public:
  virtual ~TableWriter() = default;

  virtual void header(std::span<const std::string> names) = 0;
  // REQUIRES: as many cells as the header has names.
  virtual void row(std::span<const Cell>) = 0;
  // A file appears under its name here, whole; without this call it never does.
  virtual void finish() = 0;
};

// An empty path means standard output.
std::unique_ptr<TableWriter> csv_writer(const std::string& path);

// Float64, rows x columns. REQUIRES: a path; no text cells.
std::unique_ptr<TableWriter> npy_writer(const std::string& path, std::size_t rows);

// {"columns": [...], "data": [[...], ...]} in `into`, which outlives the writer.
std::unique_ptr<TableWriter> json_writer(Json& into);

bool is_npy(const std::string& path);

// The file if there is one; else the JSON object if there is one; else standard output.
std::unique_ptr<TableWriter> table_writer(const std::string& path, std::size_t rows, Json* into);

}  // namespace coppice
