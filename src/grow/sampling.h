// Which rows a tree is trained on, and how often it drew each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "coppice/options.h"
#include "data/coded_columns.h"

namespace coppice {

struct Bag {
  std::vector<SampleId> inside, outside;  // rows, ascending; together all of them
  LargeVector<std::uint16_t> draws;       // by row; 0 for the rows outside
};

// Samples that a tree draws from `eligible` rows: at least 1.
std::size_t samples_drawn(const SamplingOptions&, std::size_t eligible);

// Rows of zero weight are never drawn. REQUIRES: a row of positive weight.
//
// With classes, every class that occurs is drawn equally often: as often as bagging would draw the
// rows of the smallest one, so that each class has rows outside (Criminisi et al. 2012, section
// 3.2; Chen, Liaw, Breiman 2004).
Bag draw_bag(std::span<const std::uint32_t> weights, const SamplingOptions&, RandomStream,
             std::span<const std::uint32_t> classes = {});

// With replacement; a row's chance is in proportion to its weight.
Bag draw_bag_by_weight(std::span<const std::uint32_t> weights, const SamplingOptions&,
                       RandomStream);

}  // namespace coppice
