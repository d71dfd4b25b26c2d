// Features that lie in a grid, as the pixels of an image or, in one row, the steps of a series: the
// mean of one rectangle (Criminisi, Shotton, Konukoglu 2012, eq. 4.5) less that of another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "split/term_source.h"

namespace coppice {

// Feature y * width + x is at column x of row y.
struct FeatureGrid {
  std::uint32_t width, height;
};

class DrawBoxes {
 public:
  // Boxes have at most so many columns and rows. Features that are not usable take no part.
  DrawBoxes(FeatureGrid grid, std::uint32_t most_side, std::span<const std::uint32_t> usable);

  void operator()(TermSource&, RandomStream&, Projection&) const;

 private:
  struct Box {
    std::uint32_t left, top, columns, rows;

    bool has(std::uint32_t x, std::uint32_t y) const {
      return x - left < columns && y - top < rows;  // what lies before them wraps around
    }
    double share() const { return 1.0 / (double{1} * columns * rows); }  // of a feature in the mean
  };

  Box around(std::uint32_t feature, RandomStream&) const;
  // Adds share_of(x, y) of every usable feature of the box that has any.
  template <class ShareOf>
  void add(const Box&, ShareOf&&, TermSource&, RandomStream&, Projection&) const;

  FeatureGrid grid_;
  std::uint32_t most_columns_, most_rows_;
  std::vector<bool> usable_;  // by feature
};

}  // namespace coppice
