#include "report/out_of_bag.h"

#include "infer/row_blocks.h"
#include "infer/votes.h"
#include "report/row_error.h"

namespace coppice {
namespace {

void predict_row(const Forest& forest, const LeafIds& ids, std::size_t row, std::size_t outputs,
                 OutOfBag& result) {
  const ForestArrays& arrays = forest.arrays();
  const PayloadKind kind = forest.info().payload_kind;
  std::vector<double> sums(arrays.payload_size);
  for (std::size_t tree = 0; tree < ids.trees(); ++tree) {
    if (!ids.out_of_bag(tree, row)) continue;
    add_vote(kind, arrays.payload_of(arrays.first_leaf(tree) + ids.leaf(tree, row)), sums);
    ++result.votes[row];
  }
  if (result.votes[row] > 0)
    read_out(kind, sums, result.votes[row], std::span(result.mean).subspan(row * outputs, outputs),
             {});
}

}  // namespace

std::optional<OutOfBag> out_of_bag(const Forest& forest, const LeafIds& ids,
                                   const DatasetView& data, std::size_t workers) {
  const std::size_t outputs = outputs_of(forest);
  OutOfBag result;
  result.mean.assign(data.rows * outputs, 0);
  result.votes.assign(data.rows, 0);
  for_each_row_block(data.rows, workers, [&](std::size_t, std::size_t first, std::size_t count) {
    for (std::size_t row = first; row < first + count; ++row)
      predict_row(forest, ids, row, outputs, result);
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
