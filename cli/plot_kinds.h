// The kinds of pictures that `coppice plot --what` knows, what each needs, and how it is made.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coppice/options.h"
#include "coppice/predict.h"
#include "draw/drawing.h"

namespace coppice {

struct PlotRequest {
  const Predictor* predictor = nullptr;
  const Dataset* rows = nullptr;  // conformed to the model; null without DATA
  std::string model_name;
  std::size_t tree = 0;              // from 1; 0: not said
  std::size_t row = 0;               // from 1; 0: none
  std::size_t depth = 3;             // of a drawn tree
  std::string importance;            // empty: the best that there is
  std::string target;                // empty: the first one
  std::optional<double> second;      // of a section
  const Dataset* colours = nullptr;  // embedding: the rows with the column that colours them
  double margin = 0.08;              // of the ranges of the rows, drawn around them
  bool boundary = false, bare = false;
  RunContext context = {};

  const Forest& forest() const { return predictor->forest(); }
};

enum class RowsNeeded { no, helpful, needed, with_truth };

struct PlotKind {
  const char* name;
  const char* summary;
  RowsNeeded rows;
  // Why the forest cannot be drawn so; empty if it can.
  std::function<std::string(const Forest&)> refusal;
  // Throws Error(invalid_option) for parts of the request that do not fit the forest.
  std::function<Drawing(const PlotRequest&)> draw;
};

const std::vector<PlotKind>& plot_kinds();

// What a reader most likely wants to see of the forest.
const PlotKind& default_plot_kind(const Forest&, bool has_rows);
// Throws Error(invalid_option) with a suggestion.
const PlotKind& find_plot_kind(const std::string& name);

}  // namespace coppice
