// The files of a checkpoint: MODEL.checkpoint and, of forests that are too large to be written
// again and again, MODEL.checkpoint.2, MODEL.checkpoint.3 ... with the trees that came later.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace coppice {

// Parts count from 1, which is the file without a number.
std::string part_path(const std::string& checkpoint, std::size_t part);

// The parts that are there, in order; some may be missing. None without the first one: what is left
// of others belongs to nothing.
std::vector<std::size_t> parts_of(const std::string& checkpoint);

// Removes all parts but the first.
void remove_further_parts(const std::string& checkpoint);

}  // namespace coppice
