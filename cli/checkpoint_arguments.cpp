// See checkpoint_arguments.h.
#include "checkpoint_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "canonical_command.h"
#include "coppice/error.h"
#include "signal_stop.h"

namespace coppice {
namespace {

// The name of one that is there, or empty.
std::string any_file(const Checkpoint& checkpoint) {
  std::error_code ignored;
  for (const std::string& path : {checkpoint.path, of_first_forest(checkpoint).path})
    if (std::filesystem::exists(path, ignored)) return path;
  return "";
}

std::string resume_command(const std::vector<std::string>& arguments) {
  std::string command = "coppice train";
  for (const std::string& argument : arguments) command += ' ' + shell_quoted(argument);
  const bool resumed = std::count(arguments.begin(), arguments.end(), "--resume") > 0;
  return command + (resumed ? "" : " --resume");
}

}  // namespace

void declare_checkpoints(CLI::App& app, CheckpointArguments& arguments) {
  app.add_option(
         "--checkpoint", arguments.seconds,
         "how often MODEL.checkpoint keeps what was learnt so far; 0: only when training is "
         "stopped (60)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e9).description(""))
      ->group("Running");
  app.add_flag("--resume", arguments.resume,
               "continue the training that left MODEL.checkpoint, with the same data and options")
      ->group("Running");
}

Checkpoint checkpoint_beside(const std::string& model, const CheckpointArguments& arguments) {
  Checkpoint checkpoint{.path = model + ".checkpoint",
                        .seconds = arguments.seconds,
                        .resume = arguments.resume,
                        .writing = hold_stop};
  checkpoint.failed = [](std::string_view reason) {
    fmt::print(stderr, "coppice train: no checkpoint now: {}\n", reason);
  };
  return checkpoint;
}

void require_no_other_training(const Checkpoint& checkpoint) {
  const std::string path = any_file(checkpoint);
  if (checkpoint.resume || path.empty()) return;
  throw Error(ErrorKind::invalid_option,
              fmt::format("{} is of a training that was stopped; continue it with --resume, or "
                          "remove the file to begin anew",
                          path));
}

void note_missing(const Checkpoint& checkpoint) {
  if (checkpoint.resume && any_file(checkpoint).empty())
    fmt::print(stderr, "coppice train: there is no {}; training starts at the beginning\n",
               checkpoint.path);
}

void stop_soon(const Checkpoint& checkpoint, const std::vector<std::string>& arguments) {
  constexpr double kSeconds = 0.8;
  limit_stop(kSeconds, {.files = {checkpoint.path, of_first_forest(checkpoint).path},
                        .with_file = fmt::format("coppice train: stopped; continue with: {}\n",
                                                 resume_command(arguments)),
                        .without = "coppice train: stopped before anything was kept\n"});
}

std::string stopped_sentence(const std::string& what, const Checkpoint& checkpoint,
                             const std::vector<std::string>& arguments) {
  if (any_file(checkpoint).empty()) return what;
  return fmt::format("{}; continue with: {}", what, resume_command(arguments));
}

}  // namespace coppice
