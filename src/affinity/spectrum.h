// From a forest and rows to the first eigenvectors of their affinity.
#pragma once

#include <cstddef>
#include <vector>

#include "affinity/panel.h"
#include "coppice/embedding.h"

namespace coppice {

struct Spectrum {
  EigenvalueProfile profile = {};
  LeafAffinityChoice affinity = {};
  std::vector<double> degrees = {};
  std::vector<Panel> vectors =
      {};  // orthonormal, of the smallest eigenvalues of L, eight per panel

  double vector(std::size_t row, std::size_t n) const {
    return vectors[n / kPanelWidth].row(row)[n % kPanelWidth];
  }
};

// As many vectors as asked for. Throws as embed() does.
Spectrum find_spectrum(const Forest&, const DatasetView&, const SpectrumOptions&,
                       std::size_t vectors, const RunContext&);

// Fills in what follows from the values: pieces, growth and dimension.
void measure_growth(EigenvalueProfile&);

LeafIds leaf_ids_of(const Forest&, const DatasetView&, const RunContext&);

}  // namespace coppice
