// Prediction: a forest compiled for traversal. Safe to share between threads; answers depend
// neither on the batch nor on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coppice/leaf_ids.h"
#include "coppice/model.h"
#include "coppice/options.h"

namespace coppice {

struct Predictions {
  std::size_t rows = 0;
  std::size_t outputs = 0;        // classes or targets
  std::vector<double> mean = {};  // row-major: probabilities of the classes, or means
  std::vector<double> variance =
      {};  // regression: variance of p(y|x), within leaves + between trees
  std::vector<std::uint32_t> labels =
      {};  // classification: the most probable class, ties to the lower
};

// What to ask of p(y|x), the mixture of what the trees say. Regression only.
struct DistributionQuery {
  std::vector<double> quantiles = {};  // levels above 0 and below 1
  std::optional<double> interval =
      {};  // share of targets that lie within; needs a calibrated model
  std::vector<double> density_at = {};  // values of the target
  bool mode = false;                    // the most probable value
};

// For each row and each target in turn; empty what was not asked for.
struct Distributions {
  std::vector<double> quantiles = {};  // one per level
  std::vector<double> lower = {}, upper = {};
  std::vector<double> density = {};  // one per value
  std::vector<double> mode = {};
};

class Predictor {
 public:
  // Keeps a reference: the forest must outlive the predictor.
  explicit Predictor(const Forest&);
  Predictor(Predictor&&) noexcept;
  ~Predictor();

  const Forest& forest() const;

  // REQUIRES: columns as the forest's schema has them (see conform()); else Error(invalid_data).
  Predictions predict(const DatasetView&, const RunContext& = {}) const;
  // Rows of features.size() floats one after the other; categories as codes, missing as NaN.
  Predictions predict_rows(std::span<const float> row_major, const RunContext& = {}) const;

  // Throws Error(invalid_option) if the forest predicts classes, a level makes no sense, or an
  // interval is asked of a forest that was trained without calibration. Takes four bytes per row
  // and tree.
  Distributions distributions(const DatasetView&, const DistributionQuery&,
                              const RunContext& = {}) const;

  // What every tree says by itself (means, probabilities or scores): rows x trees x outputs.
  std::vector<float> predict_per_tree(const DatasetView&, const RunContext& = {}) const;
  // The leaf of every row in every tree; no row counts as out of bag.
  LeafIds apply(const DatasetView&, const RunContext& = {}) const;

  // The path of one row through one tree: the splits (numbers within the tree), then the leaf.
  struct Path {
    std::vector<std::uint32_t> splits;
    std::vector<bool> went_left;
    std::uint32_t leaf = 0;
  };
  Path decision_path(std::span<const float> row, std::size_t tree) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace coppice
