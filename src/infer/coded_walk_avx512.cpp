// The walk of a row through 16 trees at once, for processors with AVX-512: its codes stand in
// registers, where the lanes of all trees look theirs up by one instruction; nodes are gathered.
#include "infer/coded_trees.h"

#if defined(__x86_64__) && defined(__GNUC__)

// GCC 12 warns of what its own header leaves undefined on purpose (GCC bug 105593).
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <span>

namespace coppice {

bool processor_has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

namespace {

constexpr std::size_t kBlock = KeyTile::kLanes;

// --- From keys to codes --------------------------------------------------------------------------

// How many of the thresholds do not exceed each of the keys, of some blocks side by side.
template <std::size_t blocks>
[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline void find_codes(
    std::span<const std::uint32_t> table, const __m512i (&keys)[blocks], __m512i (&codes)[blocks]) {
  for (__m512i& code : codes) code = _mm512_setzero_si512();
  for (std::size_t step = (table.size() + 1) / 2; step > 0; step /= 2) {
#pragma GCC unroll 8
    for (std::size_t b = 0; b < blocks; ++b) {
      const __m512i probed = _mm512_i32gather_epi32(codes[b], table.data() + step - 1, 4);
      codes[b] = _mm512_mask_add_epi32(codes[b], _mm512_cmple_epu32_mask(probed, keys[b]), codes[b],
                                       _mm512_set1_epi32(static_cast<int>(step)));
    }
  }
}

[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline void store_column(
    __m512i codes, std::size_t stride, std::uint16_t* first) {
  alignas(64) std::uint32_t lanes[kBlock];
  _mm512_store_si512(lanes, codes);
#pragma GCC unroll 16
  for (std::size_t lane = 0; lane < kBlock; ++lane)
    first[lane * stride] = static_cast<std::uint16_t>(lanes[lane]);
}

// One feature of all rows of a tile, so that its thresholds stay near.
struct CodedColumn {
  const KeyTile& keys;
  std::size_t feature;
  std::span<const std::uint32_t> table;
  std::size_t row_size, second_plane;  // codes of a row; where the second plane begins, or 0
  std::uint16_t* codes;

  template <std::size_t blocks>
  [[gnu::target("avx512f,avx512bw")]] void code(std::size_t first) const {
    __m512i of_rows[blocks], found[blocks];
    for (std::size_t b = 0; b < blocks; ++b)
      of_rows[b] = _mm512_loadu_si512(keys.block(first + b) + feature * kBlock);
    find_codes(table, of_rows, found);
    for (std::size_t b = 0; b < blocks; ++b) {
      std::uint16_t* const column = codes + (first + b) * kBlock * row_size + feature;
      store_column(found[b], row_size, column);
      if (second_plane == 0) continue;
      const __mmask16 there = _mm512_cmpneq_epu32_mask(
          of_rows[b], _mm512_set1_epi32(static_cast<int>(kMissingRightKey)));
      store_column(_mm512_maskz_mov_epi32(there, found[b]), row_size, column + second_plane);
    }
  }
};

void code_column(const CodedColumn& column) {
  constexpr std::size_t kAbreast = 4;
  const std::size_t blocks = column.keys.blocks();
  std::size_t b = 0;
  for (; b + kAbreast <= blocks; b += kAbreast) column.code<kAbreast>(b);
  for (; b < blocks; ++b) column.code<1>(b);
}

// --- Through the trees ---------------------------------------------------------------------------

// The codes of a row that 16 nodes ask for, in the upper halves of the lanes.
template <std::size_t pages>
[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline __m512i look_up(
    __m512i nodes, const std::uint16_t* plane) {
  const __m512i first = _mm512_permutex2var_epi16(_mm512_load_si512(plane), nodes,
                                                  _mm512_load_si512(plane + CodeTile::kPage / 2));
  if constexpr (pages == 1) return first;
  const std::uint16_t* const second = plane + CodeTile::kPage;
  return _mm512_mask_mov_epi32(
      first, _mm512_test_epi32_mask(nodes, _mm512_set1_epi32(CodeTile::kPage << 16)),
      _mm512_permutex2var_epi16(_mm512_load_si512(second), nodes,
                                _mm512_load_si512(second + CodeTile::kPage / 2)));
}

// Lanes whose row goes right.
template <std::size_t pages, bool two_planes>
[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline __mmask16 go_right(
    __m512i nodes, const std::uint16_t* row) {
  __m512i codes = look_up<pages>(nodes, row);
  if constexpr (two_planes)
    codes = _mm512_mask_mov_epi32(codes, _mm512_cmplt_epi32_mask(nodes, _mm512_setzero_si512()),
                                  look_up<pages>(nodes, row + pages * CodeTile::kPage));
  return _mm512_cmpge_epu32_mask(_mm512_srli_epi32(codes, 16),
                                 _mm512_and_si512(nodes, _mm512_set1_epi32(0xffff)));
}

// leaves[row][tree] to leaves[tree][row].
[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline void transpose(
    __m512i (&square)[kBlock]) {
  __m512i pairs[kBlock];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kBlock; i += 4) {
    const __m512i low02 = _mm512_unpacklo_epi32(square[i], square[i + 1]);
    const __m512i high02 = _mm512_unpackhi_epi32(square[i], square[i + 1]);
    const __m512i low13 = _mm512_unpacklo_epi32(square[i + 2], square[i + 3]);
    const __m512i high13 = _mm512_unpackhi_epi32(square[i + 2], square[i + 3]);
    pairs[i] = _mm512_unpacklo_epi64(low02, low13);
    pairs[i + 1] = _mm512_unpackhi_epi64(low02, low13);
    pairs[i + 2] = _mm512_unpacklo_epi64(high02, high13);
    pairs[i + 3] = _mm512_unpackhi_epi64(high02, high13);
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) {
    const __m512i even01 = _mm512_shuffle_i32x4(pairs[i], pairs[i + 4], 0x88);
    const __m512i odd01 = _mm512_shuffle_i32x4(pairs[i], pairs[i + 4], 0xdd);
    const __m512i even23 = _mm512_shuffle_i32x4(pairs[i + 8], pairs[i + 12], 0x88);
    const __m512i odd23 = _mm512_shuffle_i32x4(pairs[i + 8], pairs[i + 12], 0xdd);
    square[i] = _mm512_shuffle_i32x4(even01, even23, 0x88);
    square[i + 4] = _mm512_shuffle_i32x4(odd01, odd23, 0x88);
    square[i + 8] = _mm512_shuffle_i32x4(even01, even23, 0xdd);
    square[i + 12] = _mm512_shuffle_i32x4(odd01, odd23, 0xdd);
  }
}

}  // namespace

void CodeTile::load(const KeyTile& keys, const ThresholdCodes& codes) {
  const std::size_t features = codes.features();
  rows_ = keys.rows();
  pages_ = pages_of(features);
  planes_ = keys.second_plane() ? 2 : 1;
  codes_.resize(keys.blocks() * kBlock * row_size());
  for (std::size_t feature = 0; feature < features; ++feature)
    code_column({keys, feature, codes.table(feature), row_size(),
                 keys.second_plane() ? pages_ * kPage : 0, codes_.data()});
}

// Of one group of trees.
struct CodedTrees::Walk {
  const std::uint32_t* nodes;
  const std::uint16_t* leaves;
  std::uint32_t levels;

  // The leaves of `abreast` rows, whose chains of loads run side by side.
  template <std::size_t pages, bool two_planes, std::size_t abreast>
  [[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline void some_rows(
      const std::uint16_t* first, std::size_t row_size, __m512i* found) const {
    const auto node = [this](std::size_t place)
        __attribute__((target("avx512f,avx512bw"), always_inline)) {
      return _mm512_load_si512(nodes + place * kLanes);
    };
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i one_place = _mm512_set1_epi32(kLanes);
    __m512i at[abreast];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < abreast; ++r) {
      const std::uint16_t* const row = first + r * row_size;
      const __mmask16 a = go_right<pages, two_planes>(node(1), row);
      const __mmask16 b =
          go_right<pages, two_planes>(_mm512_mask_mov_epi32(node(2), a, node(3)), row);
      const __m512i third = _mm512_mask_mov_epi32(_mm512_mask_mov_epi32(node(4), a, node(6)), b,
                                                  _mm512_mask_mov_epi32(node(5), a, node(7)));
      const __mmask16 c = go_right<pages, two_planes>(third, row);
      at[r] = _mm512_add_epi32(lane, _mm512_set1_epi32(8 * kLanes));
      at[r] = _mm512_mask_add_epi32(at[r], a, at[r], _mm512_set1_epi32(4 * kLanes));
      at[r] = _mm512_mask_add_epi32(at[r], b, at[r], _mm512_set1_epi32(2 * kLanes));
      at[r] = _mm512_mask_add_epi32(at[r], c, at[r], one_place);
    }
    for (std::uint32_t level = 3; level < levels; ++level) {
#pragma GCC unroll 8
      for (std::size_t r = 0; r < abreast; ++r) {
        const __m512i below = _mm512_i32gather_epi32(at[r], nodes, 4);
        const __mmask16 right = go_right<pages, two_planes>(below, first + r * row_size);
        at[r] = _mm512_sub_epi32(_mm512_add_epi32(at[r], at[r]), lane);
        at[r] = _mm512_mask_add_epi32(at[r], right, at[r], one_place);
      }
    }
    const __m512i last_level = _mm512_set1_epi32(static_cast<int>(kLanes << levels));
#pragma GCC unroll 8
    for (std::size_t r = 0; r < abreast; ++r)
      found[r] =
          _mm512_and_si512(_mm512_i32gather_epi32(_mm512_sub_epi32(at[r], last_level), leaves, 2),
                           _mm512_set1_epi32(0xffff));
  }

  // Of the lanes [trees.first, trees.first + trees.count): out[(lane - first) * rows + row].
  template <std::size_t pages, bool two_planes>
  [[gnu::target("avx512f,avx512bw")]] void all_rows(const CodeTile& tile, TreeRange lanes,
                                                    std::uint32_t* out) const {
    constexpr std::size_t kAbreast = 4;
    const std::size_t row_size = tile.row_size(), rows = tile.rows();
    for (std::size_t row = 0; row < rows; row += kBlock) {
      __m512i found[kBlock];
      for (std::size_t r = 0; r < kBlock; r += kAbreast)
        some_rows<pages, two_planes, kAbreast>(tile.row(row + r), row_size, found + r);
      transpose(found);
      const auto there = static_cast<__mmask16>((1u << std::min(kBlock, rows - row)) - 1);
      for (std::size_t t = 0; t < lanes.count; ++t)
        _mm512_mask_storeu_epi32(out + t * rows + row, there, found[lanes.first + t]);
    }
  }

  void run(const CodeTile& tile, TreeRange lanes, std::uint32_t* out) const {
    if (tile.pages() == 1)
      return tile.second_plane() ? all_rows<1, true>(tile, lanes, out)
                                 : all_rows<1, false>(tile, lanes, out);
    return tile.second_plane() ? all_rows<2, true>(tile, lanes, out)
                               : all_rows<2, false>(tile, lanes, out);
  }
};

void CodedTrees::find_leaves(const CodeTile& tile, TreeRange trees, std::uint32_t* leaves) const {
  for (std::size_t done = 0; done < trees.count;) {
    const std::size_t tree = trees.first + done, lane = tree % kLanes;
    const Group& group = groups_[tree / kLanes];
    const TreeRange lanes{lane, std::min(kLanes - lane, trees.count - done)};
    const Walk walk{nodes_.data() + group.first, leaves_.data() + group.first, group.levels};
    walk.run(tile, lanes, leaves + done * tile.rows());
    done += lanes.count;
  }
}

}  // namespace coppice

#else

namespace coppice {

bool processor_has_avx512() { return false; }

void CodeTile::load(const KeyTile&, const ThresholdCodes&) {}

void CodedTrees::find_leaves(const CodeTile&, TreeRange, std::uint32_t*) const {}

}  // namespace coppice

#endif
