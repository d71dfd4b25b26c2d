#include "refine/constant_leaves.h"

#include <algorithm>
#include <utility>

#include "base/worker_team.h"

namespace coppice {
namespace {

constexpr std::size_t kRowsPerTile = 1024;
constexpr std::size_t kTreesPerTask = 4;

std::size_t tiles_of(std::size_t rows) { return (rows + kRowsPerTile - 1) / kRowsPerTile; }

// One output: four trees at a time, so that a sum is loaded and stored once for four of them.
void add_single(const float* const* w, const std::uint32_t* const* ids, std::size_t trees, float* z,
                std::size_t rows) {
  if (trees == kTreesPerTask) {
    for (std::size_t i = 0; i < rows; ++i)
      z[i] += (w[0][ids[0][i]] + w[1][ids[1][i]]) + (w[2][ids[2][i]] + w[3][ids[3][i]]);
    return;
  }
  for (std::size_t t = 0; t < trees; ++t)
    for (std::size_t i = 0; i < rows; ++i) z[i] += w[t][ids[t][i]];
}

// Several outputs: z += the rows of w, the trees of a group one after the other.
template <std::size_t quads>
void add_rows(const float* const* w, const std::uint32_t* const* ids, std::size_t trees, float* z,
              std::size_t rows, std::size_t stride) {
  for (std::size_t i = 0; i < rows; ++i)
    add_several<quads>(z + i * stride, trees, stride,
                       [&](std::size_t t) { return w[t] + ids[t][i] * stride; });
}

// One output: four trees at a time, whose sums do not wait for each other.
void collect_single(const float* r, const std::uint32_t* const* ids, std::size_t trees,
                    double* const* sums, std::size_t rows) {
  if (trees == kTreesPerTask) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double value = double{r[i]};
      for (std::size_t t = 0; t < kTreesPerTask; ++t) sums[t][ids[t][i]] += value;
    }
    return;
  }
  for (std::size_t t = 0; t < trees; ++t)
    for (std::size_t i = 0; i < rows; ++i) sums[t][ids[t][i]] += double{r[i]};
}

// Several outputs: the sums of leaves += rows.
template <std::size_t quads>
void collect_rows(const float* r, const std::uint32_t* const* ids, std::size_t trees,
                  float* const* sums, std::size_t rows, std::size_t stride) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t t = 0; t < trees; ++t)
      add_row<quads>(sums[t] + ids[t][i] * stride, r + i * stride, stride);
}

}  // namespace

ConstantLeaves::ConstantLeaves(const LeafIds& ids, std::vector<std::size_t> first_leaf,
                               std::vector<float> weights)
    : rows_(ids.rows()), first_leaf_(std::move(first_leaf)), weights_(std::move(weights)) {
  ids_.resize(rows_ * trees());
  for (std::size_t tree = 0; tree < trees(); ++tree)
    for (std::size_t row = 0; row < rows_; ++row) ids_[tree * rows_ + row] = ids.leaf(tree, row);
  weigh_leaves();
}

void ConstantLeaves::weigh_leaves() {
  leaf_weights_.assign(unknowns(), 0);
  for (std::size_t tree = 0; tree < trees(); ++tree) {
    const auto ids = ids_of(tree);
    for (std::size_t row = 0; row < rows_; ++row)
      leaf_weights_[first_leaf_[tree] + ids[row]] += double{weight(row)};
  }
}

std::unique_ptr<LeafMatrix> ConstantLeaves::subset(std::span<const std::uint32_t> rows) const {
  std::unique_ptr<ConstantLeaves> made(new ConstantLeaves);
  ConstantLeaves& part = *made;
  part.rows_ = rows.size();
  part.first_leaf_ = first_leaf_;
  part.ids_.resize(rows.size() * trees());
  std::uint32_t* out = part.ids_.data();
  for (std::size_t tree = 0; tree < trees(); ++tree) {
    const auto ids = ids_of(tree);
    for (const std::uint32_t row : rows) *out++ = ids[row];
  }
  if (!weights_.empty())
    for (const std::uint32_t row : rows) part.weights_.push_back(weights_[row]);
  part.weigh_leaves();
  return made;
}

void ConstantLeaves::relabel(std::span<const std::uint32_t> new_leaf,
                             std::vector<std::size_t> first_leaf) {
  for (std::size_t tree = 0; tree < trees(); ++tree) {
    const auto to = new_leaf.subspan(first_leaf_[tree]);
    const auto offset = static_cast<std::uint32_t>(first_leaf[tree]);
    for (std::uint32_t& id : std::span(ids_).subspan(tree * rows_, rows_)) id = to[id] - offset;
  }
  first_leaf_ = std::move(first_leaf);
  weigh_leaves();
}

// Up to kTreesPerTask trees, from row `first` on.
struct ConstantLeaves::TreeGroup {
  std::size_t trees = 0;
  const std::uint32_t* ids[kTreesPerTask];
};

ConstantLeaves::TreeGroup ConstantLeaves::group(std::size_t tree, std::size_t first) const {
  TreeGroup found{std::min(kTreesPerTask, trees() - tree), {}};
  for (std::size_t t = 0; t < found.trees; ++t) found.ids[t] = ids_of(tree + t).data() + first;
  return found;
}

void ConstantLeaves::predict(const OutputBlock& w, OutputBlock& z, std::size_t workers) const {
  const std::size_t stride = w.stride;
  for_each_task(tiles_of(rows_), workers, [&](std::size_t, std::size_t tile) {
    const std::size_t first = tile * kRowsPerTile, count = std::min(kRowsPerTile, rows_ - first);
    float* const out = z.row(first);
    std::fill_n(out, count * stride, 0.0f);
    for (std::size_t tree = 0; tree < trees(); tree += kTreesPerTask) {
      const TreeGroup group = this->group(tree, first);
      const float* of_tree[kTreesPerTask];
      for (std::size_t t = 0; t < group.trees; ++t) of_tree[t] = w.row(first_leaf_[tree + t]);
      if (stride == 1) {
        add_single(of_tree, group.ids, group.trees, out, count);
        continue;
      }
      with_quads(stride, [&]<std::size_t quads>() {
        add_rows<quads>(of_tree, group.ids, group.trees, out, count, stride);
      });
    }
  });
}

void ConstantLeaves::collect_single_output(const OutputBlock& r, std::size_t tree,
                                           std::span<double> sums) const {
  for (std::size_t first = 0; first < rows_; first += kRowsPerTile) {
    const TreeGroup group = this->group(tree, first);
    double* of_tree[kTreesPerTask];
    for (std::size_t t = 0; t < group.trees; ++t)
      of_tree[t] = sums.data() + (first_leaf_[tree + t] - first_leaf_[tree]);
    collect_single(r.row(first), group.ids, group.trees, of_tree,
                   std::min(kRowsPerTile, rows_ - first));
  }
}

// Single precision for so few rows per leaf that it does not matter, then double.
void ConstantLeaves::collect_outputs(const OutputBlock& r, std::size_t tree,
                                     std::span<double> sums) const {
  constexpr std::size_t kRowsPerLeaf = 16;
  const std::size_t stride = r.stride;
  std::vector<float> few(sums.size());
  const std::size_t tile =
      std::max(kRowsPerTile / 4, kRowsPerLeaf * sums.size() / stride / kTreesPerTask);
  for (std::size_t first = 0; first < rows_; first += tile) {
    const TreeGroup group = this->group(tree, first);
    float* of_tree[kTreesPerTask];
    for (std::size_t t = 0; t < group.trees; ++t)
      of_tree[t] = few.data() + (first_leaf_[tree + t] - first_leaf_[tree]) * stride;
    with_quads(stride, [&]<std::size_t quads>() {
      collect_rows<quads>(r.row(first), group.ids, group.trees, of_tree,
                          std::min(tile, rows_ - first), stride);
    });
    for (std::size_t n = 0; n < sums.size(); ++n) {
      sums[n] += double{few[n]};
      few[n] = 0;
    }
  }
}

void ConstantLeaves::collect(const OutputBlock& r, OutputBlock& g, std::size_t workers) const {
  const std::size_t tasks = (trees() + kTreesPerTask - 1) / kTreesPerTask;
  for_each_task(tasks, workers, [&](std::size_t, std::size_t task) {
    const std::size_t tree = task * kTreesPerTask;
    const std::size_t base = first_leaf_[tree];
    const std::size_t leaves = first_leaf_[std::min(tree + kTreesPerTask, trees())] - base;
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

void ConstantLeaves::set_block_scale(double scale) {
  inverse_.resize(unknowns());
  for (std::size_t leaf = 0; leaf < inverse_.size(); ++leaf)
    inverse_[leaf] = static_cast<float>(1 / (1 + scale * leaf_weights_[leaf]));
}

void ConstantLeaves::solve_blocks(const OutputBlock& r, OutputBlock& z, std::size_t) const {
  for (std::size_t leaf = 0; leaf < inverse_.size(); ++leaf)
    for (std::size_t k = 0; k < r.stride; ++k) z.row(leaf)[k] = inverse_[leaf] * r.row(leaf)[k];
}

}  // namespace coppice
