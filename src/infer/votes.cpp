#include "infer/votes.h"

#include <algorithm>

#include "base/portable_math.h"

namespace coppice {
namespace {

// Entropy as a share of that of the uniform distribution.
double relative_entropy(std::span<const float> probabilities) {
  double entropy = 0;
  for (const float p : probabilities)
    if (p > 0) entropy -= double{p} * portable_log(double{p});
  return entropy /
         portable_log(static_cast<double>(std::max<std::size_t>(2, probabilities.size())));
}

}  // namespace

VoteRule::VoteRule(const Forest& forest)
    : layout_(layout_of(forest)), ensemble_(forest.info().ensemble) {
  if (!classes() && ensemble_ != Ensemble::mean && ensemble_ != Ensemble::sum)
    find_least_variances(forest.arrays());
}

void VoteRule::find_least_variances(const ForestArrays& arrays) {
  for (std::size_t k = 0; k < outputs(); ++k) {
    double total = 0, sum = 0, squares = 0;
    for (std::size_t leaf = 0; leaf < arrays.leaves(); ++leaf) {
      const std::span<const float> payload = arrays.payload_of(leaf);
      const double mean = payload[k], support = arrays.support[leaf];
      total += support;
      sum += support * mean;
      squares += support * (mean * mean + double{payload[outputs() + k]});
    }
    const double mean = total > 0 ? sum / total : 0;
    const double variance = total > 0 ? squares / total - mean * mean : 0;
    constexpr double kSmallest = 1e-60;
    least_variance_.push_back(std::max(kLeastVarianceShare * variance, kSmallest));
  }
}

void VoteRule::weigh_classes(std::span<const float> payload, std::span<float> vote) const {
  switch (ensemble_) {
    case Ensemble::mean:
    case Ensemble::sum:
      std::copy(payload.begin(), payload.end(), vote.begin());
      return;
    case Ensemble::product:
      for (std::size_t k = 0; k < payload.size(); ++k)
        vote[k] = static_cast<float>(portable_log(std::max(double{payload[k]}, kLeastProbability)));
      return;
    case Ensemble::vote:
      std::fill(vote.begin(), vote.end(), 0.0f);
      vote[static_cast<std::size_t>(std::max_element(payload.begin(), payload.end()) -
                                    payload.begin())] = 1;
      return;
    case Ensemble::confidence: {
      const double weight = std::max(kLeastWeight, 1 - relative_entropy(payload));
      for (std::size_t k = 0; k < payload.size(); ++k)
        vote[k] = static_cast<float>(weight * double{payload[k]});
    }
  }
}

void VoteRule::add_classes(std::span<const float> payload, const VoteSums& row) const {
  thread_local std::vector<float> vote;
  vote.resize(payload.size());
  weigh_classes(payload, vote);
  for (std::size_t k = 0; k < vote.size(); ++k) row.sums[k] += double{vote[k]};
}

void VoteRule::add_moments(const LeafAnswer& answer, const VoteSums& row) const {
  for (std::size_t k = 0; k < outputs(); ++k) {
    const double mean = answer.mean[k], variance = answer.variance[k];
    const double precision = weight_of(variance, k);
    row.sums[k] += precision * mean;
    if (ensemble_ == Ensemble::product) {
      row.squares[k] += precision;
    } else if (ensemble_ == Ensemble::sum) {
      row.squares[k] += variance;
    } else {
      row.squares[k] += precision * (variance + mean * mean);
    }
    if (row.weights) row.weights[k] += precision;
  }
}

void VoteRule::normalise_classes(double* sums) const {
  const std::span<double> all(sums, outputs());
  if (ensemble_ != Ensemble::confidence) return take_softmax(all);
  double total = 0;
  for (const double sum : all) total += sum;
  for (double& sum : all) sum /= total;
}

void VoteRule::read_out(std::size_t votes, const VoteSums& row) const {
  if (classes() && ensemble_ != Ensemble::mean && ensemble_ != Ensemble::vote)
    return normalise_classes(row.sums);
  for (std::size_t k = 0; k < outputs(); ++k) {
    if (!classes() && ensemble_ == Ensemble::product) {
      row.sums[k] /= row.squares[k];
      row.squares[k] = 1 / row.squares[k];
      continue;
    }
    if (ensemble_ == Ensemble::sum) {
      if (row.squares) row.squares[k] /= static_cast<double>(votes);
      continue;
    }
    const double total = row.weights ? row.weights[k] : static_cast<double>(votes);
    row.sums[k] /= total;
    if (row.squares)
      row.squares[k] = std::max(0.0, row.squares[k] / total - row.sums[k] * row.sums[k]);
  }
}

void take_softmax(std::span<double> scores) {
  const double most = *std::max_element(scores.begin(), scores.end());
  double total = 0;
  for (double& score : scores) {
    score = portable_exp(score - most);
    total += score;
  }
  for (double& score : scores) score /= total;
}

std::uint32_t most_probable(std::span<const double> probabilities) {
  const auto largest = std::max_element(probabilities.begin(), probabilities.end());
  return static_cast<std::uint32_t>(largest - probabilities.begin());
}

}  // namespace coppice
