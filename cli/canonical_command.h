// The command line that a model remembers: enough to train it again, nothing about this machine.
#pragma once

#include <string>

#include "coppice/options.h"
#include "data_arguments.h"

namespace coppice {

// As one word of a shell's command line.
std::string shell_quoted(const std::string& text);

// "coppice train letter.csv --target label --n-estimators 500": file names without folders, no
// option that leaves the model unchanged, quoted for a shell where needed. `data.targets` are the
// targets in use; the task is named if it was
// given, as it was.
std::string canonical_command(const DataArguments& data, const FitOptions&,
                              const std::string& task);

}  // namespace coppice
