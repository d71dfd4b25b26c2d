// A density given some features as a mixture of truncated Gaussians of the others: a part for every
// leaf whose cell the known features do not contradict.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random_stream.h"
#include "density/leaf_cells.h"
#include "density/partial.h"

namespace coppice {

struct MixturePart {
  std::uint32_t tree = 0, leaf = 0;
  double log_weight = 0;  // of the known features together with the mass of the others
  GivenGaussian gaussian;
  double log_mass = 0;  // of the others in the cell

  // Of draws and lattices of this part.
  std::uint64_t seed() const { return RandomStream(tree).child(leaf).next(); }

  PartialGaussian partial(const KnownFeatures& features) const {
    return {features.unknown, gaussian.mean, gaussian.covariance, features.row};
  }
};

class MixtureParts {
 public:
  // Parts that weigh less than a share of 1e-9 of the heaviest are left out.
  MixtureParts(const LeafCells&, std::span<const float> row);

  const KnownFeatures& features() const { return features_; }
  // The heaviest first, before their masses count.
  const std::vector<MixturePart>& parts() const { return parts_; }
  const LeafCells& leaves() const { return leaves_; }
  const TreeCells& cells(const MixturePart& part) const { return leaves_.cells(part.tree); }
  std::size_t node(const MixturePart& part) const { return leaves_.node(part.tree, part.leaf); }
  // Of the known features; -infinity if there are no parts.
  double log_known() const { return log_known_; }

 private:
  std::vector<MixturePart> parts_without_mass() const;
  double mass_of(const MixturePart&) const;

  const LeafCells& leaves_;
  KnownFeatures features_;
  std::vector<MixturePart> parts_;
  double log_known_;
};

}  // namespace coppice
