// Equal payloads are found as they come, so that pure leaves cost no memory during training either.
#include "model/forest_builder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "coppice/error.h"
#include "model/storage_views.h"

namespace coppice {
namespace {

constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();

// Places rows in the table only; rows are numbered by first occurrence whatever it returns.
std::uint64_t hash_of(std::span<const float> payload) {
  std::uint64_t hash = 0;
  const auto stir = [&](std::uint64_t bits) {
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  };
  std::size_t next = 0;
  for (; next + 2 <= payload.size(); next += 2) {
    std::uint64_t bits;
    std::memcpy(&bits, &payload[next], sizeof(bits));
    stir(bits);
  }
  if (next < payload.size()) stir(std::bit_cast<std::uint32_t>(payload[next]));
  return hash ^ (hash >> 32);
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

template <class Index>
std::vector<Index> narrowed(const std::vector<std::uint32_t>& rows) {
  std::vector<Index> index(rows.size());
  std::transform(rows.begin(), rows.end(), index.begin(),
                 [](std::uint32_t row) { return static_cast<Index>(row); });
  return index;
}

bool leaves_agree(const TreeArrays& tree, std::size_t payload_size) {
  const std::size_t leaves = tree.right.size() + 1, rows = tree.payload.size() / payload_size;
  if (tree.support.size() != leaves || tree.payload.size() != rows * payload_size) return false;
  if (tree.payload_row.empty()) return rows == leaves;
  return tree.payload_row.size() == leaves &&
         std::all_of(tree.payload_row.begin(), tree.payload_row.end(),
                     [&](std::uint32_t row) { return row < rows; });
}

void append_to(std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

ForestBuilder::ForestBuilder(std::size_t payload_size) : table_(16) {
  if (payload_size == 0) throw Error(ErrorKind::invalid_data, "a leaf needs a payload");
  forest_.payload_size = payload_size;
}

void ForestBuilder::append(const TreeArrays& tree) {
  const std::size_t splits = tree.right.size(), leaves = splits + 1, size = forest_.payload_size;
  if (tree.threshold.size() != splits || tree.code.size() != splits ||
      (size > 0 && !leaves_agree(tree, size))) {
    throw Error(ErrorKind::invalid_data, "the arrays of a tree do not agree in size");
  }
  if (leaves_ + leaves > kMost ||
      forest_.category_words.size() + tree.category_words.size() > kMost) {
    throw Error(ErrorKind::invalid_data,
                "the forest is larger than 2^32 - 1 leaves or category words; grow fewer or "
                "smaller trees");
  }
  append_splits(tree);
  leaves_ += leaves;
  if (size > 0) append_leaves(tree);
}

void ForestBuilder::append_splits(const TreeArrays& tree) {
  const std::size_t splits = tree.right.size(), first_word = forest_.category_words.size();
  append_to(forest_.right, tree.right);
  append_to(forest_.category_words, tree.category_words);
  const auto first_projection = static_cast<std::uint32_t>(forest_.projections.lower.size());
  for (std::size_t split = 0; split < splits; ++split) {
    const Split::Kind kind = SplitCode::kind_of(tree.code[split]);
    const std::size_t shift = kind == Split::Kind::category_set ? first_word : 0;
    forest_.threshold.push_back(tree.threshold[split] + static_cast<std::uint32_t>(shift));
    forest_.code.push_back(tree.code[split] +
                           (kind == Split::Kind::projection ? first_projection : 0));
  }
  append_projections(tree, static_cast<std::uint32_t>(first_word));
  forest_.first_split.push_back(static_cast<std::uint32_t>(forest_.right.size()));
}

void ForestBuilder::append_leaves(const TreeArrays& tree) {
  const std::size_t leaves = tree.support.size(), size = forest_.payload_size;
  forest_.support.insert(forest_.support.end(), tree.support.begin(), tree.support.end());
  const auto row_at = [&](std::size_t place) {
    return row_of(std::span(tree.payload).subspan(place * size, size));
  };
  if (tree.payload_row.empty()) {
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) row_.push_back(row_at(leaf));
    return;
  }
  constexpr std::uint32_t kUnknown = UINT32_MAX;
  std::vector<std::uint32_t> row_of_place(tree.payload.size() / size, kUnknown);
  for (const std::uint32_t place : tree.payload_row) {
    if (row_of_place[place] == kUnknown) row_of_place[place] = row_at(place);
    row_.push_back(row_of_place[place]);
  }
}

void ForestBuilder::append_projections(const TreeArrays& tree, std::uint32_t first_word) {
  ProjectionStorage& all = forest_.projections;
  if (tree.lower.empty()) return;
  if (all.lower.size() + tree.lower.size() > SplitCode::kFeatureMask ||
      all.feature.size() + tree.terms.size() > kMost) {
    throw Error(
        ErrorKind::invalid_data,
        "the forest has more projections than can be numbered; grow fewer or smaller trees");
  }
  if (all.first_term.empty()) all.first_term.push_back(0);
  for (const std::size_t terms : tree.terms_of)
    all.first_term.push_back(all.first_term.back() + static_cast<std::uint32_t>(terms));
  all.lower.insert(all.lower.end(), tree.lower.begin(), tree.lower.end());
  for (const Term& term : tree.terms) {
    all.feature.push_back(term.feature);
    all.partner.push_back(term.partner);
    all.first_word.push_back(term.first_word + first_word);
    all.coefficient.push_back(term.coefficient);
  }
}

std::uint32_t ForestBuilder::row_of(std::span<const float> payload) {
  const std::size_t size = forest_.payload_size, mask = table_.size() - 1;
  std::size_t slot = hash_of(payload) & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    const std::uint32_t row = table_[slot] - 1;
    if (same_bits(payload, std::span(forest_.payload).subspan(row * size, size))) return row;
  }
  const auto row = static_cast<std::uint32_t>(forest_.payload.size() / size);
  forest_.payload.insert(forest_.payload.end(), payload.begin(), payload.end());
  table_[slot] = row + 1;
  if (2 * (row + std::size_t{1}) > table_.size()) grow_table();
  return row;
}

void ForestBuilder::grow_table() {
  const std::size_t size = forest_.payload_size, rows = forest_.payload.size() / size;
  table_.assign(2 * table_.size(), 0);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t slot = hash_of(std::span(forest_.payload).subspan(row * size, size)) & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = static_cast<std::uint32_t>(row + 1);
  }
}

void ForestBuilder::give_every_leaf_its_row() {
  const std::size_t size = forest_.payload_size;
  if (row_.size() * size == forest_.payload.size()) return;
  std::vector<float> payload;
  payload.reserve(row_.size() * size);
  for (const std::size_t row : row_) {
    const auto shared = std::span(forest_.payload).subspan(row * size, size);
    payload.insert(payload.end(), shared.begin(), shared.end());
  }
  forest_.payload = std::move(payload);
}

ForestArrays ForestBuilder::view() const {
  ForestArrays arrays = views_of(forest_);
  arrays.payload_row.wide = row_;
  if (!forest_.projections.lower.empty()) arrays.projections.centre = centres_;
  return arrays;
}

ForestStorage ForestBuilder::finish() {
  const std::size_t rows = forest_.payload.size() / forest_.payload_size;
  const std::size_t width = rows <= 1u << 8 ? 1 : rows <= 1u << 16 ? 2 : 4;
  const std::size_t saved = (row_.size() - rows) * forest_.payload_size * sizeof(float);
  if (saved <= row_.size() * width) {
    give_every_leaf_its_row();
  } else if (width == 1) {
    forest_.payload_row_narrow = narrowed<std::uint8_t>(row_);
  } else if (width == 2) {
    forest_.payload_row_medium = narrowed<std::uint16_t>(row_);
  } else {
    forest_.payload_row_wide = row_;
  }
  if (!forest_.projections.lower.empty()) forest_.projections.centre = std::move(centres_);
  const std::size_t payload_size = forest_.payload_size;
  ForestStorage finished = std::move(forest_);
  *this = ForestBuilder(payload_size);
  return finished;
}

}  // namespace coppice
