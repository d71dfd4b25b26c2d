// The predictor on a forest that is written down by hand.
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "coppice/error.h"
#include "coppice/predict.h"
#include "model/forest_builder.h"

namespace coppice {
namespace {

// Tree 0: size < 2.5 -> leaf 0; else colour in {red, blue}? leaf 1 : leaf 2. Tree 1: a leaf.
Forest small_forest() {
  ForestInfo info;
  info.schema.features = {{"size", FeatureKind::numeric},
                          {"colour", FeatureKind::categorical, {"blue", "green", "red"}}};
  info.schema.targets = {"kind"};
  info.schema.classes = {"cat", "dog"};
  TreeArrays tree;
  tree.right = {1, 2};
  tree.threshold = {std::bit_cast<std::uint32_t>(2.5f), 0};
  tree.code = {0 | SplitCode::kMissingLeft,
               1 | 1u << SplitCode::kKindShift | SplitCode::kRightIsLeaf};
  tree.category_words = {0b101};
  tree.payload = {1, 0, 0.5f, 0.5f, 0, 1};
  tree.support = {1, 2, 3};
  TreeArrays leaf;
  leaf.payload = {0.25f, 0.75f};
  leaf.support = {6};
  ForestBuilder builder(2);
  builder.append(tree);
  builder.append(leaf);
  return Forest(builder.finish(), info);
}

class SmallPredictor : public testing::Test {
 protected:
  std::uint32_t leaf_of(float size, float colour) const {
    return predictor_.decision_path(std::vector<float>{size, colour}, 0).leaf;
  }
  const Forest forest_ = small_forest();
  const Predictor predictor_{forest_};
};

TEST_F(SmallPredictor, RowsReachTheirLeaves) {
  EXPECT_EQ(leaf_of(2.4f, 1), 0u);
  EXPECT_EQ(leaf_of(2.5f, 0), 1u);  // the threshold itself goes right
  EXPECT_EQ(leaf_of(3, 2), 1u);
  EXPECT_EQ(leaf_of(3, 1), 2u);
  EXPECT_EQ(leaf_of(kMissing, 1), 0u);
  EXPECT_EQ(leaf_of(3, kMissing), 2u);
  EXPECT_EQ(leaf_of(3, 7), 2u);  // a category that the model does not know is missing
}

TEST_F(SmallPredictor, AnswersAreMeansOverTrees) {
  const Predictions answers = predictor_.predict_rows(std::vector<float>{1, 0, 3, 0, 3, 1});
  EXPECT_EQ(answers.rows, 3u);
  EXPECT_EQ(answers.mean, (std::vector<double>{0.625, 0.375, 0.375, 0.625, 0.125, 0.875}));
  EXPECT_EQ(answers.labels, (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_TRUE(answers.variance.empty());
}

TEST_F(SmallPredictor, PathsNameTheirSplits) {
  const Predictor::Path path = predictor_.decision_path(std::vector<float>{3, 2}, 0);
  EXPECT_EQ(path.splits, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(path.went_left, (std::vector<bool>{false, true}));
  EXPECT_TRUE(predictor_.decision_path(std::vector<float>{3, 2}, 1).splits.empty());
}

TEST_F(SmallPredictor, TreesAnswerByThemselves) {
  const std::vector<float> size{3}, colour{1};
  DatasetView view;
  view.schema = &forest_.info().schema;
  view.rows = 1;
  view.columns = {size, colour};
  EXPECT_EQ(predictor_.predict_per_tree(view), (std::vector<float>{0, 1, 0.25f, 0.75f}));
  const LeafIds ids = predictor_.apply(view);
  EXPECT_EQ(ids.leaf(0, 0), 2u);
  EXPECT_EQ(ids.leaf(1, 0), 0u);
}

TEST_F(SmallPredictor, RefusesWhatIsNotARow) {
  EXPECT_THROW(predictor_.predict_rows(std::vector<float>{1, 2, 3}), Error);
  EXPECT_THROW(predictor_.decision_path(std::vector<float>{1}, 0), Error);
  EXPECT_THROW(predictor_.decision_path(std::vector<float>{1, 2}, 2), Error);
  const std::vector<float> two{1, 2}, one{1};
  DatasetView view;
  view.schema = &forest_.info().schema;
  view.rows = 2;
  view.columns = {two, one};
  EXPECT_THROW(predictor_.predict(view), Error);
}

TEST_F(SmallPredictor, MovesWithItsForest) {
  Predictor moved = Predictor(forest_);
  const Predictor again = std::move(moved);
  EXPECT_EQ(&again.forest(), &forest_);
  EXPECT_EQ(again.predict_rows(std::vector<float>{1, 0}).rows, 1u);
}

}  // namespace
}  // namespace coppice
