#include <utility>

#include "base/random_stream.h"
#include "base/worker_team.h"
#include "infer/compiled_forest.h"
#include "infer/votes.h"
#include "report/importance.h"
#include "report/row_error.h"

namespace coppice {
namespace {

// The out-of-bag rows of one tree and how wrong it is on them.
class TreeOnTrial {
 public:
  TreeOnTrial(const Forest& forest, const CompiledForest& compiled, const DatasetView& data,
              std::size_t tree)
      : arrays_(forest.arrays()),
        layout_(layout_of(forest)),
        compiled_(compiled),
        data_(data),
        tree_(tree) {}

  void call(const LeafIds& ids) {
    for (std::size_t row = 0; row < data_.rows; ++row)
      if (ids.out_of_bag(tree_, row) && row_weight(data_, row) > 0) rows_.push_back(row);
  }
  bool empty() const { return rows_.empty(); }

  std::vector<bool> features_used() const {
    std::vector<bool> used(data_.columns.size());
    for (std::size_t s = arrays_.first_split[tree_]; s < arrays_.first_split[tree_ + 1]; ++s)
      used[arrays_.code[s] & SplitCode::kFeatureMask] = true;
    return used;
  }

  double error() const {
    return mean_error([&](std::size_t i, std::uint32_t f) { return data_.columns[f][rows_[i]]; });
  }

  // Each row sees the permuted feature of another row.
  double error_with_permuted(std::uint32_t permuted, RandomStream random) const {
    std::vector<std::size_t> other = rows_;
    for (std::size_t i = other.size(); i > 1; --i)
      std::swap(other[i - 1], other[random.below(static_cast<std::uint32_t>(i))]);
    return mean_error([&](std::size_t i, std::uint32_t f) {
      return data_.columns[f][f == permuted ? other[i] : rows_[i]];
    });
  }

 private:
  template <class ValueOf>
  double mean_error(ValueOf&& value_of) const {
    double errors = 0, total = 0;
    LeafAnswer answer;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto value = [&](std::uint32_t feature) { return value_of(i, feature); };
      const std::uint32_t leaf = compiled_.find_leaf(tree_, value);
      read_leaf(layout_, arrays_.payload_of(arrays_.first_leaf(tree_) + leaf), value, answer);
      const double weight = row_weight(data_, rows_[i]);
      errors += weight * row_error<double>(data_, rows_[i], answer.mean);
      total += weight;
    }
    return errors / total;
  }

  const ForestArrays& arrays_;
  PayloadLayout layout_;
  const CompiledForest& compiled_;
  const DatasetView& data_;
  std::size_t tree_;
  std::vector<std::size_t> rows_;
};

}  // namespace

std::vector<float> permutation_importance(const Forest& forest, const LeafIds& ids,
                                          const DatasetView& data, std::uint64_t seed,
                                          const RunContext& context) {
  const std::size_t features = data.columns.size();
  const CompiledForest compiled(forest);
  std::vector<double> rises(forest.trees() * features);
  for_each_task(forest.trees(), worker_count(context.threads), [&](std::size_t, std::size_t tree) {
    TreeOnTrial trial(forest, compiled, data, tree);
    trial.call(ids);
    if (trial.empty()) return;
    const double error = trial.error();
    const std::vector<bool> used = trial.features_used();
    const RandomStream random = RandomStream(seed).child(tree).child(2);
    for (std::uint32_t f = 0; f < features; ++f)
      if (used[f])
        rises[tree * features + f] = trial.error_with_permuted(f, random.child(f)) - error;
  });
  std::vector<float> importance(features);
  for (std::size_t f = 0; f < features; ++f) {
    double sum = 0;
    for (std::size_t tree = 0; tree < forest.trees(); ++tree) sum += rises[tree * features + f];
    importance[f] = static_cast<float>(sum / static_cast<double>(forest.trees()));
  }
  return importance;
}

}  // namespace coppice
