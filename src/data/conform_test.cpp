// New data in the form of a model.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "coppice/dataset.h"
#include "data/test_file.h"

namespace coppice {
namespace {

// Features n (numeric) and c (categories red, tan); classes no, yes.
Schema model() {
  Schema schema;
  schema.features = {{"n"}, {"c", FeatureKind::categorical, {"red", "tan"}}};
  schema.targets = {"y"};
  schema.classes = {"no", "yes"};
  return schema;
}

Dataset read(std::string_view text, const std::vector<std::string>& targets = {}) {
  ReadOptions options;
  options.targets = targets;
  return read_bytes("t.csv", text, options);
}

TEST(Conform, AnyOrderAndExtraColumns) {
  const Conformed result = conform(read("extra,c,n\n9,tan,1\n9,red,2\n"), model());
  EXPECT_EQ(result.data.schema, model());
  EXPECT_EQ(result.data.columns, (std::vector<std::vector<float>>{{1, 2}, {1, 0}}));
  EXPECT_EQ(result.unseen_categories, 0u);
  EXPECT_TRUE(result.data.labels.empty());
  EXPECT_NO_THROW(validate(result.data.view()));
}

TEST(Conform, UnseenCategoriesBecomeMissing) {
  const Conformed result = conform(read("n,c\n1,blue\n2,tan\n3,NA\n4,blue\n"), model());
  EXPECT_EQ(result.unseen_categories, 2u);
  EXPECT_TRUE(std::isnan(result.data.columns[1][0]));
  EXPECT_EQ(result.data.columns[1][1], 1);
  EXPECT_TRUE(std::isnan(result.data.columns[1][2]));
}

TEST(Conform, LabelsAreRecodedByName) {
  const Conformed result = conform(read("n,c,y\n1,red,yes\n2,tan,\n", {"y"}), model());
  EXPECT_EQ(result.data.labels, (std::vector<std::uint32_t>{1, kNoLabel}));
  EXPECT_EQ(error_of([] { conform(read("n,c,y\n1,red,no\n2,tan,maybe\n", {"y"}), model()); }),
            "data: row 2 is of class 'maybe', which the model does not know; its classes are 'no', "
            "'yes'");
}

TEST(Conform, NumericClassesAgreeByValue) {
  Schema schema = model();
  schema.classes = {"-1", "1"};
  const Conformed result = conform(read("n,c,y\n1,red,+1\n2,tan,-1.0\n", {"y"}), schema);
  EXPECT_EQ(result.data.labels, (std::vector<std::uint32_t>{1, 0}));
}

TEST(Conform, MissingColumnsAreListed) {
  Schema schema = model();
  schema.features.push_back({"m"});
  EXPECT_EQ(error_of([&] { conform(read("n,z\n1,2\n"), schema); }),
            "data: the data lack 2 of the 3 columns of the model: 'c', 'm'; columns that the model "
            "does not know: 'z'");
}

TEST(Conform, ByPositionIfNoNameAgrees) {
  const Conformed result = conform(read("f1,f2\n1,tan\n"), model());
  EXPECT_EQ(result.data.columns[1], std::vector<float>{1});
  EXPECT_EQ(result.data.schema.features[0].name, "n");
  EXPECT_NE(error_of([] { conform(read("f1,f2,f3\n1,tan,2\n"), model()); }).find("lack 2 of the 2"),
            std::string::npos);
}

TEST(Conform, KindsMustAgree) {
  EXPECT_EQ(
      error_of([] { conform(read("n,c\nx,5\n"), model()); }),
      "data: these columns hold text, but the model knows them as numbers: 'n'; these columns "
      "hold numbers, but the model knows them as categories: 'c'");
  const Conformed result = conform(read("n,c\n1,NA\n"), model());
  EXPECT_TRUE(std::isnan(result.data.columns[1][0]));
}

TEST(Conform, Targets) {
  Schema schema;
  schema.features = {{"x"}};
  schema.targets = {"a", "b"};
  EXPECT_EQ(conform(read("b,x,a\n1.5,2,3\n", {"b", "a"}), schema).data.targets,
            (std::vector<double>{3, 1.5}));
  EXPECT_EQ(conform(read("p,x,q\n1.5,2,3\n", {"p", "q"}), schema).data.targets,
            (std::vector<double>{1.5, 3}));
  EXPECT_TRUE(conform(read("b,x\n1.5,2\n", {"b"}), schema).data.targets.empty());
  EXPECT_EQ(error_of([&] { conform(read("y,x\nu,2\n", {"y"}), schema); }),
            "data: the target of the data is classes, but the model predicts numbers");
  EXPECT_EQ(error_of([] { conform(read("n,c,y\n1,red,0.5\n", {"y"}), model()); }),
            "data: the target of the data is numbers, but the model predicts classes");
}

TEST(Conform, WeightsStay) {
  Dataset data = read("c,n\ntan,1\n");
  data.weights = {3};
  EXPECT_EQ(conform(std::move(data), model()).data.weights, std::vector<float>{3});
}

}  // namespace
}  // namespace coppice
