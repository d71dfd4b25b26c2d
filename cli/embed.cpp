// coppice embed: coordinates of rows on the manifold that a forest finds in them.
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

class EmbedCommand final : public Command {
 public:
  const char* name() const override { return "embed"; }
  const char* summary() const override { return "coordinates in few dimensions (manifold)"; }
  const char* examples() const override {
    return "  coppice generate swiss-roll --rows 2000 --noise 0 -o roll.csv\n"
           "  coppice train roll.csv --task manifold --ignore y -o roll.coppice\n"
           "  coppice embed roll.coppice roll.csv --dimensions 2 -o flat.csv\n"
           "  coppice embed roll.coppice roll.csv -o flat.csv --save-mapping map.coppice\n"
           "  coppice predict map.coppice new.csv -o new_flat.csv\n"
           "  coppice plot map.coppice --what eigenvalues -o profile.svg\n"
           "  coppice embed letter.coppice letter.csv --proximity near.csv --neighbours 15\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  void check() const;
  Embedding embedded(const Forest&, const ModelRows&, const SharedArguments&) const;
  void write_coordinates(const Embedding&, TableWriter&) const;
  void write_neighbours(const Forest&, const ModelRows&, const RunContext&) const;

  std::string model_, output_, mapping_, proximity_;
  std::size_t dimensions_ = EmbeddingOptions{}.dimensions, neighbours_ = 10;
  DataArguments data_;
  SpectrumArguments arguments_;
};

void EmbedCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train wrote: a forest of any task")
      ->type_name("")
      ->required();
  declare_model_data(app, data_);
  app.add_option("--output,-o", output_, "coordinates as .csv or .npy; default: standard output")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--save-mapping", mapping_,
                 "a model that gives other rows their coordinates with predict")
      ->type_name("MAP")
      ->group("Output");
  app.add_option(
         "--proximity", proximity_,
         "of every row the nearest ones: share of trees with a common leaf, if any; .csv or .npy")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--neighbours,--neighbors", neighbours_, "of every row in --proximity (10)")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000).description(""))
      ->group("Output");
  app.add_option("--dimensions,-d", dimensions_, "of the coordinates (2)")
      ->type_name("N")
      ->check(CLI::Range(1, 200).description(""))
      ->group("Affinity");
  declare_spectrum(app, arguments_);
}

void EmbedCommand::check() const {
  for (const std::string& path : {output_, mapping_, proximity_})
    if (!path.empty()) require_writable(path);
  (void)spectrum_options(arguments_);
}

Embedding EmbedCommand::embedded(const Forest& forest, const ModelRows& rows,
                                 const SharedArguments& shared) const {
  RunContext context = spectrum_context(arguments_, shared);
  ProgressBar bar("percent", shared.talkative());
  context.progress = [&](const Progress& progress) { bar.update(progress.done, progress.total); };
  return embed(forest, rows.data.view(),
               {.dimensions = dimensions_, .spectrum = spectrum_options(arguments_)}, context);
}

void EmbedCommand::write_coordinates(const Embedding& embedding, TableWriter& writer) const {
  std::vector<std::string> names;
  for (std::size_t j = 1; j <= embedding.dimensions; ++j)
    names.push_back(fmt::format("embedding_{}", j));
  writer.header(names);
  std::vector<Cell> cells(embedding.dimensions);
  for (std::size_t row = 0; row < embedding.rows; ++row) {
    for (std::size_t j = 0; j < embedding.dimensions; ++j)
      cells[j] = embedding.coordinates[row * embedding.dimensions + j];
    writer.row(cells);
  }
  writer.finish();
}

void EmbedCommand::write_neighbours(const Forest& forest, const ModelRows& rows,
                                    const RunContext& context) const {
  const LeafIds ids = Predictor(forest).apply(rows.data.view(), context);
  const NeighbourGraph graph = nearest_neighbours(ids, neighbours_, context);
  const auto writer = table_writer(proximity_, graph.neighbours.size(), nullptr);
  writer->header(std::vector<std::string>{"row", "neighbour", "proximity"});
  for (std::size_t row = 0; row < rows.data.rows; ++row)
    for (std::size_t n = graph.first[row]; n < graph.first[row + 1]; ++n) {
      const Cell cells[] = {std::uint64_t{row + 1}, std::uint64_t{graph.neighbours[n].row + 1},
                            graph.neighbours[n].proximity};
      writer->row(cells);
    }
  writer->finish();
}

int EmbedCommand::run(const SharedArguments& shared) {
  check();
  watch_signals();
  const Forest forest = load_model(model_);
  const ModelRows rows = read_for_model(data_, forest.info().schema, TargetUse::none);
  if (!shared.quiet) warn_of_unseen(rows);
  const Embedding embedding = embedded(forest, rows, shared);
  Json table;
  const auto writer = table_writer(output_, rows.data.rows, shared.json ? &table : nullptr);
  write_coordinates(embedding, *writer);
  const RunContext context = shared.context();
  if (!mapping_.empty())
    save_model(embedding_forest(forest, rows.data.view(), embedding, context), mapping_);
  if (!proximity_.empty()) write_neighbours(forest, rows, context);
  if (shared.json) {
    Json json{{"rows", embedding.rows}, {"dimensions", embedding.dimensions}};
    json.update(profile_json(embedding.profile));
    if (output_.empty()) json["table"] = std::move(table);
    for (const auto& [name, path] : {std::pair("output", output_), std::pair("mapping", mapping_),
                                     std::pair("proximity", proximity_)})
      if (!path.empty()) json[name] = path;
    print_json(json);
  } else if (!output_.empty() && !shared.quiet) {
    print_text(fmt::format("{}: {} in {}\n{}", output_, plural(embedding.rows, "row", "rows"),
                           plural(embedding.dimensions, "dimension", "dimensions"),
                           profile_text(embedding.profile)));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> embed_command() { return std::make_unique<EmbedCommand>(); }

}  // namespace coppice
