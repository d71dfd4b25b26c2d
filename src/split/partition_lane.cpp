#include "split/partition_lane.h"

#include "base/wide_loops.h"
#include "split/partition.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#include <array>
#include <bit>
#endif

namespace coppice {
namespace {

constexpr std::size_t kEight = 8;

#if defined(__x86_64__) && defined(__GNUC__)

// For each set of eight: the members, ascending, then those that are none.
constexpr auto kMembersFirst = [] {
  std::array<std::array<std::uint8_t, kEight>, 256> orders{};
  for (unsigned set = 0; set < orders.size(); ++set) {
    std::size_t next = 0;
    for (const unsigned wanted : {1u, 0u})
      for (std::uint8_t k = 0; k < kEight; ++k)
        if ((set >> k & 1) == wanted) orders[set][next++] = k;
  }
  return orders;
}();

[[gnu::target("avx2"), gnu::always_inline]] inline __m256i members_first(__m256i eight,
                                                                         unsigned set) {
  const auto* const order = reinterpret_cast<const __m128i*>(kMembersFirst[set].data());
  return _mm256_permutevar8x32_epi32(eight, _mm256_cvtepu8_epi32(_mm_loadl_epi64(order)));
}

// Returns how many rows go left, which are in front then; the others begin at `right`. Writes eight
// rows to each side at a time: on the left over rows that were read, on the right up to seven
// behind the last. REQUIRES: a multiple of eight rows.
[[gnu::target("avx2")]] std::size_t partition_eights(std::span<SampleId> rows, SampleId* right,
                                                     const float* values, float cut) {
  std::size_t left_count = 0;
  for (std::size_t i = 0; i < rows.size(); i += kEight, values += kEight * kLanes) {
    const __m256 of_rows = _mm256_setr_ps(
        values[0], values[kLanes], values[2 * kLanes], values[3 * kLanes], values[4 * kLanes],
        values[5 * kLanes], values[6 * kLanes], values[7 * kLanes]);
    const auto left = static_cast<unsigned>(
        _mm256_movemask_ps(_mm256_cmp_ps(of_rows, _mm256_set1_ps(cut), _CMP_LT_OQ)));
    const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows.data() + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows.data() + left_count),
                        members_first(eight, left));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(right + i - left_count),
                        members_first(eight, left ^ 0xff));
    left_count += static_cast<std::size_t>(std::popcount(left));
  }
  return left_count;
}

#else

std::size_t partition_eights(std::span<SampleId>, SampleId*, const float*, float) { return 0; }

#endif

}  // namespace

std::size_t partition_by_lane(std::span<SampleId> rows, std::vector<SampleId>& right,
                              const Lanes<float>* values, std::size_t lane, float cut) {
  if (right.size() < rows.size() + kEight) right.resize(rows.size() + kEight);
  const float* next = reinterpret_cast<const float*>(values) + lane;
  std::size_t dealt = 0, left_count = 0;
  if (rows.size() >= kEight && takes_wide_loops()) {
    dealt = rows.size() / kEight * kEight;
    left_count = partition_eights(rows.first(dealt), right.data(), next, cut);
    next += dealt * kLanes;
  }
  return partition_rest(rows, right.data(), dealt, left_count, [&](SampleId) {
    const float value = *next;
    next += kLanes;
    return value < cut;
  });
}

}  // namespace coppice
