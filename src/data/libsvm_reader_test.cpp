// LIBSVM text.
#include "data/libsvm_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "data/test_file.h"

namespace coppice {
namespace {

using Names = std::vector<std::string>;
using Labels = std::vector<std::uint32_t>;

Dataset read(std::string_view text, const ReadOptions& options = {}) {
  return read_bytes("t.svm", text, options);
}
std::string fails(std::string_view text, const ReadOptions& options = {}) {
  return read_error("t.svm", text, options);
}

TEST(Libsvm, AbsentIsZero) {
  const Dataset data = read("+1 1:0.5 3:2\n-1 2:7 # comment 9:9\n# only a comment\n\n1.0\n");
  ASSERT_EQ(data.rows, 3u);
  EXPECT_EQ(data.schema.targets, Names{"label"});
  EXPECT_EQ(data.schema.classes, (Names{"-1", "1"}));
  EXPECT_EQ(data.labels, (Labels{1, 0, 1}));
  ASSERT_EQ(data.columns.size(), 3u);
  EXPECT_EQ(data.schema.features[2].name, "f3");
  EXPECT_EQ(data.columns[0], (std::vector<float>{0.5f, 0, 0}));
  EXPECT_EQ(data.columns[1], (std::vector<float>{0, 7, 0}));
  EXPECT_EQ(data.columns[2], (std::vector<float>{2, 0, 0}));
}

TEST(Libsvm, RegressionLabels) {
  const Dataset data = read("0.25 1:1\n3 1:2\n");
  EXPECT_EQ(data.targets, (std::vector<double>{0.25, 3}));
  EXPECT_TRUE(data.labels.empty());
}

TEST(Libsvm, SeveralLabels) {
  const Dataset data = read("1,2.5 1:1\n3,4 1:2\n");
  EXPECT_EQ(data.schema.targets, (Names{"label1", "label2"}));
  EXPECT_EQ(data.targets, (std::vector<double>{1, 2.5, 3, 4}));
  EXPECT_EQ(fails("1,2 1:1\n3 1:2\n"), "data: t.svm:2:1: has 1 labels, the first line has 2");
}

TEST(Libsvm, QueryIdsTabsAndCarriageReturns) {
  const Dataset data = read("1 qid:3\t1:4\r\n2 qid:3 2:5\r\n");
  EXPECT_EQ(data.columns[0], (std::vector<float>{4, 0}));
  EXPECT_EQ(data.columns[1], (std::vector<float>{0, 5}));
}

TEST(Libsvm, MissingValuesAndLabels) {
  const Dataset data = read("1 1:nan\n? 1:2\n1:3\n");
  EXPECT_TRUE(std::isnan(data.columns[0][0]));
  EXPECT_EQ(data.labels, (Labels{0, kNoLabel, kNoLabel}));
}

TEST(Libsvm, WrongEntries) {
  EXPECT_EQ(fails("1 1:1\n1 1:2 x\n"), "data: t.svm:2:3: 'x' is not of the form index:value");
  EXPECT_EQ(fails("1 a:1\n"), "data: t.svm:1:2: the index of 'a:1' is not a whole number");
  EXPECT_EQ(fails("1 -1:1\n"), "data: t.svm:1:2: the index of '-1:1' is not a whole number");
  EXPECT_EQ(fails("1 1.5:1\n"), "data: t.svm:1:2: the index of '1.5:1' is not a whole number");
  EXPECT_EQ(fails("1 :1\n"), "data: t.svm:1:2: the index of ':1' is not a whole number");
  EXPECT_EQ(fails("1 0:1\n"), "data: t.svm:1:2: index 0: indices count from 1");
  EXPECT_EQ(fails("1 2:1 2:3\n"), "data: t.svm:1:3: index 2 does not come after 2; indices ascend");
  EXPECT_EQ(fails("1 1:abc\n"), "data: t.svm:1:2: 'abc' is not a number (column 'f1')");
  EXPECT_EQ(fails("1 1:1e99\n"), "data: t.svm:1:2: '1e99' is beyond the range of numbers");
  EXPECT_EQ(fails(""), "data: t.svm: the file is empty");
  EXPECT_EQ(fails("# nothing\n"), "data: t.svm: the file is empty");
}

TEST(Libsvm, HugeIndicesAreRefusedBeforeAllocation) {
  EXPECT_EQ(fails("1 4000000000:1\n"),
            "data: t.svm:1:2: the index of '4000000000:1' is larger than 16777216");
  EXPECT_EQ(fails("1 99999999999999999999999:1\n"),
            "data: t.svm:1:2: the index of '99999999999999999999999:1' is larger than 16777216");
  std::string text;
  for (int row = 0; row < 1000; ++row) text += "1 16777216:1\n";
  EXPECT_EQ(fails(text),
            "data: t.svm: a table of 1000 rows and 16777216 columns is too large: more than "
            "8589934592 values");
}

TEST(Libsvm, ColumnsOfTheModelExistEvenIfNeverMentioned) {
  Schema schema;
  for (const char* name : {"f1", "f2", "f3"}) schema.features.push_back({name});
  schema.targets = {"label"};
  schema.classes = {"-1", "1"};
  const Dataset data = read("1 1:5\n", read_options_for(schema));
  ASSERT_EQ(data.columns.size(), 3u);
  EXPECT_EQ(data.columns[2], std::vector<float>{0});
}

TEST(Libsvm, OptionsApply) {
  ReadOptions options;
  options.kinds = {{"f2", FeatureKind::categorical}};
  options.ignored_columns = {"f1"};
  options.targets = {"label"};
  const Dataset data = read("1 1:1 2:3\n1 1:1\n2 2:10\n", options);
  ASSERT_EQ(data.columns.size(), 1u);
  EXPECT_EQ(data.schema.features[0].categories, (Names{"0", "3", "10"}));
  EXPECT_EQ(data.columns[0], (std::vector<float>{1, 0, 2}));
  options.targets = {"f2"};
  EXPECT_NE(fails("1 1:1 2:3\n", options).find("is its label, not 'f2'"), std::string::npos);
}

TEST(Libsvm, TextLabelsAfterManyNumbers) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += std::to_string(i) + " 1:" + std::to_string(i) + "\n";
  const Dataset data = read(text + "odd 1:60\n");
  EXPECT_EQ(data.schema.classes.size(), 61u);
  EXPECT_EQ(data.columns[0][60], 60);
}

}  // namespace
}  // namespace coppice
