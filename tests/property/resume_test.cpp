// A training that is stopped and continued, however often and with whatever threads, ends in the
// model of an undisturbed one, bit for bit.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <filesystem>
#include <functional>
#include <thread>

#include "base/atomic_file.h"
#include "coppice/checkpoint.h"
#include "coppice/density.h"
#include "coppice/embedding.h"
#include "coppice/error.h"
#include "coppice/refine.h"
#include "coppice/semi_supervised.h"
#include "data/test_file.h"
#include "model/checkpoint_arrays.h"
#include "model/model_file.h"
#include "tasks/test_parts.h"
#include "tests/property/forest_checks.h"
#include "tests/property/more_cases.h"

namespace coppice {
namespace {

using test::TestFolder;

// Asks train(context, &checkpoint) for a model and stops it again and again, later every time.
template <class Train>
auto with_stops(const Checkpoint& checkpoint, std::size_t& stops, Train&& train) {
  std::size_t patience = 4;
  for (std::size_t threads = 1;; threads = threads % 3 + 1, patience += patience / 2 + 3) {
    std::atomic<std::size_t> asked{0};
    RunContext context{.threads = threads};
    context.cancelled = [&] { return ++asked > patience; };
    try {
      return train(context, &checkpoint);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::cancelled) throw;
      ++stops;
    }
  }
}

Checkpoint checkpoint_in(const TestFolder& folder, double seconds = 0) {
  return {.path = folder.file("model.checkpoint"), .seconds = seconds, .resume = true};
}

void expect_same_fit(const FitResult& a, const FitResult& b) {
  EXPECT_EQ(test::model_bytes(a.forest), test::model_bytes(b.forest));
  EXPECT_EQ(test::bits_of(a.report.stage_losses), test::bits_of(b.report.stage_losses));
  ASSERT_EQ(a.report.out_of_bag.has_value(), b.report.out_of_bag.has_value());
  if (a.report.out_of_bag) {
    EXPECT_EQ(test::bits_of(a.report.out_of_bag->mean), test::bits_of(b.report.out_of_bag->mean));
  }
}

// Every other training also writes whenever it can, so that there are many parts.
void expect_resumable(const Dataset& data, const FitOptions& options, std::size_t least_stops = 3) {
  const TestFolder folder;
  std::size_t stops = 0;
  const FitResult whole = fit(data.view(), options);
  const FitResult resumed =
      with_stops(checkpoint_in(folder, options.forest.seed % 2 == 0 ? 1e-4 : 0), stops,
                 [&](auto... how) { return fit(data.view(), options, how...); });
  EXPECT_GE(stops, least_stops);
  expect_same_fit(whole, resumed);
}

class Resume : public testing::TestWithParam<test::TaskCase> {};

TEST_P(Resume, EndsInTheSameModel) {
  for (const std::uint64_t seed : {1, 2})
    expect_resumable(GetParam().data(seed, 120), GetParam().options(seed));
}

INSTANTIATE_TEST_SUITE_P(Table, Resume, testing::ValuesIn(test::task_cases()), test::kByName);
INSTANTIATE_TEST_SUITE_P(Staged, Resume, testing::ValuesIn(test::staged_cases()), test::kByName);
INSTANTIATE_TEST_SUITE_P(Leaves, Resume, testing::ValuesIn(test::leaf_kind_cases()), test::kByName);

// --- What is not in the tables -------------------------------------------------------------------

const test::TaskCase& case_named(const std::string& name) {
  static const std::vector<test::TaskCase> all = [] {
    std::vector<test::TaskCase> cases = test::task_cases();
    for (const test::TaskCase& staged : test::staged_cases()) cases.push_back(staged);
    return cases;
  }();
  for (const test::TaskCase& row : all)
    if (row.name == name) return row;
  throw std::logic_error("no case " + name);
}

TEST(ResumeOf, EveryWeakLearner) {
  const test::TaskCase& tested = case_named("gini_bins_of_large_nodes");
  for (const WeakLearnerKind kind :
       {WeakLearnerKind::difference, WeakLearnerKind::oblique, WeakLearnerKind::conic,
        WeakLearnerKind::principal, WeakLearnerKind::canonical, WeakLearnerKind::boxes}) {
    for (const bool two_sided : {false, true}) {
      FitOptions options = tested.options(3);
      options.split.learners = {{kind, 2}, {WeakLearnerKind::axis, 1}};
      options.split.two_sided = two_sided;
      options.split.candidates = 6;
      const Dataset data = tested.data(3, 150);
      if (kind == WeakLearnerKind::boxes)
        options.split.image_width = static_cast<std::uint32_t>(data.columns.size());
      expect_resumable(data, options);
    }
  }
}

TEST(ResumeOf, OptionsThatLookAtTheWholeTree) {
  FitOptions options = case_named("adf_tangent").options(4, 6);
  options.growth.min_impurity_decrease = 0.01;
  options.split.feature_weights = LearnedFeatureWeights{};
  options.report.permutation_importance = true;
  expect_resumable(case_named("adf_tangent").data(4, 150), options);
  options = case_named("variance_exact").options(4, 6);
  options.split.max_node_samples = 20;
  options.growth.order = GrowthOrder::breadth_first;
  options.sampling.bagging = Bagging::none;
  options.report.calibration = false;
  expect_resumable(case_named("variance_exact").data(4, 150), options);
}

TEST(ResumeOf, DensitiesManifoldsAndFewLabels) {
  Dataset points = test::random_dataset(
      RandomStream(5),
      {.rows = 150, .numeric = 3, .categorical = 0, .classes = 3, .missing = false});
  FitOptions density = density_options();
  density.forest.trees = 6;
  expect_resumable(points, density);

  FitOptions few = semi_supervised_options();
  few.forest.trees = 6;
  Dataset partly = points;
  for (std::size_t row = 0; row < partly.rows; ++row)
    if (row % 5 != 0) partly.labels[row] = kNoLabel;
  expect_resumable(partly, few);

  const Dataset directions = manifold_dataset(points.view());
  FitOptions manifold = manifold_options(directions.rows, directions.schema.features.size());
  manifold.forest.trees = 6;
  expect_resumable(directions, manifold);
}

TEST(ResumeOf, RefinedForests) {
  const test::TaskCase& tested = case_named("variance_exact");
  const Dataset data = tested.data(6, 150);
  const FitOptions options = tested.options(6, 6);
  for (const bool choose_cost : {false, true}) {
    RefineOptions refinement;
    if (!choose_cost) refinement.cost = 0.5;
    const TestFolder folder;
    std::size_t stops = 0;
    const auto refined = [&](auto... how) {
      return fit_and_refine(data.view(), options, refinement, how...);
    };
    expect_same_fit(refined(RunContext{}).fit,
                    with_stops(checkpoint_in(folder), stops, refined).fit);
    EXPECT_GE(stops, 3u);
  }
  const TestFolder folder;
  std::size_t stops = 0;
  const auto pruned = [&](auto... how) {
    return fit_and_prune(data.view(), options, PruneOptions{}, how...);
  };
  expect_same_fit(pruned(RunContext{}).fit, with_stops(checkpoint_in(folder), stops, pruned).fit);
  EXPECT_GE(stops, 3u);
}

// --- Written while training goes on --------------------------------------------------------------

// A copy of the first checkpoint that is written while nothing has stopped the training.
class FirstCheckpoint : public testing::TestWithParam<const char*> {};

TEST_P(FirstCheckpoint, CanBeContinued) {
  const test::TaskCase& tested = case_named(GetParam());
  const Dataset data = tested.data(7, 150);
  const FitOptions options = tested.options(7, 8);
  const TestFolder folder;
  const std::string copy = folder.file("copy");
  Checkpoint checkpoint = checkpoint_in(folder);
  checkpoint.seconds = 1e-3;
  checkpoint.writing = [&](bool begins) {
    if (!begins && !std::filesystem::exists(copy))
      std::filesystem::copy_file(checkpoint.path, copy);
  };
  std::size_t asked = 0;
  RunContext slow{.threads = 1};
  slow.cancelled = [&] {
    if (++asked == 60) std::this_thread::sleep_for(std::chrono::milliseconds(700));
    return false;
  };
  const FitResult whole = fit(data.view(), options, slow, &checkpoint);
  ASSERT_TRUE(std::filesystem::exists(copy));
  expect_same_fit(whole, fit(data.view(), options));

  const Checkpoint from_copy{.path = copy, .seconds = 0, .resume = true};
  std::size_t total = 0;
  RunContext counted{.threads = 1};
  counted.progress = [&](const Progress& progress) { total = progress.total; };
  expect_same_fit(whole, fit(data.view(), options, counted, &from_copy));
  EXPECT_EQ(total, 8u);
}

INSTANTIATE_TEST_SUITE_P(Units, FirstCheckpoint,
                         testing::Values("gini_exact", "boosted_savage", "newton", "dynamic",
                                         "adf_logit", "arf_several_huber", "arf_linear_huber",
                                         "irrf"),
                         [](const auto& tested) { return std::string(tested.param); });

// Stops the training once so many nodes were looked at; the file then has a record of some splits.
void stop_after(std::size_t questions, const Dataset& data, const FitOptions& options,
                const Checkpoint& checkpoint) {
  std::size_t asked = 0;
  RunContext context{.threads = 1};
  context.cancelled = [&] { return ++asked > questions; };
  const std::string stop = error_of([&] { fit(data.view(), options, context, &checkpoint); });
  ASSERT_TRUE(stop.starts_with("cancelled: ")) << stop << " after " << asked << " questions";
}

// Otherwise training from the beginning would pass for continuing.
TEST(CheckpointOf, EveryUnitIsFollowed) {
  for (const char* const name : {"variance_exact", "newton", "arf_huber"}) {
    const test::TaskCase& tested = case_named(name);
    const Dataset data = tested.data(9, 150);
    const FitOptions options = tested.options(9);
    const TestFolder folder;
    const Checkpoint checkpoint = checkpoint_in(folder);
    stop_after(40, data, options, checkpoint);
    std::uint32_t feature = 0;
    {
      const StoredCheckpoint stored(checkpoint.path);
      std::vector<double> gain(stored.arrays().gain.begin(), stored.arrays().gain.end());
      ASSERT_FALSE(gain.empty());
      gain.back() = 1e30;
      feature = stored.trees().code.back() & SplitCode::kFeatureMask;
      CheckpointArrays altered = stored.arrays();
      altered.gain = gain;
      write_checkpoint(stored.trees(), stored.info(), altered, checkpoint.path);
    }
    const FitResult resumed = fit(data.view(), options, {}, &checkpoint);
    EXPECT_NEAR(resumed.forest.info().importances.at("impurity")[feature], 1, 1e-6) << name;
  }
}

// A stop before the record is caught up with leaves the better file alone.
TEST(CheckpointOf, WhatWasKeptIsNotLost) {
  for (const char* const name : {"variance_exact", "newton", "arf_huber"}) {
    const test::TaskCase& tested = case_named(name);
    const Dataset data = tested.data(9, 150);
    const TestFolder folder;
    const Checkpoint checkpoint = checkpoint_in(folder);
    stop_after(100, data, tested.options(9), checkpoint);
    const std::string kept = test::bytes_of_file(checkpoint.path);
    stop_after(20, data, tested.options(9), checkpoint);
    EXPECT_TRUE(kept == test::bytes_of_file(checkpoint.path)) << name;
  }
}

// Splits of other data would leave nodes without rows.
TEST(CheckpointOf, SplitsThatDoNotFitAreRefused) {
  const test::TaskCase& tested = case_named("variance_exact");
  const Dataset data = tested.data(9, 150);
  const TestFolder folder;
  const Checkpoint checkpoint = checkpoint_in(folder);
  stop_after(100, data, tested.options(9), checkpoint);
  {
    const StoredCheckpoint stored(checkpoint.path);
    ForestArrays altered = stored.trees();
    std::vector<std::uint32_t> threshold(altered.threshold.begin(), altered.threshold.end());
    for (std::size_t at = 0; at < threshold.size(); ++at)
      if ((altered.code[at] & SplitCode::kKindMask) == 0)
        threshold[at] = std::bit_cast<std::uint32_t>(-INFINITY);
    altered.threshold = threshold;
    write_checkpoint(altered, stored.info(), stored.arrays(), checkpoint.path);
  }
  EXPECT_TRUE(error_of([&] {
                fit(data.view(), tested.options(9), {}, &checkpoint);
              }).starts_with("model: the checkpoint has a split that leaves nothing"));
}

// Whatever a stranger has written into a file with a right checksum, it is refused or continued.
void expect_harmless(const std::string& file, const std::function<void()>& resume,
                     std::size_t least_continued) {
  const std::string whole = test::bytes_of_file(file);
  constexpr std::string_view kKey = "\"checksum\":\"";
  const std::size_t digits = whole.find(kKey) + kKey.size();
  RandomStream random(10);
  std::size_t refused = 0, continued = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::string damaged = whole;
    for (std::uint32_t n = 0; n <= random.below(3); ++n) {
      const std::size_t at = random.below(static_cast<std::uint32_t>(damaged.size()));
      damaged[at] = static_cast<char>(random.below(256));
    }
    const std::string right = checksum_of(std::as_bytes(std::span(damaged)), digits);
    damaged.replace(digits, right.size(), right);
    write_file_atomically(file, std::as_bytes(std::span(damaged)));
    ++(error_of(resume) == "none" ? continued : refused);
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(continued, least_continued);
}

TEST(CheckpointOf, AStrangerHarmsNobody) {
  for (const char* const name : {"gini_binary", "newton_two_classes", "arf_several_huber"}) {
    SCOPED_TRACE(name);
    const test::TaskCase& tested = case_named(name);
    const Dataset data = tested.data(10, 60);
    FitOptions options = tested.options(10, 4);
    options.split.learners = {{WeakLearnerKind::oblique, 1}, {WeakLearnerKind::axis, 1}};
    const TestFolder folder;
    const Checkpoint checkpoint = checkpoint_in(folder);
    const auto resume = [&] { fit(data.view(), options, {.threads = 1}, &checkpoint); };
    stop_after(30, data, options, checkpoint);
    expect_harmless(checkpoint.path, resume, 10);

    if (std::string_view(name) == "arf_several_huber") continue;  // has one part
    remove_checkpoint(checkpoint);
    Checkpoint in_parts = checkpoint;
    RunContext context;
    const test::PartPerTree parts(in_parts, context);
    context.cancelled = [&] { return parts.finished() >= 2; };
    EXPECT_NE(error_of([&] { fit(data.view(), options, context, &in_parts); }), "none");
    // Without leaves it holds little that may be anything.
    expect_harmless(checkpoint.path + ".2", resume, 5);
  }
}

// A checkpoint is a model, too: of the trees as they stand.
TEST(CheckpointOf, AForestPredicts) {
  const test::TaskCase& tested = case_named("gini_exact");
  const Dataset data = tested.data(8, 150);
  const TestFolder folder;
  const Checkpoint checkpoint = checkpoint_in(folder);
  std::size_t finished = 0;
  RunContext context{.threads = 1};
  context.progress = [&](const Progress& progress) { finished = progress.done; };
  context.cancelled = [&] { return finished >= 3; };
  EXPECT_EQ(error_of([&] { fit(data.view(), tested.options(8), context, &checkpoint); }),
            "cancelled: stopped; 3 of 5 trees are in " + checkpoint.path);
  const Forest forest = Forest::load(checkpoint.path);
  test::expect_same_trees(forest, fit(data.view(), tested.options(8, 3)).forest);
}

}  // namespace
}  // namespace coppice
