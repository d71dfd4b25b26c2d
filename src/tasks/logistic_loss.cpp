#include "tasks/logistic_loss.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"

namespace coppice {
namespace {

// Rows that are certain, rightly or wrongly, have hardly any curvature; with this much they can
// still be heard and do not drown the others.
constexpr double kLeastCurvature = 0.01;

constexpr double kLeastProbability = 1e-30;

}  // namespace

LogisticTargets::LogisticTargets(std::span<const std::uint32_t> labels,
                                 std::span<const double> shares, Rule rule,
                                 const FixedPointWeights& weights, WorkingWeights& working)
    : labels_(labels),
      rule_(rule),
      weights_(weights),
      working_(working),
      probabilities_(labels.size() * shares.size()),
      pseudo_(std::vector<double>(labels.size() * (shares.size() == 2 ? 1 : shares.size())),
              shares.size() == 2 ? 1 : shares.size(), kMaxTotalWeight) {
  constexpr double kLeastShare = 1e-6;  // of classes that do not occur
  for (const double share : shares)
    first_.push_back(static_cast<float>(portable_log(std::max(share, kLeastShare))));
  for (std::size_t n = 0; n < probabilities_.size(); ++n)
    probabilities_[n] = static_cast<float>(shares[n % shares.size()]);
}

double LogisticTargets::retarget(const Votes& votes, std::size_t) {
  const std::size_t rows = labels_.size(), classes = first_.size();
  std::vector<double> scores(classes);
  double losses = 0, total = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < classes; ++k)
      scores[k] = double{first_[k]} + double{votes.sums[row * classes + k]};
    const double most = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (double& score : scores) sum += score = portable_exp(score - most);
    for (std::size_t k = 0; k < classes; ++k)
      probabilities_[row * classes + k] = static_cast<float>(scores[k] / sum);
    losses -=
        weights_.units[row] * portable_log(std::max(scores[labels_[row]] / sum, kLeastProbability));
    total += weights_.units[row];
  }
  working_.set(row_curvatures());
  // Units times what splits learn is the gradient, whatever rounding has done to the units.
  std::vector<double> pseudo(rows * outputs());
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t units = working_.units()[row];
    for (std::size_t k = 0; units > 0 && k < outputs(); ++k) {
      const double truth = labels_[row] == k ? 1 : 0;
      pseudo[row * outputs() + k] =
          working_.given(row) / units * (truth - double{probabilities_[row * classes + k]});
    }
  }
  pseudo_ = FixedPointTargets(pseudo, outputs(), kMaxTotalWeight);
  return losses / total;
}

std::vector<double> LogisticTargets::row_curvatures() const {
  const std::size_t classes = first_.size();
  std::vector<double> curvatures(labels_.size());
  for (std::size_t row = 0; row < curvatures.size(); ++row) {
    double squares = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double p = probabilities_[row * classes + k];
      squares += p * p;
    }
    curvatures[row] = std::max(1 - squares, kLeastCurvature);
  }
  return curvatures;
}

std::unique_ptr<LeafModel> LogisticTargets::leaf_model() const {
  return std::make_unique<NewtonLeaf>(labels_, probabilities_, weights_,
                                      NewtonRule{rule_.rate, rule_.ridge, first_});
}

}  // namespace coppice
