#include "report/out_of_bag.h"

#include "infer/row_blocks.h"
#include "infer/votes.h"
#include "report/row_error.h"

namespace coppice {
namespace {

class Ballot {
 public:
  Ballot(const Forest& forest, const LeafIds& ids, const DatasetView& data)
      : arrays_(forest.arrays()), rule_(forest), ids_(ids), data_(data) {}

  std::size_t outputs() const { return rule_.outputs(); }
  const VoteRule& rule() const { return rule_; }

  // Adds up the trees that had the row out of bag and returns their number; the answer replaces the
  // sums if there is any.
  std::uint32_t predict(std::size_t row, const VoteSums& sums) const {
    std::uint32_t votes = 0;
    for (std::size_t tree = 0; tree < ids_.trees(); ++tree) {
      if (!ids_.out_of_bag(tree, row)) continue;
      rule_.add(
          arrays_.payload_of(arrays_.first_leaf(tree) + ids_.leaf(tree, row)),
          [&](std::uint32_t feature) { return data_.columns[feature][row]; }, sums);
      ++votes;
    }
    if (votes > 0) rule_.read_out(votes, sums);
    return votes;
  }

 private:
  const ForestArrays& arrays_;
  VoteRule rule_;
  const LeafIds& ids_;
  const DatasetView& data_;
};

}  // namespace

std::optional<OutOfBag> out_of_bag(const Forest& forest, const LeafIds& ids,
                                   const DatasetView& data, std::size_t workers) {
  const Ballot ballot(forest, ids, data);
  const std::size_t outputs = ballot.outputs(), size = data.rows * outputs;
  OutOfBag result;
  result.mean.assign(size, 0);
  result.variance.assign(ballot.rule().classes() ? 0 : size, 0);
  result.votes.assign(data.rows, 0);
  std::vector<double> weights(ballot.rule().weighs() ? size : 0);
  const VoteSums sums{result.mean.data(),
                      result.variance.empty() ? nullptr : result.variance.data(),
                      weights.empty() ? nullptr : weights.data()};
  for_each_row_block(data.rows, workers, [&](std::size_t, std::size_t first, std::size_t count) {
    for (std::size_t row = first; row < first + count; ++row)
      result.votes[row] = ballot.predict(row, sums.of_row(row, outputs));
  });
  double errors = 0, total = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double weight = row_weight(data, row);
    if (result.votes[row] == 0 || weight <= 0) continue;
    const std::span<const double> answer(result.mean.data() + row * outputs, outputs);
    errors += weight * row_error(data, row, answer);
    total += weight;
    ++result.rows_covered;
  }
  if (result.rows_covered == 0) return std::nullopt;
  result.error = errors / total;
  return result;
}

}  // namespace coppice
