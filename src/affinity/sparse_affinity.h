// Affinities that look at distances within leaves (Criminisi 2012, eq. 6.3 and 6.4): a sparse
// matrix with an entry for every two rows that share a leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "affinity/affinity_operator.h"
#include "affinity/leaf_members.h"
#include "coppice/dataset.h"
#include "coppice/model.h"

namespace coppice {

// Points whose squared distance is D of eq. 6.2: one per row, or one per tree and row where the
// leaf decides the metric.
struct AffinityPoints {
  std::size_t rows = 0, width = 0;
  bool by_tree = false;
  std::vector<float> values = {};

  const float* of(std::size_t tree, std::size_t row) const {
    return values.data() + ((by_tree ? tree * rows : 0) + row) * width;
  }
};

// Numbers in standard deviations, missing ones at their mean; of a category, one coordinate per
// category, so that two different ones are a deviation apart.
AffinityPoints standard_points(const DatasetView&);

// The same over `length`; 0 is replaced by the root mean squared distance of rows that share a
// leaf.
AffinityPoints gaussian_points(const DatasetView&, const LeafIncidence&, double& length);

struct AffinityLimits {
  std::size_t bytes = 0;  // that the matrix may take
  std::size_t workers = 1;
};

// x with the covariance of its leaf made the unit matrix; missing numbers at the leaf's mean.
// Leaves of a density know their covariance; of others it is that of the rows, leant on that of all
// rows. Throws Error(invalid_option) for categories, or if the points would be too large.
AffinityPoints mahalanobis_points(const Forest&, const DatasetView&, const LeafIds&,
                                  const LeafIncidence&, const LeafMembers&, const AffinityLimits&);

class SparseAffinity final : public AffinityOperator {
 public:
  // Throws Error(invalid_option) with both sizes if the matrix would be too large.
  SparseAffinity(const LeafIncidence&, const LeafMembers&, const AffinityPoints&,
                 const AffinityLimits&);

  std::size_t size() const override { return degrees_.size(); }
  // D^-1/2 W D^-1/2 x.
  void apply(const Panel& x, Panel& y, std::size_t workers) const override;

  const std::vector<double>& degrees() const { return degrees_; }
  std::size_t entries() const { return columns_.size(); }

 private:
  void count_entries(const LeafIncidence&, const LeafMembers&, std::size_t workers);
  void fill(const LeafIncidence&, const LeafMembers&, const AffinityPoints&, std::size_t workers);
  void normalise();

  std::vector<std::size_t> first_;  // entries of a row begin here
  std::vector<std::uint32_t> columns_;
  std::vector<float> values_;
  std::vector<double> degrees_;
};

}  // namespace coppice
