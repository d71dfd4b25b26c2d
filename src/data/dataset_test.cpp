// What validate() accepts and refuses.
#include "coppice/dataset.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "data/test_file.h"

namespace coppice {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Dataset good() {
  Dataset data;
  data.schema.features = {{"n"}, {"c", FeatureKind::categorical, {"a", "b"}}};
  data.schema.targets = {"y"};
  data.schema.classes = {"no", "yes"};
  data.rows = 3;
  data.columns = {{1, kMissing, -kInfinity}, {0, 1, kMissing}};
  data.labels = {0, 1, kNoLabel};
  data.weights = {1, 0, 2.5f};
  return data;
}

template <typename Change>
std::string problem(Change change) {
  Dataset data = good();
  change(data);
  return error_of([&] { validate(data.view()); });
}

TEST(Validate, AcceptsMissingAndInfiniteFeatures) {
  EXPECT_EQ(problem([](Dataset&) {}), "none");
  EXPECT_EQ(problem([](Dataset& data) {
              data.labels.clear();
              data.weights.clear();
            }),
            "none");
}

TEST(Validate, Sizes) {
  EXPECT_EQ(error_of([] { validate({}); }), "data: the data set has no schema");
  EXPECT_EQ(problem([](Dataset& data) { data.columns.pop_back(); }),
            "data: there are 1 columns for 2 features");
  EXPECT_EQ(problem([](Dataset& data) { data.columns[0].pop_back(); }),
            "data: feature 'n' has 2 values for 3 rows");
  EXPECT_EQ(problem([](Dataset& data) { data.labels.pop_back(); }),
            "data: there are 2 labels for 3 rows");
  EXPECT_EQ(problem([](Dataset& data) { data.weights.push_back(1); }),
            "data: there are 4 weights for 3 rows");
  EXPECT_EQ(problem([](Dataset& data) {
              data.targets = {1, 2};
            }),
            "data: there are 2 target values for 3 rows of 1 targets");
  EXPECT_EQ(problem([](Dataset& data) { data.rows = std::size_t{1} << 31; }),
            "data: 2147483648 rows are more than 2147483647");
}

TEST(Validate, CategoryCodes) {
  for (const float code : {2.0f, -1.0f, 0.5f, kInfinity}) {
    const std::string sentence = problem([&](Dataset& data) { data.columns[1][1] = code; });
    EXPECT_TRUE(sentence.starts_with("data: feature 'c' has the code ")) << sentence;
    EXPECT_NE(sentence.find("in row 2, but 2 categories"), std::string::npos) << sentence;
  }
}

TEST(Validate, LabelsWeightsAndTargets) {
  EXPECT_EQ(problem([](Dataset& data) { data.labels[1] = 2; }),
            "data: the label of row 2 is 2 but there are 2 classes");
  EXPECT_TRUE(problem([](Dataset& data) {
                data.weights[2] = -1;
              }).starts_with("data: the weight of row 3 is -1"));
  EXPECT_TRUE(problem([](Dataset& data) {
                data.weights[0] = kMissing;
              }).starts_with("data: the weight of row 1 is nan"));
  EXPECT_TRUE(problem([](Dataset& data) {
                data.weights[0] = kInfinity;
              }).starts_with("data: the weight of row 1 is inf"));
  EXPECT_EQ(problem([](Dataset& data) {
              data.targets = {1, -double{kInfinity}, 2};
            }),
            "data: the target of row 2 is infinite");
}

TEST(Validate, TooManyCategories) {
  EXPECT_EQ(problem([](Dataset& data) {
              data.schema.features[1].categories.resize((std::size_t{1} << 24) + 1);
            }),
            "data: feature 'c' has 16777217 categories, more than 16777216");
}

}  // namespace
}  // namespace coppice
