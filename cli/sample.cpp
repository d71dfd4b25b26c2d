// coppice sample: rows drawn from a density.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command.h"
#include "coppice/density.h"
#include "csv_writer.h"
#include "drawn_rows.h"
#include "model_files.h"
#include "terminal.h"

namespace coppice {
namespace {

class SampleCommand final : public Command {
 public:
  const char* name() const override { return "sample"; }
  const char* summary() const override { return "draw rows from a density"; }
  const char* examples() const override {
    return "  coppice train galaxies.csv --task density -o galaxies.coppice\n"
           "  coppice sample galaxies.coppice --rows 1000 -o drawn.csv\n"
           "  coppice sample galaxies.coppice --rows 10 --seed 7\n";
  }
  void declare(CLI::App& app) override {
    app.add_option("MODEL", model_, "what train --task density wrote")->type_name("")->required();
    app.add_option("--rows,-n", rows_, "rows to draw (1000)")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000'000).description(""))
        ->group("Output");
    app.add_option("--seed", seed_, "the same seed draws the same rows (1)")
        ->type_name("N")
        ->group("Output");
    app.add_option("--output,-o", output_, "a .csv or .npy file; default: standard output as CSV")
        ->type_name("FILE")
        ->group("Output");
  }
  int run(const SharedArguments& shared) override {
    if (!output_.empty()) require_writable(output_);
    const Forest forest = load_model(model_);
    const Stopwatch watch;
    const std::vector<float> drawn = DensityModel(forest).sample(rows_, seed_, shared.context());
    Json table;
    const auto writer = table_writer(output_, rows_, shared.json ? &table : nullptr);
    write_rows(forest.info().schema, drawn, *writer);
    if (shared.json) {
      Json json{{"rows", rows_}, {"seconds", watch.seconds()}};
      if (output_.empty()) json["sample"] = std::move(table);
      if (!output_.empty()) json["output"] = output_;
      print_json(json);
    } else if (!output_.empty() && !shared.quiet) {
      print_text(fmt::format("{} drawn in {}: {}\n", plural(rows_, "row", "rows"),
                             seconds_text(watch.seconds()), output_));
    }
    return kSuccess;
  }

 private:
  std::string model_, output_;
  std::size_t rows_ = 1000;
  std::uint64_t seed_ = 1;
};

}  // namespace

std::unique_ptr<Command> sample_command() { return std::make_unique<SampleCommand>(); }

}  // namespace coppice
