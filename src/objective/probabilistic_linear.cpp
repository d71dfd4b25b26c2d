#include "objective/probabilistic_linear.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "split/split_search.h"

template class coppice::SplitSearch<coppice::ProbabilisticLinear>;

namespace coppice {
namespace {

// A residual variance below this share of the node's variance counts as that much.
constexpr double kLeastResidualShare = 1e-4;
constexpr double kNoLine = std::numeric_limits<double>::infinity();

}  // namespace

void ProbabilisticLinear::begin_node(std::span<Item> items) {
  number_items(items);
  node_.load(targets_, std::span<const Item>(items));
  begin_candidate(items, {});
}

void ProbabilisticLinear::begin_candidate(std::span<const Item> items,
                                          std::span<const float> values) {
  scale_values(items, values);
  std::vector<Sum> sums(statistics_size());
  for (const Item& item : items) add(sums.data(), item);
  least_variances_.resize(targets_.outputs());
  for (std::size_t k = 0; k < targets_.outputs(); ++k) {
    const Sum* y = sums.data() + kShared + kPerTarget * k;
    least_variances_[k] =
        kLeastResidualShare * scatter(sums[0], y[1], y[0], y[0]) / static_cast<double>(sums[0]);
  }
  node_entropy_ = entropy(sums.data(), {0, points_.size()});
}

// The finite values in equal steps from the least to the largest.
void ProbabilisticLinear::scale_values(std::span<const Item> items, std::span<const float> values) {
  has_regressor_ = !values.empty();
  std::uint64_t total = 0;
  for (const Item& item : items) total += item.weight;
  order_.clear();
  for (std::uint32_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i])) order_.push_back(i);
  std::sort(order_.begin(), order_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  const double least = order_.empty() ? 0 : values[order_.front()];
  const double range = order_.empty() ? 0 : values[order_.back()] - least;
  const auto half = static_cast<double>((1 << (bits_of_factors(total) - 1)) - 1);
  const double scale = range > 0 ? 2 * half / range : 0;
  x_.assign(items.size(), kUnknown);
  points_.clear();
  std::int64_t up_to = 0;
  for (std::size_t place = 0; place < order_.size(); ++place) {
    const std::uint32_t i = order_[place];
    x_[i] = static_cast<std::int32_t>(std::floor((values[i] - least) * scale + 0.5) - half);
    if (place == 0 || values[i] != values[order_[place - 1]]) points_.push_back({x_[i], 0, 0});
    points_.back().weight += items[i].weight;
    points_.back().weight_up_to = up_to += items[i].weight;
  }
}

ProbabilisticLinear::Range ProbabilisticLinear::below(std::int64_t known_weight) const {
  const auto end = std::upper_bound(
      points_.begin(), points_.end(), known_weight,
      [](std::int64_t weight, const Point& point) { return weight < point.weight_up_to; });
  return {0, static_cast<std::size_t>(end - points_.begin())};
}

double ProbabilisticLinear::children_cost(const Sum* left, const Sum* right) const {
  if (node_entropy_ == kNoLine) return kNoLine;
  const Range on_left = below(left[1]);
  const double first = entropy(left, on_left);
  if (first == kNoLine) return kNoLine;
  const double cost = first + entropy(right, {on_left.last, points_.size()}) - node_entropy_;
  return cost < 0 ? cost : kNoLine;
}

double ProbabilisticLinear::entropy(const Sum* sums, Range known) const {
  const double n = static_cast<double>(sums[0]) * samples_;
  const double freedom = n - (has_regressor_ ? 2 : 1);
  const double x_scatter = sums[1] == 0 ? 0 : scatter(sums[1], sums[3], sums[2], sums[2]);
  if (!(freedom > 0) || (has_regressor_ && !(x_scatter > 0))) return kNoLine;
  double logs = 0;
  for (std::size_t k = 0; k < targets_.outputs(); ++k) {
    const Sum* y = sums + kShared + kPerTarget * k;
    double residuals = scatter(sums[0], y[1], y[0], y[0]);
    if (has_regressor_) {
      const double xy = scatter(sums[1], y[3], sums[2], y[2]);
      residuals -= xy * xy / x_scatter;
    }
    // A target that does not vary in the node tells nothing.
    if (!(least_variances_[k] > 0)) continue;
    const double least = least_variances_[k] * static_cast<double>(sums[0]);
    logs += n * portable_log(std::max(residuals, least) * samples_ / freedom);
  }
  const auto targets = static_cast<double>(targets_.outputs());
  return (logs + targets * sum_of_logs(sums, x_scatter, known)) / (2 * samples_);
}

double ProbabilisticLinear::sum_of_logs(const Sum* sums, double x_scatter, Range known) const {
  const double n = static_cast<double>(sums[0]) * samples_;
  const double of_others = portable_log(1 + 1 / n);  // at the mean, or without a regressor
  if (!has_regressor_) return n * of_others;
  const double known_n = static_cast<double>(sums[1]) * samples_;
  double logs = known_n / n + 1;  // sum of h, the trace of the hat matrix
  if (known.last - known.first <= kMostPoints) {
    const double mean = static_cast<double>(sums[2]) / static_cast<double>(sums[1]);
    logs = 0;
    for (std::size_t i = known.first; i < known.last; ++i) {
      const double distance = points_[i].x - mean;
      logs += static_cast<double>(points_[i].weight) * samples_ *
              portable_log(1 + 1 / n + distance * distance / (x_scatter * samples_));
    }
  }
  return logs + (n - known_n) * of_others;
}

}  // namespace coppice
