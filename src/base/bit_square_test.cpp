#include "base/bit_square.h"

#include <gtest/gtest.h>

#include "base/random_stream.h"

namespace coppice {
namespace {

TEST(BitSquare, TransposeExchangesWordsAndBits) {
  RandomStream random(1);
  BitSquare<std::uint64_t> square;
  for (std::uint64_t& word : square) word = random.next();
  BitSquare<std::uint64_t> turned = square;
  transpose(turned);
  for (std::size_t w = 0; w < 64; ++w)
    for (std::size_t b = 0; b < 64; ++b) ASSERT_EQ(turned[b] >> w & 1, square[w] >> b & 1);
}

TEST(BitSquare, FourSquaresAreTurnedEachByItself) {
  RandomStream random(2);
  BitSquare<FourWords> squares;
  for (FourWords& words : squares)
    for (std::size_t k = 0; k < 4; ++k) words[k] = random.next();
  BitSquare<FourWords> turned = squares;
  transpose(turned);
  for (std::size_t k = 0; k < 4; ++k) {
    BitSquare<std::uint64_t> one;
    for (std::size_t w = 0; w < 64; ++w) one[w] = squares[w][k];
    transpose(one);
    for (std::size_t w = 0; w < 64; ++w) ASSERT_EQ(turned[w][k], one[w]);
  }
}

}  // namespace
}  // namespace coppice
