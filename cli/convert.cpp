// coppice convert: a model from its binary form to text or back.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command.h"
#include "coppice/error.h"
#include "coppice/model.h"
#include "json_output.h"
#include "model/info_json.h"
#include "model_files.h"
#include "terminal.h"

namespace coppice {
namespace {

class ConvertCommand final : public Command {
 public:
  const char* name() const override { return "convert"; }
  const char* summary() const override { return "a model as text, or smaller, or back"; }
  const char* examples() const override {
    return "  coppice convert letter.coppice letter.json\n"
           "  coppice convert letter.json letter.coppice\n"
           "  coppice convert letter.coppice small.coppice --payload byte --compress\n";
  }

  void declare(CLI::App& app) override {
    app.add_option("MODEL", from_, "what train wrote")->type_name("")->required();
    app.add_option("OUT", to_, "text if the name ends in .json, else binary")
        ->type_name("")
        ->required();
    app.add_option("--payload", precision_,
                   "what leaves hold, in 4, 2 or 1 bytes per number; default: as it is")
        ->type_name("full|half|byte")
        ->group("Output");
    app.add_flag("--compress", compress_, "smaller on the disk, slower to load")->group("Output");
  }

  int run(const SharedArguments& shared) override {
    require_writable(to_);
    save(with_chosen_precision(load_model(from_)));
    if (shared.json) {
      print_json({{"model", from_}, {"output", to_}, {"output_bytes", file_bytes(to_)}});
    } else if (!shared.quiet) {
      print_text(fmt::format("{}, {}\n", to_, bytes_text(file_bytes(to_))));
    }
    return kSuccess;
  }

 private:
  Forest with_chosen_precision(Forest forest) const {
    if (precision_.empty()) return forest;
    const auto precision = precision_named(precision_);
    if (!precision)
      throw Error(ErrorKind::invalid_option,
                  fmt::format("--payload: '{}' is none of full, half and byte", precision_));
    return with_precision(forest, *precision);
  }
  void save(const Forest& forest) const {
    if (!compress_) return save_model(forest, to_);
    if (is_json_model(to_))
      throw Error(ErrorKind::invalid_option, "--compress is for the binary form, not for text");
    forest.save(to_, FileForm::compressed);
  }

  std::string from_, to_, precision_;
  bool compress_ = false;
};

}  // namespace

std::unique_ptr<Command> convert_command() { return std::make_unique<ConvertCommand>(); }

}  // namespace coppice
