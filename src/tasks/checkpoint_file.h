// The files of a training that can be continued: what they hold and when they are written. Trees
// that are handed over are written by a thread of their own, so that growing waits for no disk.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/background_task.h"
#include "base/stopwatch.h"
#include "coppice/checkpoint.h"
#include "coppice/dataset.h"
#include "coppice/model.h"
#include "grow/record_keeper.h"
#include "grow/standing_trees.h"

namespace coppice {

class CheckpointFile final : public RecordKeeper {
 public:
  // What a training is: the same in all respects, or it cannot be continued.
  struct Training {
    const DatasetView& data;
    ForestInfo info;  // of the model to be: schema, options, facts
    std::size_t trees = 0;
    std::size_t workers = 1;
    bool by_levels = false;  // all trees change all the time: there is one part
  };

  // Reads the files if they are to be continued; throws as Checkpoint says. Removes what is left of
  // other trainings otherwise.
  CheckpointFile(const Checkpoint&, Training);

  const RecordedTree* recorded(std::size_t tree) const override;
  std::size_t recorded_trees() const override { return records_.size(); }
  bool stored(std::size_t tree) const override { return tree < stored_.size() && stored_[tree]; }
  bool first_part_complete() const override { return open_part_ > 1; }
  bool due(std::size_t bytes) const override;
  bool completes(std::size_t bytes) const override;
  void keep_beside(StandingTrees, Handover) override;
  void keep_now(const StandingTrees&, Occasion) override;

  // Waits for what is being written. REQUIRED before any of the following.
  void finish() { writer_.wait(); }
  // What a stopped training leaves behind, as a sentence.
  std::string stopped_sentence() const;
  std::size_t writes() const { return writes_; }
  // Processor time of all writes, and the time that growing threads waited for them.
  double seconds() const { return seconds_; }

 private:
  struct Waiting {
    std::size_t part;
    StandingTrees trees;
  };

  void read_parts();
  void read_part(std::size_t part);
  bool worth_while(std::size_t bytes, double share);
  void write_waiting();
  void write(std::size_t part, const StandingTrees&);

  const Checkpoint& wishes_;
  Training training_;
  std::deque<StoredCheckpoint> files_;
  std::vector<std::optional<RecordedTree>> records_;  // by tree
  std::vector<bool> stored_;                          // by tree
  std::size_t open_part_ = 1;
  Stopwatch since_last_;

  // Of the writer while it is busy, else of whoever asks.
  std::vector<std::uint64_t> fingerprints_;  // or none yet
  std::deque<Waiting> waiting_;              // to be written, in order of the parts
  std::vector<bool> kept_;                   // by tree: finished and on disk
  std::string held_;                         // by the files, in words
  double pause_ = 0;                         // seconds between writes at least
  std::size_t writes_ = 0, last_bytes_ = 0;
  double last_seconds_ = 0;  // that the last write took
  double seconds_per_byte_;  // processor time
  double bytes_per_second_;  // to the disk
  double seconds_ = 0;
  BackgroundTask writer_;  // the first to be destroyed
};

}  // namespace coppice
