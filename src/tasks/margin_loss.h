// Classification in stages: rows of which the forest is not sure weigh more in the splits of the
// next stage (Grabner 2016, section 2.4.3; equations 2.11 and 2.12).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coppice/method.h"
#include "grow/forest_trainer.h"
#include "tasks/working_weights.h"

namespace coppice {

// l(m) and |l'(m)|; m has been scaled.
struct LossAt {
  double value, weight;
};
LossAt margin_loss(MarginLoss, double margin);

// p(label) - max of the others, which count as 0 if there are none (equation 2.12).
// Of floats or doubles.
template <class Number>
double margin_of(std::span<const Number> scores, std::uint32_t label);

class MarginReweighting final : public Loss {
 public:
  struct Rule {
    MarginLoss loss = MarginLoss::tangent;
    double margin_scale = 3;
    double shrinkage = 1;
    std::vector<double> prior;  // per class: added to the votes
  };
  // Borrows labels and weights.
  MarginReweighting(std::span<const std::uint32_t> labels, Rule, WorkingWeights&);

  // w <- s |l'(m)| / mean |l'(m)| + (1 - s) w, times the row's given weight.
  double retarget(const Votes&, std::size_t workers) override;

 private:
  // Of the rows [first, last).
  std::vector<double> margins_of(const Votes&, std::size_t first, std::size_t last) const;
  LossAt loss_of(double margin) const;
  void blend(std::vector<double>&& fresh);

  std::span<const std::uint32_t> labels_;
  Rule rule_;
  WorkingWeights& weights_;
  std::vector<double> current_;
};

// Dynamic random forests (Bernard, Adam, Heutte 2012): w = 1 - c, where c is the share of the trees
// which, asked out of their bags, vote for the row's class. The mean of c counts as a further vote,
// so that a row which has never been out of a bag is like any other.
class OutOfBagReweighting final : public Loss {
 public:
  OutOfBagReweighting(std::span<const std::uint32_t> labels, WorkingWeights& weights)
      : labels_(labels), weights_(weights) {}

  // Returns the mean of 1 - c.
  double retarget(const Votes&, std::size_t workers) override;

 private:
  std::span<const std::uint32_t> labels_;
  WorkingWeights& weights_;
};

}  // namespace coppice
