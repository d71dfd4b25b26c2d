#include "split/other_rows.h"

#include <algorithm>
#include <bit>

#include "base/bit_square.h"

namespace coppice {

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
  constexpr std::size_t kFewestRows = 16;
  if (copies_ == kMostCopies || rows > kCopiedRows[copies_] || rows < kFewestRows) return false;
  // To copy the bits of a column costs an eighth of looking at it in a node.
  const auto levels = static_cast<std::size_t>(std::bit_width(rows));
  return columns_.other_rows().words > 0 && 8 * levels * candidates_ >= features_;
}

void OtherRows::Copy::copy_word(const BitRows& table, std::size_t word) {
  const std::size_t first = word * 64, count = std::min<std::size_t>(64, rows.size() - first);
  for (std::size_t column = 0; column < table.words; ++column) {
    BitSquare square{};
    for (std::size_t i = 0; i < count; ++i)
      square[i] = table.cells[rows[first + i] * table.words + column];
    transpose(square);
    for (std::size_t b = 0; b < 64; ++b) bits[(column * 64 + b) * words + word] = square[b];
  }
}

void OtherRows::begin_node(std::span<const SampleId> rows) {
  node_ = rows;
  placed_ = false;
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
