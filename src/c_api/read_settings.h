// The settings of coppice_dataset_read() as ReadOptions.
#pragma once

#include <span>

#include "coppice/c_api.h"
#include "coppice/read.h"

namespace coppice {

// Rows like those that a model with schema `like` (or NULL) was trained on. Throws
// Error(invalid_option), for an unknown name with the nearest known one.
ReadOptions read_options(std::span<const CoppiceSetting> settings, const Schema* like);

}  // namespace coppice
