// A new weak learner is one struct that draws projections: circles around random places, for
// classes that lie in rings. Search, growth, leaves, model file and prediction are those of the
// library; nothing in it has to change. This example includes internal headers, which are not
// installed.
#include <cstdio>
#include <memory>
#include <vector>

#include "coppice/coppice.h"
#include "data/feature_scales.h"
#include "data/fixed_point.h"
#include "grow/forest_trainer.h"
#include "leaf/class_histogram.h"
#include "objective/class_impurity.h"
#include "split/random_projections.h"
#include "split/split_search.h"

using namespace coppice;

namespace {

// The squared distance to a random place in the plane of two features, up to a constant:
//   (x - a)^2 + (y - b)^2  =  x^2 - 2 a x + y^2 - 2 b y + ...
struct DrawCircle {
  void operator()(TermSource& source, RandomStream& random, Projection& projection) const {
    for (const std::uint32_t feature : source.draw(2, random)) {
      projection.terms.push_back({.feature = feature, .partner = feature, .coefficient = 1});
      const double place = 4 * random.uniform() - 2;
      source.add(projection, feature, -2 * place, random);
    }
  }
};

// Class k lies in ring k around the origin.
Dataset rings(std::size_t rows, std::uint64_t seed) {
  Dataset data;
  data.schema.features = {{.name = "x"}, {.name = "y"}};
  data.schema.targets = {"ring"};
  data.schema.classes = {"inner", "middle", "outer"};
  data.rows = rows;
  data.columns.resize(2);
  for (std::size_t row = 0; row < rows; ++row) {
    RandomStream random = RandomStream(seed).child(row);
    const double x = 6 * random.uniform() - 3, y = 6 * random.uniform() - 3;
    data.columns[0].push_back(static_cast<float>(x));
    data.columns[1].push_back(static_cast<float>(y));
    const double squared = x * x + y * y;
    data.labels.push_back(squared < 1.5 ? 0 : squared < 5 ? 1 : 2);
  }
  return data;
}

constexpr std::size_t kCandidates = 20;  // tried per node

// What fit() does, with a weak learner of our own.
Forest fit_circles(const Dataset& data, const FitOptions& options) {
  const FixedPointWeights weights =
      fixed_point_weights(std::vector<double>(data.rows, 1), data.rows);
  const DatasetView view = data.view();
  CodedColumns columns(view, 0, 1);
  const FeatureScales scales = measure_scales(view, 1);
  columns.set_centres(scales.centre);
  const std::size_t classes = data.schema.classes.size();
  const ClassHistogramLeaf leaf_model(data.labels, classes, weights);
  const auto make_splitter = [&] {
    TermSource source(columns, scales, FeatureUrn({0, 1}));
    return std::make_unique<SplitSearch<GiniImpurity>>(
        columns, GiniImpurity{data.labels, classes}, weights.units,
        std::make_unique<RandomProjections<DrawCircle>>(std::move(source), kCandidates,
                                                        DrawCircle{}),
        SearchLimits{});
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
  return Forest(std::move(grown.storage), std::move(info));
}

int run() {
  const Dataset training = rings(600, 1), test = rings(3000, 2);
  FitOptions options;
  options.forest.trees = 50;
  options.report.out_of_bag = false;
  const auto errors = [&](const Forest& forest) {
    const Predictions found = Predictor(forest).predict(test.view());
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < test.rows; ++row)
      wrong += found.labels[row] != test.labels[row];
    return 100.0 * static_cast<double>(wrong) / static_cast<double>(test.rows);
  };
  const double by_axis = errors(fit(training.view(), options).forest);
  const double by_circle = errors(fit_circles(training, options));
  std::printf("errors on 3000 test rows, three rings learnt from 600\n");
  std::printf("  one feature per split   %.2f %%\n", by_axis);
  std::printf("  circles                 %.2f %%\n", by_circle);
  return by_circle < by_axis ? 0 : 1;
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
