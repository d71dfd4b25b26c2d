// See manifold_panel.h.
#include "manifold_panel.h"

#include "coppice/embedding.h"
#include "coppice/fit.h"
#include "draw/embedding_plot.h"
#include "tasks/option_table.h"

namespace coppice {
namespace {

// One column of numbers to colour rows by.
Dataset colours_of(std::vector<double> numbers) {
  Dataset colours;
  colours.schema.targets = {"position"};
  colours.rows = numbers.size();
  colours.targets = std::move(numbers);
  return colours;
}

// The first and the last feature of every row: a roll or an S as seen along its axis.
std::vector<double> seen_from_the_side(const Dataset& data) {
  std::vector<double> places;
  for (std::size_t row = 0; row < data.rows; ++row) {
    places.push_back(double{data.columns.front()[row]});
    places.push_back(double{data.columns.back()[row]});
  }
  return places;
}

}  // namespace

bool is_manifold(PanelView view) {
  return view == PanelView::mapped || view == PanelView::embedding ||
         view == PanelView::eigenvalues;
}

void draw_manifold_panel(const GalleryPanel& panel, Axes& axes, const RunContext& context) {
  const Dataset data = generate(panel.data);
  const Dataset directions = manifold_dataset(data.view(), context);
  FitOptions options = manifold_options(data.rows, data.columns.size());
  set_options(options, settings_of(panel));
  const Forest forest = fit(directions.view(), options, context).forest;
  const Embedding found = embed(forest, directions.view(), {}, context);
  if (panel.view == PanelView::eigenvalues)
    return draw_eigenvalues(found.profile.values, found.profile.intrinsic_dimension, axes);
  if (panel.view == PanelView::embedding) {
    const Dataset colours = colours_of(data.targets);
    return draw_embedding(
        {found.coordinates, found.dimensions, data.targets.empty() ? nullptr : &colours}, axes);
  }
  std::vector<double> first;
  for (std::size_t row = 0; row < found.rows; ++row)
    first.push_back(found.coordinates[row * found.dimensions]);
  const Dataset colours = colours_of(std::move(first));
  const std::vector<double> places = seen_from_the_side(data);
  draw_embedding({places, 2, &colours}, axes);
}

}  // namespace coppice
