// Models by file name: .json is the text form, everything else the binary one.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "coppice/model.h"

namespace coppice {

inline bool is_classifier(const Forest& forest) {
  return predicts_classes(forest.info().payload_kind);
}

inline bool is_density(const Forest& forest) {
  return forest.info().payload_kind == PayloadKind::gaussian;
}
// "classification", "regression" or "density".
const char* task_name(const Forest&);
// Throws Error(invalid_option) for a model that answers no question about a target.
void require_answers(const Forest&, const char* verb);

bool is_json_model(const std::string& path);

Forest load_model(const std::string& path);
void save_model(const Forest&, const std::string& path);

// Throws unless the name is that of a plain file in a folder where files can be made; asked before
// long work.
void require_writable(const std::string& path);
// Throws if the file is one that is read.
void require_other(const std::string& path, const std::vector<std::string>& inputs);
// Throws for the name of a text model, whose bytes nobody limits.
void require_binary(const std::string& path);

std::size_t file_bytes(const std::string& path);

// Name and bytes of every array of the model, the largest first.
std::vector<std::pair<std::string, std::size_t>> array_bytes(const ForestArrays&);
std::size_t total_array_bytes(const ForestArrays&);

}  // namespace coppice
