// Which training a checkpoint is of, and in what it differs from another one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/model.h"
#include "model/checkpoint_arrays.h"

namespace coppice {

// Of every column; of labels, targets and weights.
std::vector<std::uint64_t> fingerprints_of(const DatasetView&, std::size_t workers);

// Throws Error(invalid_data) or Error(invalid_option) with all that differs, and
// Error(corrupt_model) if the leaves are others. `fingerprints` are those of the data now.
void refuse_differences(const StoredCheckpoint&, const std::string& path, const ForestInfo& now,
                        std::span<const std::uint64_t> fingerprints);

}  // namespace coppice
