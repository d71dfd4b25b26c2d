// See spectrum_arguments.h.
#include "spectrum_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "coppice/error.h"
#include "signal_stop.h"
#include "suggestion.h"
#include "terminal.h"

namespace coppice {

void declare_spectrum(CLI::App& app, SpectrumArguments& arguments) {
  const auto choice = [&](const char* option, auto& value, const char* type, const char* help) {
    return app.add_option(option, value, help)->type_name(type)->group("Affinity");
  };
  choice("--affinity", arguments.affinity, "NAME",
         "how alike rows in the same leaf are: binary (1, any number of rows), gaussian or "
         "mahalanobis (by distance; takes memory for every two rows that share a leaf) (binary)");
  choice("--length", arguments.length, "E",
         "of --affinity gaussian, in standard deviations (root mean squared distance in leaves)");
  choice("--eigenvalues", arguments.eigenvalues, "N", "of the profile (40)")
      ->check(CLI::Range(1, 1000).description(""));
  choice("--tolerance", arguments.tolerance, "E", "of the eigenvectors (1e-6)");
  app.add_option("--memory", arguments.memory,
                 "bytes that may be used beside data and model, such as 8G (4G for --affinity "
                 "gaussian and mahalanobis, else no limit)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->group("Running");
}

SpectrumOptions spectrum_options(const SpectrumArguments& arguments) {
  constexpr std::array<const char*, 3> kNames{"binary", "gaussian", "mahalanobis"};
  const auto found = std::find(kNames.begin(), kNames.end(), arguments.affinity);
  if (found == kNames.end())
    throw Error(ErrorKind::invalid_option,
                fmt::format("--affinity: '{}' is none of binary, gaussian, mahalanobis{}",
                            arguments.affinity,
                            suggestion(arguments.affinity, {kNames.begin(), kNames.end()})));
  SpectrumOptions options{.eigenvalues = arguments.eigenvalues, .tolerance = arguments.tolerance};
  if (found == kNames.begin() + 1) options.affinity = GaussianLeafAffinity{arguments.length};
  if (found == kNames.begin() + 2) options.affinity = MahalanobisLeafAffinity{};
  return options;
}

RunContext spectrum_context(const SpectrumArguments& arguments, const SharedArguments& shared) {
  RunContext context = shared.context();
  context.memory = arguments.memory;
  context.cancelled = [] { return stop_signal() != 0; };
  return context;
}

std::string profile_text(const EigenvalueProfile& profile) {
  constexpr std::size_t kShown = 12, kWidth = 30;
  const std::size_t shown = std::min(kShown, profile.values.size());
  TextTable table("rrl");
  for (std::size_t n = 0; n < shown; ++n)
    table.add({std::to_string(n), fmt::format("{:.6f}", profile.values[n]),
               bar(profile.values[n] / std::max(1e-12, profile.values[shown - 1]), kWidth)});
  std::string text = "smallest eigenvalues of the normalised Laplacian, in " +
                     seconds_text(profile.seconds) + "\n" + table.text();
  if (profile.pieces > 1)
    text += fmt::format("{} parts of the data share no leaf: coordinates tell them apart\n",
                        profile.pieces);
  text +=
      profile.intrinsic_dimension > 0
          ? fmt::format("intrinsic dimension {} (their number grows as that of dimension {:.2f})\n",
                        profile.intrinsic_dimension, profile.growth)
          : "too few eigenvalues below 0.6 to tell the intrinsic dimension\n";
  if (!profile.converged) text += "the eigenvectors did not reach the tolerance\n";
  return text;
}

Json profile_json(const EigenvalueProfile& profile) {
  return {{"eigenvalues", profile.values},
          {"residuals", profile.residuals},
          {"pieces", profile.pieces},
          {"growth", profile.growth},
          {"intrinsic_dimension", profile.intrinsic_dimension},
          {"products", profile.products},
          {"converged", profile.converged},
          {"eigen_seconds", profile.seconds}};
}

}  // namespace coppice
