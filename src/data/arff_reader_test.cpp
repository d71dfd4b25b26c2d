// ARFF, dense and sparse.
#include "data/arff_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "data/test_file.h"

namespace coppice {
namespace {

using Names = std::vector<std::string>;

Dataset read(std::string_view text, const ReadOptions& options = {}) {
  return read_bytes("t.arff", text, options);
}
std::string fails(std::string_view text, const ReadOptions& options = {}) {
  return read_error("t.arff", text, options);
}

constexpr std::string_view kWeather =
    "% a comment\n"
    "@RELATION weather\n\n"
    "@attribute outlook {sunny, overcast, 'light rain', never}\n"
    "@ATTRIBUTE 'air temperature' NUMERIC % degrees\n"
    "@attribute \"who's\" string\n"
    "@attribute play{yes,no}\n"
    "@DATA\n"
    "sunny, 85, 'it\\'s me', no\n"
    "% between\n"
    "'light rain',?, bob ,yes\r\n"
    "\n"
    "overcast,-1.5,\"bob\",? % after\n";

TEST(Arff, DenseRows) {
  ReadOptions options;
  options.targets = {"play"};
  const Dataset data = read(kWeather, options);
  ASSERT_EQ(data.rows, 3u);
  ASSERT_EQ(data.schema.features.size(), 3u);
  EXPECT_EQ(data.schema.features[0].categories,
            (Names{"light rain", "never", "overcast", "sunny"}));
  EXPECT_EQ(data.columns[0], (std::vector<float>{3, 0, 2}));
  EXPECT_EQ(data.schema.features[1].name, "air temperature");
  EXPECT_EQ(data.columns[1][0], 85);
  EXPECT_TRUE(std::isnan(data.columns[1][1]));
  EXPECT_EQ(data.columns[1][2], -1.5f);
  EXPECT_EQ(data.schema.features[2].name, "who's");
  EXPECT_EQ(data.schema.features[2].categories, (Names{"bob", "it's me"}));
  EXPECT_EQ(data.schema.classes, (Names{"no", "yes"}));
  EXPECT_EQ(data.labels, (std::vector<std::uint32_t>{0, 1, kNoLabel}));
}

TEST(Arff, SparseRows) {
  const Dataset data = read(
      "@relation s\n@attribute a real\n@attribute b {x,y}\n@attribute c integer\n@data\n"
      "{0 1.5, 2 3}\n{}\n{1 y}\n{1 'y', 2 ?}\n");
  ASSERT_EQ(data.rows, 4u);
  EXPECT_EQ(data.columns[0], (std::vector<float>{1.5f, 0, 0, 0}));
  EXPECT_EQ(data.columns[1], (std::vector<float>{0, 0, 1, 1}));
  EXPECT_EQ(data.columns[2][0], 3);
  EXPECT_TRUE(std::isnan(data.columns[2][3]));
}

TEST(Arff, NominalNumbersSortByValue) {
  ReadOptions options;
  options.targets = {"y"};
  const std::string text = "@attribute y {10,9,2}\n@data\n9\n10\n";
  EXPECT_EQ(read(text, options).schema.classes, (Names{"2", "9", "10"}));
  options.target_kind = TargetKind::numbers;
  EXPECT_EQ(read(text, options).targets, (std::vector<double>{9, 10}));
}

TEST(Arff, NumericTargetIsInferredLikeInAnyFormat) {
  ReadOptions options;
  options.targets = {"y"};
  const std::string head = "@attribute x real\n@attribute y numeric\n@data\n";
  EXPECT_EQ(read(head + "1,0\n2,1\n", options).schema.classes, (Names{"0", "1"}));
  EXPECT_EQ(read(head + "1,0.5\n2,1\n", options).targets, (std::vector<double>{0.5, 1}));
}

TEST(Arff, WrongRows) {
  const std::string head = "@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n";
  EXPECT_EQ(fails(head + "1,x\n1\n"), "data: t.arff:6: has 1 values, there are 2 attributes");
  EXPECT_EQ(fails(head + "1,x,2\n"), "data: t.arff:5: has 3 values, there are 2 attributes");
  EXPECT_EQ(fails(head + "one,x\n"), "data: t.arff:5:1: 'one' is not a number (column 'a')");
  EXPECT_EQ(fails(head + "1e400,x\n"), "data: t.arff:5:1: '1e400' is beyond the range of numbers");
  EXPECT_EQ(fails(head + "1,z\n"),
            "data: t.arff:5:2: 'z' is not among the declared values of column 'b'");
  EXPECT_EQ(fails(head + "1,'x\n"), "data: t.arff:5: a quoted value is never closed");
  EXPECT_EQ(fails(head + "1,'x' y\n"),
            "data: t.arff:5:2: there is text after the closing quote of a value");
  EXPECT_EQ(fails(head + "{2 1}\n"),
            "data: t.arff:5: '2' is not the number of an attribute (0 to 1)");
  EXPECT_EQ(fails(head + "{1 x, 0 1}\n"), "data: t.arff:5: the attributes of a sparse row ascend");
  EXPECT_EQ(fails(head + "{0 1\n"), "data: t.arff:5: '}' is expected before the end of the line");
  EXPECT_EQ(fails(head + "{0 1} 2\n"), "data: t.arff:5: there is text after '}'");
  EXPECT_EQ(fails(head), "data: t.arff: has no rows");
}

TEST(Arff, WrongDeclarations) {
  EXPECT_EQ(fails(""), "data: t.arff: the file is empty");
  EXPECT_EQ(fails("@relation r\n@attribute a real\n"), "data: t.arff: there is no @data");
  EXPECT_EQ(fails("@data\n1\n"), "data: t.arff: there is no @attribute");
  EXPECT_EQ(fails("@attribute\n@data\n1\n"), "data: t.arff:1: an attribute has no name");
  EXPECT_EQ(fails("@atribute a real\n"), "data: t.arff:1: unknown declaration '@atribute'");
  EXPECT_EQ(fails("1,2\n"), "data: t.arff:1: '@' is expected before '1,2'");
  EXPECT_EQ(fails("@attribute a {x,y\n@data\nx\n"),
            "data: t.arff:1: '}' is expected before the end of the line");
  EXPECT_EQ(fails("@attribute a complex\n@data\n1\n"),
            "data: t.arff:1: attributes of type 'complex' cannot be read; numeric, real, integer, "
            "string and {...} can");
  EXPECT_EQ(fails("@attribute a real\n@attribute a real\n@data\n1,2\n"),
            "data: t.arff: two columns are named 'a'");
}

TEST(Arff, DatesCanOnlyBeIgnored) {
  const std::string text =
      "@attribute a real\n@attribute d date 'yyyy-MM-dd'\n@data\n1,'2020-01-01'\n";
  EXPECT_EQ(fails(text), "data: t.arff:2: attribute 'd' is a date; ignore this column");
  ReadOptions options;
  options.ignored_columns = {"d"};
  EXPECT_EQ(read(text, options).columns.size(), 1u);
}

TEST(Arff, TextInANumericAttributeAskedForAsCategories) {
  ReadOptions options;
  options.kinds = {{"a", FeatureKind::categorical}};
  EXPECT_EQ(read("@attribute a real\n@data\n3\n20\n", options).schema.features[0].categories,
            (Names{"3", "20"}));
}

}  // namespace
}  // namespace coppice
