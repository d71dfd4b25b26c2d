// Weak learners that look at the node before they propose: directions of largest scatter (principal
// components), or those that tell the targets apart best (canonical correlations of features and
// targets; Rainforth and Wood 2015; for classes these are Fisher's discriminants).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coppice/dataset.h"
#include "split/term_source.h"
#include "split/weak_learner.h"

namespace coppice {

enum class Directions { principal, canonical };

class DirectionLearner final : public WeakLearner {
 public:
  // `features` are drawn at a time; all directions that they give are proposed before the next
  // draw. Borrows the data.
  DirectionLearner(TermSource source, const CodedColumns&, const FeatureScales&,
                   const DatasetView& targets, Directions, std::size_t features,
                   std::size_t candidates);

  std::size_t candidates() const override { return candidates_; }
  std::vector<std::uint32_t> features() const override { return source_.features(); }
  bool projects() const override { return true; }
  void begin(std::span<const SampleId> rows, RandomStream random) override;
  bool propose(Projection&) override;

 private:
  void draw_directions();
  void load(RandomStream&);
  void sum_scatter();
  void sum_explained();
  void sum_class_means();
  void sum_correlations();
  void find_principal();
  void find_canonical();
  double target(std::size_t row, std::size_t output) const;

  TermSource source_;
  const CodedColumns& columns_;
  const FeatureScales& scales_;
  const DatasetView& data_;
  Directions directions_;
  std::size_t per_draw_, candidates_;

  std::span<const SampleId> rows_;
  RandomStream node_{0};
  std::uint64_t draws_ = 0;

  Projection frame_;                        // terms of the features at hand, coefficient 1 / spread
  std::vector<SampleId> sample_;            // rows that the directions are found on
  std::vector<double> values_;              // sample x features, centred on their mean
  std::vector<double> scatter_;             // features x features
  std::vector<double> explained_;           // the part of the scatter that the targets explain
  std::vector<std::vector<double>> found_;  // coefficients of the frame's terms
  std::size_t proposed_ = 0;
};

}  // namespace coppice
