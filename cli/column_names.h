// The names of a file's columns, without reading the rest of it.
#pragma once

#include <string>
#include <vector>

#include "coppice/read.h"

namespace coppice {

// LIBSVM files name their target themselves.
bool is_libsvm(const std::string& path, const ReadOptions&);

// Empty where there are no names to look at: standard input, .npy, LIBSVM, no header.
std::vector<std::string> column_names(const std::string& path, const ReadOptions&);

}  // namespace coppice
