// Every rule of the validator, broken one at a time.
#include "model/validate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "model/test_forests.h"

namespace coppice {
namespace {

// Two trees: tree 0 has splits 0 (width < 1), 1 (sex in {F}), 2 (county in {c39}); tree 1 is a
// leaf. Split 0 of tree 0 has split 1 on its left and split 2 on its right.
ForestStorage sound() {
  ForestStorage forest;
  forest.first_split = {0, 3, 3};
  forest.right = {2, 2, 3};
  forest.threshold = {std::bit_cast<std::uint32_t>(1.f), 0, 1};
  const std::uint32_t set = 1u << SplitCode::kKindShift;
  forest.code = {0, 1 | set | SplitCode::kRightIsLeaf, 3 | set | SplitCode::kRightIsLeaf};
  forest.category_words = {1, 0, 128};
  forest.payload = {1, 0, 0, 0.25f, 0.25f, 0.5f};
  forest.payload_row_narrow = {0, 1, 0, 1, 1};
  forest.support = {1, 2, 3, 4, 5};
  forest.payload_size = 3;
  return forest;
}

ForestStorage sound_means() {
  ForestStorage forest = sound();
  forest.payload = {-1, 2, 3, 4, 5, -6, 7, 8};
  forest.payload_size = 4;
  return forest;
}

std::string problem(ForestStorage storage, ForestInfo info) {
  return test::refusal([&] { Forest(std::move(storage), std::move(info)); });
}

std::string after(const std::function<void(ForestStorage&)>& change) {
  ForestStorage storage = sound();
  change(storage);
  return problem(std::move(storage), test::small_info(PayloadKind::class_histogram));
}

std::string after_info(const std::function<void(ForestInfo&)>& change) {
  ForestInfo info = test::small_info(PayloadKind::class_histogram);
  change(info);
  return problem(sound(), std::move(info));
}

constexpr float kNan = kMissing, kInfinity = INFINITY;

TEST(Validate, TakesSoundForests) {
  EXPECT_EQ(after([](auto&) {}), "");
  EXPECT_EQ(problem(sound_means(), test::small_info(PayloadKind::mean_variance)), "");
  EXPECT_EQ(after([](auto& f) { f.threshold[0] = std::bit_cast<std::uint32_t>(kInfinity); }), "");
}

TEST(Validate, StructureOfTrees) {
  EXPECT_EQ(after([](auto& f) { f.right[1] = 7; }),
            "forest: section 'split.right': child 7 of split 1 in tree 0 lies outside the subtree "
            "of its parent");
  EXPECT_EQ(after([](auto& f) { f.right[0] = 7; }),
            "forest: section 'split.right': child 7 of split 0 in tree 0 lies outside the tree");
  EXPECT_NE(after([](auto& f) { f.right[0] = 0; }), "");
  EXPECT_NE(after([](auto& f) { f.right[2] = 2; }), "");
  EXPECT_NE(after([](auto& f) { f.right[1] = 3; }), "");
  EXPECT_NE(after([](auto& f) { f.code[0] |= SplitCode::kRightIsLeaf; }), "");
  EXPECT_NE(after([](auto& f) { f.code[2] &= ~SplitCode::kRightIsLeaf; }), "");
}

TEST(Validate, BeginningsOfTrees) {
  EXPECT_EQ(after([](auto& f) { f.first_split = {0}; }),
            "forest: section 'tree.first_split': there is no tree");
  EXPECT_NE(after([](auto& f) { f.first_split.clear(); }), "");
  EXPECT_NE(after([](auto& f) { f.first_split = {1, 3, 3}; }), "");
  EXPECT_NE(after([](auto& f) { f.first_split = {0, 3, 2}; }), "");
  EXPECT_NE(after([](auto& f) { f.first_split = {0, 4, 3}; }), "");
  EXPECT_NE(after([](auto& f) { f.first_split = {0, 2, 4}; }), "");
}

TEST(Validate, TestsOfSplits) {
  EXPECT_NE(after([](auto& f) { f.code[0] = 4; }), "");
  EXPECT_NE(after([](auto& f) { f.code[0] = 1; }), "");
  EXPECT_NE(after([](auto& f) { f.code[0] |= 1u << 27; }), "");
  EXPECT_NE(after([](auto& f) { f.code[0] |= 1u << 28; }), "");
  EXPECT_NE(after([](auto& f) { f.code[1] |= 1u << 29; }), "");
  EXPECT_NE(after([](auto& f) { f.threshold[0] = std::bit_cast<std::uint32_t>(kNan); }), "");
  EXPECT_NE(after([](auto& f) { f.threshold[2] = 2; }), "");
  EXPECT_NE(after([](auto& f) { f.threshold[2] = 0xFFFFFFFFu; }), "");
  EXPECT_EQ(after([](auto& f) { f.category_words[2] = 256; }),
            "forest: section 'category.words': split 2 names categories that feature 'county' does "
            "not have");
  EXPECT_NE(after([](auto& f) { f.category_words[0] = 4; }), "");
}

TEST(Validate, Leaves) {
  EXPECT_NE(after([](auto& f) { f.payload_row_narrow[4] = 2; }), "");
  EXPECT_NE(after([](auto& f) { f.payload_row_narrow.pop_back(); }), "");
  EXPECT_NE(after([](auto& f) { f.payload_row_narrow.clear(); }), "");
  EXPECT_NE(after([](auto& f) { f.payload_row_medium = {0}; }), "");
  EXPECT_NE(after([](auto& f) { f.payload_row_wide = {0, 0, 0, 0, 0}; }), "");
  EXPECT_NE(after([](auto& f) { f.payload.pop_back(); }), "");
  EXPECT_NE(after([](auto& f) { f.payload_size = 0; }), "");
  EXPECT_NE(after([](auto& f) { f.payload_size = 2; }), "");
  EXPECT_NE(after([](auto& f) { f.support.pop_back(); }), "");
  for (const float bad : {kNan, kInfinity, -1.f}) {
    EXPECT_NE(after([=](auto& f) { f.support[2] = bad; }), "") << bad;
    EXPECT_NE(after([=](auto& f) { f.payload[4] = bad; }), "") << bad;
  }
  EXPECT_NE(after([](auto& f) { f.payload[0] = 1.001f; }), "");
  EXPECT_EQ(after([](auto& f) { f.payload[0] = 1.00001f; }), "");
}

TEST(Validate, MeansAndVariances) {
  const auto after_change = [](std::size_t at, float value) {
    ForestStorage storage = sound_means();
    storage.payload[at] = value;
    return problem(std::move(storage), test::small_info(PayloadKind::mean_variance));
  };
  EXPECT_EQ(after_change(1, -1), "");
  EXPECT_NE(after_change(2, -1), "");
  EXPECT_NE(after_change(7, kNan), "");
  EXPECT_NE(after_change(0, kInfinity), "");
}

TEST(Validate, SizesOfSplitArrays) {
  EXPECT_NE(after([](auto& f) { f.threshold.pop_back(); }), "");
  EXPECT_NE(after([](auto& f) { f.code.push_back(0); }), "");
  EXPECT_NE(after([](auto& f) { f.right.push_back(1); }), "");
}

TEST(Validate, Schema) {
  EXPECT_EQ(after_info([](auto& i) { i.schema.features[2].name = "width"; }),
            "forest: section 'schema': 'width' comes twice among the features");
  EXPECT_NE(after_info([](auto& i) { i.schema.features[0].name = "\xff"; }), "");
  EXPECT_NE(after_info([](auto& i) { i.schema.features[3].categories[5] = "c1"; }), "");
  EXPECT_NE(after_info([](auto& i) { i.schema.features[0].categories = {"a"}; }), "");
  EXPECT_NE(after_info([](auto& i) { i.schema.classes[1] = "setosa"; }), "");
  EXPECT_NE(after_info([](auto& i) { i.schema.classes.clear(); }), "");
  EXPECT_NE(after_info([](auto& i) { i.schema.classes.pop_back(); }), "");
  EXPECT_NE(after_info([](auto& i) { i.schema.targets = {"a", "b"}; }), "");
  EXPECT_NE(after_info([](auto& i) { i.schema.features.pop_back(); }), "");
  EXPECT_NE(after_info([](auto& i) { i.payload_kind = PayloadKind::mean_variance; }), "");
}

TEST(Validate, Texts) {
  EXPECT_NE(after_info([](auto& i) { i.options[0].second = "\xc0"; }), "");
  EXPECT_NE(after_info([](auto& i) { i.options[1].first = "seed"; }), "");
  EXPECT_NE(after_info([](auto& i) { i.facts["\xc0"] = "1"; }), "");
  EXPECT_NE(after_info([](auto& i) { i.importances["\xc0"] = {0, 0, 0, 0}; }), "");
  EXPECT_NE(after_info([](auto& i) { i.importances["impurity"].pop_back(); }), "");
  EXPECT_NE(after_info([](auto& i) { i.importances["impurity"][1] = kNan; }), "");
}

TEST(Validate, TakesEveryRandomTree) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    EXPECT_NO_THROW(
        test::random_forest(seed, PayloadKind::class_histogram, {seed, 0, seed / 2}, 5));
  }
}

TEST(Forest, SortsOptions) {
  ForestInfo info = test::small_info(PayloadKind::class_histogram);
  std::swap(info.options[0], info.options[1]);
  const Forest forest(sound(), info);
  EXPECT_EQ(forest.info().options[0].first, "seed");
}

}  // namespace
}  // namespace coppice
