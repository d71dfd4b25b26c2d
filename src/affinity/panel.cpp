#include "affinity/panel.h"

#include <algorithm>

#include "base/row_sums.h"

namespace coppice {
namespace {

// out += scale * row, lane by lane.
inline void add_scaled(double* out, const double* row, double scale) {
  for (std::size_t j = 0; j < kPanelWidth; ++j) out[j] += scale * row[j];
}

}  // namespace

LaneMatrix product(const Panel& a, const Panel& b, std::size_t workers) {
  const std::vector<double> sums =
      sum_rows(a.rows, kPanelWidth * kPanelWidth, workers, [&](std::size_t row, double* sum) {
        for (std::size_t i = 0; i < kPanelWidth; ++i)
          add_scaled(sum + i * kPanelWidth, b.row(row), a.row(row)[i]);
      });
  LaneMatrix result{};
  std::copy(sums.begin(), sums.end(), result.begin());
  return result;
}

void subtract(Panel& w, const Panel& v, const LaneMatrix& c, std::size_t workers) {
  for_each_chunk(w.rows, workers, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
      for (std::size_t i = 0; i < kPanelWidth; ++i)
        add_scaled(w.row(row), c.data() + i * kPanelWidth, -v.row(row)[i]);
  });
}

Panel combined(const std::vector<Panel>& panels, const std::vector<double>& factors,
               std::size_t workers) {
  Panel result(panels.front().rows);
  for_each_chunk(result.rows, workers, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t p = 0; p < panels.size(); ++p)
      for (std::size_t row = first; row < last; ++row)
        for (std::size_t i = 0; i < kPanelWidth; ++i)
          add_scaled(result.row(row), factors.data() + (p * kPanelWidth + i) * kPanelWidth,
                     panels[p].row(row)[i]);
  });
  return result;
}

}  // namespace coppice
