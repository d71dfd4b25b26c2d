// Long trainings that can be stopped and continued. A checkpoint is a model file of the first trees
// with what it takes to grow on, and further files of what came later; doc/long_runs.md says what is
// promised.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "coppice/refine.h"

namespace coppice {

// Where a training keeps what it has found. One that is stopped (RunContext::cancelled) writes what
// it has not written yet and throws Error(cancelled). Continued with the same data and options, with whatever threads
// and however often, it ends in the model of an undisturbed one, bit for bit.
struct Checkpoint {
  std::string path;  // further files: path.2, path.3 ...
  // Between two writes. 0: none before training is stopped.
  double seconds = 60;
  // Continue with the files, if the first one exists; if false, they will be replaced. Throws
  // Error(corrupt_model) if one is no checkpoint, and Error(invalid_data) or Error(invalid_option)
  // with what differs if it is one of another training.
  bool resume = false;
  // Written also when all trees are grown: other long work follows.
  bool when_grown = false;
  // Called before (true) and after (false) every write, by the thread that writes; this may be one
  // that does nothing else.
  std::function<void(bool)> writing = {};
  // Told why a write has failed while the training goes on, by the same thread.
  std::function<void(std::string_view)> failed = {};
};

// Null: nothing is kept.
FitResult fit(const DatasetView&, const FitOptions&, const RunContext&, const Checkpoint*);
RefinedFit fit_and_refine(const DatasetView&, const FitOptions&, const RefineOptions&,
                          const RunContext&, const Checkpoint*);
RefinedFit fit_and_prune(const DatasetView&, const FitOptions&, const PruneOptions&,
                         const RunContext&, const Checkpoint*);

// That of the forest with which fit_and_refine() chooses a cost.
Checkpoint of_first_forest(const Checkpoint&);

// Removes the files of a checkpoint, if there are any: once the model is saved.
void remove_checkpoint(const Checkpoint&);

}  // namespace coppice
