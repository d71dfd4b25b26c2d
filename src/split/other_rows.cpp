#include "split/other_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bit_square.h"
#include "base/wide_loops.h"
#include "split/copying_rule.h"

namespace coppice {
namespace {

// Up to four words beside each other of up to 64 rows, turned over: out[4 b + c] has a bit for each
// row, which is bit b of its word c.
struct TurnWords {
  [[gnu::always_inline]] static void run(const std::uint64_t* cells, std::size_t stride,
                                         const SampleId* rows, std::size_t count, std::size_t words,
                                         std::uint64_t* out) {
    alignas(sizeof(FourWords)) BitSquare<FourWords> square{};
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t* const row = cells + rows[i] * stride;
      if (words == 4) {
        std::memcpy(&square[i], row, sizeof(square[i]));
      } else {
        for (std::size_t c = 0; c < words; ++c) square[i][c] = row[c];
      }
    }
    transpose(square);
    std::memcpy(out, square.data(), sizeof(square));
  }
};

}  // namespace

OtherRows::OtherRows(const CodedColumns& columns, std::size_t features, std::size_t candidates)
    : columns_(columns),
      bit_of_(columns.features(), kNoBit),
      features_(features),
      candidates_(candidates) {
  const BitRows& table = columns.other_rows();
  for (std::uint32_t bit = 0; bit < table.features.size(); ++bit)
    bit_of_[table.features[bit]] = bit;
}

bool OtherRows::copy(std::span<const SampleId> rows) {
  if (!copying_pays(rows.size())) return false;
  const BitRows& table = columns_.other_rows();
  Copy& made = local_[copies_];
  made.rows.assign(rows.begin(), rows.end());
  made.words = (rows.size() + 63) / 64;
  made.bits.resize(table.words * 64 * made.words);
  made.place_of.resize(columns_.rows());
  for (std::size_t place = 0; place < rows.size(); ++place)
    made.place_of[rows[place]] = static_cast<std::uint16_t>(place);
  for (std::size_t word = 0; word < made.words; ++word) made.copy_word(table, word);
  ++copies_;
  return true;
}

bool OtherRows::copying_pays(std::size_t rows) const {
  if (copies_ == kMostCopies || rows > kCopiedRows[copies_] || rows < CopyingRule::kFewestRows)
    return false;
  // To copy the bits of a column costs an eighth of looking at it in a node.
  const auto levels = static_cast<std::size_t>(std::bit_width(rows));
  return columns_.other_rows().words > 0 && 8 * levels * candidates_ >= features_;
}

void OtherRows::Copy::copy_word(const BitRows& table, std::size_t word) {
  const std::size_t first = word * 64, count = std::min<std::size_t>(64, rows.size() - first);
  for (std::size_t column = 0; column < table.words; column += 4) {
    const std::size_t columns = std::min<std::size_t>(4, table.words - column);
    BitSquare<std::array<std::uint64_t, 4>> turned;
    run_loop<TurnWords>(table.cells.data() + column, table.words, rows.data() + first, count,
                        columns, turned.front().data());
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t b = 0; b < 64; ++b)
        bits[((column + c) * 64 + b) * words + word] = turned[b][c];
  }
}

void OtherRows::begin_node(std::span<const SampleId> rows) {
  node_ = rows;
  placed_ = false;
}

bool OtherRows::none(std::size_t feature) {
  if (copies_ == 0 || bit_of_[feature] == kNoBit) return false;
  if (!placed_) find_places();
  if (mask_.empty()) return false;
  const std::uint64_t* const bits = copy().bits.data() + bit_of_[feature] * copy().words;
  for (std::size_t word = 0; word < mask_.size(); ++word)
    if (mask_[word] & bits[word]) return false;
  return true;
}

std::span<const SampleId> OtherRows::of(std::size_t feature) {
  if (!placed_) find_places();
  const std::uint64_t* const bits = copies_ == 0
                                        ? columns_.column(feature).others.words().data()
                                        : copy().bits.data() + bit_of_[feature] * copy().words;
  if (found_.size() < node_.size()) found_.resize(node_.size());
  const std::size_t count = mask_.empty() ? gather_one_by_one(bits) : gather_by_mask(bits);
  return std::span<const SampleId>(found_).first(count);
}

void OtherRows::find_places() {
  placed_ = true;
  places_ = node_;
  if (copies_ > 0) {
    place_buffer_.resize(node_.size());
    for (std::size_t i = 0; i < node_.size(); ++i) place_buffer_[i] = copy().place_of[node_[i]];
    places_ = place_buffer_;
  }
  // Words cost less than rows that are looked at one by one.
  const std::size_t words = copies_ == 0 ? (columns_.rows() + 63) / 64 : copy().words;
  mask_.clear();
  if (words > 2 * node_.size()) return;
  mask_.resize(words);
  for (const SampleId place : places_) mask_[place / 64] |= std::uint64_t{1} << place % 64;
}

std::size_t OtherRows::gather_by_mask(const std::uint64_t* bits) {
  const SampleId* const rows = copies_ == 0 ? nullptr : copy().rows.data();
  SampleId* const found = found_.data();
  std::size_t count = 0;
  for (std::size_t word = 0; word < mask_.size(); ++word) {
    for (std::uint64_t left = mask_[word] & bits[word]; left != 0; left &= left - 1) {
      const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
      found[count++] = rows ? rows[place] : static_cast<SampleId>(place);
    }
  }
  return count;
}

std::size_t OtherRows::gather_one_by_one(const std::uint64_t* bits) {
  SampleId* const found = found_.data();
  std::size_t count = 0;
  for (std::size_t i = 0; i < node_.size(); ++i) {
    const SampleId place = places_[i];
    found[count] = node_[i];
    count += bits[place / 64] >> place % 64 & 1;
  }
  return count;
}

}  // namespace coppice
