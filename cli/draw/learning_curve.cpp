// See learning_curve.h.
#include "draw/learning_curve.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "draw/node_summary.h"
#include "infer/leaf_answer.h"
#include "infer/votes.h"
#include "model/depth.h"
#include "model/walk.h"

namespace coppice {
namespace {

constexpr std::size_t kBlock = 256;  // rows at a time

// 0 or 1, or the squared distance over all targets.
double row_loss(const Dataset& rows, std::size_t row, std::span<const double> sums, double votes) {
  if (!rows.labels.empty()) return most_probable(sums) == rows.labels[row] ? 0 : 1;
  double loss = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const double distance = sums[k] / votes - rows.targets[row * sums.size() + k];
    loss += distance * distance;
  }
  return loss / static_cast<double>(sums.size());
}

void finish(std::vector<double>& losses, const Dataset& rows, bool classifier) {
  for (double& loss : losses) {
    loss /= static_cast<double>(rows.rows);
    if (!classifier) loss = std::sqrt(loss);
  }
}

Dataset block_of(const Dataset& rows, std::size_t first, std::size_t last) {
  Dataset block;
  block.schema = rows.schema;
  block.rows = last - first;
  const auto from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(last);
  for (const auto& column : rows.columns) {
    block.columns.emplace_back(column.begin() + from, column.begin() + to);
  }
  return block;
}

// The votes of one row at every cut: depth-major, `outputs` each.
class CutVotes {
 public:
  CutVotes(const Forest& forest, std::size_t depths)
      : forest_(forest),
        layout_(layout_of(forest)),
        depths_(depths),
        outputs_(output_count(forest.info().schema)) {
    for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
      summaries_.push_back(summarize(forest, tree));
    }
  }

  const std::vector<double>& of(std::span<const float> row) {
    votes_.assign(depths_ * outputs_, 0);
    for (std::size_t tree = 0; tree < forest_.trees(); ++tree) add_tree(tree, row);
    return votes_;
  }
  std::size_t outputs() const { return outputs_; }

 private:
  void add_tree(std::size_t tree, std::span<const float> row) {
    std::size_t depth = 0;
    const auto on_split = [&](std::size_t split, bool) {
      const double* const says = summaries_[tree].of(split);
      for (std::size_t k = 0; k < outputs_; ++k) votes_[depth * outputs_ + k] += says[k];
      ++depth;
    };
    const ForestArrays& arrays = forest_.arrays();
    const std::size_t leaf = walk(arrays, forest_.info().schema, tree, row, on_split);
    read_leaf(
        layout_, arrays.payload_of(arrays.first_leaf(tree) + leaf),
        [&](std::uint32_t feature) { return row[feature]; }, answer_);
    for (; depth < depths_; ++depth)
      for (std::size_t k = 0; k < outputs_; ++k) votes_[depth * outputs_ + k] += answer_.mean[k];
  }

  const Forest& forest_;
  PayloadLayout layout_;
  std::size_t depths_, outputs_;
  LeafAnswer answer_;
  std::vector<NodeSummaries> summaries_;
  std::vector<double> votes_;
};

}  // namespace

std::vector<double> error_by_trees(const Predictor& predictor, const Dataset& rows,
                                   const RunContext& context) {
  const std::size_t trees = predictor.forest().trees();
  const std::size_t outputs = output_count(predictor.forest().info().schema);
  std::vector<double> losses(trees, 0);
  for (std::size_t first = 0; first < rows.rows; first += kBlock) {
    const std::size_t last = std::min(rows.rows, first + kBlock);
    const Dataset block = block_of(rows, first, last);
    const std::vector<float> says = predictor.predict_per_tree(block.view(), context);
    for (std::size_t row = first; row < last; ++row) {
      std::vector<double> sums(outputs, 0);
      for (std::size_t tree = 0; tree < trees; ++tree) {
        const std::size_t from = ((row - first) * trees + tree) * outputs;
        for (std::size_t k = 0; k < outputs; ++k) sums[k] += static_cast<double>(says[from + k]);
        losses[tree] += row_loss(rows, row, sums, static_cast<double>(tree + 1));
      }
    }
  }
  finish(losses, rows, predicts_classes(predictor.forest().info().payload_kind));
  return losses;
}

std::vector<double> error_by_depth(const Forest& forest, const Dataset& rows) {
  const std::size_t depths = max_depth(forest.arrays()) + 1;
  CutVotes votes(forest, depths);
  std::vector<double> losses(depths, 0);
  std::vector<float> values(rows.columns.size());
  for (std::size_t row = 0; row < rows.rows; ++row) {
    for (std::size_t f = 0; f < values.size(); ++f) values[f] = rows.columns[f][row];
    const std::span<const double> sums(votes.of(values));
    for (std::size_t depth = 0; depth < depths; ++depth) {
      losses[depth] += row_loss(rows, row, sums.subspan(depth * votes.outputs(), votes.outputs()),
                                static_cast<double>(forest.trees()));
    }
  }
  finish(losses, rows, predicts_classes(forest.info().payload_kind));
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

}  // namespace coppice
