#include "density/out_of_bag_density.h"

#include <algorithm>

#include "density/gaussian_table.h"
#include "density/log_sum.h"
#include "infer/row_blocks.h"

namespace coppice {
namespace {

constexpr std::size_t kMostRows = 1 << 14;

std::vector<std::uint32_t> leaf_nodes(const WeighedTree& tree) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t n = 0; n < tree.nodes().size(); ++n)
    if (tree.nodes()[n].leaf()) found.push_back(n);
  return found;
}

}  // namespace

// Of the densities of trees, for each row and depth.
struct OutOfBagDensity::Sums {
  std::size_t first_depth = 0, depths = 0;
  std::vector<LogSum> density;       // rows x depths
  std::vector<std::uint32_t> votes;  // per row

  Sums(std::size_t rows, std::size_t first, std::size_t count)
      : first_depth(first), depths(count), density(rows * count), votes(rows) {}
};

OutOfBagDensity::OutOfBagDensity(const DatasetView& data, const LeafIds& ids,
                                 Normalisation normalisation, std::size_t workers,
                                 std::span<const std::uint8_t> incomplete)
    : data_(data), ids_(ids), normalisation_(normalisation), workers_(workers) {
  constexpr std::size_t kEnoughRows = 200;
  const auto gaps =
      static_cast<std::size_t>(std::count(incomplete.begin(), incomplete.end(), std::uint8_t{1}));
  const bool leave_out = gaps > 0 && data.rows - gaps >= kEnoughRows;
  std::vector<std::size_t> eligible;
  for (std::size_t row = 0; row < data.rows; ++row)
    if ((data.weights.empty() || data.weights[row] > 0) && !(leave_out && incomplete[row]))
      eligible.push_back(row);
  const std::size_t step = std::max<std::size_t>(1, (eligible.size() + kMostRows - 1) / kMostRows);
  for (std::size_t n = 0; n < eligible.size(); n += step) rows_.push_back(eligible[n]);
}

void OutOfBagDensity::add_tree(const WeighedTree& tree, std::size_t number, Sums& sums) const {
  const GaussianTable table(tree.layout(), tree.payloads());
  const std::vector<std::uint32_t> leaves = leaf_nodes(tree);
  std::vector<std::vector<double>> weights;
  for (std::size_t d = 0; d < sums.depths; ++d)
    weights.push_back(tree.log_weights(sums.first_depth + d, normalisation_));
  for_each_row_block(
      rows_.size(), workers_, [&](std::size_t, std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
          const std::size_t row = rows_[i];
          if (!ids_.out_of_bag(number, row)) continue;
          ++sums.votes[i];
          const auto value_of = [&](std::size_t f) { return data_.columns[f][row]; };
          std::size_t node = leaves[ids_.leaf(number, row)], known = TreeNode::kNoSplit;
          double log_gaussian = 0;
          for (std::size_t d = sums.depths; d-- > 0;) {
            while (tree.nodes()[node].depth > sums.first_depth + d)
              node = tree.nodes()[node].parent;
            if (node != known) log_gaussian = table.log_gaussian(known = node, value_of);
            sums.density[i * sums.depths + d].add(weights[d][node] + log_gaussian);
          }
        }
      });
}

namespace {

// The weighted mean over rows with votes of log(sum of densities / votes), for one depth.
double mean_log(const DatasetView& data, std::span<const std::size_t> rows,
                std::span<const std::uint32_t> votes, const auto& log_of) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (votes[i] == 0) continue;
    const double weight = data.weights.empty() ? 1 : double{data.weights[rows[i]]};
    sum += weight * (log_of(i) - portable_log(static_cast<double>(votes[i])));
    total += weight;
  }
  return total > 0 ? sum / total : -std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<double> OutOfBagDensity::by_depth(const std::vector<WeighedTree>& trees) const {
  std::size_t deepest = 0;
  for (const WeighedTree& tree : trees) deepest = std::max(deepest, tree.depth());
  Sums sums(rows_.size(), 0, deepest + 1);
  for (std::size_t t = 0; t < trees.size(); ++t) add_tree(trees[t], t, sums);
  if (std::all_of(sums.votes.begin(), sums.votes.end(), [](auto votes) { return votes == 0; }))
    return {};
  std::vector<double> found;
  for (std::size_t d = 0; d <= deepest; ++d)
    found.push_back(mean_log(data_, rows_, sums.votes, [&](std::size_t i) {
      return sums.density[i * sums.depths + d].log();
    }));
  return found;
}

std::vector<double> OutOfBagDensity::by_trees(const std::vector<WeighedTree>& trees,
                                              std::size_t depth) const {
  Sums sums(rows_.size(), depth, 1);
  std::vector<double> found;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    add_tree(trees[t], t, sums);
    found.push_back(
        mean_log(data_, rows_, sums.votes, [&](std::size_t i) { return sums.density[i].log(); }));
  }
  return found;
}

std::vector<double> OutOfBagDensity::of_rows(const std::vector<WeighedTree>& trees,
                                             std::size_t depth) const {
  Sums sums(rows_.size(), depth, 1);
  for (std::size_t t = 0; t < trees.size(); ++t) add_tree(trees[t], t, sums);
  std::vector<double> found;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (sums.votes[i] > 0)
      found.push_back(sums.density[i].log() - portable_log(static_cast<double>(sums.votes[i])));
  return found;
}

}  // namespace coppice
