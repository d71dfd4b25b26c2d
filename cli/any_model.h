// Models that not all verbs can use: also checkpoints of tasks whose leaves are final only when all
// trees are grown, which load_model() refuses.
#pragma once

#include <string>

#include "coppice/model.h"

namespace coppice {

Forest load_any_model(const std::string& path);

}  // namespace coppice
