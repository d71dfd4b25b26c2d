// Nearest neighbours of all rows: only rows that share a leaf are ever looked at.
#include <algorithm>

#include "affinity/leaf_members.h"
#include "base/worker_team.h"
#include "coppice/embedding.h"
#include "coppice/error.h"

namespace coppice {
namespace {

constexpr std::size_t kRowsPerTask = 256;

class NeighbourFinder {
 public:
  NeighbourFinder(const LeafIncidence& leaves, const LeafMembers& members, std::size_t count)
      : leaves_(leaves), members_(members), count_(count), together_(leaves.rows()) {}

  void append(std::size_t row, std::vector<Neighbour>& found) {
    others_.clear();
    for (std::size_t tree = 0; tree < leaves_.trees(); ++tree)
      for (const std::uint32_t other : members_.of(leaves_.leaf(tree, row)))
        if (together_[other]++ == 0 && other != row) others_.push_back(other);
    const auto last =
        others_.begin() + static_cast<std::ptrdiff_t>(std::min(count_, others_.size()));
    std::partial_sort(others_.begin(), last, others_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return together_[a] != together_[b] ? together_[a] > together_[b] : a < b;
    });
    for (auto other = others_.begin(); other != last; ++other)
      found.push_back(
          {*other, static_cast<double>(together_[*other]) / static_cast<double>(leaves_.trees())});
    for (const std::uint32_t other : others_) together_[other] = 0;
    together_[row] = 0;
  }

 private:
  const LeafIncidence& leaves_;
  const LeafMembers& members_;
  std::size_t count_;
  std::vector<std::uint32_t> together_, others_;
};

}  // namespace

NeighbourGraph nearest_neighbours(const LeafIds& ids, std::size_t count,
                                  const RunContext& context) {
  NeighbourGraph graph{{0}, {}};
  if (ids.rows() == 0 || ids.trees() == 0) {
    graph.first.resize(ids.rows() + 1);
    return graph;
  }
  const LeafIncidence leaves(ids);
  const LeafMembers members(leaves);
  const std::size_t tasks = (ids.rows() + kRowsPerTask - 1) / kRowsPerTask;
  const std::size_t workers = worker_count(context.threads);
  std::vector<std::vector<Neighbour>> found(tasks);
  graph.first.resize(ids.rows() + 1);
  std::vector<NeighbourFinder> finders(std::min(workers, tasks), {leaves, members, count});
  for_each_task(tasks, workers, [&](std::size_t worker, std::size_t task) {
    if (context.cancelled && context.cancelled())
      throw Error(ErrorKind::cancelled, "stopped while looking for neighbours");
    const std::size_t last = std::min(ids.rows(), (task + 1) * kRowsPerTask);
    for (std::size_t row = task * kRowsPerTask; row < last; ++row) {
      const std::size_t before = found[task].size();
      finders[worker].append(row, found[task]);
      graph.first[row + 1] = found[task].size() - before;
    }
  });
  for (std::size_t row = 0; row < ids.rows(); ++row) graph.first[row + 1] += graph.first[row];
  graph.neighbours.reserve(graph.first.back());
  for (const std::vector<Neighbour>& part : found)
    graph.neighbours.insert(graph.neighbours.end(), part.begin(), part.end());
  return graph;
}

}  // namespace coppice
