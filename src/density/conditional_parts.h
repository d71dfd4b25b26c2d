// What a Conditional keeps.
#pragma once

#include "coppice/density.h"
#include "density/mixture_parts.h"

namespace coppice {

struct Conditional::Parts {
  MixtureParts mixture;
};

}  // namespace coppice
