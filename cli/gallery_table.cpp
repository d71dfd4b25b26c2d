// See gallery_table.h.
#include "gallery_table.h"

#include <sstream>
#include <utility>

#include "tasks/option_table.h"

namespace coppice {

std::vector<GalleryFigure> gallery_figures() {
  std::vector<GalleryFigure> figures = classification_figures();
  for (auto more : {regression_figures, density_figures, manifold_figures, few_label_figures})
    for (GalleryFigure& figure : more()) figures.push_back(std::move(figure));
  return figures;
}

std::vector<std::pair<std::string, std::string>> settings_of(const GalleryPanel& panel) {
  std::vector<std::pair<std::string, std::string>> settings;
  std::istringstream words(panel.settings);
  for (std::string name, value; words >> name >> value;)
    settings.emplace_back(name.substr(name.find_first_not_of('-')), value);
  return settings;
}

FitOptions fit_options(const GalleryPanel& panel, const Schema& schema) {
  auto settings = settings_of(panel);
  settings.insert(settings.begin(),
                  {"task", schema.classes.empty() ? "regression" : "classification"});
  FitOptions options;
  set_options(options, settings);
  return options;
}

}  // namespace coppice
