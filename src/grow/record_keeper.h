// The seam between growing trees and the files that a training can be continued with.
#pragma once

#include <cstddef>

#include "grow/recorded_tree.h"

namespace coppice {

class StandingTrees;

// The record has parts. The first one holds trees with their leaves, further ones those that came
// later, without. The last part is open: it is written again with more trees in it, until it is
// complete and another one begins. Of methods that grow by levels there is one part, always open.
class RecordKeeper {
 public:
  enum class Occasion {
    grown,    // all trees are finished
    stopped,  // nothing more will come
  };
  // How trees are handed over while others grow.
  struct Handover {
    bool complete = false;  // the next trees belong to another part
    double seconds = 0;     // that growing threads have waited for it, all together
  };

  virtual ~RecordKeeper() = default;

  // A tree as an earlier training left it, or null.
  virtual const RecordedTree* recorded(std::size_t tree) const = 0;
  // One more than the largest number of a recorded tree.
  virtual std::size_t recorded_trees() const = 0;
  // Whether an earlier training has left the tree finished in a part that is complete.
  virtual bool stored(std::size_t tree) const = 0;
  virtual bool first_part_complete() const = 0;

  // Whether it is time to keep the open part, of so many bytes. Cheap; as all that follow, asked by
  // one thread at a time.
  virtual bool due(std::size_t bytes) const = 0;
  // Whether it should be complete then: it costs too much to be written once more.
  virtual bool completes(std::size_t bytes) const = 0;
  // Keeps the open part while trees grow on. REQUIRES: due() said so.
  virtual void keep_beside(StandingTrees, Handover) = 0;
  // Returns when it is kept, with all that was handed over before.
  virtual void keep_now(const StandingTrees&, Occasion) = 0;
};

}  // namespace coppice
