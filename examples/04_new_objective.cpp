// A new objective is one struct: splits for counts (claims, visits, defects), scored by the Poisson
// deviance. Search, growth, leaves, model and prediction are those of the library; nothing in it
// has to change. This example includes internal headers, which are not installed.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "base/portable_math.h"
#include "coppice/coppice.h"
#include "data/fixed_point.h"
#include "grow/forest_trainer.h"
#include "leaf/mean.h"
#include "split/axis_aligned.h"
#include "split/split_search.h"

using namespace coppice;

namespace {

// Half the Poisson deviance of a set from its own mean Y / W, where W = sum w and Y = sum w y:
//   sum w (y log(y W / Y) - y + Y / W)  =  sum w y log y  +  Y log(W / Y)
// The first part does not change when a set is split, so cost(S) = Y log(W / Y).
struct PoissonDeviance {
  struct Item {
    std::uint32_t count, weight;
  };
  using Sum = std::uint64_t;  // [ W | Y ]

  std::span<const std::uint32_t> counts;

  std::size_t statistics_size() const { return 2; }
  Item item(std::uint32_t row, std::uint32_t weight) const { return {counts[row], weight}; }
  void add(Sum* sums, const Item& item) const {
    sums[0] += item.weight;
    sums[1] += Sum{item.weight} * item.count;
  }
  bool alike(const Item& a, const Item& b) const { return a.count == b.count; }
  std::uint64_t weight(const Sum* sums) const { return sums[0]; }
  double cost(const Sum* sums) const {
    if (sums[1] == 0) return 0;
    const auto weight = static_cast<double>(sums[0]), total = static_cast<double>(sums[1]);
    return total * portable_log(weight / total);
  }

  std::size_t mean_size() const { return 1; }
  void mean(const Sum* sums, double* point) const {
    *point = static_cast<double>(sums[1]) / static_cast<double>(sums[0]);
  }
};
static_assert(Objective<PoissonDeviance>);

// --- Data ----------------------------------------------------------------------------------------

// Events per row: many in a busy tenth of the rows; in the others, x2 and x3 tell rare from usual.
double rate(std::span<const double> x) {
  if (x[0] < 0.1) return 20;
  return x[1] + x[2] > 1.2 ? 1 : 0.1;
}

std::uint32_t draw_poisson(double expected, RandomStream& random) {
  const double limit = portable_exp(-expected);
  std::uint32_t events = 0;
  for (double product = random.uniform(); product > limit; product *= random.uniform()) ++events;
  return events;
}

struct Events {
  Dataset data;
  std::vector<double> rates;  // what a perfect forest would predict
};

Events counted_events(std::size_t rows, std::uint64_t seed) {
  Events events;
  Dataset& data = events.data;
  for (const char* const name : {"x1", "x2", "x3", "x4", "x5"})
    data.schema.features.push_back({.name = name});
  data.schema.targets = {"events"};
  data.rows = rows;
  data.columns.resize(data.schema.features.size());
  for (std::size_t row = 0; row < rows; ++row) {
    RandomStream random = RandomStream(seed).child(row);
    std::vector<double> x;
    for (auto& column : data.columns) {
      x.push_back(random.uniform());
      column.push_back(static_cast<float>(x.back()));
    }
    events.rates.push_back(rate(x));
    data.targets.push_back(draw_poisson(rate(x), random));
  }
  return events;
}

// --- Training ------------------------------------------------------------------------------------

constexpr std::uint32_t kCandidates = 4;  // features tried per node

FitOptions shared_options() {
  FitOptions options;
  options.task = Regression{};
  options.growth.min_samples_leaf = 20;
  options.split.max_features = FeatureCount{kCandidates};
  return options;
}

// What fit() does, with an objective of our own.
Forest fit_counts(const Dataset& data, const FitOptions& options) {
  const std::vector<std::uint32_t> counts(data.targets.begin(), data.targets.end());
  const FixedPointTargets targets(data.targets, 1);
  const FixedPointWeights weights =
      fixed_point_weights(std::vector<double>(data.rows, 1), data.rows);
  const CodedColumns columns(data.view(), 0, 1);
  const MeanLeaf leaf_model(targets, weights);
  const auto features = static_cast<std::uint32_t>(columns.features());
  const auto make_splitter = [&] {
    const SearchLimits limits{.min_child_samples = options.growth.min_samples_leaf};
    return std::make_unique<SplitSearch<PoissonDeviance>>(
        columns, PoissonDeviance{counts}, weights.units,
        std::make_unique<AxisAligned>(features, kCandidates), limits);
  };
  GrownForest grown = train_forest({.columns = columns,
                                    .weights = weights.units,
                                    .make_splitter = make_splitter,
                                    .leaf_model = leaf_model,
                                    .forest = options.forest,
                                    .sampling = options.sampling,
                                    .growth = options.growth},
                                   {});
  ForestInfo info;
  info.schema = data.schema;
  info.payload_kind = PayloadKind::mean_variance;
  return Forest(std::move(grown.storage), std::move(info));
}

// --- Comparison ----------------------------------------------------------------------------------

// Mean Poisson deviance of the test counts.
double deviance(const std::vector<double>& predicted, const std::vector<double>& counts) {
  double sum = 0;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const double mean = std::max(predicted[row], 1e-6), count = counts[row];
    sum += 2 * ((count > 0 ? count * std::log(count / mean) : 0) - count + mean);
  }
  return sum / static_cast<double>(counts.size());
}

int run() {
  const Events training = counted_events(3000, 1), test = counted_events(3000, 2);
  const FitOptions options = shared_options();
  const Forest by_deviance = fit_counts(training.data, options);
  const Forest by_variance = fit(training.data.view(), options).forest;

  const std::vector<double>& counts = test.data.targets;
  const auto score = [&](const Forest& forest) {
    return deviance(Predictor(forest).predict(test.data.view()).mean, counts);
  };
  const double mean = std::accumulate(counts.begin(), counts.end(), 0.0) / 3000;
  const double constant = deviance(std::vector<double>(counts.size(), mean), counts);
  const double found = score(by_deviance), least = deviance(test.rates, counts);
  std::printf("mean Poisson deviance of 3000 test rows (less is better)\n");
  std::printf("  the mean count         %.3f\n", constant);
  std::printf("  splits by variance     %.3f\n", score(by_variance));
  std::printf("  splits by deviance     %.3f\n", found);
  std::printf("  the true rates         %.3f\n", least);
  return found < 1.2 * least && found < constant / 2 ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
