// How the trees of a forest learn from each other: not at all, level by level, or tree by tree.
// doc/methods.md has the formulas.
#pragma once

#include <optional>
#include <variant>

namespace coppice {

// Losses l(m) of the margin m = p(true class) - p(most probable other class).
enum class MarginLoss {
  logit,        // log(1 + e^-m)
  hinge,        // max(0, 1 - m)
  exponential,  // e^-m
  savage,       // 1 / (1 + e^2m)^2
  tangent,      // (4 / pi atan(m) - 1)^2
};

// Losses of the residual r = y - prediction.
enum class ResidualLoss {
  squared,   // r^2 / 2
  absolute,  // |r|
  huber,     // r^2 / 2 up to a residual of delta, linear beyond
};

// Classification looks at the margin, regression at the residual.
struct StageLoss {
  MarginLoss margin = MarginLoss::tangent;
  double margin_scale = 3;  // margins are multiplied by this, to use more of the loss
  ResidualLoss residual = ResidualLoss::squared;
  double huber_delta = 0.4;  // in standard deviations of the target
};

// Every tree by itself.
struct PlainForest {};

// All trees grow a level, then the forest is asked about all rows and the next level learns from
// its mistakes: from re-weighted rows (classification, ADF) or from residuals (regression, ARF).
struct AlternatingForest {
  StageLoss loss;
  double shrinkage = 1;  // share of the new weights, or of a level's correction
};

// One tree after the other: re-weighted rows (classification) or residuals (regression).
struct BoostedTrees {
  StageLoss loss;
  // Share of the new weights, or of a tree's correction; none: 1, for regression 0.1.
  std::optional<double> shrinkage;
};

// One tree after the other with Newton's steps for the multinomial logistic loss; a leaf holds a
// score per class. Classification only.
struct NewtonTrees {
  double shrinkage = 0.1;
  double ridge = 1;  // added to the second derivative of a leaf
};

// One tree after the other, each from a bootstrap that prefers the rows which earlier trees, asked
// out of their bags, got wrong. Classification only.
struct DynamicForest {};

// All trees grow a level that learns from the mistakes of the forest, then the leaves of all trees
// are refined together, and so on (IRRF, Grabner 2016, 3.3): regression adds to what they hold
// under the squared loss, classification to scores of classes under the logistic loss.
struct IntermediateRefinement {
  double shrinkage = 1;  // share of a level's own correction
  double cost = 0.01;    // C of coppice/refine.h; targets in standard deviations
};

using MethodChoice = std::variant<PlainForest, AlternatingForest, BoostedTrees, NewtonTrees,
                                  DynamicForest, IntermediateRefinement>;

struct FitOptions;

// Sets the method and the options that usually go with it: what bagging and how deep.
void choose_method(FitOptions&, const MethodChoice&);

}  // namespace coppice
