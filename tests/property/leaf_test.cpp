// What every leaf model owes to the forest; see leaf/leaf_model.h.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/property/cases.h"

namespace coppice {
namespace {

using test::LeafCase;
using test::LeafRows;

constexpr std::uint64_t kRandomCases = 500;

struct Leaf {
  std::vector<SampleId> rows;
  std::vector<std::uint16_t> draws;

  NodeSamples samples() const { return {rows, draws.data()}; }
};

Leaf all_rows(std::size_t rows) {
  Leaf leaf{std::vector<SampleId>(rows), std::vector<std::uint16_t>(rows, 1)};
  std::iota(leaf.rows.begin(), leaf.rows.end(), 0u);
  return leaf;
}

struct Fitted {
  std::vector<float> payload;
  float support = 0;
};

Fitted fitted(const LeafModel& model, const Leaf& leaf) {
  Fitted result{std::vector<float>(model.payload_size(), -1)};
  result.support = model.fit(leaf.samples(), {}, result.payload);
  return result;
}

void expect_alike(const Fitted& a, const Fitted& b) {
  EXPECT_EQ(a.support, b.support);
  ASSERT_EQ(a.payload.size(), b.payload.size());
  for (std::size_t k = 0; k < a.payload.size(); ++k) EXPECT_FLOAT_EQ(a.payload[k], b.payload[k]);
}

// Labels and targets before they are bound, so that rows can be repeated.
struct RawRows {
  std::vector<std::uint32_t> labels;
  std::vector<double> targets, weights;

  std::size_t size() const { return labels.size(); }
  void repeat(std::size_t row) {
    labels.push_back(labels[row]);
    weights.push_back(weights[row]);
    for (std::size_t k = 0; k < LeafRows::kOutputs; ++k)
      targets.push_back(targets[row * LeafRows::kOutputs + k]);
  }
  LeafRows bound() const {
    return {labels, FixedPointTargets(targets, LeafRows::kOutputs),
            fixed_point_weights(weights, weights.size())};
  }
};

RawRows random_rows(RandomStream& random) {
  RawRows rows;
  for (std::size_t row = 1 + random.below(12); row > 0; --row) {
    rows.labels.push_back(random.below(LeafRows::kClasses));
    rows.weights.push_back(1 + random.below(3));
    for (std::size_t k = 0; k < LeafRows::kOutputs; ++k)
      rows.targets.push_back(test::random_normal(random) + 5);
  }
  return rows;
}

class LeafProperty : public testing::TestWithParam<LeafCase> {
 protected:
  template <class Body>
  void for_random_rows(Body body) {
    for (std::uint64_t seed = 0; seed < kRandomCases; ++seed) {
      RandomStream random(seed);
      body(random_rows(random), random);
      if (HasFailure()) return;
    }
  }
};

TEST_P(LeafProperty, PayloadIsValid) {
  for_random_rows([&](const RawRows& raw, RandomStream&) {
    const LeafRows rows = raw.bound();
    EXPECT_TRUE(GetParam().valid(fitted(*GetParam().bind(rows), all_rows(raw.size())).payload));
  });
}

TEST_P(LeafProperty, SupportIsTheWeight) {
  for_random_rows([&](const RawRows& raw, RandomStream&) {
    const LeafRows rows = raw.bound();
    const double weight = std::accumulate(raw.weights.begin(), raw.weights.end(), 0.0);
    EXPECT_EQ(fitted(*GetParam().bind(rows), all_rows(raw.size())).support, weight);
  });
}

TEST_P(LeafProperty, RowTwiceIsWeightTwice) {
  for_random_rows([&](RawRows raw, RandomStream& random) {
    const std::size_t row = random.below(static_cast<std::uint32_t>(raw.size()));
    RawRows repeated = raw;
    repeated.repeat(row);
    raw.weights[row] *= 2;
    const LeafRows once = raw.bound(), twice = repeated.bound();
    expect_alike(fitted(*GetParam().bind(once), all_rows(raw.size())),
                 fitted(*GetParam().bind(twice), all_rows(repeated.size())));
  });
}

TEST_P(LeafProperty, DrawnTwiceIsWeightTwice) {
  for_random_rows([&](RawRows raw, RandomStream& random) {
    const std::size_t row = random.below(static_cast<std::uint32_t>(raw.size()));
    const LeafRows plain = raw.bound();
    Leaf leaf = all_rows(raw.size());
    leaf.draws[row] = 2;
    const Fitted drawn = fitted(*GetParam().bind(plain), leaf);
    raw.weights[row] *= 2;
    const LeafRows weighted = raw.bound();
    expect_alike(drawn, fitted(*GetParam().bind(weighted), all_rows(raw.size())));
  });
}

TEST_P(LeafProperty, RowsOutsideDoNotCount) {
  for_random_rows([&](const RawRows& raw, RandomStream&) {
    const LeafRows rows = raw.bound();
    Leaf first = all_rows(raw.size());
    first.rows.resize(1);
    Leaf alone = first;
    for (std::size_t row = 1; row < raw.size(); ++row) alone.draws[row] = 0;
    const auto model = GetParam().bind(rows);
    EXPECT_EQ(fitted(*model, first).payload, fitted(*model, alone).payload);
  });
}

INSTANTIATE_TEST_SUITE_P(Table, LeafProperty, testing::ValuesIn(test::leaf_cases()), test::kByName);

}  // namespace
}  // namespace coppice
