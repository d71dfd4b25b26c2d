// What a Conditional keeps.
#pragma once

#include <memory>

#include "coppice/density.h"
#include "density/mixture_parts.h"

namespace coppice {

struct Conditional::Parts {
  std::shared_ptr<const LeafCells> leaves;  // outlives the model that it came from
  MixtureParts mixture;
};

}  // namespace coppice
