// What a checkpoint refuses to be continued with, and how it says so.
#include "tasks/checkpoint_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_folder.h"
#include "coppice/coppice.h"
#include "data/test_file.h"

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

class Stopped : public testing::Test {
 protected:
  Stopped() {
    RunContext context{.threads = 1};
    std::size_t finished = 0;
    context.progress = [&](const Progress& progress) { finished = progress.done; };
    context.cancelled = [&] { return finished >= 2; };
    stop_ = error_of([&] { fit(data_.view(), options_, context, &checkpoint_); });
  }

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
