// Size arithmetic at its limits.
#include "base/checked.h"

#include <gtest/gtest.h>

#include <limits>

namespace coppice {
namespace {

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

TEST(Checked, ExactOrRefused) {
  EXPECT_EQ(checked_add(kMost - 1, 1, "x"), kMost);
  EXPECT_THROW(checked_add(kMost, 1, "x"), Error);
  EXPECT_EQ(checked_multiply(kMost / 2, 2, "x"), kMost - 1);
  EXPECT_EQ(checked_multiply(kMost, 0, "x"), 0u);
  EXPECT_THROW(checked_multiply(std::size_t{1} << 32, std::size_t{1} << 32, "x"), Error);
  EXPECT_EQ(checked_narrow<std::uint8_t>(255, "x"), 255);
  EXPECT_THROW(checked_narrow<std::uint8_t>(256, "x"), Error);
  EXPECT_THROW(checked_narrow<std::uint8_t>(-1, "x"), Error);
}

TEST(Checked, SaysWhere) {
  try {
    checked_multiply(kMost, 3, "model.coppice: section 'split.right'");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt_model);
    EXPECT_TRUE(std::string(error.what()).starts_with("model.coppice: section 'split.right': "));
  }
}

}  // namespace
}  // namespace coppice
