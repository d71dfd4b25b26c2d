// The program: finds the verb, parses its arguments, runs it, and turns errors into sentences and
// exit codes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "command.h"
#include "coppice/error.h"
#include "coppice/version.h"
#include "data/spelling.h"
#include "json_output.h"
#include "signal_stop.h"
#include "suggestion.h"
#include "terminal.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace coppice {
namespace {

using Arguments = std::vector<std::string>;

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  for (auto make :
       {train_command,   predict_command,  evaluate_command, sample_command,  condition_command,
        refine_command,  prune_command,    compact_command,  label_command,   query_command,
        bench_command,   describe_command, apply_command,    embed_command,   cluster_command,
        convert_command, generate_command, plot_command,     gallery_command, demo_command}) {
    commands.push_back(make());
  }
  return commands;
}

constexpr const char* kProgramFooter =
    "\nA first look:\n"
    "  coppice demo\n"
    "  coppice generate spirals -o spirals.csv\n"
    "  coppice train spirals.csv -o spirals.coppice\n"
    "  coppice evaluate spirals.coppice spirals.csv\n"
    "\n'coppice help VERB' explains a verb with examples.\n";

std::string program_help(const std::vector<std::unique_ptr<Command>>& commands) {
  TextTable verbs("ll");
  for (const auto& command : commands) verbs.add({command->name(), command->summary()});
  return fmt::format(
      "coppice {}: decision forests for every task\n\n"
      "Usage: coppice VERB [OPTIONS]\n\nVerbs:\n{}{}",
      kVersion, verbs.text(), kProgramFooter);
}

// --- One verb ------------------------------------------------------------------------------------

void declare_shared(CLI::App& app, SharedArguments& shared) {
  app.add_flag("--json", shared.json, "one JSON object on standard output")->group("Running");
  app.add_flag("--quiet,-q", shared.quiet, "results only")->group("Running");
  app.add_option("--threads", shared.threads, "0: as many as there are cores")
      ->type_name("N")
      ->check(CLI::Range(0, 1024).description(""))
      ->group("Running");
}

[[noreturn]] void fail(const std::string& sentence) {
  throw Error(ErrorKind::invalid_option, sentence);
}

// CLI11 would report what is missing first; a mistyped option is the likelier cause.
void refuse_unknown_options(const CLI::App& app, const Arguments& arguments) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back(name);
  }
  for (const std::string& argument : arguments) {
    if (argument == "--") return;
    if (!argument.starts_with("--")) continue;
    const std::string name = argument.substr(2, argument.find('=') - 2);
    if (std::count(known.begin(), known.end(), name) > 0) continue;
    const auto nearest = nearest_spelling(name, known);
    fail(nearest
             ? fmt::format("there is no option --{}; did you mean --{}?", name, *nearest)
             : fmt::format("there is no option --{}; see coppice {} --help", name, app.get_name()));
  }
}

std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error) {
  return fmt::format("{}; see coppice {} --help", error.what(), app.get_name());
}

int parse_and_run(Command& command, const Arguments& arguments) {
  CLI::App app(command.summary(), command.name());
  SharedArguments shared;
  shared.given = arguments;
  command.declare(app);
  declare_shared(app, shared);
  app.set_help_flag("--help,-h", "this text")->group("Running");
  app.get_formatter()->column_width(36);
  app.footer(std::string("\nExamples:\n") + command.examples());
  if (std::count(arguments.begin(), arguments.end(), "--help") +
          std::count(arguments.begin(), arguments.end(), "-h") >
      0) {
    print_text(app.help("coppice"));
    return kSuccess;
  }
  refuse_unknown_options(app, arguments);
  try {
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    fail(usage_sentence(app, error));
  }
  return command.run(shared);
}

// --- All of them ---------------------------------------------------------------------------------

int report(const std::string& program, const Arguments& arguments, const std::string& sentence,
           const std::string& kind) {
  fmt::print(stderr, "{}: {}\n", program, sentence);
  if (std::count(arguments.begin(), arguments.end(), "--json") > 0) {
    print_json(error_json(sentence, kind));
  }
  return kind == "internal" || kind == "out_of_memory" ? kInternalError : kBadInput;
}

int exit_code(const Error& error, int otherwise) {
  if (error.kind() == ErrorKind::io) return kInputOutput;
  if (error.kind() == ErrorKind::cancelled) return kSignalled + stop_signal();
  return otherwise;
}

Command& find_command(const std::vector<std::unique_ptr<Command>>& commands,
                      const std::string& verb) {
  std::vector<std::string> names;
  for (const auto& command : commands) {
    if (verb == command->name()) return *command;
    names.emplace_back(command->name());
  }
  fail(fmt::format("there is no verb '{}'{}", verb, suggestion(verb, names)));
}

int dispatch(Arguments arguments, std::string& program) {
  const auto commands = all_commands();
  if (!arguments.empty() && arguments[0] == "help") {
    arguments.erase(arguments.begin());
    if (!arguments.empty()) arguments.insert(arguments.begin() + 1, "--help");
    if (arguments.empty()) arguments.emplace_back("--help");
  }
  const std::string verb = arguments.empty() ? "" : arguments[0];
  if (verb.empty() || verb == "--help" || verb == "-h") {
    print_text(program_help(commands));
    return verb.empty() ? kBadInput : kSuccess;
  }
  if (verb == "--version" || verb == "-V") {
    print_text(fmt::format("coppice {}\n", kVersion));
    return kSuccess;
  }
  if (verb.starts_with("-")) fail("the verb comes first, as in: coppice train DATA -o MODEL");
  Command& command = find_command(commands, verb);
  program += ' ' + verb;
  return parse_and_run(command, Arguments(arguments.begin() + 1, arguments.end()));
}

int guarded_main(const Arguments& arguments) {
  std::string program = "coppice";
  try {
    return dispatch(arguments, program);
  } catch (const Error& error) {
    return exit_code(error, report(program, arguments, error.what(), kind_name(error.kind())));
  } catch (const std::bad_alloc&) {
    return report(program, arguments, "out of memory", "out_of_memory");
  } catch (const std::exception& error) {
    return report(program, arguments, std::string("internal error: ") + error.what(), "internal");
  }
}

// What one tree gives back is what the next one asks for: memory that went back to the system would
// be cleared page by page every time.
void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);
  mallopt(M_TRIM_THRESHOLD, 128 * kMegabyte);
#endif
}

}  // namespace
}  // namespace coppice

int main(int argc, char** argv) {
  coppice::keep_freed_memory();
  try {
    return coppice::guarded_main(std::vector<std::string>(argv + 1, argv + argc));
  } catch (...) {  // not even the error could be written
    return coppice::kInputOutput;
  }
}
