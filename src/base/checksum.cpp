// Folding: V. Gopal and others, Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
// Instruction, Intel 2009. A block of 128 bits moves ahead by so many bits when its halves are
// multiplied by powers of x modulo the polynomial; what is left at the end zlib divides.
#include "base/checksum.h"

#include <zlib.h>

#include <array>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace coppice {
namespace {

std::uint32_t by_zlib(std::uint32_t crc, std::span<const std::byte> bytes) {
  if (bytes.empty()) return crc;  // zlib takes a null pointer for the wish to begin anew
  return static_cast<std::uint32_t>(
      ::crc32_z(crc, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

#if defined(__x86_64__) && defined(__GNUC__)

constexpr std::size_t kBlock = 16, kLane = 4 * kBlock;

// x^n mod P for both halves of a block that moves ahead by 512 or by 128 bits, reflected.
struct Powers {
  long long low, high;
};
constexpr Powers kAhead512{0x154442bd4, 0x1c6e41596}, kAhead128{0x1751997d0, 0x0ccaa009e};

[[gnu::target("pclmul,sse4.1")]] __m128i block_at(const std::byte* bytes) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}
[[gnu::target("pclmul,sse4.1")]] __m128i ahead(__m128i block, __m128i powers) {
  return _mm_xor_si128(_mm_clmulepi64_si128(block, powers, 0x00),
                       _mm_clmulepi64_si128(block, powers, 0x11));
}

// The 16 bytes whose checksum is that of all of these. REQUIRES: a multiple of kLane bytes.
[[gnu::target("pclmul,sse4.1")]] std::array<std::byte, kBlock> folded(
    std::uint32_t crc, std::span<const std::byte> bytes) {
  const std::byte* next = bytes.data();
  __m128i lanes[4];
  for (int k = 0; k < 4; ++k) lanes[k] = block_at(next + k * kBlock);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128(static_cast<int>(~crc)));
  const __m128i by_512 = _mm_set_epi64x(kAhead512.high, kAhead512.low);
  for (std::size_t left = bytes.size() - kLane; left > 0; left -= kLane) {
    next += kLane;
    for (int k = 0; k < 4; ++k)
      lanes[k] = _mm_xor_si128(ahead(lanes[k], by_512), block_at(next + k * kBlock));
  }
  const __m128i by_128 = _mm_set_epi64x(kAhead128.high, kAhead128.low);
  __m128i all = lanes[0];
  for (int k = 1; k < 4; ++k) all = _mm_xor_si128(ahead(all, by_128), lanes[k]);
  std::array<std::byte, kBlock> rest;
  std::memcpy(rest.data(), &all, kBlock);
  return rest;
}

bool can_fold() {
  static const bool can = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  return can;
}

#endif

}  // namespace

std::uint32_t crc32_after(std::uint32_t crc, std::span<const std::byte> bytes) {
#if defined(__x86_64__) && defined(__GNUC__)
  const std::size_t whole = bytes.size() / kLane * kLane;
  if (whole > 0 && can_fold()) {
    // The register of a checksum starts with ones: UINT32_MAX makes zlib start with zeros.
    crc = by_zlib(UINT32_MAX, folded(crc, bytes.first(whole)));
    bytes = bytes.subspan(whole);
  }
#endif
  return by_zlib(crc, bytes);
}

}  // namespace coppice
