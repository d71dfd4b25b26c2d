// A few columns of numbers with a class per row, for tests.
#pragma once

#include <string>
#include <vector>

#include "coppice/dataset.h"

namespace coppice {

struct ClassTable {
  Schema schema;
  std::vector<std::vector<float>> columns;
  std::vector<std::uint32_t> labels;
  DatasetView view;

  ClassTable() = default;
  ClassTable(const ClassTable&) = delete;  // the view is of this one

  // Call when everything else is filled in.
  void make_view(std::uint32_t classes) {
    for (std::uint32_t c = 0; c < classes; ++c) schema.classes.push_back(std::to_string(c));
    for (std::size_t f = 0; f < columns.size(); ++f) {
      schema.features.push_back({.name = "f" + std::to_string(f)});
      view.columns.push_back(columns[f]);
    }
    view.rows = labels.size();
    view.schema = &schema;
    view.labels = labels;
  }
};

}  // namespace coppice
