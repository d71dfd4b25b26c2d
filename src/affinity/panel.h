// Eight long vectors side by side: a row is a cache line, so that an entry of an index serves eight
// products. All sums run in a fixed order.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace coppice {

constexpr std::size_t kPanelWidth = 8;

// rows x kPanelWidth.
struct Panel {
  std::size_t rows = 0;
  std::vector<double> values = {};

  Panel() = default;
  explicit Panel(std::size_t row_count) : rows(row_count), values(row_count * kPanelWidth) {}

  double* row(std::size_t number) { return values.data() + number * kPanelWidth; }
  const double* row(std::size_t number) const { return values.data() + number * kPanelWidth; }
};

// Entry (i, j) at [i * kPanelWidth + j].
using LaneMatrix = std::array<double, kPanelWidth * kPanelWidth>;

// a' b.
LaneMatrix product(const Panel& a, const Panel& b, std::size_t workers);

// w -= v c.
void subtract(Panel& w, const Panel& v, const LaneMatrix& c, std::size_t workers);

// sum over p of panels[p] times rows [p * kPanelWidth, (p + 1) * kPanelWidth) of `factors`, which
// has kPanelWidth columns.
Panel combined(const std::vector<Panel>& panels, const std::vector<double>& factors,
               std::size_t workers);

}  // namespace coppice
