// The model as JSON text: everything that a model file holds, to be read and edited by people.
#pragma once

#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "coppice/model.h"

namespace coppice {

struct StoredModel {
  ForestStorage storage;
  ForestInfo info;
};

// REQUIRES: a valid forest.
void write_json_model(const ForestArrays&, const ForestInfo&, AtomicFile&);

// Throws Error(corrupt_model) with `source`:line:column if the text is not of the right form. Does
// not validate the forest.
StoredModel read_json_model(std::string_view text, const std::string& source);

}  // namespace coppice
