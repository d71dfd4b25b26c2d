// What makes arrays a forest. Everything that reads a forest relies on these checks and repeats
// none of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "coppice/model.h"

namespace coppice {

struct ForestFault {
  std::string section;    // of the model file: "split.right"; or of its metadata: "schema"
  std::size_t entry = 0;  // of that section
  std::string sentence;   // "child 7 of split 3 in tree 0 lies outside the tree"
};

// The first fault, or nothing. Linear in the size of the arrays; needs memory for the depth of the
// deepest tree; does not recurse.
std::optional<ForestFault> find_fault(const ForestArrays&, const ForestInfo&);

// The same for trees without leaves: everything but what leaves hold.
std::optional<ForestFault> find_fault_of_splits(const ForestArrays&, const ForestInfo&);

// Throws Error(corrupt_model) with `source`, section and sentence if there is a fault.
void validate(const ForestArrays&, const ForestInfo&, const std::string& source);

}  // namespace coppice
