#include "refine/linear_leaves.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/cholesky.h"
#include "base/worker_team.h"
#include "refine/block_products.h"

namespace coppice {
namespace {

constexpr std::size_t kRowsPerTile = 2048;

}  // namespace

struct LinearLeaves::Scratch {
  std::vector<std::uint32_t> rows;  // of the regressors
  std::vector<float> values;
};

LinearLeaves::LinearLeaves(const LeafIds& ids, std::span<const std::size_t> first_leaf,
                           std::shared_ptr<const Regressors> regressors, std::vector<float> weights,
                           std::size_t workers)
    : regressors_(std::move(regressors)),
      first_leaf_(first_leaf.begin(), first_leaf.end()),
      first_unknown_{0},
      data_rows_(ids.rows()),
      weights_(std::move(weights)),
      leaf_(ids.rows() * ids.trees()),
      order_(ids.rows() * ids.trees()),
      first_product_{0} {
  std::iota(data_rows_.begin(), data_rows_.end(), 0u);
  for (std::size_t leaf = 0; leaf < first_leaf_.back(); ++leaf) {
    const std::size_t count = regressors_->count(leaf);
    first_unknown_.push_back(first_unknown_.back() + count);
    first_product_.push_back(first_product_.back() + count * (count + 1) / 2);
  }
  for_each_task(trees(), workers, [&](std::size_t, std::size_t tree) {
    std::vector<std::uint32_t> leaves(ids.rows());
    for (std::size_t row = 0; row < leaves.size(); ++row)
      leaves[row] = static_cast<std::uint32_t>(first_leaf_[tree]) + ids.leaf(tree, row);
    group_rows(tree, std::move(leaves));
  });
  find_products(workers);
}

void LinearLeaves::group_rows(std::size_t tree, std::vector<std::uint32_t> leaf_of_row) {
  const std::span<std::uint32_t> order = std::span(order_).subspan(tree * rows(), rows());
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t first = 0; first < rows(); first += kRowsPerTile) {
    const auto tile = order.subspan(first, std::min(kRowsPerTile, rows() - first));
    std::stable_sort(tile.begin(), tile.end(), [&](std::uint32_t a, std::uint32_t b) {
      return leaf_of_row[a] < leaf_of_row[b];
    });
  }
  for (std::size_t n = 0; n < rows(); ++n) leaf_[tree * rows() + n] = leaf_of_row[order[n]];
}

std::unique_ptr<LeafMatrix> LinearLeaves::subset(std::span<const std::uint32_t> chosen) const {
  std::unique_ptr<LinearLeaves> part(new LinearLeaves);
  part->regressors_ = regressors_;
  part->first_leaf_ = first_leaf_;
  part->first_unknown_ = first_unknown_;
  part->first_product_ = first_product_;
  for (const std::uint32_t row : chosen) {
    part->data_rows_.push_back(data_rows_[row]);
    if (!weights_.empty()) part->weights_.push_back(weights_[row]);
  }
  part->leaf_.resize(chosen.size() * trees());
  part->order_.resize(chosen.size() * trees());
  std::vector<std::uint32_t> leaf_of_row(rows());
  for (std::size_t tree = 0; tree < trees(); ++tree) {
    for (std::size_t n = tree * rows(); n < (tree + 1) * rows(); ++n)
      leaf_of_row[order_[n]] = leaf_[n];
    std::vector<std::uint32_t> leaves;
    for (const std::uint32_t row : chosen) leaves.push_back(leaf_of_row[row]);
    part->group_rows(tree, std::move(leaves));
  }
  part->find_products(1);
  return part;
}

// Calls visit(leaf, run) for the rows of a tile, leaf after leaf.
template <class Visit>
void LinearLeaves::for_each_run(std::size_t tree, std::size_t tile, Scratch& scratch,
                                Visit&& visit) const {
  const std::size_t base = tree * rows();
  const std::size_t end = base + std::min(rows(), (tile + 1) * kRowsPerTile);
  for (std::size_t first = base + tile * kRowsPerTile; first < end;) {
    const std::uint32_t leaf = leaf_[first];
    std::size_t last = first + 1;
    while (last < end && leaf_[last] == leaf) ++last;
    const RowRun run{nullptr, order_.data() + first, last - first, regressors_->count(leaf)};
    scratch.rows.clear();
    for (std::size_t i = 0; i < run.rows; ++i) scratch.rows.push_back(data_rows_[run.places[i]]);
    scratch.values.resize(run.rows * run.count);
    regressors_->fill(leaf, scratch.rows, scratch.values.data());
    visit(leaf, RowRun{scratch.values.data(), run.places, run.rows, run.count});
    first = last;
  }
}

void LinearLeaves::predict(const OutputBlock& w, OutputBlock& z, std::size_t workers) const {
  const std::size_t tiles = (rows() + kRowsPerTile - 1) / kRowsPerTile;
  std::vector<Scratch> scratch(workers);
  for_each_task(tiles, workers, [&](std::size_t worker, std::size_t tile) {
    const std::size_t first = tile * kRowsPerTile;
    std::fill_n(z.row(first), std::min(kRowsPerTile, rows() - first) * z.stride, 0.0f);
    for (std::size_t tree = 0; tree < trees(); ++tree)
      for_each_run(tree, tile, scratch[worker], [&](std::size_t leaf, const RowRun& run) {
        add_products(run, w.row(first_unknown_[leaf]), z.values.data(), z.stride);
      });
  });
}

void LinearLeaves::collect(const OutputBlock& r, OutputBlock& g, std::size_t workers) const {
  const std::size_t tiles = (rows() + kRowsPerTile - 1) / kRowsPerTile;
  std::vector<Scratch> scratch(workers);
  for_each_task(trees(), workers, [&](std::size_t worker, std::size_t tree) {
    const std::size_t base = first_unknown_[first_leaf_[tree]];
    std::vector<double> sums((first_unknown_[first_leaf_[tree + 1]] - base) * r.stride);
    for (std::size_t tile = 0; tile < tiles; ++tile)
      for_each_run(tree, tile, scratch[worker], [&](std::size_t leaf, const RowRun& run) {
        collect_products(run, r.values.data(),
                         sums.data() + (first_unknown_[leaf] - base) * r.stride, r.stride);
      });
    float* const out = g.row(base);
    for (std::size_t n = 0; n < sums.size(); ++n) out[n] = static_cast<float>(sums[n]);
  });
}

// R' V R is what collect_products() gives for V R in place of outputs.
void LinearLeaves::find_products(std::size_t workers) {
  products_.assign(first_product_.back(), 0);
  const std::size_t tiles = (rows() + kRowsPerTile - 1) / kRowsPerTile;
  std::vector<std::uint32_t> places(kRowsPerTile);
  std::iota(places.begin(), places.end(), 0u);
  std::vector<Scratch> scratch(workers);
  for_each_task(trees(), workers, [&](std::size_t worker, std::size_t tree) {
    std::vector<float> weighed;
    std::vector<double> square;
    for (std::size_t tile = 0; tile < tiles; ++tile)
      for_each_run(tree, tile, scratch[worker], [&](std::size_t leaf, const RowRun& run) {
        const std::size_t stride = stride_of(run.count);
        weighed.assign(run.rows * stride, 0);
        for (std::size_t i = 0; i < run.rows; ++i)
          for (std::size_t j = 0; j < run.count; ++j)
            weighed[i * stride + j] = weight(run.places[i]) * run.regressors[i * run.count + j];
        square.assign(run.count * stride, 0);
        collect_products({run.regressors, places.data(), run.rows, run.count}, weighed.data(),
                         square.data(), stride);
        double* const triangle = products_.data() + first_product_[leaf];
        for (std::size_t i = 0; i < run.count; ++i)
          for (std::size_t j = 0; j <= i; ++j)
            triangle[triangle_index(i, j)] += square[i * stride + j];
      });
  });
}

void LinearLeaves::set_block_scale(double scale) {
  first_inverse_.assign(1, 0);
  inverses_.clear();
  for (std::size_t leaf = 0; leaf + 1 < first_unknown_.size(); ++leaf) {
    const std::size_t count = first_unknown_[leaf + 1] - first_unknown_[leaf];
    std::vector<double> factor(count * (count + 1) / 2);
    for (std::size_t n = 0; n < factor.size(); ++n)
      factor[n] = scale * products_[first_product_[leaf] + n];
    for (std::size_t i = 0; i < count; ++i) factor[triangle_index(i, i)] += 1;
    if (!factorise(factor, count, 0)) {  // rounding: the leaf goes without
      std::fill(factor.begin(), factor.end(), 0);
      for (std::size_t i = 0; i < count; ++i) factor[triangle_index(i, i)] = 1;
    }
    const std::vector<double> lower = inverse_of_factor(factor, count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j) {
        double sum = 0;
        for (std::size_t k = std::max(i, j); k < count; ++k)
          sum += lower[triangle_index(k, i)] * lower[triangle_index(k, j)];
        inverses_.push_back(static_cast<float>(sum));
      }
    first_inverse_.push_back(inverses_.size());
  }
}

void LinearLeaves::solve_blocks(const OutputBlock& r, OutputBlock& z, std::size_t workers) const {
  std::fill(z.values.begin(), z.values.end(), 0.0f);
  for_each_task(trees(), workers, [&](std::size_t, std::size_t tree) {
    std::vector<std::uint32_t> places;
    for (std::size_t leaf = first_leaf_[tree]; leaf < first_leaf_[tree + 1]; ++leaf) {
      const std::size_t first = first_unknown_[leaf], count = first_unknown_[leaf + 1] - first;
      places.resize(count);
      std::iota(places.begin(), places.end(), static_cast<std::uint32_t>(first));
      add_products({inverses_.data() + first_inverse_[leaf], places.data(), count, count},
                   r.row(first), z.values.data(), r.stride);
    }
  });
}

}  // namespace coppice
