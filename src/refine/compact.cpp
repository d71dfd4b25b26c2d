// Tries forests of several sizes, each pruned until it fits; takes the best on validation rows.
#include "coppice/compact.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "base/stopwatch.h"
#include "coppice/error.h"
#include "model/depth.h"
#include "model/forest_builder.h"
#include "model/stored_bytes.h"
#include "model/tree_copy.h"
#include "model/walk.h"
#include "refine/prepared.h"

namespace coppice {
namespace {

// More leaves than this many times those that fit would take long to prune away.
constexpr std::size_t kMostPruned = 64;

struct Shape {
  std::size_t trees, depth;
};

// Support-weighted means of the payloads below: no more is needed of what is learnt anew.
std::vector<float> merged_payloads(const Forest& forest, std::size_t tree, const CutTree& cut) {
  const ForestArrays& arrays = forest.arrays();
  const std::size_t size = arrays.payload_size;
  std::vector<double> sums(cut.tree.support.size() * size);
  for (std::size_t n = 0; n < cut.new_leaf.size(); ++n) {
    const std::size_t leaf = arrays.first_leaf(tree) + n;
    for (std::size_t k = 0; k < size; ++k)
      sums[cut.new_leaf[n] * size + k] +=
          double{arrays.support[leaf]} * double{arrays.payload_of(leaf)[k]};
  }
  std::vector<float> payloads;
  for (std::size_t at = 0; at < sums.size(); ++at)
    payloads.push_back(static_cast<float>(sums[at] / double{cut.tree.support[at / size]}));
  return payloads;
}

// The first trees, cut at a depth.
Forest reduced(const Forest& forest, const Shape& shape) {
  const ForestArrays& arrays = forest.arrays();
  ForestBuilder builder(arrays.payload_size);
  builder.set_centres({arrays.projections.centre.begin(), arrays.projections.centre.end()});
  for (std::size_t tree = 0; tree < shape.trees; ++tree) {
    std::vector<bool> cut(arrays.first_split[tree + 1] - arrays.first_split[tree]);
    for_each_node(
        arrays, tree,
        [&](std::size_t split, std::size_t depth) { cut[split] = depth >= shape.depth; },
        [](std::size_t, std::size_t) {});
    CutTree made = copy_tree(forest, tree, cut);
    made.tree.payload = merged_payloads(forest, tree, made);
    builder.append(made.tree);
  }
  ForestInfo info = forest.info();
  info.precision = PayloadPrecision::full;
  return Forest(builder.finish(), std::move(info));
}

// The whole forest, half and a quarter of its trees; of each the full depth, then less and less.
std::vector<std::vector<Shape>> shapes_of(const Forest& forest) {
  constexpr std::array kShares{1, 2, 4};
  constexpr std::array<std::size_t, 4> kDepths{14, 10, 8, 6};
  const std::size_t deepest = max_depth(forest.arrays());
  std::vector<std::vector<Shape>> shapes;
  for (const int share : kShares) {
    const std::size_t trees = forest.trees() / static_cast<std::size_t>(share);
    if (trees == 0) continue;
    shapes.push_back({{trees, deepest}});
    for (const std::size_t depth : kDepths)
      if (depth < deepest) shapes.back().push_back({trees, depth});
  }
  return shapes;
}

CompactTrial trial_of(const Shape& shape, PayloadPrecision precision, const PruneStep& step) {
  return {shape.trees, shape.depth, precision, step.leaves, step.model_bytes, step.error};
}

std::vector<CompactTrial> frontier_of(std::vector<CompactTrial> all) {
  std::sort(all.begin(), all.end(), [](const CompactTrial& a, const CompactTrial& b) {
    return std::pair(a.bytes, a.error) < std::pair(b.bytes, b.error);
  });
  std::vector<CompactTrial> frontier;
  for (const CompactTrial& trial : all)
    if (frontier.empty() || trial.error < frontier.back().error) frontier.push_back(trial);
  return frontier;
}

class Search {
 public:
  Search(const Forest& forest, const DatasetView& data, const CompactOptions& options,
         const RunContext& context)
      : forest_(forest), data_(data), options_(options), context_(context) {
    // Progress is that of the shapes, not of the rounds of each.
    context_.progress = {};
  }

  // Of every number of trees, depths are tried while less of it is better.
  void run(const std::function<void(const Progress&)>& progress) {
    const PruneOptions pruning = prune_options(options_.merged_share);
    check_pruning(forest_.info(), pruning);
    error_before_ = prepare(forest_, data_, pruning.refine, context_).error_before;
    const std::vector<std::vector<Shape>> shapes = shapes_of(forest_);
    for (std::size_t n = 0; n < shapes.size(); ++n) {
      double last = std::numeric_limits<double>::infinity();
      for (const Shape& shape : shapes[n]) {
        if (!attempt(shape)) continue;
        if (tried_.back().error > last) break;
        last = tried_.back().error;
      }
      if (progress) progress({n + 1, shapes.size() + 1});
    }
    if (best_) polish();
    if (progress) progress({shapes.size() + 1, shapes.size() + 1});
  }

  CompactResult result() && {
    if (!best_)
      throw Error(
          ErrorKind::invalid_option,
          fmt::format("no forest of this model fits into {} bytes; allow more, or train one "
                      "with fewer trees",
                      options_.max_model_bytes));
    return {std::move(best_->rounded),
            std::move(best_->pruned),
            options_.form,
            0,
            error_before_,
            std::move(tried_),
            taken_,
            frontier_of(std::move(steps_))};
  }

 private:
  PruneOptions prune_options(double merged_share) const {
    PruneOptions options{
        .refine = options_.refine,
        .order = options_.order,
        .merged_share = merged_share,
        .max_model_bytes = options_.max_model_bytes - options_.max_model_bytes / 64,
        .precision = PayloadPrecision::byte,
        .form = options_.form};
    if (predicts_classes(forest_.info().payload_kind) &&
        std::holds_alternative<DefaultLoss>(options.refine.loss))
      options.refine.loss = HingeLoss{};
    if (cost_) options.refine.cost = cost_;
    return options;
  }

  // False if the shape is left out: it can't be pruned in good time or far enough, or not use half
  // of the bytes.
  bool attempt(const Shape& shape) {
    const Forest start = reduced(forest_, shape);
    const std::size_t leaves = start.arrays().leaves();
    const std::size_t fitting = options_.max_model_bytes / (8 + start.arrays().payload_size);
    const bool whole = shape.trees == forest_.trees();
    if (leaves > kMostPruned * fitting || shape.trees > fitting) return false;
    if (2 * leaves < fitting && !whole) return false;
    try {
      try_shape(shape, start, options_.merged_share);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::invalid_option) throw;
      return false;  // all that may be wrong with the options but the size was refused before
    }
    return true;
  }

  // The best shape again, in smaller steps.
  void polish() {
    constexpr double kFiner = 3;
    const Shape shape{tried_[taken_].trees, tried_[taken_].depth};
    try_shape(shape, reduced(forest_, shape), options_.merged_share / kFiner);
  }

  void try_shape(const Shape& shape, const Forest& start, double merged_share) {
    PruneOptions options = prune_options(merged_share);
    PruneResult pruned = prune(start, data_, options, context_);
    Forest rounded = with_precision(pruned.forest, options.precision);
    // What is learnt from all rows may compress a little worse than what pruning looked at.
    for (std::size_t bytes = stored_bytes(rounded); bytes > options_.max_model_bytes;
         bytes = stored_bytes(rounded)) {
      *options.max_model_bytes -= std::min(*options.max_model_bytes, bytes / 64);
      pruned = prune(start, data_, options, context_);
      rounded = with_precision(pruned.forest, options.precision);
    }
    cost_ = pruned.report.cost;
    for (const PruneStep& step : pruned.steps)
      steps_.push_back(trial_of(shape, options.precision, step));
    tried_.push_back(trial_of(shape, options.precision, pruned.steps[pruned.taken]));
    if (best_ && tried_.back().error >= tried_[taken_].error) return;
    taken_ = tried_.size() - 1;
    best_.emplace(Found{std::move(rounded), std::move(pruned.forest)});
  }

  std::size_t stored_bytes(const Forest& forest) const {
    return stored_model_bytes(forest, options_.form);
  }

  const Forest& forest_;
  const DatasetView& data_;
  const CompactOptions& options_;
  RunContext context_;
  struct Found {
    Forest rounded, pruned;
  };
  std::optional<Found> best_;
  std::optional<double> cost_;  // that the first shape has chosen
  double error_before_ = 0;
  std::vector<CompactTrial> tried_, steps_;
  std::size_t taken_ = 0;
};

}  // namespace

CompactResult compact(const Forest& forest, const DatasetView& data, const CompactOptions& options,
                      const RunContext& context) {
  const Stopwatch watch;
  Search search(forest, data, options, context);
  search.run(context.progress);
  CompactResult result = std::move(search).result();
  result.seconds = watch.seconds();
  return result;
}

}  // namespace coppice
