// See gallery_table.h.
#include "gallery_table.h"

#include <sstream>
#include <utility>

#include "tasks/option_table.h"

namespace coppice {

std::vector<GalleryFigure> gallery_figures() {
  std::vector<GalleryFigure> figures = classification_figures();
  for (auto more : {regression_figures, density_figures, few_label_figures})
    for (GalleryFigure& figure : more()) figures.push_back(std::move(figure));
  return figures;
}

FitOptions fit_options(const GalleryPanel& panel, const Schema& schema) {
  std::vector<std::pair<std::string, std::string>> settings;
  settings.emplace_back("task", schema.classes.empty() ? "regression" : "classification");
  std::istringstream words(panel.settings);
  for (std::string name, value; words >> name >> value;) {
    settings.emplace_back(name.substr(name.find_first_not_of('-')), value);
  }
  FitOptions options;
  set_options(options, settings);
  return options;
}

}  // namespace coppice
