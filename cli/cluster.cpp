// coppice cluster: rows that share leaves, as clusters.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command.h"
#include "coppice/coppice.h"
#include "coppice/embedding.h"
#include "csv_writer.h"
#include "data_arguments.h"
#include "model_files.h"
#include "signal_stop.h"
#include "spectrum_arguments.h"
#include "terminal.h"

namespace coppice {
namespace {

class ClusterCommand final : public Command {
 public:
  const char* name() const override { return "cluster"; }
  const char* summary() const override { return "clusters of rows that share leaves"; }
  const char* examples() const override {
    return "  coppice generate rings --rows 1000 --noise 0.03 -o rings.csv\n"
           "  coppice train rings.csv --task manifold --ignore label -o rings.coppice\n"
           "  coppice cluster rings.coppice rings.csv --clusters 2 -o clusters.csv\n"
           "  coppice cluster iris.coppice iris.csv --json\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  ClusterOptions options() const;
  Clustering clustered(const Forest&, const ModelRows&, const SharedArguments&) const;

  std::string model_, output_;
  std::size_t clusters_ = 0, starts_ = ClusterOptions{}.starts;
  std::uint64_t seed_ = 1;
  DataArguments data_;
  SpectrumArguments arguments_;
};

void ClusterCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train wrote: a forest of any task")
      ->type_name("")
      ->required();
  declare_model_data(app, data_);
  app.add_option("--output,-o", output_,
                 "the cluster of every row, from 1, as .csv or .npy; default: standard output")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--clusters,-k", clusters_,
                 "how many (where the gap between two eigenvalues is largest, 12 at most)")
      ->type_name("N")
      ->check(CLI::Range(2, 200).description(""))
      ->group("Clusters");
  app.add_option("--starts", starts_, "of k-means; the best counts (20)")
      ->type_name("N")
      ->check(CLI::Range(1, 10000).description(""))
      ->group("Clusters");
  app.add_option("--seed", seed_, "of k-means (1)")->type_name("N")->group("Clusters");
  declare_spectrum(app, arguments_);
}

ClusterOptions ClusterCommand::options() const {
  return {.clusters = clusters_,
          .seed = seed_,
          .starts = starts_,
          .spectrum = spectrum_options(arguments_)};
}

Clustering ClusterCommand::clustered(const Forest& forest, const ModelRows& rows,
                                     const SharedArguments& shared) const {
  RunContext context = spectrum_context(arguments_, shared);
  ProgressBar bar("percent", shared.talkative());
  context.progress = [&](const Progress& progress) { bar.update(progress.done, progress.total); };
  return cluster(forest, rows.data.view(), options(), context);
}

void write(const Clustering& found, TableWriter& writer) {
  writer.header(std::vector<std::string>{"cluster"});
  for (const std::uint32_t number : found.cluster) {
    const Cell cells[] = {std::uint64_t{number} + 1};
    writer.row(cells);
  }
  writer.finish();
}

std::string sizes_text(const Clustering& found) {
  TextTable table("rr");
  table.add({"cluster", "rows"});
  for (std::size_t n = 0; n < found.sizes.size(); ++n)
    table.add({std::to_string(n + 1), count_text(found.sizes[n])});
  return table.text();
}

int ClusterCommand::run(const SharedArguments& shared) {
  if (!output_.empty()) require_writable(output_);
  (void)options();
  watch_signals();
  const Forest forest = load_model(model_);
  const ModelRows rows = read_for_model(data_, forest.info().schema, TargetUse::none);
  if (!shared.quiet) warn_of_unseen(rows);
  const Clustering found = clustered(forest, rows, shared);
  Json table;
  const auto writer = table_writer(output_, rows.data.rows, shared.json ? &table : nullptr);
  write(found, *writer);
  if (shared.json) {
    Json json{{"rows", found.cluster.size()},
              {"clusters", found.sizes.size()},
              {"sizes", found.sizes},
              {"spread", found.spread}};
    json.update(profile_json(found.profile));
    if (output_.empty()) json["table"] = std::move(table);
    if (!output_.empty()) json["output"] = output_;
    print_json(json);
  } else if (!output_.empty() && !shared.quiet) {
    print_text(fmt::format("{}: {} in {}\n{}{}", output_,
                           plural(found.cluster.size(), "row", "rows"),
                           plural(found.sizes.size(), "cluster", "clusters"), sizes_text(found),
                           profile_text(found.profile)));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> cluster_command() { return std::make_unique<ClusterCommand>(); }

}  // namespace coppice
