// From names of columns and the options of a reading: what each column is for and may hold.
#pragma once

#include <string>
#include <vector>

#include "coppice/read.h"
#include "data/table.h"

namespace coppice {

// What the format says of a column.
enum class Declared : std::uint8_t { nothing, numbers, texts };

struct ColumnNames {
  std::vector<std::string> names;
  std::vector<Declared> declared;  // one per name, or empty: nothing
  Place place;                     // of the names
};

// An empty table. Throws Error(invalid_data) for names that occur twice and for columns that the
// options name and the file lacks, Error(invalid_option) for options that contradict each other.
Table plan_columns(const ColumnNames&, const ReadOptions&);

// f1, f2, ...
std::string numbered_name(std::size_t number);

}  // namespace coppice
