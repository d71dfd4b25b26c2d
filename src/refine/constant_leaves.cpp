#include "refine/constant_leaves.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/row_sums.h"
#include "base/worker_team.h"
#include "refine/constant_products.h"

namespace coppice {
namespace {

constexpr std::size_t kRowsPerTile = 1024;
// Parts of rows are summed in single precision: so few rows that it does not matter.
constexpr std::size_t kRowsPerPart = 8192;
constexpr std::size_t kPartsTogether = 4;  // their number is a multiple: threads have equal shares
constexpr std::size_t kPartsHeld = 64;
constexpr std::size_t kRowsPerLeaf = 8;  // of a part, at least: else by tree

std::size_t tiles_of(std::size_t rows) { return (rows + kRowsPerTile - 1) / kRowsPerTile; }

std::size_t parts_of(std::size_t rows) {
  constexpr std::size_t kRows = kRowsPerPart * kPartsTogether;
  return (rows + kRows - 1) / kRows * kPartsTogether;
}

template <class Body>
void for_each_tile(std::size_t first, std::size_t last, Body&& body) {
  for (; first < last; first += kRowsPerTile) body(first, std::min(last, first + kRowsPerTile));
}

// So few that what their leaves hold stays in the first cache.
std::size_t trees_at_once(std::size_t stride) { return stride <= kQuad ? kTreesAtOnce : 2; }

// Up to `most` trees of `trees`, from row `first` on.
template <class Id>
TreeGroup<Id> group_of(const Id* ids, std::size_t rows, std::size_t tree, std::size_t trees,
                       std::size_t first, std::size_t most = kTreesAtOnce) {
  TreeGroup<Id> found{std::min(most, trees - tree)};
  for (std::size_t t = 0; t < found.trees; ++t) found.ids[t] = ids + (tree + t) * rows + first;
  return found;
}

}  // namespace

ConstantLeaves::ConstantLeaves(const LeafIds& ids, std::vector<std::size_t> first_leaf,
                               std::vector<float> weights)
    : rows_(ids.rows()),
      first_leaf_(std::move(first_leaf)),
      ids_(rows_, first_leaf_,
           [&](std::size_t tree, std::size_t row) { return ids.leaf(tree, row); }),
      weights_(std::move(weights)) {
  weigh_leaves();
}

void ConstantLeaves::weigh_leaves() {
  leaf_weights_.assign(unknowns(), 0);
  ids_.visit([&](const auto* ids) {
    for (std::size_t tree = 0; tree < trees(); ++tree)
      for (std::size_t row = 0; row < rows_; ++row)
        leaf_weights_[first_leaf_[tree] + ids[tree * rows_ + row]] += double{weight(row)};
  });
}

std::vector<std::uint32_t> ConstantLeaves::leaves_by_row() const {
  std::vector<std::uint32_t> leaves(rows_ * trees());
  ids_.visit([&](const auto* ids) {
    for (std::size_t tree = 0; tree < trees(); ++tree)
      for (std::size_t row = 0; row < rows_; ++row)
        leaves[row * trees() + tree] =
            static_cast<std::uint32_t>(first_leaf_[tree]) + ids[tree * rows_ + row];
  });
  return leaves;
}

std::unique_ptr<LeafMatrix> ConstantLeaves::subset(std::span<const std::uint32_t> rows) const {
  std::unique_ptr<ConstantLeaves> made(new ConstantLeaves);
  ConstantLeaves& part = *made;
  part.rows_ = rows.size();
  part.first_leaf_ = first_leaf_;
  part.ids_ = ids_.visit([&](const auto* ids) {
    return NarrowIds(rows.size(), first_leaf_, [&](std::size_t tree, std::size_t row) {
      return ids[tree * rows_ + rows[row]];
    });
  });
  if (!weights_.empty())
    for (const std::uint32_t row : rows) part.weights_.push_back(weights_[row]);
  part.weigh_leaves();
  return made;
}

void ConstantLeaves::relabel(std::span<const std::uint32_t> new_leaf,
                             std::vector<std::size_t> first_leaf) {
  ids_.relabel(rows_, trees(), [&](std::size_t tree) {
    std::vector<std::uint32_t> to(
        new_leaf.begin() + static_cast<std::ptrdiff_t>(first_leaf_[tree]),
        new_leaf.begin() + static_cast<std::ptrdiff_t>(first_leaf_[tree + 1]));
    for (std::uint32_t& leaf : to) leaf -= static_cast<std::uint32_t>(first_leaf[tree]);
    return to;
  });
  std::vector<double> merged(first_leaf.back());
  for (std::size_t leaf = 0; leaf < unknowns(); ++leaf)
    merged[new_leaf[leaf]] += leaf_weights_[leaf];
  leaf_weights_ = std::move(merged);
  first_leaf_ = std::move(first_leaf);
  ++relabellings_;
}

// --- Products ------------------------------------------------------------------------------------

void ConstantLeaves::predict_tile(const OutputBlock& w, OutputBlock& z, std::size_t first,
                                  std::size_t last) const {
  const std::size_t count = last - first, stride = w.stride, most = trees_at_once(stride);
  float* const out = z.row(first);
  std::fill_n(out, count * stride, 0.0f);
  ids_.visit([&](const auto* ids) {
    for (std::size_t tree = 0; tree < trees(); tree += most) {
      const auto group = group_of(ids, rows_, tree, trees(), first, most);
      const float* of_tree[kTreesAtOnce];
      for (std::size_t t = 0; t < group.trees; ++t) of_tree[t] = w.row(first_leaf_[tree + t]);
      with_trees(group.trees, [&]<std::size_t trees>() {
        if (stride == 1) return add_single<trees>(group, of_tree, out, count);
        with_quads(stride, [&]<std::size_t quads>() {
          add_rows<quads, trees>(group, of_tree, out, count, stride);
        });
      });
    }
  });
}

void ConstantLeaves::collect_tile(const OutputBlock& r, std::span<float> sums, std::size_t first,
                                  std::size_t last) const {
  const std::size_t count = last - first, stride = r.stride, most = trees_at_once(stride);
  ids_.visit([&](const auto* ids) {
    for (std::size_t tree = 0; tree < trees(); tree += most) {
      const auto group = group_of(ids, rows_, tree, trees(), first, most);
      float* of_tree[kTreesAtOnce];
      for (std::size_t t = 0; t < group.trees; ++t)
        of_tree[t] = sums.data() + first_leaf_[tree + t] * stride;
      with_trees(group.trees, [&]<std::size_t trees>() {
        if (stride == 1) return collect_single<trees>(group, r.row(first), of_tree, count);
        with_quads(stride, [&]<std::size_t quads>() {
          collect_rows<quads, trees>(group, r.row(first), of_tree, count, stride);
        });
      });
    }
  });
}

void ConstantLeaves::predict(const OutputBlock& w, OutputBlock& z, std::size_t workers) const {
  for_each_task(tiles_of(rows_), workers, [&](std::size_t, std::size_t tile) {
    const std::size_t first = tile * kRowsPerTile;
    predict_tile(w, z, first, std::min(rows_, first + kRowsPerTile));
  });
}

bool ConstantLeaves::sums_by_part() const {
  return rows_ * trees() >= parts_of(rows_) * kRowsPerLeaf * unknowns();
}

template <class Body>
void ConstantLeaves::sum_parts(OutputBlock& g, std::size_t workers, Body&& body) const {
  const std::size_t parts = parts_of(rows_), held = std::min(parts, kPartsHeld);
  const std::size_t size = g.values.size();
  const auto sums = std::make_unique_for_overwrite<float[]>(held * size);
  std::vector<double> totals(parts > held ? size : 0);
  for (std::size_t start = 0; start < parts; start += held) {
    const std::size_t count = std::min(held, parts - start);
    for_each_task(count, workers, [&](std::size_t, std::size_t n) {
      const std::span<float> of_part(sums.get() + n * size, size);
      std::fill(of_part.begin(), of_part.end(), 0.0f);
      body(rows_ * (start + n) / parts, rows_ * (start + n + 1) / parts, of_part);
    });
    for_each_chunk(size, workers, [&](std::size_t, std::size_t first, std::size_t last) {
      double total[kRowsPerChunk] = {};
      if (start > 0) std::copy(totals.data() + first, totals.data() + last, total);
      for (std::size_t n = 0; n < count; ++n)
        for (std::size_t i = first; i < last; ++i) total[i - first] += double{sums[n * size + i]};
      for (std::size_t i = first; i < last; ++i) g.values[i] = static_cast<float>(total[i - first]);
      if (!totals.empty()) std::copy(total, total + (last - first), totals.data() + first);
    });
  }
}

void ConstantLeaves::pass(const OutputBlock& w, OutputBlock& z, const RowChange& change,
                          OutputBlock& g, std::size_t workers) const {
  if (!sums_by_part()) return LeafMatrix::pass(w, z, change, g, workers);
  sum_parts(g, workers, [&](std::size_t begin, std::size_t end, std::span<float> sums) {
    for_each_tile(begin, end, [&](std::size_t first, std::size_t last) {
      predict_tile(w, z, first, last);
      change(first, last);
      collect_tile(z, sums, first, last);
    });
  });
}

void ConstantLeaves::collect(const OutputBlock& r, OutputBlock& g, std::size_t workers) const {
  if (!sums_by_part()) return collect_by_tree(r, g, workers);
  sum_parts(g, workers, [&](std::size_t begin, std::size_t end, std::span<float> sums) {
    for_each_tile(begin, end,
                  [&](std::size_t first, std::size_t last) { collect_tile(r, sums, first, last); });
  });
}

// --- Sums of one tree after the other ------------------------------------------------------------

void ConstantLeaves::collect_single_output(const OutputBlock& r, std::size_t tree,
                                           std::span<double> sums) const {
  double* of_tree[kTreesAtOnce];
  for (std::size_t t = 0; t < std::min(kTreesAtOnce, trees() - tree); ++t)
    of_tree[t] = sums.data() + (first_leaf_[tree + t] - first_leaf_[tree]);
  ids_.visit([&](const auto* ids) {
    const auto group = group_of(ids, rows_, tree, trees(), 0);
    with_trees(group.trees, [&]<std::size_t count>() {
      collect_single<count>(group, r.row(0), of_tree, rows_);
    });
  });
}

// Single precision for so few rows per leaf that it does not matter, then double.
void ConstantLeaves::collect_outputs(const OutputBlock& r, std::size_t tree,
                                     std::span<double> sums) const {
  const std::size_t stride = r.stride;
  std::vector<float> few(sums.size());
  const std::size_t tile =
      std::max(kRowsPerTile / 4, 2 * kRowsPerLeaf * sums.size() / stride / kTreesAtOnce);
  float* of_tree[kTreesAtOnce];
  for (std::size_t t = 0; t < std::min(kTreesAtOnce, trees() - tree); ++t)
    of_tree[t] = few.data() + (first_leaf_[tree + t] - first_leaf_[tree]) * stride;
  for (std::size_t first = 0; first < rows_; first += tile) {
    ids_.visit([&](const auto* ids) {
      const auto group = group_of(ids, rows_, tree, trees(), first);
      with_trees(group.trees, [&]<std::size_t count>() {
        with_quads(stride, [&]<std::size_t quads>() {
          collect_rows<quads, count>(group, r.row(first), of_tree, std::min(tile, rows_ - first),
                                     stride);
        });
      });
    });
    for (std::size_t n = 0; n < sums.size(); ++n) {
      sums[n] += double{few[n]};
      few[n] = 0;
    }
  }
}

void ConstantLeaves::collect_by_tree(const OutputBlock& r, OutputBlock& g,
                                     std::size_t workers) const {
  const std::size_t tasks = (trees() + kTreesAtOnce - 1) / kTreesAtOnce;
  for_each_task(tasks, workers, [&](std::size_t, std::size_t task) {
    const std::size_t tree = task * kTreesAtOnce;
    const std::size_t base = first_leaf_[tree];
    const std::size_t leaves = first_leaf_[std::min(tree + kTreesAtOnce, trees())] - base;
    std::vector<double> sums(leaves * r.stride);
    if (r.stride == 1) {
      collect_single_output(r, tree, sums);
    } else {
      collect_outputs(r, tree, sums);
    }
    float* const out = g.row(base);
    for (std::size_t n = 0; n < sums.size(); ++n) out[n] = static_cast<float>(sums[n]);
  });
}

// --- Blocks --------------------------------------------------------------------------------------

void ConstantLeaves::set_block_scale(double scale) {
  inverse_.resize(unknowns());
  for (std::size_t leaf = 0; leaf < inverse_.size(); ++leaf)
    inverse_[leaf] = static_cast<float>(1 / (1 + scale * leaf_weights_[leaf]));
  rows_weight_ =
      scale * std::accumulate(leaf_weights_.begin(),
                              leaf_weights_.begin() + static_cast<std::ptrdiff_t>(first_leaf_[1]),
                              0.0);
}

// B = A within a leaf. What a tree holds in all leaves alike is taken out of it, and in its place
// A is solved exactly for one number x_t per tree: with S the weight of all rows and L_t leaves
// (diag(L) + S 1 1') x = g, the sums of r over the trees, and of x the sum is
// (sum of g_t / L_t) / (1 + S sum of 1 / L_t).
void ConstantLeaves::solve_blocks(const OutputBlock& r, OutputBlock& z, std::size_t) const {
  const std::size_t stride = r.stride;
  std::vector<double> sums(trees() * stride), all(stride);
  double inverse_leaves = 0;
  for (std::size_t tree = 0; tree < trees(); ++tree) {
    double* const of_tree = sums.data() + tree * stride;
    for (std::size_t leaf = first_leaf_[tree]; leaf < first_leaf_[tree + 1]; ++leaf)
      for (std::size_t k = 0; k < stride; ++k) {
        of_tree[k] += double{r.row(leaf)[k]};
        z.row(leaf)[k] = inverse_[leaf] * r.row(leaf)[k];
      }
    for (std::size_t k = 0; k < stride; ++k) all[k] += of_tree[k] / leaves_of(tree);
    inverse_leaves += 1 / leaves_of(tree);
  }
  for (double& sum : all) sum *= rows_weight_ / (1 + rows_weight_ * inverse_leaves);
  std::vector<float> shift(stride);
  for (std::size_t tree = 0; tree < trees(); ++tree) {
    for (std::size_t k = 0; k < stride; ++k) {
      const double sum = sums[tree * stride + k], leaves = leaves_of(tree);
      shift[k] = static_cast<float>((sum - all[k]) / leaves - sum / (leaves + rows_weight_));
    }
    for (std::size_t leaf = first_leaf_[tree]; leaf < first_leaf_[tree + 1]; ++leaf)
      for (std::size_t k = 0; k < stride; ++k) z.row(leaf)[k] += shift[k];
  }
}

}  // namespace coppice
