// The file of a training that can be continued: which training it is of, and when it is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/stopwatch.h"
#include "coppice/checkpoint.h"
#include "coppice/dataset.h"
#include "coppice/model.h"
#include "grow/record_keeper.h"

namespace coppice {

class CheckpointFile final : public RecordKeeper {
 public:
  // What a training is: the same in all respects, or it cannot be continued.
  struct Training {
    const DatasetView& data;
    ForestInfo info;  // of the model to be: schema, options, facts
    std::size_t trees = 0;
    std::size_t workers = 1;
  };

  // Reads the file if it is to be continued; throws as Checkpoint says.
  CheckpointFile(const Checkpoint&, Training);

  const RecordedTree* recorded(std::size_t tree) const override;
  std::size_t recorded_trees() const override { return records_.size(); }
  bool due() const override;
  void keep(const ForestArrays&, const CheckpointArrays&, Occasion) override;

  // What a stopped training leaves behind, as a sentence.
  std::string stopped_sentence() const;

  std::size_t writes() const { return writes_; }
  double seconds() const { return seconds_; }

 private:
  const std::vector<std::uint64_t>& fingerprints();
  void refuse_differences();
  void write(const ForestArrays&, const CheckpointArrays&);
  void pause_after(double seconds);

  const Checkpoint& wishes_;
  Training training_;
  std::vector<std::uint64_t> fingerprints_;  // per column; of labels, targets, weights; or none yet
  std::optional<StoredCheckpoint> stored_;
  std::vector<std::optional<RecordedTree>> records_;  // by tree
  std::string held_;                                  // by the file, in words
  Stopwatch since_last_;
  double pause_ = 0;  // seconds between writes at least, so that they do not matter
  std::size_t writes_ = 0, last_bytes_ = 0;
  double last_seconds_ = 0.005;  // before there is a last write: what a small one takes
  double seconds_ = 0;
};

}  // namespace coppice
