// Global pruning (Grabner 2016, 2.5.2): refine, merge the pairs that matter least, repeat.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random_stream.h"
#include "base/stopwatch.h"
#include "base/worker_team.h"
#include "coppice/error.h"
#include "coppice/refine.h"
#include "model/stored_bytes.h"
#include "refine/facts.h"
#include "refine/leaf_solver.h"
#include "refine/prepared.h"
#include "refine/pruned_trees.h"
#include "refine/refined_forest.h"
#include "refine/size_gauge.h"

namespace coppice {
namespace {

// Facts are written into the model after its size was looked at.
constexpr std::size_t kRoomForFacts = 256;

}  // namespace

void check_pruning(const ForestInfo& info, const PruneOptions& options) {
  const auto require = [](bool holds, const std::string& sentence) {
    if (!holds) throw Error(ErrorKind::invalid_option, sentence);
  };
  require(info.payload_kind != PayloadKind::linear,
          "pruning merges constant leaves, but those of this model are linear");
  require(options.refine.method == Refinement::replace,
          "pruning learns leaves anew (gr); it cannot add to what merged leaves held");
  require(options.merged_share > 0 && options.merged_share <= 1,
          "the share of pairs that are merged per round must be above 0 and at most 1");
  require(options.most_rounds > 0, "pruning needs one round at least");
  require(options.refine.validation_share > 0 || !options.refine.validation_rows.empty(),
          "pruning needs validation rows");
  require(!options.tolerance || *options.tolerance >= 0, "the tolerance must be at least 0");
}

namespace {

ConstantLeaves& leaves_of(RefinableRows& rows) {
  return static_cast<ConstantLeaves&>(*rows.matrix);
}

// The rows of merged leaves, each counting by its weight.
OutputBlock merged_rows(const OutputBlock& w, std::span<const double> weights,
                        std::span<const std::uint32_t> new_leaf, std::size_t leaves) {
  constexpr double kLeast = 1e-9;  // a leaf without rows counts a little
  OutputBlock merged(leaves, w.outputs);
  std::vector<double> sums(merged.values.size()), total(leaves);
  for (std::size_t leaf = 0; leaf < w.rows; ++leaf) {
    const double weight = weights[leaf] + kLeast;
    total[new_leaf[leaf]] += weight;
    for (std::size_t k = 0; k < w.stride; ++k)
      sums[new_leaf[leaf] * w.stride + k] += weight * double{w.row(leaf)[k]};
  }
  for (std::size_t n = 0; n < sums.size(); ++n)
    merged.values[n] = static_cast<float>(sums[n] / total[n / w.stride]);
  return merged;
}

class Pruning {
 public:
  Pruning(const Forest& forest, const Prepared& whole, const PruneOptions& options,
          const RunContext& context)
      : forest_(forest),
        prepared_(learning_part(whole)),
        options_(options),
        context_(context),
        workers_(worker_count(context.threads)),
        choice_(choose_cost(whole, options.refine, context)),
        validation_(part_of(whole, whole.validation, prepared_.scale)),
        solver_(make_solver(prepared_.loss, prepared_.rows, options.refine.seed)),
        trees_(forest),
        w_(choice_.w) {}

  // Steps until the limits of the options are reached.
  void run() {
    look();
    for (std::size_t round = 1; round <= options_.most_rounds && !finished(); ++round) {
      if (context_.cancelled && context_.cancelled())
        throw Error(ErrorKind::cancelled, "stopped before pruning was finished");
      if (!merge(round)) break;
      solver_->follow(choice_.cost, w_, workers_);
      look();
      if (context_.progress)
        context_.progress({round, std::min(options_.most_rounds, rounds_ahead())});
    }
  }

  std::size_t taken() const {
    if (options_.max_model_bytes) return fitting();
    constexpr double kHardlyMore = 1.01;  // of the loss
    const std::size_t best = least_error();
    const double most = steps_[best].error * (1 + options_.tolerance.value_or(0));
    std::size_t found = best;
    for (std::size_t n = best; n < steps_.size(); ++n)
      if (steps_[n].error <= most &&
          (options_.tolerance || steps_[n].loss <= kHardlyMore * steps_[best].loss))
        found = n;
    return found;
  }

  const std::vector<PruneStep>& steps() const { return steps_; }
  const Cuts& cuts_of(std::size_t step) const { return cuts_[step]; }
  const CostChoice& choice() const { return choice_; }

 private:
  static Prepared learning_part(const Prepared& whole) {
    Prepared part{.loss = whole.loss,
                  .scale = scale_of(whole, whole.learning),
                  .learning = whole.learning,
                  .validation = whole.validation};
    part.rows = part_of(whole, whole.learning, part.scale);
    return part;
  }

  void look() {
    if (gauge_.should_measure(trees_.leaves(), options_.max_model_bytes))
      gauge_.measure(trees_.leaves(), stored_bytes());
    const RowErrors found =
        reported(validation_.errors(w_, prepared_.scale, prepared_.loss, workers_),
                 !prepared_.rows.labels.empty());
    steps_.push_back({trees_.leaves(), static_cast<std::size_t>(gauge_.estimate(trees_.leaves())),
                      found.error, found.loss});
    cuts_.push_back(trees_.cuts());
  }

  // The first step that has it.
  std::size_t least_error() const {
    const auto least =
        std::min_element(steps_.begin(), steps_.end(),
                         [](const PruneStep& a, const PruneStep& b) { return a.error < b.error; });
    return static_cast<std::size_t>(least - steps_.begin());
  }

  // As the trees stand, with what their leaves hold now.
  std::size_t stored_bytes() const {
    const Forest forest =
        refined_forest(forest_, trees_.cuts(), prepared_, Refinement::replace, w_, workers_);
    if (options_.precision == PayloadPrecision::full)
      return stored_model_bytes(forest, options_.form);
    return stored_model_bytes(with_precision(forest, options_.precision), options_.form);
  }

  // Rounds until single leaves are left, if every round takes its share of them.
  std::size_t rounds_ahead() const {
    std::size_t rounds = steps_.size() - 1;
    for (double left = static_cast<double>(trees_.leaves()); left > double(forest_.trees()) + 1;
         left *= 1 - options_.merged_share / 3)
      ++rounds;
    return rounds;
  }

  bool finished() const {
    if (options_.max_model_bytes)
      return steps_.back().model_bytes + kRoomForFacts <= *options_.max_model_bytes;
    constexpr double kFarAbove = 0.1;
    constexpr std::size_t kRounds = 3;
    const double far =
        steps_[least_error()].error * (1 + std::max(kFarAbove, 2 * options_.tolerance.value_or(0)));
    std::size_t above = 0;
    for (const PruneStep& step : steps_) above = step.error > far ? above + 1 : 0;
    return above >= kRounds;
  }

  std::size_t fitting() const {
    if (steps_.back().model_bytes + kRoomForFacts <= *options_.max_model_bytes)
      return steps_.size() - 1;
    if (trees_.leaves() > forest_.trees())
      throw Error(ErrorKind::invalid_option,
                  fmt::format("after {} rounds the model still takes {} bytes, not {}; allow more "
                              "rounds, or merge more per round",
                              steps_.size() - 1, steps_.back().model_bytes + kRoomForFacts,
                              *options_.max_model_bytes));
    throw Error(
        ErrorKind::invalid_option,
        fmt::format("the model cannot be pruned to {} bytes: {} leaves in {} trees take {}; "
                    "train fewer trees",
                    *options_.max_model_bytes, steps_.back().leaves, forest_.trees(),
                    steps_.back().model_bytes + kRoomForFacts));
  }

  double significance(const PrunedTrees::Pair& pair, RandomStream& random) const {
    const float *a = w_.row(pair.left), *b = w_.row(pair.right);
    double sum = 0;
    if (options_.order == MergeOrder::random) return random.uniform();
    for (std::size_t k = 0; k < w_.outputs; ++k) {
      const double x = double{a[k]}, y = double{b[k]};
      sum += options_.order == MergeOrder::least_difference ? (x - y) * (x - y) : x * x + y * y;
    }
    return options_.order == MergeOrder::most ? -sum : sum;
  }

  // The share that is asked for, but hardly more than must go for the model to fit.
  std::size_t wanted_pairs(std::size_t pairs) const {
    constexpr double kLeastShare = 0.01;
    double wanted = options_.merged_share * static_cast<double>(pairs);
    if (options_.max_model_bytes) {
      const std::size_t bytes = steps_.back().model_bytes + kRoomForFacts;
      const double excess = static_cast<double>(bytes - std::min(bytes, *options_.max_model_bytes));
      wanted = std::min(
          wanted, std::max(kLeastShare * static_cast<double>(pairs), gauge_.leaves_of(excess)));
    }
    return std::max<std::size_t>(1, static_cast<std::size_t>(wanted));
  }

  // False if no pair is left.
  bool merge(std::size_t round) {
    const std::vector<PrunedTrees::Pair> pairs = trees_.pairs();
    if (pairs.empty()) return false;
    RandomStream random = RandomStream(options_.refine.seed).child(1).child(round);
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t n = 0; n < pairs.size(); ++n)
      order.emplace_back(significance(pairs[n], random), n);
    const std::size_t wanted = wanted_pairs(pairs.size());
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted - 1),
                     order.end());
    std::vector<PrunedTrees::Pair> merged;
    for (std::size_t n = 0; n < wanted; ++n) merged.push_back(pairs[order[n].second]);
    const std::vector<std::uint32_t> new_leaf = trees_.merge(merged);
    w_ = merged_rows(w_, leaves_of(prepared_.rows).leaf_weights(), new_leaf, trees_.leaves());
    for (RefinableRows* rows : {&prepared_.rows, &validation_})
      leaves_of(*rows).relabel(new_leaf, trees_.first_leaf());
    return true;
  }

  const Forest& forest_;
  Prepared prepared_;  // its rows are the learning rows
  const PruneOptions& options_;
  const RunContext& context_;
  std::size_t workers_;
  CostChoice choice_;
  RefinableRows validation_;
  std::unique_ptr<LeafSolver> solver_;
  PrunedTrees trees_;
  OutputBlock w_;
  SizeGauge gauge_;
  std::vector<PruneStep> steps_;
  std::vector<Cuts> cuts_;
};

}  // namespace

PruneResult prune(const Forest& forest, const DatasetView& data, const PruneOptions& options,
                  const RunContext& context) {
  const Stopwatch watch;
  check_pruning(forest.info(), options);
  const std::size_t workers = worker_count(context.threads);
  Prepared prepared = prepare(forest, data, options.refine, context);
  Pruning pruning(forest, prepared, options, context);
  pruning.run();
  const std::size_t taken = pruning.taken();

  PrunedTrees trees(forest);
  const std::vector<std::uint32_t> new_leaf = trees.cut(pruning.cuts_of(taken));
  leaves_of(prepared.rows).relabel(new_leaf, trees.first_leaf());
  OutputBlock w(trees.leaves(), prepared.rows.outputs());
  const Solved solved = make_solver(prepared.loss, prepared.rows, options.refine.seed)
                            ->solve(pruning.choice().cost, w, workers);
  RefineReport report{.cost = pruning.choice().cost,
                      .objective = solved.objective,
                      .iterations = solved.iterations,
                      .converged = solved.converged,
                      .validation_rows = prepared.validation.size(),
                      .error_before = prepared.error_before,
                      .error_after = pruning.steps()[taken].error,
                      .trials = pruning.choice().trials};
  Forest pruned = refined_forest(forest, trees.cuts(), prepared, Refinement::replace, w, workers);
  ForestInfo info = with_refinement_facts(pruned.info(), options.refine, prepared.loss, report);
  report.seconds = watch.seconds();
  return {std::move(pruned).with_info(std::move(info)), std::move(report), pruning.steps(), taken};
}

}  // namespace coppice
