#include "base/bit_square.h"

#include <gtest/gtest.h>

#include "base/random_stream.h"

namespace coppice {
namespace {

TEST(BitSquare, TransposeExchangesWordsAndBits) {
  RandomStream random(1);
  BitSquare square;
  for (std::uint64_t& word : square) word = random.next();
  BitSquare turned = square;
  transpose(turned);
  for (std::size_t w = 0; w < 64; ++w)
    for (std::size_t b = 0; b < 64; ++b) ASSERT_EQ(turned[b] >> w & 1, square[w] >> b & 1);
}

}  // namespace
}  // namespace coppice
