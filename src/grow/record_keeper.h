// The seam between growing trees and the file that a training can be continued with.
#pragma once

#include <cstddef>

#include "grow/recorded_tree.h"
#include "model/checkpoint_arrays.h"

namespace coppice {

class RecordKeeper {
 public:
  enum class Occasion {
    due,      // due() said so
    grown,    // all trees are finished
    stopped,  // nothing more will come
  };

  virtual ~RecordKeeper() = default;

  // A tree as an earlier training left it, or null.
  virtual const RecordedTree* recorded(std::size_t tree) const = 0;
  // One more than the largest number of a recorded tree.
  virtual std::size_t recorded_trees() const = 0;

  // Whether it is time to keep what there is. Cheap; asked by one thread at a time.
  virtual bool due() const = 0;
  // What is kept replaces the record. Called by one thread at a time.
  virtual void keep(const ForestArrays&, const CheckpointArrays&, Occasion) = 0;
};

}  // namespace coppice
