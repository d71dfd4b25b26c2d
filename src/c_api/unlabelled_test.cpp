// Densities, manifolds and few labels through the C interface, which must repeat C++ to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "c_api/test_handles.h"
#include "coppice/c_unlabelled.h"
#include "coppice/coppice.h"

namespace coppice {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

ForestHandle forest_of(const Dataset& data, const char* task) {
  const OptionsHandle options = options_of({{"task", task}, {"trees", "8"}, {"max-depth", "4"}});
  return fit(handle_of(data).get(), options.get());
}

Forest loaded_twin(const CoppiceForest* forest) {
  const TestFile file("twin.coppice", "");
  EXPECT_OK(coppice_forest_save(forest, file.path().c_str()));
  return Forest::load(file.path());
}

struct Moons {
  Dataset data = generate({.shape = ToyShape::moons, .rows = 300});
  DatasetHandle dataset = handle_of(data);
};

struct MoonDensity : Moons {
  ForestHandle forest = forest_of(data, "density");
  Forest twin = loaded_twin(forest.get());
  DensityModel model{twin};
};

TEST(CApiUnlabelled, LogDensitiesAreThoseOfCpp) {
  const MoonDensity moons;
  std::vector<double> logs(300), unusual(300);
  EXPECT_OK(coppice_log_density(moons.forest.get(), moons.dataset.get(), 1, logs.data(), 300,
                                unusual.data(), 300));
  EXPECT_EQ(logs, moons.model.log_density(moons.data.view()));
  EXPECT_EQ(unusual, moons.model.unusual(logs));
  EXPECT_REFUSED(
      coppice_log_density(moons.forest.get(), moons.dataset.get(), 1, logs.data(), 299, nullptr, 0),
      coppice_invalid_option, "log_density");
}

TEST(CApiUnlabelled, SamplesAreThoseOfCpp) {
  const MoonDensity moons;
  std::vector<float> drawn(40);
  EXPECT_OK(coppice_sample(moons.forest.get(), 20, 3, drawn.data(), drawn.size()));
  EXPECT_EQ(drawn, moons.model.sample(20, 3));
  EXPECT_REFUSED(coppice_sample(moons.forest.get(), 21, 3, drawn.data(), drawn.size()),
                 coppice_invalid_option, "values");
}

TEST(CApiUnlabelled, ConditionalsAreThoseOfCpp) {
  const MoonDensity moons;
  const std::vector<float> row{0.5f, kUnknown};
  const std::vector<double> at{-0.5, 0, 0.5, 1};
  std::vector<double> mean(2), variance(2), density(at.size());
  std::vector<float> sample(10);
  auto asked = sized<CoppiceConditional>();
  asked.mean = mean.data();
  asked.variance = variance.data();
  asked.mean_size = asked.variance_size = 2;
  asked.density_of = 1;
  asked.density_at = at.data();
  asked.density = density.data();
  asked.density_at_size = asked.density_size = at.size();
  asked.sample_rows = 5;
  asked.sample_seed = 9;
  asked.sample = sample.data();
  asked.sample_size = sample.size();
  EXPECT_OK(coppice_condition(moons.forest.get(), row.data(), 2, &asked));
  const Conditional expected = moons.model.condition(row);
  EXPECT_EQ(asked.log_known, expected.log_known());
  EXPECT_EQ(mean, (std::vector<double>{0.5, expected.moments().mean[0]}));
  EXPECT_EQ(variance, (std::vector<double>{0, expected.moments().variance[0]}));
  EXPECT_EQ(density, expected.density(1, at));
  EXPECT_EQ(sample, expected.sample(5, 9));

  asked.density_of = 0;
  EXPECT_REFUSED(coppice_condition(moons.forest.get(), row.data(), 2, &asked),
                 coppice_invalid_option, "density_of");
  asked.density_of = 1;
  asked.variance_size = 1;
  EXPECT_REFUSED(coppice_condition(moons.forest.get(), row.data(), 2, &asked),
                 coppice_invalid_option, "variance");
}

TEST(CApiUnlabelled, OnlyDensitiesAreAskedForDensities) {
  const Toy toy(ToyShape::moons);
  float drawn[2] = {};
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_REFUSED(coppice_sample(toy.forest.get(), 1, 1, drawn, 2), coppice_invalid_option,
                   "density");
  }
}

TEST(CApiUnlabelled, EmbedsAndClustersAsCppDoes) {
  const Moons moons;
  const OptionsHandle options = options_of({{"trees", "30"}, {"task", "manifold"}});
  const ForestHandle forest = fit(moons.dataset.get(), options.get());
  const Dataset directed = manifold_dataset(moons.data.view());
  FitOptions chosen = manifold_options(300, 2);
  chosen.forest.trees = 30;
  const Forest expected = fit(directed.view(), chosen).forest;
  const TestFile ours("c.coppice", ""), theirs("cpp.coppice", "");
  EXPECT_OK(coppice_forest_save(forest.get(), ours.path().c_str()));
  expected.save(theirs.path());
  EXPECT_EQ(bytes_of(ours.path()), bytes_of(theirs.path()));

  std::vector<double> coordinates(300 * 3);
  std::size_t dimension = 0;
  EXPECT_OK(coppice_embed(forest.get(), moons.dataset.get(), 2, 3, coordinates.data(),
                          coordinates.size(), &dimension));
  const Embedding embedding = embed(expected, moons.data.view(), {.dimensions = 3});
  EXPECT_EQ(coordinates, embedding.coordinates);
  EXPECT_EQ(dimension, embedding.profile.intrinsic_dimension);

  std::vector<std::uint32_t> clusters(300);
  EXPECT_OK(coppice_cluster(forest.get(), moons.dataset.get(), 2, 2, 5, clusters.data(), 300));
  EXPECT_EQ(clusters, cluster(expected, moons.data.view(), {.clusters = 2, .seed = 5}).cluster);
  EXPECT_REFUSED(coppice_cluster(forest.get(), moons.dataset.get(), 2, 2, 5, clusters.data(), 30),
                 coppice_invalid_option, "cluster");
}

TEST(CApiUnlabelled, FewLabelsReachTheOtherRows) {
  const Dataset known = generate({.shape = ToyShape::moons, .rows = 300, .noise = 0.05});
  Dataset few = known;
  for (std::size_t row = 10; row < few.rows; ++row) few.labels[row] = kNoLabel;
  const DatasetHandle dataset = handle_of(few);
  const OptionsHandle options = options_of({{"task", "semi-supervised"}, {"trees", "20"}});
  const ForestHandle forest = fit(dataset.get(), options.get());
  std::vector<std::uint32_t> labels(300);
  auto answers = label_answers(labels.data(), 300);
  EXPECT_OK(coppice_predict_dataset(forest.get(), dataset.get(), 1, &answers));
  std::size_t right = 0;
  for (std::size_t row = 0; row < 300; ++row) right += labels[row] == known.labels[row];
  EXPECT_GT(right, 290u);
}

TEST(CApiUnlabelled, AsksAboutTheRowsThatCppAsksAbout) {
  const Toy toy(ToyShape::spirals);
  std::vector<std::size_t> rows(7);
  std::vector<double> scores(7);
  EXPECT_OK(coppice_query(toy.forest.get(), toy.dataset.get(), 1, "entropy", 0.5, rows.data(),
                          scores.data(), 7));
  const Forest twin = loaded_twin(toy.forest.get());
  const auto expected = query(Predictor(twin), toy.data.view(),
                              {.strategy = QueryStrategy::entropy, .batch = 7, .diversity = 0.5});
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(rows[i], expected[i].row);
    EXPECT_EQ(scores[i], expected[i].score);
  }
  EXPECT_REFUSED(
      coppice_query(toy.forest.get(), toy.dataset.get(), 1, "luck", 0.5, rows.data(), nullptr, 7),
      coppice_invalid_option, "luck");
  EXPECT_REFUSED(coppice_query(toy.forest.get(), toy.dataset.get(), 1, "margin", 0.5, rows.data(),
                               nullptr, 301),
                 coppice_invalid_option, "rows");
}

}  // namespace
}  // namespace coppice
