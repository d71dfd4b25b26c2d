// The file of a checkpoint: a model of the trees as they stand, which any reader of models can use,
// and beside it what it takes to grow them on.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "base/mapped_file.h"
#include "coppice/model.h"
#include "model/model_file.h"

namespace coppice {

struct CheckpointArrays {
  static constexpr std::uint32_t kFinished = std::numeric_limits<std::uint32_t>::max();

  std::span<const std::uint64_t> data = {};    // fingerprints of what the trees were grown on
  std::span<const double> gain = {};           // per split
  std::span<const double> root_weight = {};    // per tree, in units of weight
  std::span<const std::uint32_t> number = {};  // per tree: which of the forest it is
  // Per tree: a leaf with fewer splits above it stays one, others may be split.
  std::span<const std::uint32_t> closed_depth = {};
};

// Whole or not at all. REQUIRES: a valid forest, or one without leaves (payload size 0).
void write_checkpoint(const ForestArrays&, const ForestInfo&, const CheckpointArrays&,
                      const std::string& path);

// One that was read; the arrays are those of the mapped file.
class StoredCheckpoint {
 public:
  enum class Leaves { kept, left_out };
  // Throws Error(io), or Error(corrupt_model) unless the file is a valid forest, the sizes of the
  // other arrays fit it, all numbers are finite, and no tree comes twice.
  explicit StoredCheckpoint(const std::string& path, Leaves = Leaves::kept);

  const ForestArrays& trees() const { return model_.arrays; }
  const ForestInfo& info() const { return model_.info; }
  const CheckpointArrays& arrays() const { return arrays_; }
  std::size_t bytes() const { return file_.bytes().size(); }

 private:
  MappedFile file_;
  ModelView model_;
  CheckpointArrays arrays_;
};

}  // namespace coppice
