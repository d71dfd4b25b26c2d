#include "split/histogram.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random_stream.h"
#include "objective/class_impurity.h"

namespace coppice {
namespace {

using Gini = ClassImpurity<GiniRule>;

struct Row {
  std::uint32_t label, draws;
  std::size_t bin;
};

std::vector<Row> some_rows(std::size_t rows, std::size_t classes, std::size_t bins) {
  std::vector<Row> made;
  const RandomStream random(11);
  RandomStream draw = random.child(rows + classes);
  for (std::size_t i = 0; i < rows; ++i)
    made.push_back({draw.below(static_cast<std::uint32_t>(classes)), 1 + draw.below(3),
                    draw.below(static_cast<std::uint32_t>(bins))});
  return made;
}

// Few bins are filled in turns, many are not; the second call meets what the first one has left.
TEST(Histogram, HoldsTheSumsAndSamplesOfEveryBin) {
  Histogram<Gini> histogram;
  for (const std::size_t classes : {2, 5})
    for (const std::size_t bins : {3, 51, 52, 200})
      for (const std::size_t rows : {1, 2, 3, 4, 5, 1000})
        for (const bool unit_weights : {false, true}) {
          const std::vector<Row> all = some_rows(rows, classes, bins);
          Gini objective{};
          objective.classes = classes;
          LoadedNode<Gini> node;
          node.load(objective, rows, [&](std::size_t i, auto& item, std::uint32_t& draws) {
            draws = unit_weights ? 1 : all[i].draws;
            item = {all[i].label, unit_weights ? 1 : 7 * draws};
          });
          histogram.fill(objective, node, unit_weights, bins,
                         [&](std::size_t i) { return all[i].bin; });
          std::vector<std::uint32_t> sums(bins * classes, 0), samples(bins, 0);
          for (std::size_t i = 0; i < rows; ++i) {
            sums[all[i].bin * classes + all[i].label] += node.items[i].weight;
            samples[all[i].bin] += node.draws[i];
          }
          for (std::size_t bin = 0; bin < bins; ++bin) {
            const auto* const found = histogram.bin(bin);
            for (std::size_t k = 0; k < classes; ++k)
              ASSERT_EQ(found[k], sums[bin * classes + k]) << bins << ' ' << rows << ' ' << bin;
            ASSERT_TRUE(unit_weights || histogram.samples[bin] == samples[bin]);
          }
        }
}

}  // namespace
}  // namespace coppice
