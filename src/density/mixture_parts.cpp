#include "density/mixture_parts.h"

#include <algorithm>

#include "base/random_stream.h"
#include "density/log_sum.h"

namespace coppice {
namespace {

bool meets(const TreeCells& cells, std::size_t node, const KnownFeatures& features) {
  return std::all_of(features.known.begin(), features.known.end(), [&](std::uint32_t f) {
    return cells.interval(node, f).contains(double{features.row[f]});
  });
}

}  // namespace

std::vector<MixturePart> MixtureParts::parts_without_mass() const {
  const double log_trees = portable_log(static_cast<double>(leaves_.trees()));
  std::vector<MixturePart> parts;
  for (std::uint32_t t = 0; t < leaves_.trees(); ++t)
    for (std::uint32_t l = 0; l < leaves_.leaves(t); ++l) {
      if (!meets(leaves_.cells(t), leaves_.node(t, l), features_)) continue;
      const std::span<const float> payload = leaves_.payload(t, l);
      MixturePart part{t, l, 0, given(leaves_.layout(), payload, features_), 0};
      part.log_weight =
          double{payload[leaves_.layout().log_weight()]} + part.gaussian.log_known - log_trees;
      parts.push_back(std::move(part));
    }
  return parts;
}

double MixtureParts::mass_of(const MixturePart& part) const {
  constexpr LatticeRule kRule{.most_points = 256, .error = 2e-3};
  if (features_.known.empty())
    return portable_exp(double{leaves_.payload(part.tree, part.leaf)[leaves_.layout().log_mass()]});
  return mass_in_cell(cells(part), node(part), part.partial(features_), part.seed(), kRule).value;
}

MixtureParts::MixtureParts(const LeafCells& leaves, std::span<const float> row)
    : leaves_(leaves), features_(row) {
  std::vector<MixturePart> possible = parts_without_mass();
  // The heaviest first, so that masses of those that do not matter are not worked out.
  std::stable_sort(possible.begin(), possible.end(),
                   [](const auto& a, const auto& b) { return a.log_weight > b.log_weight; });
  constexpr double kLeastWeight = 1e-9;
  const double least = portable_log(kLeastWeight);
  double largest = -std::numeric_limits<double>::infinity();
  for (MixturePart& part : possible) {
    if (part.log_weight < largest + least) break;
    const double mass = mass_of(part);
    if (!(mass > 0)) continue;
    part.log_mass = portable_log(mass);
    part.log_weight += part.log_mass;
    largest = std::max(largest, part.log_weight);
    parts_.push_back(std::move(part));
  }
  LogSum sum;
  for (const MixturePart& part : parts_) sum.add(part.log_weight);
  log_known_ = sum.log();
}

}  // namespace coppice
