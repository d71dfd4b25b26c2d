// What a checkpoint refuses to be continued with, and how it says so; its parts.
#include "tasks/checkpoint_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_folder.h"
#include "coppice/coppice.h"
#include "data/test_file.h"
#include "model/checkpoint_arrays.h"
#include "model/test_forests.h"
#include "tasks/checkpoint_parts.h"
#include "tasks/test_parts.h"

namespace coppice {
namespace {

Dataset toy() {
  Dataset data = generate({.shape = ToyShape::spirals, .rows = 200, .noise = 0.2});
  data.weights.assign(data.rows, 1);
  return data;
}

FitOptions six_trees() {
  FitOptions options;
  options.forest.trees = 6;
  return options;
}

class OnToyData : public testing::Test {
 protected:
  // Why it cannot be continued, without the name of the file.
  std::string refusal(const Dataset& data, const FitOptions& options) const {
    RunContext context{.threads = 1};
    return error_of([&] { fit(data.view(), options, context, &checkpoint_); });
  }

  const test::TestFolder folder_;
  const Checkpoint checkpoint_{
      .path = folder_.file("toy.checkpoint"), .seconds = 0, .resume = true};
  const Dataset data_ = toy();
  const FitOptions options_ = six_trees();
  std::string stop_;
};

class Stopped : public OnToyData {
 protected:
  Stopped() {
    RunContext context{.threads = 1};
    std::size_t finished = 0;
    context.progress = [&](const Progress& progress) { finished = progress.done; };
    context.cancelled = [&] { return finished >= 2; };
    stop_ = error_of([&] { fit(data_.view(), options_, context, &checkpoint_); });
  }
};

TEST_F(Stopped, SaysWhatThereIs) {
  EXPECT_EQ(stop_, "cancelled: stopped; 2 of 6 trees are in " + checkpoint_.path);
  EXPECT_EQ(Forest::load(checkpoint_.path).info().facts.at("checkpoint"), "2 of 6 trees");
  EXPECT_EQ(refusal(data_, options_), "none");
}

TEST_F(Stopped, NamesOptionsThatDiffer) {
  FitOptions other = options_;
  other.forest.trees = 7;
  other.forest.seed = 9;
  other.growth.max_depth = 3;
  const std::string sentence = refusal(data_, other);
  EXPECT_TRUE(
      sentence.starts_with("option: toy.checkpoint: is the checkpoint of a training with "
                           "other options: "))
      << sentence;
  for (const char* difference :
       {"--n-estimators was 6, now 7", "--seed was 1, now 9", "--max-depth was none, now 3"})
    EXPECT_NE(sentence.find(difference), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("begin anew"), std::string::npos) << sentence;

  other = options_;
  other.report.facts["command"] = "coppice train toy.csv --refine gr";
  EXPECT_NE(refusal(data_, other).find("command was not given, now coppice train"),
            std::string::npos);
}

TEST_F(Stopped, WhatNeverChangesAModelMayDiffer) {
  FitOptions other = options_;
  other.growth.order = GrowthOrder::breadth_first;
  EXPECT_EQ(refusal(data_, other), "none");
}

TEST_F(Stopped, NamesDataThatDiffer) {
  const auto expect = [&](const Dataset& data, const std::string& difference) {
    const std::string sentence = refusal(data, options_);
    EXPECT_TRUE(sentence.starts_with("data: toy.checkpoint: ")) << sentence;
    EXPECT_NE(sentence.find(difference), std::string::npos) << sentence;
  };
  Dataset data = data_;
  data.columns[1][17] = 0.5f;
  expect(data, "its contents changed: feature '" + data.schema.features[1].name + "'");
  data = data_;
  data.labels[3] = 1 - data.labels[3];
  expect(data, "its contents changed: classes of the rows");
  data = data_;
  data.weights[3] = 2;
  expect(data, "its contents changed: weights of the rows");
  data = data_;
  data.schema.features[0].name = "other";
  expect(data, "features: '" + data_.schema.features[0].name + "' then, 'other' now");
  data = data_;
  data.schema.classes.emplace_back("third");
  expect(data, "classes then");
  expect(generate({.shape = ToyShape::spirals, .rows = 201, .noise = 0.2}),
         "200 rows then, 201 now");
}

TEST_F(Stopped, TheSameValuesInAnotherOrderAreOtherData) {
  Dataset data = data_;
  std::swap(data.columns[0][0], data.columns[0][1]);
  EXPECT_NE(refusal(data, options_), "none");
}

TEST_F(Stopped, AFileThatIsNoCheckpointIsRefused) {
  fit(data_.view(), options_).forest.save(checkpoint_.path);
  EXPECT_EQ(refusal(data_, options_),
            "model: toy.checkpoint: is no checkpoint: section 'x-checkpoint.data' is missing");
}

TEST_F(Stopped, WithoutAFileItBegins) {
  remove_checkpoint(checkpoint_);
  EXPECT_FALSE(std::filesystem::exists(checkpoint_.path));
  EXPECT_EQ(refusal(data_, options_), "none");
}

// --- Parts ---------------------------------------------------------------------------------------

// Four trees of six, each in a part of its own.
class StoppedInParts : public OnToyData {
 protected:
  StoppedInParts() { stop_ = stop(checkpoint_, options_, 4); }

  std::string stop(Checkpoint checkpoint, const FitOptions& options, std::size_t trees) const {
    RunContext context;
    const test::PartPerTree parts(checkpoint, context);
    context.cancelled = [&] { return parts.finished() >= trees; };
    return error_of([&] { fit(data_.view(), options, context, &checkpoint); });
  }
  std::string part(std::size_t number) const { return part_path(checkpoint_.path, number); }
  std::string refusal() const { return OnToyData::refusal(data_, options_); }
  void expect_continued() const {
    const FitResult resumed = fit(data_.view(), options_, {.threads = 2}, &checkpoint_);
    resumed.forest.save(folder_.file("resumed"));
    fit(data_.view(), options_).forest.save(folder_.file("whole"));
    EXPECT_TRUE(test::bytes_of(folder_.file("resumed")) == test::bytes_of(folder_.file("whole")));
  }
  using Numbers = std::vector<std::size_t>;
};

TEST_F(StoppedInParts, SaysWhatThereIs) {
  EXPECT_EQ(stop_, "cancelled: stopped; 4 of 6 trees are in " + checkpoint_.path);
  EXPECT_EQ(parts_of(checkpoint_.path), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(Forest::load(checkpoint_.path).trees(), 1u);
  EXPECT_EQ(error_of([&] { Forest::load(part(2)); }),
            "model: toy.checkpoint.2: holds trees without leaves: a further part of a checkpoint, "
            "which only coppice train --resume can use");
  expect_continued();
}

TEST_F(StoppedInParts, AllAreRemoved) {
  remove_checkpoint(checkpoint_);
  for (std::size_t number = 1; number <= 4; ++number)
    EXPECT_FALSE(std::filesystem::exists(part(number))) << number;
}

// Otherwise training from the beginning would pass for continuing.
TEST_F(StoppedInParts, AllAreFollowed) {
  std::uint32_t feature = 0;
  {
    const StoredCheckpoint stored(part(3), StoredCheckpoint::Leaves::left_out);
    std::vector<double> gain(stored.arrays().gain.begin(), stored.arrays().gain.end());
    gain.back() = 1e30;
    feature = stored.trees().code.back() & SplitCode::kFeatureMask;
    CheckpointArrays altered = stored.arrays();
    altered.gain = gain;
    write_checkpoint(stored.trees(), stored.info(), altered, part(3));
  }
  const FitResult resumed = fit(data_.view(), options_, {}, &checkpoint_);
  EXPECT_NEAR(resumed.forest.info().importances.at("impurity")[feature], 1, 1e-6);
}

TEST_F(StoppedInParts, AContinuedTrainingAddsParts) {
  Checkpoint again = checkpoint_;
  RunContext context;
  const test::PartPerTree parts(again, context, 4);
  context.cancelled = [&] { return parts.finished() >= 5; };
  EXPECT_EQ(error_of([&] { fit(data_.view(), options_, context, &again); }),
            "cancelled: stopped; 5 of 6 trees are in " + checkpoint_.path);
  EXPECT_EQ(parts_of(checkpoint_.path), (Numbers{1, 2, 3, 4, 5}));
  expect_continued();
}

// A small last part is written again with what came later.
TEST_F(StoppedInParts, TheLastPartStaysOpenIfItIsSmall) {
  std::size_t finished = 0;
  RunContext context{.threads = 1};
  context.progress = [&](const Progress& progress) { finished = progress.done; };
  context.cancelled = [&] { return finished >= 5; };
  EXPECT_EQ(error_of([&] { fit(data_.view(), options_, context, &checkpoint_); }),
            "cancelled: stopped; 5 of 6 trees are in " + checkpoint_.path);
  EXPECT_EQ(parts_of(checkpoint_.path), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(StoredCheckpoint(part(4), StoredCheckpoint::Leaves::left_out).trees().trees(), 2u);
  expect_continued();
}

TEST_F(StoppedInParts, AMissingPartCostsItsTrees) {
  std::filesystem::remove(part(2));
  expect_continued();
}

TEST_F(StoppedInParts, ADamagedPartIsRefused) {
  const std::string whole = test::bytes_of(part(3));
  test::put_bytes(part(3), whole.substr(0, whole.size() / 2));
  EXPECT_TRUE(refusal().starts_with("model: toy.checkpoint.3: ")) << refusal();
  std::filesystem::copy_file(part(1), part(3), std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(refusal(),
            "model: toy.checkpoint.3: is no further part of a checkpoint: its trees have leaves");
}

TEST_F(StoppedInParts, APartOfAnotherTrainingIsRefused) {
  FitOptions other = options_;
  other.forest.seed = 9;
  const Checkpoint beside{.path = folder_.file("other.checkpoint"), .resume = true};
  stop(beside, other, 4);
  std::filesystem::rename(part_path(beside.path, 2), part(5));
  const std::string sentence = refusal();
  EXPECT_TRUE(sentence.starts_with("option: toy.checkpoint.5: ")) << sentence;
  EXPECT_NE(sentence.find("--seed was 9, now 1"), std::string::npos) << sentence;
}

TEST_F(StoppedInParts, WhatIsLeftOfOthersIsNeverMixedIn) {
  // Without the first part there is nothing to continue.
  std::filesystem::remove(checkpoint_.path);
  EXPECT_EQ(refusal(), "none");
  EXPECT_FALSE(std::filesystem::exists(part(2)));
  // Nor if nobody wants to continue.
  stop(checkpoint_, options_, 4);
  Checkpoint anew = checkpoint_;
  anew.resume = false;
  EXPECT_EQ(error_of([&] { fit(data_.view(), options_, {.threads = 1}, &anew); }), "none");
  EXPECT_EQ(parts_of(checkpoint_.path), (Numbers{1}));
}

TEST_F(StoppedInParts, OtherFilesAreNoParts) {
  for (const char* const name : {".0", ".1", ".02", ".2x", ".", ".first", ".99999999999999999999"})
    test::put_bytes(checkpoint_.path + name, "not a part");
  EXPECT_EQ(parts_of(checkpoint_.path), (Numbers{1, 2, 3, 4}));
}

TEST(CheckpointFile, MethodsThatGrowByLevelsHaveOnePart) {
  const Dataset data = toy();
  const test::TestFolder folder;
  Checkpoint checkpoint{.path = folder.file("toy.checkpoint")};
  RunContext context;
  FitOptions options = six_trees();
  options.method = AlternatingForest{};
  std::size_t writes = 0;
  checkpoint.seconds = 1e-4;
  checkpoint.writing = [&](bool begins) { writes += begins ? 1 : 0; };
  context.threads = 1;
  context.cancelled = [] {
    usleep(100);
    return false;
  };
  fit(data.view(), options, context, &checkpoint);
  EXPECT_GT(writes, 0u);
  EXPECT_EQ(parts_of(checkpoint.path), std::vector<std::size_t>{1});
}

TEST(CheckpointFile, AFailureToWriteDoesNotEndTheTraining) {
  const Dataset data = toy();
  std::string reason;
  Checkpoint checkpoint{.path = "/nowhere/toy.checkpoint", .seconds = 1e-3};
  checkpoint.failed = [&](std::string_view why) { reason = why; };
  RunContext context{.threads = 1};
  bool slept = false;
  std::size_t finished = 0;
  context.progress = [&](const Progress& progress) {
    finished = progress.done;
    if (finished == 3 && !std::exchange(slept, true)) usleep(700'000);
  };
  EXPECT_EQ(fit(data.view(), six_trees(), context, &checkpoint).forest.trees(), 6u);
  EXPECT_NE(reason.find("/nowhere/toy.checkpoint"), std::string::npos);
  // When it is stopped, what cannot be kept is lost.
  context.cancelled = [&] { return finished == 2; };
  EXPECT_TRUE(
      error_of([&] { fit(data.view(), six_trees(), context, &checkpoint); }).starts_with("io: "));
}

}  // namespace
}  // namespace coppice
