// Comma-separated text, good and bad.
#include "data/csv_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "data/test_file.h"

namespace coppice {
namespace {

using Names = std::vector<std::string>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Dataset read(std::string_view text, const ReadOptions& options = {}) {
  return read_bytes("t.csv", text, options);
}
std::string fails(std::string_view text, const ReadOptions& options = {}) {
  return read_error("t.csv", text, options);
}
ReadOptions target(const std::string& name, TargetKind kind = TargetKind::infer) {
  ReadOptions options;
  options.targets = {name};
  options.target_kind = kind;
  return options;
}
Names feature_names(const Dataset& data) {
  Names names;
  for (const Feature& feature : data.schema.features) names.push_back(feature.name);
  return names;
}

TEST(Csv, HeaderAndNumbers) {
  const Dataset data = read("a,b\n1,2.5\n-3e2,.5\n");
  EXPECT_EQ(feature_names(data), (Names{"a", "b"}));
  ASSERT_EQ(data.rows, 2u);
  EXPECT_EQ(data.columns[0], (std::vector<float>{1, -300}));
  EXPECT_EQ(data.columns[1], (std::vector<float>{2.5f, 0.5f}));
  EXPECT_EQ(data.schema.features[0].kind, FeatureKind::numeric);
  EXPECT_TRUE(data.labels.empty());
  EXPECT_TRUE(data.targets.empty());
}

TEST(Csv, WithoutHeaderColumnsAreNumbered) {
  const Dataset data = read("1,x\n2,y\n");
  EXPECT_EQ(feature_names(data), (Names{"f1", "f2"}));
  EXPECT_EQ(data.rows, 2u);
}

TEST(Csv, HeaderCanBeForcedEitherWay) {
  ReadOptions options;
  options.header = true;
  EXPECT_EQ(feature_names(read("1,2\n3,4\n", options)), (Names{"1", "2"}));
  options.header = false;
  const Dataset data = read("a,b\nc,d\n", options);
  EXPECT_EQ(feature_names(data), (Names{"f1", "f2"}));
  EXPECT_EQ(data.schema.features[0].categories, (Names{"a", "c"}));
}

TEST(Csv, EmptyHeaderNameIsNumbered) {
  EXPECT_EQ(feature_names(read(",b\n1,2\n")), (Names{"f1", "b"}));
}

TEST(Csv, EveryLineEndGivesTheSameTable) {
  const Dataset expected = read("a,b\n1,x\n2,y\n");
  for (const char* text :
       {"a,b\r\n1,x\r\n2,y\r\n", "a,b\r1,x\r2,y\r", "a,b\n1,x\n2,y", "a,b\r\n1,x\r\n2,y",
        "a,b\r1,x\r2,y", "a,b\n\n1,x\n \n2,y\n\n\n", "a,b\r\r\n1,x\r\r\n2,y\r\r\n",
        "\xef\xbb\xbf"
        "a,b\n1,x\n2,y\n"}) {
    const Dataset data = read(text);
    EXPECT_EQ(data.schema, expected.schema) << text;
    EXPECT_EQ(data.columns, expected.columns) << text;
  }
}

TEST(Csv, DelimiterIsInferred) {
  for (const char delimiter : {',', ';', '\t', '|'}) {
    std::string text = "a,b,c\n1,2,3\n";
    for (char& c : text) c = c == ',' ? delimiter : c;
    EXPECT_EQ(feature_names(read(text)), (Names{"a", "b", "c"})) << delimiter;
  }
  EXPECT_EQ(feature_names(read("\"x;y;z\",b\n1,2\n")), (Names{"x;y;z", "b"}));
  EXPECT_EQ(read("1,5;2,5\n3,5;4,5\n").columns.size(), 2u);
  EXPECT_EQ(read("x\n1\n2\n").columns.size(), 1u);
}

TEST(Csv, DelimiterCanBeGiven) {
  ReadOptions options;
  options.delimiter = ' ';
  EXPECT_EQ(read("a b\n1 2\n", options).columns[1], (std::vector<float>{2}));
  options.delimiter = '.';
  EXPECT_EQ(fails("a.b\n1.2\n", options),
            "option: fields cannot be delimited by '.'; use , ; | a space or a tab");
}

TEST(Csv, TsvKeepsCommas) {
  const Dataset data = read_bytes("t.tsv", "a,b,c\td\nx,y,z\t1\n");
  EXPECT_EQ(feature_names(data), (Names{"a,b,c", "d"}));
  EXPECT_EQ(data.schema.features[0].categories, (Names{"x,y,z"}));
}

TEST(Csv, DecimalCommasAreText) {
  const Dataset data = read("a;b\n1,5;2\n2,5;3\n");
  EXPECT_EQ(data.schema.features[0].categories, (Names{"1,5", "2,5"}));
  EXPECT_EQ(data.schema.features[1].kind, FeatureKind::numeric);
}

TEST(Csv, QuotedFields) {
  const Dataset data = read(
      "\"a\",\"b \"\"q\"\"\",c\n"
      "\"x,y\",\"5\",1\n"
      "\"line\nbreak\", \" 6 \" ,2\n"
      "\"\"\"\",7,3\n"
      "in\"side,8,4\n");
  EXPECT_EQ(feature_names(data), (Names{"a", "b \"q\"", "c"}));
  EXPECT_EQ(data.schema.features[0].categories, (Names{"\"", "in\"side", "line\nbreak", "x,y"}));
  EXPECT_EQ(data.columns[0], (std::vector<float>{3, 2, 0, 1}));
  EXPECT_EQ(data.columns[1], (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(data.columns[2], (std::vector<float>{1, 2, 3, 4}));
}

TEST(Csv, QuotesGoneWrong) {
  EXPECT_EQ(fails("a,b\n\"x\"y,1\n"),
            "data: t.csv:2:1: there is text after the closing quote of a field");
  EXPECT_EQ(fails("a,b\n1,2\n\"x,1\n3,4\n"), "data: t.csv:3: a quoted field is never closed");
}

TEST(Csv, LinesAfterAQuotedLineEndAreNumberedByTheFile) {
  EXPECT_EQ(fails("a,b\n\"x\ny\",1\n2\n"), "data: t.csv:4: has 1 field, the header has 2");
}

TEST(Csv, RaggedRows) {
  EXPECT_EQ(fails("a,b,c\n1,2,3\n1,2\n"), "data: t.csv:3: has 2 fields, the header has 3");
  EXPECT_EQ(fails("a,b,c\n1,2,3,4\n"), "data: t.csv:2: has 4 fields, the header has 3");
  EXPECT_EQ(fails("1,2,3\n1,2,3,\n"), "data: t.csv:2: has 4 fields, the first line has 3");
}

TEST(Csv, MissingValuesOfBothKinds) {
  const Dataset data = read(
      "n,t\n1,x\n,\nNA,NA\nN/A,N/A\nnan,nan\nNaN,NaN\nNULL,NULL\nnull,null\n?,?\n ? , NA \n2,y\n");
  ASSERT_EQ(data.rows, 11u);
  EXPECT_EQ(data.schema.features[1].categories, (Names{"x", "y"}));
  for (std::size_t row = 1; row < 10; ++row) {
    EXPECT_TRUE(std::isnan(data.columns[0][row])) << row;
    EXPECT_TRUE(std::isnan(data.columns[1][row])) << row;
  }
  EXPECT_EQ(data.columns[0][10], 2);
  EXPECT_EQ(data.columns[1][10], 1);
}

TEST(Csv, ColumnOfMissingValuesIsNumeric) {
  const Dataset data = read("a,b\nNA,1\n,2\n");
  EXPECT_EQ(data.schema.features[0].kind, FeatureKind::numeric);
  EXPECT_TRUE(std::isnan(data.columns[0][1]));
}

TEST(Csv, BlankLineOfASingleColumnIsMissing) {
  const Dataset data = read("a\n1\n\n3\n");
  ASSERT_EQ(data.rows, 3u);
  EXPECT_TRUE(std::isnan(data.columns[0][1]));
}

TEST(Csv, InfinityIsANumber) {
  const Dataset data = read("a\ninf\n-inf\nInfinity\n-INFINITY\n+inf\n1\n");
  EXPECT_EQ(data.columns[0],
            (std::vector<float>{kInfinity, -kInfinity, kInfinity, -kInfinity, kInfinity, 1}));
}

TEST(Csv, PlusSignsAndSpaces) {
  EXPECT_EQ(read("a,b\n +1 ,2\n\t2\t, 3\n").columns[0], (std::vector<float>{1, 2}));
  EXPECT_EQ(read("a,b\n1,2\n+-2, 3\n").schema.features[0].categories, (Names{"+-2", "1"}));
}

TEST(Csv, NumbersBeyondRange) {
  EXPECT_EQ(fails("a,b\n1,2\n3,1e400\n"),
            "data: t.csv:3:2: '1e400' is beyond the range of numbers");
  EXPECT_EQ(fails("a\n1e39\n"), "data: t.csv:2:1: '1e39' is beyond the range of numbers");
  EXPECT_EQ(fails("a,y\n1,-1e400\n", target("y")),
            "data: t.csv:2:2: '-1e400' is beyond the range of numbers");
  EXPECT_EQ(read("a\n1\n1e-400\n").columns[0], (std::vector<float>{1, 0}));
  EXPECT_EQ(read("a,y\n1,1e39\n2,0.5\n", target("y")).targets, (std::vector<double>{1e39, 0.5}));
}

TEST(Csv, HexadecimalIsText) {
  EXPECT_EQ(read("a\n0x1A\n0x1B\n").schema.features[0].categories, (Names{"0x1A", "0x1B"}));
}

TEST(Csv, TextAfterNumbersKeepsTheOriginalTexts) {
  const Dataset data = read("a,b,c\n1.50,7,u\n007,8,v\nNA,9,w\nx,10,u\n+2,11,v\n");
  EXPECT_EQ(data.schema.features[0].categories, (Names{"+2", "007", "1.50", "x"}));
  EXPECT_EQ(data.columns[0][0], 2);
  EXPECT_EQ(data.columns[0][1], 1);
  EXPECT_TRUE(std::isnan(data.columns[0][2]));
  EXPECT_EQ(data.columns[0][3], 3);
  EXPECT_EQ(data.columns[0][4], 0);
  EXPECT_EQ(data.columns[1], (std::vector<float>{7, 8, 9, 10, 11}));
  EXPECT_EQ(data.columns[2], (std::vector<float>{0, 1, 2, 0, 1}));
}

TEST(Csv, KindsCanBeGiven) {
  ReadOptions options;
  options.kinds = {{"a", FeatureKind::categorical}};
  const Dataset data = read("a,b\n10,1\n9,2\n10,3\n", options);
  EXPECT_EQ(data.schema.features[0].categories, (Names{"9", "10"}));
  EXPECT_EQ(data.columns[0], (std::vector<float>{1, 0, 1}));
  options.kinds = {{"a", FeatureKind::numeric}};
  EXPECT_EQ(fails("a,b\n1,1\nabc,2\n", options),
            "data: t.csv:3:1: 'abc' is not a number (column 'a')");
  options.kinds = {{"aa", FeatureKind::numeric}};
  EXPECT_EQ(fails("a,b\n1,1\n", options),
            "data: t.csv: there is no column 'aa'; did you mean 'a'? The columns are 'a', 'b'");
}

TEST(Csv, NotText) {
  EXPECT_EQ(fails(std::string_view("a,b\n1,\0\n", 8)),
            "data: t.csv:2: contains a NUL byte; is this a text file in UTF-8?");
  EXPECT_EQ(fails(std::string_view("\xff\xfe"
                                   "a\0",
                                   4)),
            "data: t.csv: is UTF-16; convert it to UTF-8");
  EXPECT_EQ(fails("\xfe\xff"), "data: t.csv: is UTF-16; convert it to UTF-8");
}

TEST(Csv, EmptyFiles) {
  EXPECT_EQ(fails(""), "data: t.csv: the file is empty");
  EXPECT_EQ(fails("\n \n\n"), "data: t.csv: the file is empty");
  EXPECT_EQ(fails("\xef\xbb\xbf"), "data: t.csv: the file is empty");
  ReadOptions options;
  options.delimiter = ',';
  EXPECT_EQ(fails("", options), "data: t.csv: the file is empty");
  EXPECT_EQ(fails("a,b\n"), "data: t.csv: has no rows");
  EXPECT_EQ(fails("a,b"), "data: t.csv: has no rows");
}

TEST(Csv, LongLinesAndManyRowsCrossTheBuffer) {
  std::string text = "name,x\n";
  for (int row = 0; row < 40000; ++row) {
    text += "\"row " + std::to_string(row % 3) + "\"," + std::to_string(row) + "\r\n";
  }
  const std::string giant(3'000'000, 'z');
  text += giant + ",-1\r\n";
  const Dataset data = read(text);
  ASSERT_EQ(data.rows, 40001u);
  ASSERT_EQ(data.schema.features[0].categories.size(), 4u);
  EXPECT_EQ(data.schema.features[0].categories[3], giant);
  for (std::size_t row = 0; row < 40000; ++row) {
    ASSERT_EQ(data.columns[0][row], static_cast<float>(row % 3));
    ASSERT_EQ(data.columns[1][row], static_cast<float>(row));
  }
  EXPECT_EQ(data.columns[1][40000], -1);
}

TEST(Csv, CarriageReturnAtTheEndOfTheBuffer) {
  for (std::size_t length = 262'140; length < 262'148; ++length) {
    const std::string name(length, 'n');
    const Dataset data = read(name + "\r\n1\r\n2\r\n");
    ASSERT_EQ(data.rows, 2u) << length;
    EXPECT_EQ(data.schema.features[0].name, name);
  }
}

TEST(Csv, ManyColumns) {
  std::string text;
  for (int column = 0; column < 100'000; ++column) text += (column > 0 ? ",1" : "1");
  const Dataset data = read(text + "\n" + text + "\n");
  EXPECT_EQ(data.columns.size(), 100'000u);
  EXPECT_EQ(data.schema.features.back().name, "f100000");
}

TEST(Csv, DuplicateNames) {
  EXPECT_EQ(fails("a,b,a\n1,2,3\n"), "data: t.csv:1: two columns are named 'a'");
}

}  // namespace
}  // namespace coppice
