// The counter's sums against those of votes.h, which must agree to the last bit.
#include "infer/vote_counter.h"

#include <gtest/gtest.h>

#include <vector>

#include "infer/test_votes.h"
#include "infer/votes.h"
#include "model/test_forests.h"

namespace coppice {
namespace {

ForestInfo info_of(PayloadKind kind, std::size_t outputs) {
  ForestInfo info;
  info.payload_kind = kind;
  info.schema.features = {{"x", FeatureKind::numeric}};
  if (kind == PayloadKind::class_scores) info.ensemble = Ensemble::sum;
  auto& names = predicts_classes(kind) ? info.schema.classes : info.schema.targets;
  for (std::size_t k = 0; k < outputs; ++k) names.push_back("n" + std::to_string(k));
  if (predicts_classes(kind)) info.schema.targets = {"y"};
  return info;
}

std::vector<float> random_payload(test::Dice& dice, PayloadKind kind, std::size_t outputs,
                                  bool pure) {
  std::vector<float> payload(predicts_classes(kind) ? outputs : 2 * outputs);
  if (pure) {
    payload[dice.below(static_cast<std::uint32_t>(outputs))] = 1;
    return payload;
  }
  float left = 1;
  for (float& value : payload) {
    value = kind == PayloadKind::class_histogram ? left * static_cast<float>(dice.below(100)) / 101
                                                 : static_cast<float>(dice.below(100000)) / 777;
    left -= value;
  }
  if (kind == PayloadKind::class_histogram) payload.back() += left;
  return payload;
}

// Trees of `splits` splits in a row, each with `pure_percent` pure leaves.
Forest chains(std::uint64_t seed, PayloadKind kind, std::size_t outputs,
              std::uint32_t pure_percent) {
  test::Dice dice(seed);
  ForestBuilder builder(predicts_classes(kind) ? outputs : 2 * outputs);
  for (std::uint32_t splits : {30u, 0u, 7u, 300u}) {
    TreeArrays tree;
    for (std::uint32_t i = 0; i < splits; ++i) {
      tree.right.push_back(i + 1);
      tree.threshold.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(i)));
      tree.code.push_back(i + 1 == splits ? SplitCode::kRightIsLeaf : 0);
    }
    tree.support.assign(splits + 1, 1);
    for (std::uint32_t leaf = 0; leaf <= splits; ++leaf) {
      const bool pure = kind == PayloadKind::class_histogram && dice.below(100) < pure_percent;
      const std::vector<float> payload = random_payload(dice, kind, outputs, pure);
      tree.payload.insert(tree.payload.end(), payload.begin(), payload.end());
    }
    builder.append(tree);
  }
  return Forest(builder.finish(), info_of(kind, outputs));
}

void expect_the_sums_of_votes(const Forest& forest, std::size_t rows, std::uint64_t seed) {
  test::Dice dice(seed);
  const ForestArrays& arrays = forest.arrays();
  const std::size_t outputs = outputs_of(forest), size = arrays.payload_size;
  std::vector<std::uint32_t> leaves;
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree)
    for (std::size_t row = 0; row < rows; ++row)
      leaves.push_back(dice.below(
          static_cast<std::uint32_t>(arrays.first_leaf(tree + 1) - arrays.first_leaf(tree))));
  std::vector<double> mean, variance;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> sums(size), row_mean(outputs), row_variance(size - outputs);
    for (std::size_t tree = 0; tree < arrays.trees(); ++tree)
      test::add_vote(forest.info().payload_kind,
                     arrays.payload_of(arrays.first_leaf(tree) + leaves[tree * rows + row]), sums);
    test::read_out(forest.info().payload_kind, sums, arrays.trees(), row_mean, row_variance);
    mean.insert(mean.end(), row_mean.begin(), row_mean.end());
    variance.insert(variance.end(), row_variance.begin(), row_variance.end());
  }
  const VoteCounter counter(forest);
  std::vector<double> sums(rows * outputs), squares(variance.size());
  const VoteSums row_sums{sums.data(), squares.empty() ? nullptr : squares.data()};
  const RowSource source(std::span<const float>{}, 1);
  for (std::size_t first : {0u, 1u}) {  // two batches: tree 0, then the others
    const std::size_t trees = first == 0 ? 1 : arrays.trees() - 1;
    counter.count({leaves.data() + first * rows, first, trees, rows}, source, 0, row_sums);
  }
  counter.read_out(rows, row_sums);
  EXPECT_TRUE(test::same_bytes<double>(sums, mean));
  EXPECT_TRUE(test::same_bytes<double>(squares, variance));
}

TEST(VoteCounter, AddsHistogramsAsVotesDo) {
  for (const std::size_t classes : {1, 2, 3, 10, 16, 17, 40})
    for (const std::uint32_t pure : {0, 45, 60, 100})
      for (const std::size_t rows : {1, 100}) {
        const Forest forest = chains(classes + pure, PayloadKind::class_histogram, classes, pure);
        expect_the_sums_of_votes(forest, rows, classes * rows);
      }
}

TEST(VoteCounter, AddsScoresAsVotesDo) {
  for (const std::size_t classes : {1, 2, 16, 26})
    for (const std::size_t rows : {1, 100})
      expect_the_sums_of_votes(chains(classes, PayloadKind::class_scores, classes, 0), rows, rows);
}

TEST(VoteCounter, AddsMomentsAsVotesDo) {
  for (const std::size_t targets : {1, 2, 5, 16, 20})
    for (const std::size_t rows : {1, 100})
      expect_the_sums_of_votes(chains(targets, PayloadKind::mean_variance, targets, 0), rows, rows);
}

}  // namespace
}  // namespace coppice
