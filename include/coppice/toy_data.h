// Generated data whose truth is known: for demonstrations, tests and benchmarks. The same on every
// machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "coppice/dataset.h"

namespace coppice {

enum class ToyShape {
  blobs,
  spirals,
  moons,
  rings,    // classification
  corners,  // blobs turned by an eighth of a circle: any axis-aligned line tells two of them apart
  bars,     // two bars with a gap between them
  pairs,    // blobs of which two and two are close
  arms,     // spirals that keep away from the centre and from each other
  friedman1,
  friedman2,
  friedman3,
  two_piece_line,  // regression; the others on one feature
  line,
  parabola,
  parabola_and_line,
  three_pieces,
  sine_with_gap,
  sideways_s,  // several y for one x
  s_curve,
  swiss_roll,  // position on a curved sheet
  fir_tree,    // a roll whose inner turns are pulled up
};

struct ToyOptions {
  ToyShape shape = ToyShape::blobs;
  std::size_t rows = 1000;
  std::uint32_t classes = 2;         // blobs, spirals, rings, corners, pairs, arms
  std::uint32_t noise_features = 0;  // extra columns of pure noise
  // Standard deviation: of points, as a share of the radius of the shape; of Friedman targets, in
  // units of 5, 375 and 0.3 (about the deviation of the target); of curves on one feature, as it
  // is.
  double noise = 0.1;
  std::uint64_t seed = 1;
  std::size_t labels = 0;  // only the first so many rows keep their class or target; 0: all
};

Dataset generate(const ToyOptions&);

}  // namespace coppice
