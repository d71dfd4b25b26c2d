#include "refine/refined_forest.h"

#include <algorithm>
#include <utility>

#include "infer/leaf_answer.h"
#include "model/forest_builder.h"
#include "model/tree_copy.h"
#include "refine/leaf_variances.h"
#include "refine/linear_leaves.h"

namespace coppice {
namespace {

class PayloadWriter {
 public:
  PayloadWriter(const Forest& forest, const Prepared& prepared, Refinement method,
                const OutputBlock& w, std::size_t workers)
      : arrays_(forest.arrays()),
        layout_(layout_of(forest)),
        scale_(prepared.scale),
        linear_(layout_.linear() ? static_cast<const LinearLeaves*>(prepared.rows.matrix.get())
                                 : nullptr),
        add_(method == Refinement::add),
        w_(w) {
    if (prepared.rows.labels.empty()) variances_ = leaf_variances(prepared.rows, w, workers);
  }

  std::size_t size() const { return layout_.size(); }

  // The payload of a leaf that is left; `old` is its number in the old forest.
  void append(std::size_t leaf, std::size_t old, std::vector<float>& payload) const {
    const auto held = arrays_.payload_of(old);
    std::vector<float> fresh(held.begin(), held.end());
    if (variances_.rows == 0) {
      for (std::size_t k = 0; k < w_.outputs; ++k) set(fresh[k], double{w_.row(leaf)[k]});
    } else {
      set_numbers(leaf, fresh);
    }
    payload.insert(payload.end(), fresh.begin(), fresh.end());
  }

 private:
  void set(float& value, double found) const {
    value = static_cast<float>(add_ ? double{value} + found : found);
  }

  // The mean of the trees is to be the sum of what they say.
  void set_numbers(std::size_t leaf, std::vector<float>& payload) const {
    const std::size_t first = linear_ ? linear_->first_unknown(leaf) : leaf;
    const std::size_t terms = linear_ ? linear_->first_unknown(leaf + 1) - first - 1 : 0;
    for (std::size_t k = 0; k < w_.outputs; ++k) {
      const double unit = static_cast<double>(arrays_.trees()) * scale_.deviation[k];
      set(payload[k], scale_.centre[k] + unit * double{w_.row(first)[k]});
      for (std::size_t n = 0; n < terms; ++n)
        set(payload[layout_.coefficients(k) + n], unit * double{w_.row(first + 1 + n)[k]});
      payload[w_.outputs + k] = static_cast<float>(double{variances_.row(leaf)[k]} *
                                                   scale_.deviation[k] * scale_.deviation[k]);
    }
  }

  const ForestArrays& arrays_;
  PayloadLayout layout_;
  const RefinementScale& scale_;
  const LinearLeaves* linear_;
  bool add_;
  const OutputBlock& w_;
  OutputBlock variances_;  // no rows: the leaves hold scores
};

ForestInfo refined_info(ForestInfo info) {
  if (predicts_classes(info.payload_kind)) {
    info.payload_kind = PayloadKind::class_scores;
    info.ensemble = Ensemble::sum;
  } else {
    info.ensemble = Ensemble::mean;
  }
  info.precision = PayloadPrecision::full;
  info.calibration.clear();
  info.facts.erase("oob_error");
  info.facts.erase("interval_coverage");
  return info;
}

}  // namespace

Forest refined_forest(const Forest& forest, const Cuts& cuts, const Prepared& prepared,
                      Refinement method, const OutputBlock& w, std::size_t workers) {
  const PayloadWriter writer(forest, prepared, method, w, workers);
  ForestBuilder builder(writer.size());
  std::size_t leaf = 0;
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
    CutTree copy = copy_tree(forest, tree, cuts.empty() ? std::vector<bool>{} : cuts[tree]);
    const std::size_t first = leaf, old = forest.arrays().first_leaf(tree);
    for (std::size_t n = 0; n < copy.new_leaf.size(); ++n)
      if (first + copy.new_leaf[n] == leaf) writer.append(leaf++, old + n, copy.tree.payload);
    builder.append(copy.tree);
  }
  const auto centres = forest.arrays().projections.centre;
  builder.set_centres({centres.begin(), centres.end()});
  return Forest(builder.finish(), refined_info(forest.info()));
}

}  // namespace coppice
