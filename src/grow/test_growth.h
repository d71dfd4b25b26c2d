// Toys of the tests about growing: a column that counts, a splitter that halves nodes, leaves that
// count their rows or spread over outputs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "grow/tree_grower.h"

namespace coppice {

// One column of values 0 ... rows - 1, and the data that it borrows.
struct CountingColumn {
  Dataset data;
  CodedColumns columns;
};

inline CountingColumn counting_column(std::size_t rows) {
  Dataset data;
  data.rows = rows;
  data.schema.features = {{"x", FeatureKind::numeric}};
  data.columns = {std::vector<float>(rows)};
  std::iota(data.columns[0].begin(), data.columns[0].end(), 0.0f);
  CodedColumns columns(data.view(), 0, 1);
  return {std::move(data), std::move(columns)};
}

inline Bag all_inside(std::size_t rows) {
  Bag bag;
  bag.inside.resize(rows);
  std::iota(bag.inside.begin(), bag.inside.end(), 0u);
  bag.draws.assign(rows, 1);
  return bag;
}

// Cuts a node of the counting column in the middle; remembers which nodes it saw.
class HalvingSplitter final : public NodeSplitter {
 public:
  // Nodes of so many rows are copied.
  explicit HalvingSplitter(std::vector<std::size_t> copied_sizes = {})
      : copied_sizes_(std::move(copied_sizes)) {}

  void begin_tree(const NodeSamples& tree) override { trees.push_back(tree.rows.size()); }
  void begin_level(TreeParts parts, const std::uint16_t*) override {
    trees.push_back(std::accumulate(
        parts.begin(), parts.end(), std::size_t{0},
        [](std::size_t sum, std::span<const SampleId> rows) { return sum + rows.size(); }));
  }
  const ChosenSplit* best_split(std::span<const SampleId> rows, RandomStream random) override {
    const SampleId first = row_of_data(rows.front());
    nodes.push_back({first, rows.size()});
    keys.push_back(random.child(9).next());
    split_.cut = first + static_cast<std::uint32_t>(rows.size() / 2);
    split_.threshold = static_cast<float>(row_of_data(rows[rows.size() / 2]));
    split_.gain = static_cast<double>(rows.size());
    split_.node_weight = static_cast<double>(rows.size());
    return &split_;
  }
  std::size_t partition(std::span<SampleId> rows, const ChosenSplit& split) override {
    const auto middle = std::stable_partition(rows.begin(), rows.end(), [&](SampleId row) {
      return static_cast<float>(row_of_data(row)) < split.threshold;
    });
    return static_cast<std::size_t>(middle - rows.begin());
  }

  bool copy_rows(std::span<SampleId> rows) override {
    if (std::find(copied_sizes_.begin(), copied_sizes_.end(), rows.size()) == copied_sizes_.end())
      return false;
    copies_.push_back({rows, {rows.begin(), rows.end()}});
    std::iota(rows.begin(), rows.end(), 0u);
    ++copied;
    return true;
  }
  void release(std::span<SampleId> rows) override {
    ASSERT_FALSE(copies_.empty());
    EXPECT_EQ(rows.data(), copies_.back().rows.data());
    EXPECT_EQ(rows.size(), copies_.back().rows.size());
    for (SampleId& row : rows) row = copies_.back().names[row];
    copies_.pop_back();
  }
  std::size_t unreleased() const { return copies_.size(); }

  struct Seen {
    SampleId first;
    std::size_t rows;
    bool operator==(const Seen&) const = default;
  };
  std::vector<Seen> nodes;
  std::vector<std::uint64_t> keys;
  std::vector<std::size_t> trees;
  std::size_t copied = 0;

 private:
  struct Copy {
    std::span<const SampleId> rows;
    std::vector<SampleId> names;
  };
  SampleId row_of_data(SampleId row) const {
    for (auto copy = copies_.rbegin(); copy != copies_.rend(); ++copy) row = copy->names[row];
    return row;
  }

  ChosenSplit split_;
  std::vector<std::size_t> copied_sizes_;
  std::vector<Copy> copies_;
};

// Splitters as a grower wants them, of which the first is looked at.
struct Team {
  std::vector<std::unique_ptr<NodeSplitter>> splitters;
  HalvingSplitter& first;

  explicit Team(std::vector<std::size_t> copied_sizes = {}, std::size_t size = 1)
      : Team(std::make_unique<HalvingSplitter>(copied_sizes)) {
    while (splitters.size() < size)
      splitters.push_back(std::make_unique<HalvingSplitter>(copied_sizes));
  }

 private:
  explicit Team(std::unique_ptr<HalvingSplitter> one) : first(*one) {
    splitters.push_back(std::move(one));
  }
};

// The payload is the number of rows; an inherited payload is added to it.
class CountLeaf final : public LeafModel {
 public:
  std::size_t payload_size() const override { return 1; }
  float fit(const NodeSamples& leaf, std::span<const float> inherited,
            std::span<float> payload) const override {
    payload[0] = static_cast<float>(leaf.rows.size()) + (inherited.empty() ? 0 : inherited[0]);
    return static_cast<float>(leaf.rows.size());
  }
};

// Of row i, says something of output i % 12: shares of one output or more, as the leaf has rows.
class SpreadLeaf final : public CountingLeafModel {
 public:
  static constexpr std::size_t kOutputs = 12;
  std::size_t payload_size() const override { return kOutputs; }
  float fit(const NodeSamples& leaf, std::span<const float>,
            std::span<float> payload) const override {
    for (const SampleId row : leaf.rows)
      payload[row % kOutputs] += 1 / static_cast<float>(leaf.rows.size());
    return 1;
  }
  void count(const NodeSamples& leaf, std::span<std::uint32_t> counts) const override {
    std::fill(counts.begin(), counts.end(), 0);
    for (const SampleId row : leaf.rows) ++counts[row % kOutputs];
  }
  double prior_count() const override { return 0; }
};

}  // namespace coppice
