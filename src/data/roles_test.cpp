// Targets, weights, ignored columns: from columns of a file to the parts of a data set.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "coppice/read.h"
#include "data/test_file.h"

namespace coppice {
namespace {

using Names = std::vector<std::string>;
using Labels = std::vector<std::uint32_t>;

Dataset read(std::string_view text, const ReadOptions& options) {
  return read_bytes("t.csv", text, options);
}
std::string fails(std::string_view text, const ReadOptions& options) {
  return read_error("t.csv", text, options);
}
ReadOptions target(const std::string& name, TargetKind kind = TargetKind::infer) {
  ReadOptions options;
  options.targets = {name};
  options.target_kind = kind;
  return options;
}

TEST(Roles, TextTargetIsClasses) {
  const Dataset data = read("x,y\n1,no\n2,yes\n3,no\n", target("y"));
  EXPECT_EQ(data.schema.classes, (Names{"no", "yes"}));
  EXPECT_EQ(data.schema.targets, Names{"y"});
  EXPECT_EQ(data.labels, (Labels{0, 1, 0}));
  EXPECT_TRUE(data.targets.empty());
  ASSERT_EQ(data.columns.size(), 1u);
}

TEST(Roles, FewWholeNumbersAreClassesInNumericOrder) {
  const Dataset data = read("y,x\n10,1\n9,2\n-1,3\n10,4\n", target("y"));
  EXPECT_EQ(data.schema.classes, (Names{"-1", "9", "10"}));
  EXPECT_EQ(data.labels, (Labels{2, 1, 0, 2}));
}

TEST(Roles, GapsBetweenClassNumbersAreKept) {
  const Dataset data = read("y,x\n1,1\n7,2\n5,3\n", target("y"));
  EXPECT_EQ(data.schema.classes, (Names{"1", "5", "7"}));
  EXPECT_EQ(data.labels, (Labels{0, 2, 1}));
}

TEST(Roles, FractionsAreNumbers) {
  const Dataset data = read("y,x\n1,1\nNA,2\n2,3\n2.5,4\n0.1,5\n", target("y"));
  EXPECT_TRUE(data.labels.empty());
  ASSERT_EQ(data.targets.size(), 5u);
  EXPECT_EQ(data.targets[0], 1);
  EXPECT_TRUE(std::isnan(data.targets[1]));
  EXPECT_EQ(data.targets[2], 2);
  EXPECT_EQ(data.targets[4], 0.1);
}

TEST(Roles, FiftyWholeNumbersAreClassesButNotFiftyOne) {
  std::string text = "y\n";
  for (int i = 0; i < 50; ++i) text += std::to_string(i) + "\n";
  EXPECT_EQ(read(text, target("y")).schema.classes.size(), 50u);
  const Dataset data = read(text + "3\n50\n", target("y"));
  EXPECT_TRUE(data.schema.classes.empty());
  ASSERT_EQ(data.targets.size(), 52u);
  EXPECT_EQ(data.targets[49], 49);
  EXPECT_EQ(data.targets[50], 3);
  EXPECT_EQ(data.targets[51], 50);
}

TEST(Roles, TextAfterManyNumbersMakesClassesOfAll) {
  std::string text = "y,x\n";
  for (int i = 0; i < 60; ++i) text += std::to_string(i) + ".0," + std::to_string(i) + "\n";
  const Dataset data = read(text + "odd,1\n", target("y"));
  EXPECT_EQ(data.schema.classes.size(), 61u);
  EXPECT_EQ(data.schema.classes[data.labels[7]], "7.0");
  EXPECT_EQ(data.schema.classes[data.labels[60]], "odd");
  EXPECT_EQ(data.columns[0][59], 59);
}

TEST(Roles, TargetKindCanBeGiven) {
  const Dataset numbers = read("y\n1\n2\n", target("y", TargetKind::numbers));
  EXPECT_EQ(numbers.targets, (std::vector<double>{1, 2}));
  EXPECT_TRUE(numbers.schema.classes.empty());
  const Dataset classes = read("y\n1.5\n0.5\n1.50\n", target("y", TargetKind::classes));
  EXPECT_EQ(classes.schema.classes, (Names{"0.5", "1.5", "1.50"}));
  EXPECT_EQ(fails("x,y\n1,a\n", target("y", TargetKind::numbers)),
            "data: t.csv:2:2: 'a' is not a number (column 'y')");
}

TEST(Roles, MissingLabel) {
  const Dataset data = read("x,y\n1,a\n2,\n3,?\n", target("y"));
  EXPECT_EQ(data.labels, (Labels{0, kNoLabel, kNoLabel}));
}

TEST(Roles, OneClassAndConstantColumns) {
  const Dataset data = read("x,y\n1,a\n1,a\n", target("y"));
  EXPECT_EQ(data.schema.classes, Names{"a"});
  EXPECT_EQ(data.columns[0], (std::vector<float>{1, 1}));
}

TEST(Roles, TargetsKeepTheirPrecision) {
  const Dataset data = read("x,y\n1,0.12345678901234567\n", target("y", TargetKind::numbers));
  EXPECT_EQ(data.targets[0], 0.12345678901234567);
}

TEST(Roles, SeveralTargetsInTheOrderAskedFor) {
  ReadOptions options;
  options.targets = {"b", "a"};
  const Dataset data = read("a,x,b\n1,2,3\n4,5,6\n", options);
  EXPECT_EQ(data.schema.targets, (Names{"b", "a"}));
  EXPECT_EQ(data.targets, (std::vector<double>{3, 1, 6, 4}));
  EXPECT_EQ(data.columns[0], (std::vector<float>{2, 5}));
  EXPECT_EQ(fails("a,x,b\n1,2,u\n", options), "data: t.csv:2:3: 'u' is not a number (column 'b')");
  options.target_kind = TargetKind::classes;
  EXPECT_EQ(fails("a,x,b\n1,2,3\n", options),
            "option: classes can be learnt from one target column only");
}

TEST(Roles, ColumnsByNumber) {
  const Dataset data = read("a,b,c\n1,2,x\n", target("3"));
  EXPECT_EQ(data.schema.targets, Names{"c"});
  EXPECT_EQ(data.schema.classes, Names{"x"});
  EXPECT_EQ(fails("a,b\n1,2\n", target("3")),
            "data: t.csv: there is no column '3'. The columns are 'a', 'b'");
}

TEST(Roles, UnknownTarget) {
  EXPECT_EQ(fails("age,income,label\n1,2,x\n", target("Lable")),
            "data: t.csv: there is no column 'Lable'; did you mean 'label'? The columns are "
            "'age', 'income', 'label'");
  std::string header = "c1";
  std::string row = "x";
  for (int i = 2; i <= 25; ++i) {
    header += ",c" + std::to_string(i);
    row += ",1";
  }
  const std::string sentence = fails(header + "\n" + row + "\n", target("something"));
  EXPECT_NE(sentence.find("'c20' and 5 more"), std::string::npos) << sentence;
  EXPECT_EQ(sentence.find("did you mean"), std::string::npos) << sentence;
}

TEST(Roles, OptionalTarget) {
  ReadOptions options = target("y");
  options.targets_optional = true;
  const Dataset data = read("a,b\n1,2\n", options);
  EXPECT_TRUE(data.schema.targets.empty());
  EXPECT_EQ(data.columns.size(), 2u);
  EXPECT_EQ(read("a,y\n1,2\n", options).labels, Labels{0});
}

TEST(Roles, WeightsAndIgnoredColumns) {
  ReadOptions options = target("y");
  options.weight_column = "w";
  options.ignored_columns = {"id"};
  const Dataset data = read("id,w,x,y\nfirst,0.5,1,a\n2,2,2,b\n", options);
  EXPECT_EQ(data.weights, (std::vector<float>{0.5f, 2}));
  ASSERT_EQ(data.schema.features.size(), 1u);
  EXPECT_EQ(data.schema.features[0].name, "x");
  EXPECT_EQ(fails("id,w,x,y\n1,-1,1,a\n", options),
            "data: t.csv: the weight of row 1 (column 'w') is -1; a weight is finite and not "
            "negative");
  EXPECT_EQ(fails("id,w,x,y\n1,1,1,a\n1,,1,a\n", options),
            "data: t.csv: the weight of row 2 (column 'w') is missing; a weight is finite and not "
            "negative");
  EXPECT_EQ(fails("id,w,x,y\n1,heavy,1,a\n", options),
            "data: t.csv:2:2: 'heavy' is not a number (column 'w')");
  options.weight_column = "y";
  EXPECT_EQ(fails("id,w,x,y\n1,1,1,a\n", options),
            "option: column 'y' is asked for twice, as target, weight or ignored");
}

TEST(Roles, CategoriesSortByBytesUnlessAllAreNumbers) {
  EXPECT_EQ(read("c\n10\n9\nb\n", {}).schema.features[0].categories, (Names{"10", "9", "b"}));
}

}  // namespace
}  // namespace coppice
