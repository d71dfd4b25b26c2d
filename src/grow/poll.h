// Asks growing trees about all rows of the data, in parallel over ranges of rows. A row's votes are
// added in an order that does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/worker_team.h"
#include "grow/forest_trainer.h"
#include "grow/share_tally.h"
#include "grow/tree_grower.h"

namespace coppice {

class Poll {
 public:
  Poll(const TrainingPlan& plan, std::size_t workers)
      : staging_(plan.staging),
        rows_(plan.columns.rows()),
        size_(plan.leaf_model.votes_size()),
        workers_(workers) {
    if (!staging_.loss) return;
    votes_.sums.assign(rows_ * size_, 0);
    votes_.trees.assign(rows_, 0);
    if (staging_.unit != StageUnit::level || staging_.revision) return;
    const std::size_t trees = plan.forest.trees;
    const CountingLeafModel* const counting = plan.leaf_model.counting();
    if (counting && !staging_.out_of_bag_votes && trees <= ShareTally::kMostTrees) {
      counting_ = counting;
      tallies_.assign(std::min(workers_, trees),
                      ShareTally(rows_, size_, trees, counting->prior_count()));
    } else {
      settled_ = votes_.sums;
    }
  }

  // Whether leaves need not be fitted between levels, since tallies count what they say; and the
  // end of a level of one tree then.
  bool counts_shares() const { return counting_ != nullptr; }
  void count_new_leaves(TreeGrower& tree, std::size_t worker) {
    tree.tell_of_new_leaves(*counting_, tallies_[worker]);
  }

  const Votes& votes() const { return votes_; }

  // Adds what a grown tree says.
  void add(const TreeGrower& tree) {
    for_each_range([&](std::size_t first, std::size_t last) {
      tree.add_votes(
          TreeGrower::Voters::all,
          ballot(first, last, votes_.sums, std::span(votes_.trees).subspan(first, last - first)));
    });
  }

  // What all trees say after a level; to be called once after each. Leaves that are closed have
  // their last say, unless a revision is to come.
  template <class TreeAt>
  void ask_all(std::size_t trees, TreeAt&& tree_at) {
    std::fill(votes_.trees.begin(), votes_.trees.end(), static_cast<std::uint32_t>(trees));
    for_each_task(tallies_.size(), workers_,
                  [&](std::size_t, std::size_t tally) { tallies_[tally].settle(); });
    for_each_range([&](std::size_t first, std::size_t last) {
      const auto add_votes = [&](TreeGrower::Voters voters, std::vector<float>& sums) {
        const TreeGrower::Ballot range = ballot(first, last, sums, {});
        for (std::size_t tree = 0; tree < trees; ++tree) tree_at(tree).add_votes(voters, range);
      };
      const auto begin = static_cast<std::ptrdiff_t>(first * size_),
                 end = static_cast<std::ptrdiff_t>(last * size_);
      if (!tallies_.empty())
        return ShareTally::read(tallies_, first, last, staging_.vote_scale,
                                std::span(votes_.sums).subspan(first * size_));
      if (settled_.empty()) {
        std::fill(votes_.sums.begin() + begin, votes_.sums.begin() + end, 0);
        return add_votes(TreeGrower::Voters::all, votes_.sums);
      }
      add_votes(TreeGrower::Voters::just_closed, settled_);
      std::copy(settled_.begin() + begin, settled_.begin() + end, votes_.sums.begin() + begin);
      add_votes(TreeGrower::Voters::open, votes_.sums);
    });
  }

 private:
  TreeGrower::Ballot ballot(std::size_t first, std::size_t last, std::vector<float>& sums,
                            std::span<std::uint32_t> votes) const {
    return {first,
            last,
            std::span(sums).subspan(first * size_, (last - first) * size_),
            votes,
            staging_.vote_scale,
            staging_.out_of_bag_votes};
  }

  // visit(first, last): a range for each worker; every one looks at all leaves.
  template <class Visit>
  void for_each_range(Visit&& visit) {
    for_each_task(workers_, workers_, [&](std::size_t, std::size_t task) {
      const std::size_t first = rows_ * task / workers_, last = rows_ * (task + 1) / workers_;
      if (first < last) visit(first, last);
    });
  }

  const Staging& staging_;
  std::size_t rows_, size_, workers_;
  Votes votes_;
  std::vector<float> settled_;       // what leaves that are closed have said of every row
  std::vector<ShareTally> tallies_;  // or, by worker, what all leaves say
  const CountingLeafModel* counting_ = nullptr;
};

}  // namespace coppice
