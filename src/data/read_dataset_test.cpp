// Choice of the format, files that cannot be read, compression, and real data sets.
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "coppice/read.h"
#include "data/test_file.h"

namespace coppice {
namespace {

std::string gzipped(const std::string& text) {
  const TestFile file("packed.gz", "");
  gzFile out = gzopen(file.path().c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ReadDataset, FilesThatCannotBeOpened) {
  EXPECT_EQ(error_of([] { read_dataset("no/such/file.csv"); }),
            "io: cannot open 'no/such/file.csv': No such file or directory");
  const TestFile file("t.csv", "a\n1\n");
  const std::string folder = file.path() + ".d.csv";
  std::filesystem::create_directory(folder);
  EXPECT_EQ(error_of([&] { read_dataset(folder); }),
            "io: cannot read '" + folder + "': Is a directory");
}

TEST(ReadDataset, FormatFollowsFromTheName) {
  EXPECT_EQ(read_bytes("t.CSV", "a\n1\n").rows, 1u);
  EXPECT_EQ(read_bytes("t.libsvm", "1 1:2\n").rows, 1u);
  const std::string sentence = read_error("t.xyz", "a\n1\n");
  EXPECT_TRUE(sentence.starts_with("option: the name of ")) << sentence;
  ReadOptions options;
  options.format = "csv";
  EXPECT_EQ(read_bytes("t.xyz", "a\n1\n", options).rows, 1u);
  options.format = "xls";
  EXPECT_EQ(read_error("t.csv", "a\n1\n", options),
            "option: there is no format 'xls'; there are csv, npy, libsvm and arff");
}

TEST(ReadDataset, Compressed) {
  std::string text = "a,b\n";
  for (int row = 0; row < 50'000; ++row) text += std::to_string(row) + ",7\n";
  text += "x,8\n";  // forces a second pass
  const std::string packed = gzipped(text);
  const Dataset data = read_bytes("t.csv.gz", packed);
  EXPECT_EQ(data.rows, 50'001u);
  EXPECT_EQ(data.schema.features[0].kind, FeatureKind::categorical);
  EXPECT_EQ(read_bytes("plain.csv.gz", "a\n1\n").rows, 1u);
  for (const std::size_t length : {packed.size() - 1, packed.size() - 9, packed.size() / 2}) {
    EXPECT_EQ(read_error("t.csv.gz", packed.substr(0, length)),
              "data: t.csv.gz: the compressed data are cut off");
  }
  std::string damaged = packed;
  damaged[damaged.size() - 6] ^= 1;
  EXPECT_TRUE(read_error("t.csv.gz", damaged)
                  .starts_with("data: t.csv.gz: the compressed data are damaged"));
}

TEST(ReadDataset, PipesAreReadOnceAndKept) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string text = "a,b\n1,2\nx,3\n";
  ASSERT_EQ(write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  close(ends[1]);
  ReadOptions options;
  options.format = "csv";
  const Dataset data = read_dataset("/dev/fd/" + std::to_string(ends[0]), options);
  close(ends[0]);
  EXPECT_EQ(data.schema.features[0].categories, (std::vector<std::string>{"1", "x"}));
}

TEST(ReadDataset, OptionsForASchema) {
  Schema schema;
  schema.features = {{"n"}, {"c", FeatureKind::categorical, {"1", "2"}}};
  schema.targets = {"y"};
  const ReadOptions options = read_options_for(schema);
  EXPECT_EQ(options.target_kind, TargetKind::numbers);
  const Dataset data = read_bytes("t.csv", "c,y,n\n2,3,4\n1,5,6\n", options);
  EXPECT_EQ(data.targets, (std::vector<double>{3, 5}));
  EXPECT_EQ(data.schema.features[0].kind, FeatureKind::categorical);
  EXPECT_EQ(read_bytes("t.csv", "c,n\n2,4\n", options).rows, 1u);
  EXPECT_EQ(read_error("t.csv", "c,n\n2,four\n", options),
            "data: t.csv:2:2: 'four' is not a number (column 'n')");
}

std::size_t missing_values(const std::vector<float>& column) {
  std::size_t missing = 0;
  for (const float value : column) missing += std::isnan(value);
  return missing;
}

TEST(ReadDataset, Letter) {
  const auto path = shared_data() / "classification/letter.train.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data sets";
  ReadOptions options;
  options.targets = {"label"};
  const Dataset data = read_dataset(path.string(), options);
  EXPECT_EQ(data.rows, 16'000u);
  EXPECT_EQ(data.schema.classes.size(), 26u);
  EXPECT_EQ(data.schema.classes.front(), "A");
  ASSERT_EQ(data.schema.features.size(), 16u);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(data.schema.features[i].kind, FeatureKind::numeric);
    EXPECT_EQ(missing_values(data.columns[i]), 0u);
  }
  EXPECT_NO_THROW(validate(data.view()));
}

TEST(ReadDataset, Adult) {
  const auto path = shared_data() / "classification/adult.train.csv.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data sets";
  ReadOptions options;
  options.targets = {"label"};
  const Dataset data = read_dataset(path.string(), options);
  EXPECT_EQ(data.rows, 32'561u);
  EXPECT_EQ(data.schema.classes, (std::vector<std::string>{"<=50K", ">50K"}));
  ASSERT_EQ(data.schema.features.size(), 14u);
  std::size_t categorical = 0, rows_with_missing = 0;
  for (const Feature& feature : data.schema.features) {
    categorical += feature.kind == FeatureKind::categorical;
  }
  for (std::size_t row = 0; row < data.rows; ++row) {
    bool missing = false;
    for (const auto& column : data.columns) missing |= std::isnan(column[row]);
    rows_with_missing += missing;
  }
  EXPECT_EQ(categorical, 8u);
  EXPECT_EQ(rows_with_missing, 2'399u);
  EXPECT_EQ(data.schema.features[1].name, "workclass");
  EXPECT_EQ(missing_values(data.columns[1]), 1'836u);
  EXPECT_NO_THROW(validate(data.view()));
}

}  // namespace
}  // namespace coppice
