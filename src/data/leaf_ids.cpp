// Proximities from leaf numbers. Trees are the outer loop: their columns lie one after the other.
#include "coppice/leaf_ids.h"

#include <algorithm>
#include <string>

#include "coppice/error.h"

namespace coppice {
namespace {

void check_row(const LeafIds& ids, std::size_t row) {
  if (row < ids.rows()) return;
  throw Error(ErrorKind::invalid_option, "proximity: there is no row " + std::to_string(row) +
                                             "; there are " + std::to_string(ids.rows()) +
                                             " rows, numbered from 0");
}

double share(std::size_t together, const LeafIds& ids) {
  return ids.trees() == 0 ? 0 : static_cast<double>(together) / static_cast<double>(ids.trees());
}

}  // namespace

double proximity(const LeafIds& ids, std::size_t row, std::size_t other) {
  check_row(ids, row);
  check_row(ids, other);
  std::size_t together = 0;
  for (std::size_t tree = 0; tree < ids.trees(); ++tree) {
    together += ids.leaf(tree, row) == ids.leaf(tree, other);
  }
  return share(together, ids);
}

std::vector<Neighbour> nearest(const LeafIds& ids, std::size_t row, std::size_t count) {
  check_row(ids, row);
  std::vector<std::uint32_t> together(ids.rows());
  for (std::size_t tree = 0; tree < ids.trees(); ++tree) {
    const std::uint32_t leaf = ids.leaf(tree, row);
    for (std::size_t other = 0; other < ids.rows(); ++other) {
      together[other] += ids.leaf(tree, other) == leaf;
    }
  }
  std::vector<std::size_t> others;
  others.reserve(ids.rows() - 1);
  for (std::size_t other = 0; other < ids.rows(); ++other) {
    if (other != row) others.push_back(other);
  }
  const auto last = others.begin() + static_cast<std::ptrdiff_t>(std::min(count, others.size()));
  std::partial_sort(others.begin(), last, others.end(), [&](std::size_t a, std::size_t b) {
    return together[a] != together[b] ? together[a] > together[b] : a < b;
  });
  std::vector<Neighbour> neighbours;
  for (auto other = others.begin(); other != last; ++other) {
    neighbours.push_back({*other, share(together[*other], ids)});
  }
  return neighbours;
}

}  // namespace coppice
