// The arguments of a training that can be stopped and continued, and what to tell when it is.
#pragma once

#include <string>
#include <vector>

#include "coppice/checkpoint.h"

namespace CLI {
class App;
}

namespace coppice {

struct CheckpointArguments {
  double seconds = Checkpoint{}.seconds;
  bool resume = false;
};

void declare_checkpoints(CLI::App&, CheckpointArguments&);

// Beside the model. Writing is never cut short by a signal; why it fails goes to standard error.
Checkpoint checkpoint_beside(const std::string& model, const CheckpointArguments&);

// Throws Error(invalid_option) if there is a training to continue that would be lost.
void require_no_other_training(const Checkpoint&);
// If there is nothing to continue, a line on standard error.
void note_missing(const Checkpoint&);

// A stop takes a second at most: after that the process ends, with what the file holds.
void stop_soon(const Checkpoint&, const std::vector<std::string>& arguments);

// "stopped; 12 of 100 trees are in m.coppice.checkpoint; continue with: coppice train ... --resume"
std::string stopped_sentence(const std::string& what, const Checkpoint&,
                             const std::vector<std::string>& arguments);

}  // namespace coppice
