#include "affinity/leaf_incidence.h"

#include <algorithm>
#include <cmath>

#include "base/row_sums.h"

namespace coppice {
namespace {

// Rows whose panel stays in the cache between two products.
constexpr std::size_t kRowsPerRange = 16384;
constexpr std::size_t kRowsPerTile = 512;
constexpr std::size_t kTreesPerTask = 4;
constexpr std::size_t kMostNarrow = std::size_t{1} << 16;

inline void add_lanes(double* out, const double* row) {
  for (std::size_t k = 0; k < kPanelWidth; ++k) out[k] += row[k];
}

// Leaf numbers without gaps: what the leaf of an id becomes, or a number beyond all of them.
std::vector<std::uint32_t> renumbered(const LeafIds& ids, std::size_t tree,
                                      std::vector<std::uint32_t>& sizes) {
  std::vector<std::uint32_t> rows_of;
  for (std::size_t row = 0; row < ids.rows(); ++row) {
    const std::uint32_t leaf = ids.leaf(tree, row);
    if (leaf >= rows_of.size()) rows_of.resize(std::size_t{leaf} + 1);
    ++rows_of[leaf];
  }
  std::vector<std::uint32_t> number(rows_of.size());
  std::uint32_t next = 0;
  for (std::size_t leaf = 0; leaf < rows_of.size(); ++leaf) {
    if (rows_of[leaf] == 0) continue;
    number[leaf] = next++;
    sizes.push_back(rows_of[leaf]);
  }
  return number;
}

template <class Id>
std::vector<Id> packed_ids(const LeafIds& ids,
                           const std::vector<std::vector<std::uint32_t>>& numbers) {
  std::vector<Id> packed(ids.rows() * ids.trees());
  for (std::size_t tree = 0; tree < ids.trees(); ++tree)
    for (std::size_t row = 0; row < ids.rows(); ++row)
      packed[tree * ids.rows() + row] = static_cast<Id>(numbers[tree][ids.leaf(tree, row)]);
  return packed;
}

}  // namespace

LeafIncidence::LeafIncidence(const LeafIds& ids) : rows_(ids.rows()), first_leaf_{0} {
  std::vector<std::vector<std::uint32_t>> numbers;
  std::size_t most = 0;
  for (std::size_t tree = 0; tree < ids.trees(); ++tree) {
    numbers.push_back(renumbered(ids, tree, sizes_));
    first_leaf_.push_back(sizes_.size());
    most = std::max(most, first_leaf_[tree + 1] - first_leaf_[tree]);
  }
  if (most <= kMostNarrow) {
    ids_ = packed_ids<std::uint16_t>(ids, numbers);
  } else {
    ids_ = packed_ids<std::uint32_t>(ids, numbers);
  }
  std::vector<std::uint64_t> total(rows_);
  for (std::size_t tree = 0; tree < trees(); ++tree)
    for (std::size_t row = 0; row < rows_; ++row) total[row] += sizes_[leaf(tree, row)];
  degrees_.resize(rows_);
  for (std::size_t row = 0; row < rows_; ++row)
    degrees_[row] = static_cast<double>(total[row]) / static_cast<double>(trees());
}

template <class Body>
void LeafIncidence::for_each_range(Body&& body) const {
  for (std::size_t first = 0; first < rows_; first += kRowsPerRange)
    body(RowRange{first, std::min(kRowsPerRange, rows_ - first)});
}

void LeafIncidence::spread(const Panel& w, RowRange range, double* z, std::size_t workers) const {
  const std::size_t tiles = (range.count + kRowsPerTile - 1) / kRowsPerTile;
  for_each_task(tiles, workers, [&](std::size_t, std::size_t tile) {
    const std::size_t first = tile * kRowsPerTile,
                      last = std::min(first + kRowsPerTile, range.count);
    std::fill(z + first * kPanelWidth, z + last * kPanelWidth, 0.0);
    std::visit(
        [&](const auto& ids) {
          for (std::size_t tree = 0; tree < trees(); ++tree) {
            const auto* const of_tree = ids.data() + tree * rows_ + range.first;
            const double* const leaves = w.row(first_leaf_[tree]);
            for (std::size_t row = first; row < last; ++row)
              add_lanes(z + row * kPanelWidth, leaves + of_tree[row] * kPanelWidth);
          }
        },
        ids_);
  });
}

void LeafIncidence::collect(const double* z, RowRange range, Panel& y, std::size_t workers) const {
  const std::size_t tasks = (trees() + kTreesPerTask - 1) / kTreesPerTask;
  for_each_task(tasks, workers, [&](std::size_t, std::size_t task) {
    const std::size_t last = std::min((task + 1) * kTreesPerTask, trees());
    std::visit(
        [&](const auto& ids) {
          for (std::size_t tree = task * kTreesPerTask; tree < last; ++tree) {
            const auto* const of_tree = ids.data() + tree * rows_ + range.first;
            double* const leaves = y.row(first_leaf_[tree]);
            for (std::size_t row = 0; row < range.count; ++row)
              add_lanes(leaves + of_tree[row] * kPanelWidth, z + row * kPanelWidth);
          }
        },
        ids_);
  });
}

void LeafIncidence::spread(const Panel& w, Panel& z, std::size_t workers) const {
  for_each_range([&](RowRange range) { spread(w, range, z.row(range.first), workers); });
}

void LeafIncidence::collect(const Panel& z, Panel& y, std::size_t workers) const {
  std::fill(y.values.begin(), y.values.end(), 0.0);
  for_each_range([&](RowRange range) { collect(z.row(range.first), range, y, workers); });
}

void LeafIncidence::fold(const Panel& w, std::span<const double> scale, Panel& y,
                         std::size_t workers) const {
  std::fill(y.values.begin(), y.values.end(), 0.0);
  std::vector<double> part(std::min(kRowsPerRange, rows_) * kPanelWidth);
  for_each_range([&](RowRange range) {
    spread(w, range, part.data(), workers);
    for (std::size_t row = 0; row < range.count; ++row)
      for (std::size_t k = 0; k < kPanelWidth; ++k)
        part[row * kPanelWidth + k] *= scale[range.first + row];
    collect(part.data(), range, y, workers);
  });
}

BinaryAffinity::BinaryAffinity(const LeafIncidence& leaves)
    : leaves_(&leaves), by_leaves_(leaves.leaves() < leaves.rows()), scale_(leaves.rows()) {
  const auto trees = static_cast<double>(leaves.trees());
  for (std::size_t row = 0; row < scale_.size(); ++row) {
    const double inverse = 1 / (trees * leaves.degrees()[row]);
    scale_[row] = by_leaves_ ? inverse : std::sqrt(inverse);
  }
}

void BinaryAffinity::apply(const Panel& x, Panel& y, std::size_t workers) const {
  if (by_leaves_) return leaves_->fold(x, scale_, y, workers);
  Panel leaf_sums(leaves_->leaves());
  const auto scale_into = [&](const Panel& from, Panel& to) {
    for_each_chunk(from.rows, workers, [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t row = first; row < last; ++row)
        for (std::size_t k = 0; k < kPanelWidth; ++k)
          to.row(row)[k] = scale_[row] * from.row(row)[k];
    });
  };
  scale_into(x, y);
  leaves_->collect(y, leaf_sums, workers);
  leaves_->spread(leaf_sums, y, workers);
  scale_into(y, y);
}

Panel BinaryAffinity::row_vectors(const Panel& found, std::span<const double> values,
                                  std::size_t workers) const {
  if (!by_leaves_) return found;
  Panel vectors(leaves_->rows());
  leaves_->spread(found, vectors, workers);
  std::array<double, kPanelWidth> length{};  // of A v
  for (std::size_t k = 0; k < values.size(); ++k)
    length[k] = values[k] > 0 ? 1 / std::sqrt(values[k]) : 0;
  for (std::size_t row = 0; row < vectors.rows; ++row)
    for (std::size_t k = 0; k < kPanelWidth; ++k)
      vectors.row(row)[k] *= std::sqrt(scale_[row]) * length[k];
  return vectors;
}

}  // namespace coppice
