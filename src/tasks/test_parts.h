// For tests: trainings that keep every tree in a part of its own, though their trees are small.
#pragma once

#include <unistd.h>

#include <atomic>

#include "coppice/checkpoint.h"

namespace coppice::test {

// Growing waits for the write of every tree but the last.
class PartPerTree {
 public:
  // `recorded` trees are not written again.
  PartPerTree(Checkpoint& checkpoint, RunContext& context, std::size_t recorded = 0) {
    checkpoint.seconds = 1e-4;
    checkpoint.writing = [this](bool begins) { ended_ += begins ? 0 : 1; };
    context.threads = 1;
    context.progress = [this, recorded](const Progress& progress) {
      finished_ = progress.done;
      for (int n = 0; n < 3000 && ended_ + recorded + 1 < progress.done; ++n) ::usleep(1000);
      ::usleep(5000);
    };
  }
  PartPerTree(const PartPerTree&) = delete;
  PartPerTree& operator=(const PartPerTree&) = delete;

  std::size_t finished() const { return finished_; }

 private:
  std::size_t finished_ = 0;
  std::atomic<std::size_t> ended_ = 0;  // writes
};

}  // namespace coppice::test
