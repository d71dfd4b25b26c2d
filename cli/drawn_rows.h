// Rows of features on their way out.
#pragma once

#include <span>

#include "coppice/dataset.h"
#include "csv_writer.h"

namespace coppice {

// Row-major, a value per feature.
inline void write_rows(const Schema& schema, std::span<const float> rows, TableWriter& writer) {
  std::vector<std::string> names;
  for (const Feature& feature : schema.features) names.push_back(feature.name);
  writer.header(names);
  std::vector<Cell> cells;
  for (std::size_t first = 0; first < rows.size(); first += names.size()) {
    cells.assign(rows.begin() + static_cast<std::ptrdiff_t>(first),
                 rows.begin() + static_cast<std::ptrdiff_t>(first + names.size()));
    writer.row(cells);
  }
  writer.finish();
}

}  // namespace coppice
