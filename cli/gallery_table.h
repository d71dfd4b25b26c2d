// The experiments of the gallery: what is generated, trained and drawn for every figure. A figure
// is a row of gallery_figures(), a panel one line of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coppice/options.h"
#include "coppice/toy_data.h"

namespace coppice {

enum class PanelView {
  rows,
  posterior,
  boundary,
  entropy,
  cells,
  section,
  density,
  joint,  // of a density forest, which has the target among its features
  draws,
  slice,
  labels,
  mapped,  // of a manifold forest: rows, coloured by their first coordinate
  embedding,
  eigenvalues
};

struct GalleryPanel {
  std::string title;
  PanelView view = PanelView::rows;
  ToyOptions data;
  // Options of `coppice train` as they are written there: "--trees 400 --max-depth 4".
  std::string settings = {};
  std::size_t tree = 0;                   // cells, labels: from 1
  std::optional<double> max_margin = {};  // section: the middle of the gap
  std::optional<double> at = {};          // slice: the first feature; the middle if it is not given
};

struct GalleryFigure {
  std::string name;      // of the file and the anchor: "criminisi-3.3"
  std::string source;    // "Criminisi, Shotton, Konukoglu 2012, figure 3.3"
  std::string heading;   // what the experiment is about
  std::string settings;  // those of the paper, and where these differ
  std::string look_for;  // what a reader should see
  std::size_t columns = 3;
  std::vector<GalleryPanel> panels;
};

// In the order of the page; each list is a file of its own.
std::vector<GalleryFigure> gallery_figures();
std::vector<GalleryFigure> classification_figures();
std::vector<GalleryFigure> regression_figures();
std::vector<GalleryFigure> density_figures();
std::vector<GalleryFigure> manifold_figures();
std::vector<GalleryFigure> few_label_figures();

// The settings by name, without dashes.
std::vector<std::pair<std::string, std::string>> settings_of(const GalleryPanel&);
// The settings as typed options for the data. Throws Error(invalid_option).
FitOptions fit_options(const GalleryPanel&, const Schema&);

}  // namespace coppice
