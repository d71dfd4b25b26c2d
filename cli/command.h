// What a verb of the program is; main.cpp lists them, a file per verb makes one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "coppice/options.h"

namespace CLI {
class App;
}

namespace coppice {

enum ExitCode : int {
  kSuccess = 0,
  kInternalError = 1,
  kBadInput = 2,  // wrong usage, option, data or model
  kInputOutput = 3,
  kSignalled = 128,  // plus the number of the signal
};

// Every verb has these.
struct SharedArguments {
  bool json = false;   // one JSON object on standard output and nothing else
  bool quiet = false;  // results only
  std::size_t threads = 0;
  std::vector<std::string> given = {};  // all arguments of the verb, as they were given

  bool talkative() const { return !json && !quiet; }
  RunContext context() const {
    RunContext context;
    context.threads = threads;
    return context;
  }
};

class Command {
 public:
  virtual ~Command() = default;

  virtual const char* name() const = 0;
  virtual const char* summary() const = 0;
  virtual const char* examples() const = 0;  // the end of the help text
  virtual void declare(CLI::App&) = 0;       // binds options to members
  // After parsing. Returns the exit code; errors are exceptions.
  virtual int run(const SharedArguments&) = 0;
};

std::unique_ptr<Command> train_command();
std::unique_ptr<Command> predict_command();
std::unique_ptr<Command> evaluate_command();
std::unique_ptr<Command> sample_command();
std::unique_ptr<Command> condition_command();
std::unique_ptr<Command> refine_command();
std::unique_ptr<Command> prune_command();
std::unique_ptr<Command> compact_command();
std::unique_ptr<Command> label_command();
std::unique_ptr<Command> query_command();
std::unique_ptr<Command> bench_command();
std::unique_ptr<Command> describe_command();
std::unique_ptr<Command> apply_command();
std::unique_ptr<Command> embed_command();
std::unique_ptr<Command> cluster_command();
std::unique_ptr<Command> convert_command();
std::unique_ptr<Command> generate_command();
std::unique_ptr<Command> plot_command();
std::unique_ptr<Command> gallery_command();
std::unique_ptr<Command> demo_command();

}  // namespace coppice
