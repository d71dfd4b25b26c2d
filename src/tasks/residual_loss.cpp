#include "tasks/residual_loss.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {
namespace {

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

double length(std::span<const double> residuals) {
  return std::sqrt(std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0));
}

}  // namespace

double residual_loss(ResidualLoss loss, double delta, std::span<const double> residuals) {
  double sum = 0;
  for (const double residual : residuals) {
    const double size = std::abs(residual);
    switch (loss) {
      case ResidualLoss::squared:
        sum += size * size / 2;
        break;
      case ResidualLoss::absolute:
        sum += size;
        break;
      case ResidualLoss::huber:
        sum += size <= delta ? size * size / 2 : delta * (size - delta / 2);
        break;
    }
  }
  return sum;
}

void pseudo_targets(ResidualLoss loss, double delta, std::span<const double> residuals,
                    std::span<double> pseudo) {
  const bool several = residuals.size() > 1;
  const double all = several ? length(residuals) : 0;
  for (std::size_t k = 0; k < residuals.size(); ++k) {
    const double residual = residuals[k];
    const bool cut_off = loss == ResidualLoss::absolute ||
                         (loss == ResidualLoss::huber && std::abs(residual) > delta);
    const double most = several ? all : loss == ResidualLoss::huber ? delta : 1;
    pseudo[k] = cut_off ? sign(residual) * most : residual;
  }
}

ResidualTargets::ResidualTargets(std::span<const double> targets, std::size_t outputs, Rule rule,
                                 const FixedPointWeights& weights)
    : scale_(targets, outputs),
      targets_(scale_.scaled(targets)),
      rule_(rule),
      weights_(weights),
      pseudo_(targets_, outputs, weights.most_total),
      residuals_(pseudo_) {}

double ResidualTargets::retarget(const Votes& votes, std::size_t) {
  const std::size_t outputs = pseudo_.outputs(), rows = targets_.size() / outputs;
  const std::size_t payload_size = votes.sums.size() / rows;
  std::vector<double> residuals(targets_), pseudo(targets_.size());
  double losses = 0, total = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<double> own = std::span(residuals).subspan(row * outputs, outputs);
    for (std::size_t k = 0; k < outputs; ++k) own[k] -= double{votes.sums[row * payload_size + k]};
    pseudo_targets(rule_.loss, rule_.delta, own, std::span(pseudo).subspan(row * outputs, outputs));
    losses += weights_.units[row] * residual_loss(rule_.loss, rule_.delta, own);
    total += weights_.units[row];
  }
  pseudo_ = FixedPointTargets(pseudo, outputs, weights_.most_total);
  if (keeps_residuals()) residuals_ = FixedPointTargets(residuals, outputs, weights_.most_total);
  return losses / total;
}

AdditiveRule ResidualTargets::additive_rule() const {
  AdditiveRule rule{.delta = rule_.delta,
                    .first_rate = rule_.first_rate,
                    .rate = rule_.rate,
                    .trees_add_up = rule_.trees_add_up};
  if (rule_.loss == ResidualLoss::absolute) rule.correction = Correction::median;
  if (rule_.loss == ResidualLoss::huber) rule.correction = Correction::huber;
  return rule;
}

std::unique_ptr<LeafModel> ResidualTargets::leaf_model() const {
  AdditiveRule rule = additive_rule();
  if (pseudo_.outputs() > 1) rule.correction = Correction::mean;
  return std::make_unique<AdditiveLeaf>(AdditiveTargets{pseudo_, residuals()}, weights_, rule,
                                        scale_);
}

std::unique_ptr<LeafModel> ResidualTargets::leaf_model(const DatasetView& data,
                                                       const LinearLeafRule& linear) const {
  return std::make_unique<AdditiveLinearLeaf>(data, residuals(), weights_, additive_rule(), linear,
                                              scale_);
}

}  // namespace coppice
