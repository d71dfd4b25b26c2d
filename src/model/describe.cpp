// Splits in words.
#include "model/describe.h"

#include <fmt/format.h>

#include <cstdint>

#include "model/walk.h"

namespace coppice {

std::string split_sentence(const Forest& forest, std::size_t tree, std::size_t number) {
  const Split split = forest.arrays().split(tree, number);
  const Feature& feature = forest.info().schema.features[split.feature];
  const std::string missing = split.missing_left ? " or missing" : "";
  if (split.kind == Split::Kind::numeric) {
    return fmt::format("{} < {}{}", feature.name, split.threshold, missing);
  }
  std::string names;
  for (std::uint32_t category = 0; category < feature.categories.size(); ++category) {
    if (!contains(forest.arrays(), split, category)) continue;
    if (!names.empty()) names += ", ";
    names += feature.categories[category];
  }
  return fmt::format("{} in {{{}}}{}", feature.name, names, missing);
}

}  // namespace coppice
