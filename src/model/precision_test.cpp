// Payloads of less than full precision, and compressed files: what is kept, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "coppice/error.h"
#include "data/test_file.h"
#include "model/compressed_file.h"
#include "model/model_file.h"
#include "model/test_forests.h"

namespace coppice {
namespace {

Forest forest_of(PayloadKind kind) { return test::random_forest(3, kind, {40, 0, 200, 7}, 40); }

class Precision : public testing::TestWithParam<std::tuple<PayloadKind, PayloadPrecision>> {};

TEST_P(Precision, RoundsALittleAndSurvivesFiles) {
  const auto [kind, precision] = GetParam();
  const Forest full = forest_of(kind);
  const Forest rounded = with_precision(full, precision);
  double most = 0, range = 0;
  for (std::size_t leaf = 0; leaf < full.arrays().leaves(); ++leaf)
    for (std::size_t k = 0; k < full.arrays().payload_size; ++k) {
      const double before = full.arrays().payload_of(leaf)[k];
      most = std::max(most, std::abs(before - rounded.arrays().payload_of(leaf)[k]));
      range = std::max(range, std::abs(before));
    }
  EXPECT_LE(most, range * (precision == PayloadPrecision::half ? 0x1p-11 : 1.0 / 128));
  const TestFile file("rounded.coppice", "");
  for (const FileForm form : {FileForm::mapped, FileForm::compressed}) {
    rounded.save(file.path(), form);
    const Forest loaded = Forest::load(file.path());
    EXPECT_EQ(loaded.info().precision, precision);
    EXPECT_TRUE(test::same_bytes<float>(loaded.arrays().payload, rounded.arrays().payload));
    EXPECT_EQ(model_file_bytes(loaded.arrays(), loaded.info()),
              model_file_bytes(rounded.arrays(), rounded.info()));
  }
  rounded.save_json(file.path());
  const Forest read = Forest::load_json(file.path());
  EXPECT_EQ(model_file_bytes(read.arrays(), read.info()),
            model_file_bytes(rounded.arrays(), rounded.info()));
  // Rounding what is rounded changes nothing.
  const Forest again = with_precision(rounded, precision);
  EXPECT_TRUE(test::same_bytes<float>(again.arrays().payload, rounded.arrays().payload));
}

INSTANTIATE_TEST_SUITE_P(
    Table, Precision,
    testing::Combine(testing::Values(PayloadKind::class_histogram, PayloadKind::mean_variance,
                                     PayloadKind::class_scores),
                     testing::Values(PayloadPrecision::half, PayloadPrecision::byte)));

TEST(PayloadPrecision, FilesShrink) {
  const Forest full = forest_of(PayloadKind::class_scores);
  const auto bytes = [](const Forest& forest) {
    return model_bytes(forest.arrays(), forest.info());
  };
  const std::size_t half = bytes(with_precision(full, PayloadPrecision::half));
  EXPECT_LT(half, bytes(full));
  EXPECT_LT(bytes(with_precision(full, PayloadPrecision::byte)), half);
}

TEST(PayloadPrecision, WhatIsNotRoundedIsRefused) {
  Forest full = forest_of(PayloadKind::mean_variance);
  for (const PayloadPrecision precision : {PayloadPrecision::half, PayloadPrecision::byte}) {
    ForestInfo info = full.info();
    info.precision = precision;
    EXPECT_THROW(static_cast<void>(forest_of(PayloadKind::mean_variance).with_info(info)), Error);
  }
}

std::vector<std::byte> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// No cut and no flipped bit of a compressed file may be taken for a model, or do harm.
TEST(CompressedFile, DamageIsRefused) {
  const TestFile file("packed.coppice", "");
  const Forest forest = test::random_forest(1, PayloadKind::class_histogram, {3}, 3);
  forest.save(file.path(), FileForm::compressed);
  const std::vector<std::byte> whole = bytes_of(file.path());
  ASSERT_TRUE(is_compressed(whole));
  for (std::size_t size = 2; size < whole.size(); ++size)
    EXPECT_THROW(decompress(std::span(whole).first(size), "file"), Error);
  const std::vector<std::byte> plain = model_file_bytes(forest.arrays(), forest.info());
  EXPECT_EQ(decompress(whole, "file"), plain);
  for (std::size_t bit = 16; bit < 8 * whole.size(); ++bit) {
    std::vector<std::byte> damaged = whole;
    damaged[bit / 8] ^= std::byte{1} << (bit % 8);
    try {
      EXPECT_EQ(decompress(damaged, "file"), plain);  // names and times in the header do not matter
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::corrupt_model);
    }
  }
}

TEST(CompressedFile, BombsAreRefused) {
  const std::vector<std::byte> zeros(std::size_t{64} << 20);
  const std::vector<std::byte> bomb = compress(zeros);
  EXPECT_LT(bomb.size(), std::size_t{1} << 20);
  EXPECT_THROW(decompress(bomb, "bomb"), Error);
}

}  // namespace
}  // namespace coppice
