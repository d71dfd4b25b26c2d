#include "base/checksum.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <vector>

#include "base/random_stream.h"

namespace coppice {
namespace {

TEST(Checksum, IsThatOfZlib) {
  RandomStream random(1);
  std::vector<std::byte> bytes(5000);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
  for (const std::size_t size : {0, 1, 15, 16, 63, 64, 65, 127, 128, 129, 191, 192, 1000, 4096}) {
    for (const std::size_t first : {0, 1, 7, 64}) {
      const std::span part = std::span(std::as_const(bytes)).subspan(first, size);
      const auto crc = static_cast<std::uint32_t>(random.next());
      const auto expected =
          ::crc32_z(crc, reinterpret_cast<const unsigned char*>(part.data()), part.size());
      EXPECT_EQ(crc32_after(crc, part), expected) << size << " from " << first;
    }
  }
}

// Published for every implementation of this checksum.
TEST(Checksum, OfTheDigitsIsTheCheckValue) {
  EXPECT_EQ(crc32_after(0, std::as_bytes(std::span("123456789", 9))), 0xcbf43926u);
}

TEST(Checksum, OfPartsIsThatOfTheWhole) {
  RandomStream random(2);
  std::vector<std::byte> bytes(3000);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
  const std::uint32_t whole = crc32_after(0, bytes);
  for (int i = 0; i < 100; ++i) {
    const std::size_t cut = random.below(3000);
    const std::span all(std::as_const(bytes));
    EXPECT_EQ(crc32_after(crc32_after(0, all.first(cut)), all.subspan(cut)), whole);
  }
}

}  // namespace
}  // namespace coppice
