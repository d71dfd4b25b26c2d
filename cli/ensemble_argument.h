// --ensemble of verbs that use a model: how the answers of its trees become one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "coppice/model.h"

namespace coppice {

void declare_ensemble(CLI::App&, std::string& ensemble);

// As trained if `ensemble` is empty.
Forest with_ensemble(Forest, const std::string& ensemble);

}  // namespace coppice
