// coppice gallery: the experiments of the papers' figures on one page.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/stopwatch.h"
#include "command.h"
#include "coppice/error.h"
#include "gallery_page.h"
#include "json_output.h"
#include "model_files.h"
#include "suggestion.h"
#include "terminal.h"

namespace coppice {
namespace {

namespace fs = std::filesystem;

class GalleryCommand final : public Command {
 public:
  const char* name() const override { return "gallery"; }
  const char* summary() const override { return "the papers' figures on one page"; }
  const char* examples() const override {
    return "  coppice gallery --out gallery\n"
           "  coppice gallery --out gallery --only criminisi-3.3,kim-trees\n"
           "  coppice gallery --list\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  std::vector<GalleryFigure> chosen() const;

  std::string folder_;
  std::vector<std::string> only_;
  bool list_ = false;
};

void GalleryCommand::declare(CLI::App& app) {
  app.add_option("--out,-o", folder_,
                 "folder for index.html and a picture per figure; made if "
                 "it does not exist")
      ->type_name("FOLDER")
      ->group("Output");
  app.add_option("--only", only_, "these figures; default: all")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("Output");
  app.add_flag("--list", list_, "name the figures and draw nothing")->group("Output");
}

std::vector<GalleryFigure> GalleryCommand::chosen() const {
  const std::vector<GalleryFigure> all = gallery_figures();
  if (only_.empty()) return all;
  std::vector<GalleryFigure> figures;
  std::vector<std::string> names;
  for (const GalleryFigure& figure : all) names.push_back(figure.name);
  for (const std::string& name : only_) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("--only: there is no figure '{}'{}", name, suggestion(name, names)));
    }
    figures.push_back(all[static_cast<std::size_t>(found - names.begin())]);
  }
  return figures;
}

void write_text(const fs::path& path, const std::string& text) {
  AtomicFile file(path.string());
  file.write(text);
  file.commit();
}

void require_folder(const std::string& folder) {
  if (folder.empty()) {
    throw Error(ErrorKind::invalid_option,
                "say where the page goes, as in: coppice gallery --out gallery");
  }
  std::error_code problem;
  fs::create_directory(folder, problem);
  if (problem || !fs::is_directory(folder)) {
    throw Error(ErrorKind::io, fmt::format("{}: this folder cannot be made: {}", folder,
                                           problem ? problem.message() : "a file is in the way"));
  }
  require_writable((fs::path(folder) / "index.html").string());
}

Json list_json(const std::vector<GalleryFigure>& figures) {
  Json list = Json::array();
  for (const GalleryFigure& figure : figures) {
    list.push_back({{"name", figure.name},
                    {"source", figure.source},
                    {"heading", figure.heading},
                    {"commands", figure_commands(figure)}});
  }
  return list;
}

int GalleryCommand::run(const SharedArguments& shared) {
  const std::vector<GalleryFigure> figures = chosen();
  if (list_) {
    TextTable table("lll");
    for (const GalleryFigure& figure : figures) {
      table.add({figure.name, figure.heading, figure.source});
    }
    if (shared.json) {
      print_json({{"figures", list_json(figures)}});
    } else {
      print_text(table.text());
    }
    return kSuccess;
  }
  require_folder(folder_);
  const Stopwatch watch;
  std::vector<std::string> pictures;
  {
    ProgressBar bar("figures", shared.talkative());
    for (const GalleryFigure& figure : figures) {
      pictures.push_back(svg_text(figure_drawing(figure, shared.context())));
      write_text(fs::path(folder_) / (figure.name + ".svg"), pictures.back());
      bar.update(pictures.size(), figures.size());
    }
  }
  const fs::path page = (fs::path(folder_) / "index.html").lexically_normal();
  write_text(page, gallery_page(figures, pictures));
  if (shared.json) {
    print_json(
        {{"page", page.string()}, {"figures", list_json(figures)}, {"seconds", watch.seconds()}});
  } else if (!shared.quiet) {
    print_text(fmt::format("{}: {} in {}; open it in a browser\n", page.string(),
                           plural(figures.size(), "figure", "figures"),
                           seconds_text(watch.seconds())));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> gallery_command() { return std::make_unique<GalleryCommand>(); }

}  // namespace coppice
