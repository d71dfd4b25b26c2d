// coppice convert: a model from its binary form to text or back.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command.h"
#include "coppice/model.h"
#include "json_output.h"
#include "model_files.h"
#include "terminal.h"

namespace coppice {
namespace {

class ConvertCommand final : public Command {
 public:
  const char* name() const override { return "convert"; }
  const char* summary() const override { return "a model as text, or back"; }
  const char* examples() const override {
    return "  coppice convert letter.coppice letter.json\n"
           "  coppice convert letter.json letter.coppice\n";
  }

  void declare(CLI::App& app) override {
    app.add_option("MODEL", from_, "what train wrote")->type_name("")->required();
    app.add_option("OUT", to_, "text if the name ends in .json, else binary")
        ->type_name("")
        ->required();
  }

  int run(const SharedArguments& shared) override {
    require_writable(to_);
    save_model(load_model(from_), to_);
    if (shared.json) {
      print_json({{"model", from_}, {"output", to_}, {"output_bytes", file_bytes(to_)}});
    } else if (!shared.quiet) {
      print_text(fmt::format("{}, {}\n", to_, bytes_text(file_bytes(to_))));
    }
    return kSuccess;
  }

 private:
  std::string from_, to_;
};

}  // namespace

std::unique_ptr<Command> convert_command() { return std::make_unique<ConvertCommand>(); }

}  // namespace coppice
