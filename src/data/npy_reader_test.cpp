// NumPy arrays: every type and order, and files that lie about their size.
#include "data/npy_reader.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "data/test_file.h"

namespace coppice {
namespace {

std::string npy(const std::string& dictionary, const std::string& bytes, char version = 1) {
  std::string header = dictionary;
  const std::size_t before = version == 1 ? 10 : 12;
  while ((before + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file = std::string("\x93NUMPY") + version + '\0';
  for (std::size_t i = 0; i < (version == 1 ? 2u : 4u); ++i) {
    file += static_cast<char>(header.size() >> (8 * i) & 255);
  }
  return file + header + bytes;
}

std::string dictionary(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

template <typename Number>
std::string bytes_of(const std::vector<Number>& values) {
  std::string bytes(values.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Dataset read(const std::string& bytes, const ReadOptions& options = {}) {
  return read_bytes("t.npy", bytes, options);
}
std::string fails(const std::string& bytes) { return read_error("t.npy", bytes); }

template <typename Number>
void expect_reads(const std::string& descr) {
  const std::string bytes = bytes_of<Number>({1, 2, 3, 4, 5, 100});
  const Dataset rows = read(npy(dictionary(descr, "(3, 2)"), bytes));
  ASSERT_EQ(rows.rows, 3u) << descr;
  EXPECT_EQ(rows.columns[0], (std::vector<float>{1, 3, 5})) << descr;
  EXPECT_EQ(rows.columns[1], (std::vector<float>{2, 4, 100})) << descr;
  const Dataset columns = read(npy(dictionary(descr, "(3, 2)", true), bytes));
  EXPECT_EQ(columns.columns[0], (std::vector<float>{1, 2, 3})) << descr;
  EXPECT_EQ(columns.columns[1], (std::vector<float>{4, 5, 100})) << descr;
}

TEST(Npy, TypesAndOrders) {
  expect_reads<float>("<f4");
  expect_reads<double>("<f8");
  expect_reads<std::int8_t>("|i1");
  expect_reads<std::int8_t>("<i1");
  expect_reads<std::int16_t>("<i2");
  expect_reads<std::int32_t>("<i4");
  expect_reads<std::int64_t>("<i8");
  expect_reads<std::uint8_t>("|u1");
  expect_reads<std::uint16_t>("<u2");
  expect_reads<std::uint32_t>("<u4");
  expect_reads<std::uint64_t>("<u8");
}

TEST(Npy, BooleansVersionsAndNames) {
  for (const char version : {'\1', '\2', '\3'}) {
    const Dataset data =
        read(npy(dictionary("|b1", "(2, 2)"), std::string("\1\0\0\1", 4), version));
    EXPECT_EQ(data.columns[0], (std::vector<float>{1, 0}));
    EXPECT_EQ(data.schema.features[1].name, "f2");
  }
}

TEST(Npy, OneDimensionIsOneColumn) {
  const Dataset data = read(npy(dictionary("<f4", "(3,)"), bytes_of<float>({1, 2, 3})));
  ASSERT_EQ(data.columns.size(), 1u);
  EXPECT_EQ(data.columns[0], (std::vector<float>{1, 2, 3}));
}

TEST(Npy, KeysInAnyOrderAndSpacing) {
  const std::string odd = "{\"shape\":(1,2),\"fortran_order\" : False,'descr':'<f4'}";
  EXPECT_EQ(read(npy(odd, bytes_of<float>({7, 8}))).columns[1], (std::vector<float>{8}));
}

TEST(Npy, MissingAndInfinite) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Dataset data =
      read(npy(dictionary("<f8", "(3, 1)"), bytes_of<double>({kNan, kInf, -kInf})));
  EXPECT_TRUE(std::isnan(data.columns[0][0]));
  EXPECT_EQ(data.columns[0][1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(data.columns[0][2], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(fails(npy(dictionary("<f8", "(2, 2)"), bytes_of<double>({1, 2, 3, 1e300}))),
            "data: t.npy:2:2: '1e+300' is beyond the range of numbers");
}

TEST(Npy, TargetsByNameOrNumber) {
  const std::string file =
      npy(dictionary("<i8", "(3, 2)"), bytes_of<std::int64_t>({1, 10, 2, 9, 3, 10}));
  ReadOptions options;
  for (const char* name : {"f2", "2"}) {
    options.targets = {name};
    const Dataset data = read(file, options);
    EXPECT_EQ(data.schema.targets, std::vector<std::string>{"f2"});
    EXPECT_EQ(data.schema.classes, (std::vector<std::string>{"9", "10"}));
    EXPECT_EQ(data.labels, (std::vector<std::uint32_t>{1, 0, 1}));
  }
  options.target_kind = TargetKind::numbers;
  EXPECT_EQ(read(file, options).targets, (std::vector<double>{10, 9, 10}));
}

TEST(Npy, DoubleTargetsKeepTheirPrecision) {
  ReadOptions options;
  options.targets = {"f1"};
  const Dataset data =
      read(npy(dictionary("<f8", "(2,)"), bytes_of<double>({0.1, 1.0 / 3})), options);
  EXPECT_EQ(data.targets, (std::vector<double>{0.1, 1.0 / 3}));
}

TEST(Npy, CategoriesFromNumbers) {
  ReadOptions options;
  options.kinds = {{"f1", FeatureKind::categorical}};
  const Dataset data =
      read(npy(dictionary("<f4", "(3,)"), bytes_of<float>({0.1f, 2, 0.1f})), options);
  EXPECT_EQ(data.schema.features[0].categories, (std::vector<std::string>{"0.1", "2"}));
  EXPECT_EQ(data.columns[0], (std::vector<float>{0, 1, 0}));
}

TEST(Npy, ManyBlocks) {
  std::vector<std::int32_t> values(700'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
  for (const bool fortran : {false, true}) {
    const Dataset data = read(npy(dictionary("<i4", "(350000, 2)", fortran), bytes_of(values)));
    ASSERT_EQ(data.rows, 350'000u);
    for (std::size_t row = 0; row < data.rows; row += 997) {
      ASSERT_EQ(data.columns[1][row], static_cast<float>(fortran ? 350'000 + row : 2 * row + 1));
    }
  }
}

TEST(Npy, TruncatedAndOverlong) {
  const std::string good = npy(dictionary("<f4", "(2, 2)"), bytes_of<float>({1, 2, 3, 4}));
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_TRUE(fails(good.substr(0, length)).starts_with("data: t.npy: ")) << length;
  }
  EXPECT_EQ(fails(good.substr(0, good.size() - 1)),
            "data: t.npy: the file is cut off: it holds 15 bytes of an announced 2 x 2 array");
  EXPECT_EQ(fails(good + "x"), "data: t.npy: 1 bytes follow the 2 x 2 array");
  EXPECT_EQ(fails(""), "data: t.npy: the file is empty");
  EXPECT_EQ(fails("a,b,c\n1,2,3\n"), "data: t.npy: is no NumPy array file (.npy)");
}

TEST(Npy, AnnouncedSizesAreNotTrusted) {
  for (const char* shape :
       {"(4294967297, 4294967296)", "(9223372036854775807, 2)", "(18446744073709551615,)",
        "(1, 18446744073709551615)", "(4194305, 211106198978564)"}) {
    EXPECT_NE(fails(npy(dictionary("<f8", shape), "1234")).find("cut off"), std::string::npos)
        << shape;
  }
  EXPECT_NE(fails(npy(dictionary("<f8", "(99999999999999999999, 1)"), "")).find("damaged"),
            std::string::npos);
  EXPECT_EQ(fails(npy(dictionary("<f8", "(0, 9999999999)"), "")), "data: t.npy: has no rows");
  std::string giant = npy(dictionary("<f4", "(1, 1)"), "1234", 2);
  giant[10] = giant[11] = '\x7f';
  EXPECT_EQ(fails(giant), "data: t.npy: the NumPy header is too long");
}

TEST(Npy, RefusedArrays) {
  const auto refused = [](const std::string& what) {
    return "data: t.npy: the array is " + what +
           "; save it as little-endian numbers, such as float32";
  };
  EXPECT_EQ(fails(npy(dictionary(">f4", "(1, 1)"), "1234")), refused("big-endian ('>f4')"));
  EXPECT_EQ(fails(npy(dictionary("|O", "(1, 1)"), "1234")), refused("Python objects"));
  EXPECT_EQ(fails(npy(dictionary("<c8", "(1, 1)"), "12345678")), refused("of type '<c8'"));
  EXPECT_EQ(fails(npy(dictionary("<U3", "(1, 1)"), "")), refused("of type '<U3'"));
  EXPECT_EQ(fails(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1234")),
            refused("a record array"));
  EXPECT_EQ(fails(npy(dictionary("<f4", "()"), "1234")),
            "data: t.npy: the array has 0 dimensions; it should have one or two");
  EXPECT_EQ(fails(npy(dictionary("<f4", "(1, 1, 1)"), "1234")),
            "data: t.npy: the array has 3 dimensions; it should have one or two");
  EXPECT_EQ(fails(npy(dictionary("<f4", "(1,)"), "1234", 9)),
            "data: t.npy: has version 9 of the NumPy format; 1 to 3 can be read");
}

TEST(Npy, DamagedHeaders) {
  for (const char* header : {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'descr': '<f4'}",
                             "{'x': 1}", "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
                             "{'descr': '<f4, }", "{'descr': <f4}"}) {
    EXPECT_NE(fails(npy(header, "1234")).find("the NumPy header is damaged"), std::string::npos)
        << header;
  }
}

TEST(Npy, Compressed) {
  const std::string file = npy(dictionary("<f4", "(2, 1)"), bytes_of<float>({1, 2}));
  const TestFile packed("t.npy.gz", "");
  gzFile out = gzopen(packed.path().c_str(), "wb");
  gzwrite(out, file.data(), static_cast<unsigned>(file.size()));
  gzclose(out);
  EXPECT_EQ(read_dataset(packed.path()).columns[0], (std::vector<float>{1, 2}));
}

}  // namespace
}  // namespace coppice
