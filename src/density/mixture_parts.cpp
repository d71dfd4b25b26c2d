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

MixtureParts::MixtureParts(const LeafCells& leaves, std::span<const float> row,
                           const PartsRule& rule)
    : leaves_(leaves), features_(row) {
  const PayloadLayout& layout = leaves.layout();
  const double log_trees = portable_log(static_cast<double>(leaves.trees()));
  double largest = -std::numeric_limits<double>::infinity();
  for (std::uint32_t t = 0; t < leaves.trees(); ++t)
    for (std::uint32_t l = 0; l < leaves.leaves(t); ++l) {
      if (!meets(leaves.cells(t), leaves.node(t, l), features_)) continue;
      const std::span<const float> payload = leaves.payload(t, l);
      MixturePart part{t, l, 0, given(layout, payload, features_)};
      part.log_weight = double{payload[layout.log_weight()]} + part.gaussian.log_known - log_trees;
      if (part.log_weight < largest + portable_log(rule.least_weight)) continue;
      const bool all_unknown = features_.known.empty();
      const double mass =
          all_unknown ? portable_exp(double{payload[layout.log_mass()]})
                      : mass_in_cell(leaves.cells(t), leaves.node(t, l), part.partial(features_),
                                     RandomStream(t).child(l).next(), rule.lattice)
                            .value;
      if (!(mass > 0)) continue;
      part.log_weight += portable_log(mass);
      largest = std::max(largest, part.log_weight);
      parts_.push_back(std::move(part));
    }
  LogSum sum;
  for (const MixturePart& part : parts_) sum.add(part.log_weight);
  log_known_ = sum.log();
}

}  // namespace coppice
