// See learning_curve.h.
#include "draw/learning_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "draw/node_summary.h"
#include "infer/leaf_answer.h"
#include "infer/votes.h"
#include "model/depth.h"
#include "model/walk.h"

namespace coppice {
namespace {

double row_weight(const Dataset& rows, std::size_t row) {
  return rows.weights.empty() ? 1 : double{rows.weights[row]};
}

// 0 or 1, or the squared distance over all targets; times the weight of the row.
double row_loss(const Dataset& rows, std::size_t row, std::span<const double> answer) {
  const double weight = row_weight(rows, row);
  if (!rows.labels.empty()) return most_probable(answer) == rows.labels[row] ? 0 : weight;
  double loss = 0;
  for (std::size_t k = 0; k < answer.size(); ++k) {
    const double distance = answer[k] - rows.targets[row * answer.size() + k];
    loss += distance * distance;
  }
  return weight * loss / static_cast<double>(answer.size());
}

// Room for the votes about several things at once.
class Tally {
 public:
  Tally(const VoteRule& rule, std::size_t things)
      : rule_(rule),
        sums_(things * rule.outputs()),
        squares_(rule.classes() ? 0 : sums_.size()),
        weights_(rule.weighs() ? sums_.size() : 0) {}

  void clear() {
    for (auto* const numbers : {&sums_, &squares_, &weights_})
      std::fill(numbers->begin(), numbers->end(), 0.0);
  }
  VoteSums of(std::size_t thing) {
    return VoteSums{sums_.data(), squares_.empty() ? nullptr : squares_.data(),
                    weights_.empty() ? nullptr : weights_.data()}
        .of_row(thing, rule_.outputs());
  }
  // What so many trees say of it together; ends the counting.
  std::span<const double> answer(std::size_t thing, std::size_t trees) {
    rule_.read_out(trees, of(thing));
    return std::span(sums_).subspan(thing * rule_.outputs(), rule_.outputs());
  }

 private:
  const VoteRule& rule_;
  std::vector<double> sums_, squares_, weights_;
};

void finish(std::vector<double>& losses, const Dataset& rows, bool classifier) {
  double total = 0;
  for (std::size_t row = 0; row < rows.rows; ++row) total += row_weight(rows, row);
  for (double& loss : losses) {
    loss /= total;
    if (!classifier) loss = std::sqrt(loss);
  }
}

std::vector<float> values_of(const Dataset& rows, std::size_t row) {
  std::vector<float> values;
  for (const auto& column : rows.columns) values.push_back(column[row]);
  return values;
}

// The votes about one row at every cut.
class CutVotes {
 public:
  CutVotes(const Forest& forest, const VoteRule& rule, std::size_t depths)
      : forest_(forest), rule_(rule), depths_(depths), tally_(rule, depths) {
    for (std::size_t tree = 0; tree < forest.trees(); ++tree)
      summaries_.push_back(summarize(forest, tree));
  }

  Tally& about(std::span<const float> row) {
    tally_.clear();
    for (std::size_t tree = 0; tree < forest_.trees(); ++tree) add_tree(tree, row);
    return tally_;
  }

 private:
  void add_tree(std::size_t tree, std::span<const float> row) {
    std::size_t depth = 0;
    const auto on_split = [&](std::size_t split, bool) {
      add_summary(summaries_[tree], split, tally_.of(depth++));
    };
    const ForestArrays& arrays = forest_.arrays();
    const std::size_t leaf =
        arrays.first_leaf(tree) + walk(arrays, forest_.info().schema, tree, row, on_split);
    const auto value_of = [&](std::uint32_t feature) { return row[feature]; };
    for (; depth < depths_; ++depth) rule_.add(arrays.payload_of(leaf), value_of, tally_.of(depth));
  }

  void add_summary(const NodeSummaries& nodes, std::size_t split, const VoteSums& votes) {
    const std::span<const double> says(nodes.of(split), nodes.size);
    if (rule_.classes()) {
      histogram_.assign(says.begin(), says.end());
      return rule_.add(
          histogram_, [](std::uint32_t) { return 0.0f; }, votes);
    }
    const auto means = says.first(rule_.outputs()), variances = says.subspan(rule_.outputs());
    answer_.mean.assign(means.begin(), means.end());
    answer_.variance.assign(variances.begin(), variances.end());
    rule_.add_moments(answer_, votes);
  }

  const Forest& forest_;
  const VoteRule& rule_;
  std::size_t depths_;
  Tally tally_;
  LeafAnswer answer_;
  std::vector<float> histogram_;
  std::vector<NodeSummaries> summaries_;
};

}  // namespace

std::vector<double> error_by_trees(const Predictor& predictor, const Dataset& rows,
                                   const RunContext& context) {
  const Forest& forest = predictor.forest();
  const ForestArrays& arrays = forest.arrays();
  const VoteRule rule(forest);
  const LeafIds leaves = predictor.apply(rows.view(), context);
  std::vector<double> losses(forest.trees(), 0);
  Tally tally(rule, 1);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::vector<float> values = values_of(rows, row);
    tally.clear();
    for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
      const std::size_t leaf = arrays.first_leaf(tree) + leaves.leaf(tree, row);
      rule.add(
          arrays.payload_of(leaf), [&](std::uint32_t f) { return values[f]; }, tally.of(0));
      Tally so_far = tally;
      losses[tree] += row_loss(rows, row, so_far.answer(0, tree + 1));
    }
  }
  finish(losses, rows, rule.classes());
  return losses;
}

std::vector<double> error_by_depth(const Forest& forest, const Dataset& rows) {
  const std::size_t depths = max_depth(forest.arrays()) + 1;
  const VoteRule rule(forest);
  CutVotes votes(forest, rule, depths);
  std::vector<double> losses(depths, 0);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    Tally& tally = votes.about(values_of(rows, row));
    for (std::size_t depth = 0; depth < depths; ++depth)
      losses[depth] += row_loss(rows, row, tally.answer(depth, forest.trees()));
  }
  finish(losses, rows, rule.classes());
  return losses;
}

void draw_curve(const ErrorCurve& curve, Axes& axes) {
  std::vector<Spot> line;
  for (std::size_t n = 0; n < curve.errors.size(); ++n) {
    line.push_back({curve.first + static_cast<double>(n), curve.errors[n]});
  }
  draw_curves({{std::move(line), kBlue}}, axes);
}

void draw_curves(const std::vector<ColouredCurve>& curves, Axes& axes) {
  std::vector<double> across, errors;
  for (const ColouredCurve& curve : curves) {
    for (const Spot& spot : curve.spots) across.push_back(spot.x), errors.push_back(spot.y);
  }
  const Range numbers = range_of(std::span<const double>(across));
  const Range heights = range_of(std::span<const double>(errors));
  axes.set_ranges({numbers.low, std::max(numbers.high, numbers.low + 1)},
                  {0, 1.08 * std::max(heights.high, 1e-9)});
  constexpr std::size_t few = 40;
  for (const ColouredCurve& curve : curves) {
    axes.curve(curve.spots, {curve.colour, 2});
    for (const Spot& spot : curve.spots) {
      if (curve.spots.size() <= few) axes.disc(spot.x, spot.y, 2.6, curve.colour);
    }
  }
  axes.finish(whole_ticks(axes.x_range(), 6), ticks(axes.y_range(), 6));
}

namespace {

// Bytes: 512, 64K, 2M.
std::string power_of_two_text(int exponent) {
  constexpr std::array kUnits{"", "K", "M", "G", "T"};
  const auto unit = static_cast<std::size_t>(std::clamp(exponent / 10, 0, 4));
  return std::to_string(1ull << (exponent - 10 * static_cast<int>(unit))) + kUnits[unit];
}

}  // namespace

void draw_frontier(const std::vector<SizedError>& frontier, const SizedError& taken, Axes& axes) {
  std::vector<double> sizes{std::log2(taken.bytes)}, errors{taken.error};
  std::vector<Spot> line;
  for (const SizedError& point : frontier) {
    line.push_back({std::log2(point.bytes), point.error});
    sizes.push_back(line.back().x);
    errors.push_back(point.error);
  }
  const Range found = range_of(std::span<const double>(sizes), 0.05);
  axes.set_ranges({std::floor(found.low), std::ceil(found.high)},
                  {0, 1.08 * std::max(range_of(std::span<const double>(errors)).high, 1e-9)});
  axes.curve(line, {kBlue, 2});
  for (const Spot& spot : line) axes.disc(spot.x, spot.y, 2.6, kBlue);
  axes.disc(std::log2(taken.bytes), taken.error, 5, kRed);
  std::vector<Tick> powers = whole_ticks(axes.x_range(), 6);
  for (Tick& power : powers) power.label = power_of_two_text(static_cast<int>(power.value));
  axes.finish(powers, ticks(axes.y_range(), 6));
}

}  // namespace coppice
