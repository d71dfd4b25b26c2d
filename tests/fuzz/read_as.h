// For fuzz targets: any bytes as a data file. Refused with Error(invalid_data), or a data set that
// validate() accepts and that agrees with itself as the data of a model.
#pragma once

#include <string>

#include "coppice/error.h"
#include "coppice/read.h"
#include "tests/fuzz/scratch_file.h"
#include "tests/fuzz/used_forest.h"

namespace coppice::fuzz {

inline int read_as(const char* format, const std::uint8_t* data, std::size_t size) {
  ReadOptions options;
  options.format = format;
  // The last byte chooses between features alone and a target in the first column.
  if (size > 0 && data[size - 1] % 2 == 1) options.targets = {"1"};
  try {
    const Dataset read = read_dataset(scratch_file(data, size), options);
    validate(read.view());
    const Conformed same = conform(read, read.schema);
    require(same.data.rows == read.rows && same.unseen_categories == 0);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::invalid_data || error.kind() == ErrorKind::invalid_option);
  }
  return 0;
}

}  // namespace coppice::fuzz
