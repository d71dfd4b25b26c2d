// The arguments and the report that embed and cluster share.
#pragma once

#include <cstdint>
#include <string>

#include "command.h"
#include "coppice/embedding.h"
#include "json_output.h"

namespace CLI {
class App;
}

namespace coppice {

struct SpectrumArguments {
  std::string affinity = "binary";
  double length = 0;
  std::size_t eigenvalues = SpectrumOptions{}.eigenvalues;
  double tolerance = SpectrumOptions{}.tolerance;
  std::uint64_t memory = 0;
};

void declare_spectrum(CLI::App&, SpectrumArguments&);
// Throws Error(invalid_option) with a suggestion for an unknown affinity.
SpectrumOptions spectrum_options(const SpectrumArguments&);
// Can be stopped by a signal.
RunContext spectrum_context(const SpectrumArguments&, const SharedArguments&);

// Eigenvalues with bars, the dimension, and a warning if they did not converge.
std::string profile_text(const EigenvalueProfile&);
Json profile_json(const EigenvalueProfile&);

}  // namespace coppice
