#include "affinity/sparse_affinity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "base/row_sums.h"
#include "coppice/error.h"

namespace coppice {
namespace {

constexpr std::size_t kRowsPerTask = 64;

// Calls body(worker, row) for all rows.
template <class Body>
void for_each_row(std::size_t rows, std::size_t workers, Body&& body) {
  const std::size_t tasks = (rows + kRowsPerTask - 1) / kRowsPerTask;
  for_each_task(tasks, workers, [&](std::size_t worker, std::size_t task) {
    const std::size_t last = std::min(rows, (task + 1) * kRowsPerTask);
    for (std::size_t row = task * kRowsPerTask; row < last; ++row) body(worker, row);
  });
}

// Per worker: which rows share a leaf with the one at hand, and how alike they are.
struct Partners {
  explicit Partners(std::size_t all) : met(all), sums(all) {}

  std::vector<bool> met;
  std::vector<double> sums;
  std::vector<std::uint32_t> rows = {};

  void meet(std::uint32_t row) {
    if (met[row]) return;
    met[row] = true;
    rows.push_back(row);
  }
  void forget() {
    for (const std::uint32_t row : rows) met[row] = false, sums[row] = 0;
    rows.clear();
  }
};

double squared_distance(const float* a, const float* b, std::size_t width) {
  double sum = 0;
  for (std::size_t k = 0; k < width; ++k) {
    const double difference = double{a[k]} - double{b[k]};
    sum += difference * difference;
  }
  return sum;
}

// Where distances do not depend on the tree, one is computed per pair: sums[row] counts the trees.
void add_partners(const LeafIncidence& leaves, const LeafMembers& members,
                  const AffinityPoints& points, std::size_t row, Partners& found) {
  for (std::size_t tree = 0; tree < leaves.trees(); ++tree)
    for (const std::uint32_t other : members.of(leaves.leaf(tree, row))) {
      found.meet(other);
      found.sums[other] += points.by_tree
                               ? portable_exp(-squared_distance(
                                     points.of(tree, row), points.of(tree, other), points.width))
                               : 1;
    }
  if (points.by_tree) return;
  for (const std::uint32_t other : found.rows)
    found.sums[other] *=
        portable_exp(-squared_distance(points.of(0, row), points.of(0, other), points.width));
}

}  // namespace

SparseAffinity::SparseAffinity(const LeafIncidence& leaves, const LeafMembers& members,
                               const AffinityPoints& points, const AffinityLimits& limits) {
  count_entries(leaves, members, limits.workers);
  constexpr std::size_t kEntryBytes = sizeof(std::uint32_t) + sizeof(float);
  if (first_.back() > limits.bytes / kEntryBytes)
    throw Error(
        ErrorKind::invalid_option,
        fmt::format(
            "the affinity of {} rows would have {} entries in {} MB, but {} MB are left for "
            "it; take the binary affinity, allow more memory, or train with smaller leaves",
            leaves.rows(), first_.back(), first_.back() * kEntryBytes >> 20, limits.bytes >> 20));
  fill(leaves, members, points, limits.workers);
  normalise();
}

void SparseAffinity::count_entries(const LeafIncidence& leaves, const LeafMembers& members,
                                   std::size_t workers) {
  first_.resize(leaves.rows() + 1);
  std::vector<Partners> found(workers, Partners(leaves.rows()));
  for_each_row(leaves.rows(), workers, [&](std::size_t worker, std::size_t row) {
    for (std::size_t tree = 0; tree < leaves.trees(); ++tree)
      for (const std::uint32_t other : members.of(leaves.leaf(tree, row)))
        found[worker].meet(other);
    first_[row + 1] = found[worker].rows.size();
    found[worker].forget();
  });
  for (std::size_t row = 0; row < leaves.rows(); ++row) first_[row + 1] += first_[row];
}

void SparseAffinity::fill(const LeafIncidence& leaves, const LeafMembers& members,
                          const AffinityPoints& points, std::size_t workers) {
  columns_.resize(first_.back());
  values_.resize(first_.back());
  degrees_.resize(leaves.rows());
  const auto trees = static_cast<double>(leaves.trees());
  std::vector<Partners> found(workers, Partners(leaves.rows()));
  for_each_row(leaves.rows(), workers, [&](std::size_t worker, std::size_t row) {
    Partners& partners = found[worker];
    add_partners(leaves, members, points, row, partners);
    std::sort(partners.rows.begin(), partners.rows.end());
    std::size_t at = first_[row];
    for (const std::uint32_t other : partners.rows) {
      columns_[at] = other;
      values_[at] = static_cast<float>(partners.sums[other] / trees);
      degrees_[row] += double{values_[at++]};
    }
    partners.forget();
  });
}

void SparseAffinity::normalise() {
  std::vector<double> scale(degrees_.size());
  for (std::size_t row = 0; row < scale.size(); ++row) scale[row] = 1 / std::sqrt(degrees_[row]);
  for (std::size_t row = 0; row < scale.size(); ++row)
    for (std::size_t at = first_[row]; at < first_[row + 1]; ++at)
      values_[at] = static_cast<float>(double{values_[at]} * (scale[row] * scale[columns_[at]]));
}

void SparseAffinity::apply(const Panel& x, Panel& y, std::size_t workers) const {
  for_each_row(size(), workers, [&](std::size_t, std::size_t row) {
    double* const out = y.row(row);
    std::fill_n(out, kPanelWidth, 0.0);
    for (std::size_t at = first_[row]; at < first_[row + 1]; ++at) {
      const double* const other = x.row(columns_[at]);
      for (std::size_t k = 0; k < kPanelWidth; ++k) out[k] += double{values_[at]} * other[k];
    }
  });
}

}  // namespace coppice
