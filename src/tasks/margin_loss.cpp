#include "tasks/margin_loss.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/lanes.h"
#include "base/portable_math.h"
#include "base/wide_loops.h"
#include "base/worker_team.h"

namespace coppice {
namespace {

constexpr std::size_t kRowsPerTask = 2048;
constexpr double kFourOverPi = 0x1.45f306dc9c883p+0;

// The largest but that of the label: of many classes eight side by side, of which the last overlap
// others.
template <class Number>
[[gnu::always_inline]] inline Number largest_other(std::span<const Number> scores,
                                                   std::uint32_t label) {
  using Eight = typename Lanes<Number>::All;
  using Index = std::conditional_t<sizeof(Number) == 4, std::int32_t, std::int64_t>;
  constexpr Number kNone = -std::numeric_limits<Number>::infinity();
  const std::size_t classes = scores.size();
  Number found = kNone;
  if (classes < kLanes) {
    for (std::size_t c = 0; c < classes; ++c)
      if (c != label) found = std::max(found, scores[c]);
    return found;
  }
  Eight most = Eight{} + kNone;
  const typename Lanes<Index>::All lanes{0, 1, 2, 3, 4, 5, 6, 7};
  for (std::size_t next = 0; next < classes; next += kLanes) {
    const std::size_t place = std::min(next, classes - kLanes);
    Eight eight;
    std::memcpy(&eight, &scores[place], sizeof(eight));
    eight =
        lanes == static_cast<Index>(label) - static_cast<Index>(place) ? Eight{} + kNone : eight;
    most = eight > most ? eight : most;
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) found = std::max<Number>(found, most[lane]);
  return found;
}

}  // namespace

LossAt margin_loss(MarginLoss loss, double margin) {
  switch (loss) {
    case MarginLoss::logit: {
      const double odds = portable_exp(-margin);
      return {portable_log(1 + odds), odds / (1 + odds)};
    }
    case MarginLoss::hinge:
      return {std::max(0.0, 1 - margin), margin < 1 ? 1.0 : 0.0};
    case MarginLoss::exponential:
      return {portable_exp(-margin), portable_exp(-margin)};
    case MarginLoss::savage: {
      // The weight 4 e^2m / (1 + e^2m)^3, with nothing that overflows.
      const double inverse = 1 / (1 + portable_exp(2 * margin));
      return {inverse * inverse, 4 * (1 - inverse) * inverse * inverse};
    }
    case MarginLoss::tangent:
      break;
  }
  const double part = kFourOverPi * portable_atan(margin) - 1;
  return {part * part, std::abs(2 * kFourOverPi / (1 + margin * margin) * part)};
}

template <class Number>
[[gnu::always_inline]] inline double margin_of(std::span<const Number> scores,
                                               std::uint32_t label) {
  if (scores.size() == 1) return double{scores[0]};
  return double{scores[label]} - double{largest_other(scores, label)};
}
template double margin_of(std::span<const float>, std::uint32_t);
template double margin_of(std::span<const double>, std::uint32_t);

namespace {

// Of rows whose scores lie one after the other.
struct Margins {
  [[gnu::always_inline]] static void run(const float* scores, std::size_t classes,
                                         const std::uint32_t* labels, std::size_t rows,
                                         double* margins) {
    for (std::size_t row = 0; row < rows; ++row)
      margins[row] = margin_of(std::span(scores + row * classes, classes), labels[row]);
  }
};

}  // namespace

MarginReweighting::MarginReweighting(std::span<const std::uint32_t> labels, Rule rule,
                                     WorkingWeights& weights)
    : labels_(labels), rule_(std::move(rule)), weights_(weights), current_(labels.size(), 1) {}

double MarginReweighting::retarget(const Votes& votes, std::size_t workers) {
  std::vector<double> fresh(labels_.size()), values(labels_.size());
  const std::size_t tasks = (labels_.size() + kRowsPerTask - 1) / kRowsPerTask;
  for_each_task(tasks, workers, [&](std::size_t, std::size_t task) {
    const std::size_t first = task * kRowsPerTask;
    const std::size_t last = std::min(labels_.size(), first + kRowsPerTask);
    const std::vector<double> margins = margins_of(votes, first, last);
    for (std::size_t row = first; row < last; ++row) {
      const LossAt at = loss_of(margins[row - first]);
      fresh[row] = at.weight;
      values[row] = at.value;
    }
  });
  double losses = 0, total = 0;
  for (std::size_t row = 0; row < labels_.size(); ++row) {
    losses += weights_.given(row) * values[row];
    total += weights_.given(row);
  }
  blend(std::move(fresh));
  weights_.set(current_);
  return losses / total;
}

std::vector<double> MarginReweighting::margins_of(const Votes& votes, std::size_t first,
                                                  std::size_t last) const {
  const std::size_t classes = votes.sums.size() / labels_.size();
  const auto sums = std::span(votes.sums).subspan(first * classes, (last - first) * classes);
  std::vector<double> margins(last - first);
  if (rule_.prior.empty()) {
    run_loop<Margins>(sums.data(), classes, &labels_[first], margins.size(), margins.data());
    return margins;
  }
  std::vector<double> scores(classes);
  for (std::size_t row = first; row < last; ++row) {
    const auto of_row = sums.subspan((row - first) * classes, classes);
    for (std::size_t c = 0; c < classes; ++c) scores[c] = double{of_row[c]} + rule_.prior[c];
    margins[row - first] = margin_of(std::span<const double>(scores), labels_[row]);
  }
  return margins;
}

LossAt MarginReweighting::loss_of(double margin) const {
  // Far enough for every loss to be flat, and for e^m to be finite.
  constexpr double kMostMargin = 100;
  return margin_loss(rule_.loss,
                     std::clamp(rule_.margin_scale * margin, -kMostMargin, kMostMargin));
}

// New weights are compared with the old ones at the same mean, 1.
void MarginReweighting::blend(std::vector<double>&& fresh) {
  double sum = 0, total = 0;
  for (std::size_t row = 0; row < fresh.size(); ++row) {
    sum += weights_.given(row) * fresh[row];
    total += weights_.given(row);
  }
  if (!(sum > 0)) {
    current_.assign(current_.size(), 1);
    return;
  }
  const double scale = rule_.shrinkage * total / sum;
  for (std::size_t row = 0; row < fresh.size(); ++row)
    current_[row] = scale * fresh[row] + (1 - rule_.shrinkage) * current_[row];
}

double OutOfBagReweighting::retarget(const Votes& votes, std::size_t) {
  const std::size_t rows = labels_.size(), classes = votes.sums.size() / rows;
  const auto right = [&](std::size_t row) {
    return double{votes.sums[row * classes + labels_[row]]};
  };
  double all_right = 0, all_votes = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    all_right += right(row);
    all_votes += votes.trees[row];
  }
  const double mean = all_votes > 0 ? all_right / all_votes : 0;
  std::vector<double> weights(rows);
  for (std::size_t row = 0; row < rows; ++row)
    weights[row] = std::max(0.0, 1 - (right(row) + mean) / (votes.trees[row] + 1));
  weights_.set(weights);
  return 1 - mean;
}

}  // namespace coppice
