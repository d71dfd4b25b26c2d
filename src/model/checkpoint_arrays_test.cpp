// A checkpoint that a stranger hands over is read whole or refused with a sentence.
#include "model/checkpoint_arrays.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/atomic_file.h"
#include "base/test_folder.h"
#include "data/test_file.h"
#include "model/test_forests.h"

namespace coppice {
namespace {

class CheckpointArraysTest : public testing::Test {
 protected:
  using Leaves = StoredCheckpoint::Leaves;
  void write() const { write(forest_.arrays()); }
  void write(ForestArrays trees) const {
    if (leaves_ == Leaves::left_out) {
      trees.payload_size = 0;
      trees.payload_row = {};
      trees.payload = trees.support = {};
    }
    write_checkpoint(trees, forest_.info(),
                     {.data = data_,
                      .gain = gain_,
                      .root_weight = root_weight_,
                      .number = number_,
                      .closed_depth = closed_depth_},
                     path_);
  }
  std::string refusal() const {
    return error_of([&] { StoredCheckpoint stored(path_, leaves_); });
  }
  void expect_damage_refused() const;
  std::string refusal_of_written() const {
    write();
    return refusal();
  }

  const test::TestFolder folder_;
  const std::string path_ = folder_.file("c");
  Leaves leaves_ = Leaves::kept;
  const Forest forest_ = test::random_forest(3, PayloadKind::mean_variance, {3, 0, 5}, 4);
  std::vector<std::uint64_t> data_{1, 2, 3};
  std::vector<double> gain_ = std::vector<double>(forest_.arrays().splits(), 0.5);
  std::vector<double> root_weight_ = std::vector<double>(forest_.trees(), 7);
  std::vector<std::uint32_t> number_ = [this] {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t tree = 0; tree < forest_.trees(); ++tree) numbers.push_back(2 * tree);
    return numbers;
  }();
  std::vector<std::uint32_t> closed_depth_ =
      std::vector<std::uint32_t>(forest_.trees(), CheckpointArrays::kFinished);
};

TEST_F(CheckpointArraysTest, ComesBackAsItWas) {
  gain_[0] = -0.25;
  write();
  const StoredCheckpoint stored(path_);
  EXPECT_TRUE(std::ranges::equal(stored.arrays().data, data_));
  EXPECT_TRUE(std::ranges::equal(stored.arrays().gain, gain_));
  EXPECT_TRUE(std::ranges::equal(stored.arrays().root_weight, root_weight_));
  EXPECT_TRUE(std::ranges::equal(stored.arrays().number, number_));
  EXPECT_TRUE(std::ranges::equal(stored.arrays().closed_depth, closed_depth_));
  EXPECT_TRUE(std::ranges::equal(stored.trees().right, forest_.arrays().right));
  EXPECT_EQ(stored.info().schema, forest_.info().schema);
  EXPECT_EQ(Forest::load(path_).trees(), forest_.trees());
}

TEST_F(CheckpointArraysTest, LeavesMayBeLeftOut) {
  write();
  const std::size_t bytes = test::bytes_of(path_).size();
  leaves_ = Leaves::left_out;
  EXPECT_NE(refusal().find("its trees have leaves"), std::string::npos) << refusal();
  write();
  EXPECT_LT(test::bytes_of(path_).size(), bytes);
  const StoredCheckpoint stored(path_, leaves_);
  EXPECT_TRUE(std::ranges::equal(stored.arrays().gain, gain_));
  EXPECT_TRUE(std::ranges::equal(stored.trees().right, forest_.arrays().right));
  EXPECT_TRUE(std::ranges::equal(stored.trees().code, forest_.arrays().code));
  EXPECT_EQ(stored.trees().trees(), forest_.trees());
  EXPECT_NE(error_of([&] { Forest::load(path_); }).find("holds trees without leaves"),
            std::string::npos);
}

TEST_F(CheckpointArraysTest, SplitsAreCheckedWithoutLeaves) {
  leaves_ = Leaves::left_out;
  ForestArrays trees = forest_.arrays();
  std::vector<std::uint32_t> right(trees.right.begin(), trees.right.end());
  right.back() = 1000;
  trees.right = right;
  write(trees);
  EXPECT_NE(refusal().find("section 'split.right'"), std::string::npos) << refusal();
}

TEST_F(CheckpointArraysTest, ArraysOfOtherSizesAreRefused) {
  gain_.push_back(1);
  EXPECT_NE(refusal_of_written().find("section 'x-checkpoint.gain'"), std::string::npos);
  gain_.pop_back();
  root_weight_.clear();
  EXPECT_NE(refusal_of_written().find("has 0 entries instead of"), std::string::npos);
  root_weight_.assign(forest_.trees(), 1);
  number_.push_back(77);
  EXPECT_NE(refusal_of_written().find("section 'x-checkpoint.number'"), std::string::npos);
  number_.pop_back();
  closed_depth_.push_back(77);
  EXPECT_NE(refusal_of_written().find("section 'x-checkpoint.closed_depth'"), std::string::npos);
}

TEST_F(CheckpointArraysTest, NumbersThatAreNoneAreRefused) {
  for (const double value : {double{NAN}, double{INFINITY}, -double{INFINITY}}) {
    gain_.back() = value;
    EXPECT_NE(refusal_of_written().find("section 'x-checkpoint.gain'"), std::string::npos);
    gain_.back() = 0;
    root_weight_[0] = value;
    EXPECT_NE(refusal_of_written().find("section 'x-checkpoint.root_weight'"), std::string::npos);
    root_weight_[0] = 1;
  }
}

TEST_F(CheckpointArraysTest, ATreeComesOnce) {
  number_.back() = number_.front();
  ASSERT_GT(number_.size(), 1u);
  EXPECT_NE(refusal_of_written().find("comes twice"), std::string::npos);
}

TEST_F(CheckpointArraysTest, SectionsOfOtherTypesAreRefused) {
  const std::vector<float> floats(forest_.arrays().splits(), 1);
  const Section sections[] = {
      {"x-checkpoint.data", "U64", {data_.size()}, std::as_bytes(std::span(data_))},
      {"x-checkpoint.gain", "F32", {floats.size()}, std::as_bytes(std::span(floats))}};
  AtomicFile file(path_);
  write_model(forest_.arrays(), forest_.info(), file, sections);
  file.commit();
  EXPECT_NE(refusal().find("is F32 instead of F64"), std::string::npos) << refusal();
}

TEST_F(CheckpointArraysTest, EveryTruncationAndEveryDamagedByteIsRefused) {
  for (const Leaves leaves : {Leaves::kept, Leaves::left_out}) {
    leaves_ = leaves;
    write();
    expect_damage_refused();
  }
}

void CheckpointArraysTest::expect_damage_refused() const {
  const std::string bytes = test::bytes_of(path_);
  const auto refused = [&](const std::string& damaged) {
    test::put_bytes(path_, damaged);
    return refusal().starts_with("model: ");
  };
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_TRUE(refused(bytes.substr(0, size))) << size;
  for (std::size_t at = 0; at < bytes.size(); at += 5) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    EXPECT_TRUE(refused(damaged)) << at;
  }
}

}  // namespace
}  // namespace coppice
