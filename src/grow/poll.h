// Asks growing trees about all rows of the data, block by block of rows in parallel. A row's votes
// are added in the order of the trees, so the sums do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <span>

#include "base/worker_team.h"
#include "grow/forest_trainer.h"
#include "grow/tree_grower.h"

namespace coppice {

class Poll {
 public:
  Poll(const TrainingPlan& plan, std::size_t workers)
      : staging_(plan.staging),
        rows_(plan.columns.rows()),
        size_(plan.leaf_model.votes_size()),
        workers_(workers) {
    if (staging_.loss) clear();
  }

  const Votes& votes() const { return votes_; }

  void clear() {
    votes_.sums.assign(rows_ * size_, 0);
    votes_.trees.assign(rows_, 0);
  }

  // Adds what tree_at(first) ... tree_at(last - 1) say.
  template <class TreeAt>
  void ask(std::size_t first, std::size_t last, TreeAt&& tree_at) {
    constexpr std::size_t kBlock = 256;  // whose sums stay in the first cache
    for_each_task((rows_ + kBlock - 1) / kBlock, workers_, [&](std::size_t, std::size_t block) {
      const std::size_t begin = block * kBlock, count = std::min(kBlock, rows_ - begin);
      const TreeGrower::Ballot ballot{begin, begin + count,
                                      std::span(votes_.sums).subspan(begin * size_, count * size_),
                                      std::span(votes_.trees).subspan(begin, count)};
      for (std::size_t tree = first; tree < last; ++tree)
        tree_at(tree).add_votes(staging_.vote_scale, staging_.out_of_bag_votes, ballot);
    });
  }

 private:
  const Staging& staging_;
  std::size_t rows_, size_, workers_;
  Votes votes_;
};

}  // namespace coppice
