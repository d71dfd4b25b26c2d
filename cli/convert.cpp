// coppice convert: a model from its binary form to text or back.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>

#include "command.h"
#include "coppice/error.h"
#include "coppice/model.h"
#include "data_arguments.h"
#include "json_output.h"
#include "known_rows.h"
#include "model/info_json.h"
#include "model_files.h"
#include "rounding_loss.h"
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
           "  coppice convert letter.coppice small.coppice --payload byte --compress\n"
           "  coppice convert letter.coppice small.coppice --payload byte --data letter.test.csv\n";
  }

  void declare(CLI::App& app) override {
    app.add_option("MODEL", from_, "what train wrote")->type_name("")->required();
    app.add_option("--output,-o,OUT", to_,
                   "text if the name ends in .json, else binary; here or after -o")
        ->type_name("")
        ->group("Output")
        ->required();
    app.add_option("--payload", precision_,
                   "what leaves hold, in 4, 2 or 1 bytes per number; default: as it is")
        ->type_name("full|half|byte")
        ->group("Output");
    app.add_option("--data", data_.path,
                   "rows on which the error before and after is measured, with the target")
        ->type_name("DATA")
        ->group("Output");
    app.add_flag("--compress", compress_, "smaller on the disk, slower to load")->group("Output");
  }

  int run(const SharedArguments& shared) override {
    require_writable(to_);
    const Forest given = load_model(from_);
    const std::optional<Forest> rounded = with_chosen_precision(given);
    const Forest& made = rounded ? *rounded : given;
    const std::optional<RoundingLoss> loss = measured(given, made);
    save(made);
    if (shared.json) {
      Json json{{"model", from_}, {"output", to_}, {"output_bytes", file_bytes(to_)}};
      if (loss) json.update(rounding_json(*loss));
      print_json(json);
    } else if (!shared.quiet) {
      print_text(fmt::format("{}, {}\n", to_, bytes_text(file_bytes(to_))));
      if (loss) print_text(rounding_text(*loss, is_classifier(given)));
    }
    return kSuccess;
  }

 private:
  // What rounding costs; none without data.
  std::optional<RoundingLoss> measured(const Forest& given, const Forest& made) const {
    if (data_.path.empty()) return std::nullopt;
    const ModelRows rows = read_for_model(data_, given.info().schema, TargetUse::truth);
    return rounding_loss(given, made, rows_with_truth(rows.data, data_.path));
  }
  // None: as it is.
  std::optional<Forest> with_chosen_precision(const Forest& forest) const {
    if (precision_.empty()) return std::nullopt;
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
  DataArguments data_;
  bool compress_ = false;
};

}  // namespace

std::unique_ptr<Command> convert_command() { return std::make_unique<ConvertCommand>(); }

}  // namespace coppice
