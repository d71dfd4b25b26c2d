// Payloads of every kind: sound ones survive files and text, damaged ones are refused.
#include "model/payload_faults.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "model/test_forests.h"

namespace coppice {
namespace {

struct KindCase {
  PayloadKind kind;
  std::vector<float> payload;  // of a leaf about two targets
};

// Features of small_info(): 0 and 2 are numbers, 1 and 3 are categories.
std::vector<KindCase> sound_payloads() {
  const std::vector<float> linear{1,    2, 0.5f, 0.25f, 2, 1, 0.5f, 4, 0, 0, 2, 1, 1,
                                  0.5f, 0, 0,    0,     0, 0, 7,    8, 9, 1, 2, 3};
  std::vector<float> gaussian = linear;
  gaussian.insert(gaussian.end(), {0.1f, 1, 0.5f, 1, 0, 0, 0});
  return {{PayloadKind::mean_covariance, {1, 2, 4, 9, -5}},
          {PayloadKind::mean_quantiles, {1, 2, 4, 9, 0, 1, 2, -1, -1, 5}},
          {PayloadKind::linear, linear},
          {PayloadKind::linear_gaussian, gaussian}};
}

Forest leaf_forest(const KindCase& given, Ensemble ensemble = Ensemble::mean) {
  ForestInfo info = test::small_info(given.kind);
  info.ensemble = ensemble;
  TreeArrays tree;
  tree.payload = given.payload;
  tree.support = {3};
  ForestBuilder builder(given.payload.size());
  builder.append(tree);
  return Forest(builder.finish(), std::move(info));
}

std::string problem(const KindCase& given) {
  return test::refusal([&] { leaf_forest(given); });
}

TEST(PayloadFaults, SoundPayloadsSurviveFileAndText) {
  const std::string folder = test::fresh_folder();
  for (const KindCase& given : sound_payloads())
    for (const Ensemble ensemble : {Ensemble::mean, Ensemble::product, Ensemble::confidence}) {
      const Forest forest = leaf_forest(given, ensemble);
      forest.save(folder + "/m");
      forest.save_json(folder + "/m.json");
      test::expect_same_forest(forest, Forest::load(folder + "/m"));
      test::expect_same_forest(forest, Forest::load_json(folder + "/m.json"));
      EXPECT_EQ(Forest::load(folder + "/m").info().ensemble, ensemble);
      EXPECT_EQ(Forest::load_json(folder + "/m.json").info().ensemble, ensemble);
    }
}

TEST(PayloadFaults, EveryValueMustBeFiniteAndSizesMustFit) {
  for (const KindCase& given : sound_payloads()) {
    for (std::size_t at = 0; at < given.payload.size(); ++at)
      for (const float bad :
           {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        KindCase changed = given;
        changed.payload[at] = bad;
        EXPECT_NE(problem(changed), "");
      }
    KindCase longer = given;
    longer.payload.push_back(0);
    EXPECT_NE(problem(longer), "");
    KindCase negative = given;
    negative.payload[3] = -1;
    EXPECT_NE(problem(negative), "");
  }
}

TEST(PayloadFaults, WhatTheKindsPromise) {
  const auto changed = [](std::size_t number, std::size_t at, float value) {
    KindCase given = sound_payloads()[number];
    given.payload[at] = value;
    return problem(given);
  };
  EXPECT_NE(changed(0, 4, 7), "");  // covariance beyond both deviations
  EXPECT_NE(changed(1, 5, 3), "");  // quantiles out of order
  for (const std::size_t linear : {2u, 3u}) {
    EXPECT_NE(changed(linear, 4, 1), "");  // a category as regressor
    EXPECT_NE(changed(linear, 4, 4), "");  // no such feature
    EXPECT_NE(changed(linear, 4, -1), "");
    EXPECT_NE(changed(linear, 4, 0.5f), "");
    EXPECT_NE(changed(linear, 5, 9), "");  // the power
    EXPECT_NE(changed(linear, 5, 1.5f), "");
    EXPECT_NE(changed(linear, 14, 99), "");  // the feature of a term that is not there
  }
  EXPECT_NE(changed(3, 25, -1), "");  // 1 / n
}

// Of two features: means, variances, covariance, log weight, log mass and its error.
TEST(PayloadFaults, GaussiansHaveAFactorAndAMass) {
  const auto refusal = [](std::size_t at, float value, Schema schema = {}) {
    ForestInfo info = test::small_info(PayloadKind::gaussian);
    if (schema.features.empty()) schema.features = {{"a"}, {"b"}};
    info.schema = std::move(schema);
    info.importances.clear();
    TreeArrays tree;
    tree.payload = {1, 2, 4, 9, 5, -0.5f, -0.25f, 0.001f};
    tree.payload[at] = value;
    tree.support = {3};
    ForestBuilder builder(tree.payload.size());
    builder.append(tree);
    return test::refusal([&] {
      const Forest forest(builder.finish(), info);
      const std::string path = test::fresh_folder() + "/m";
      forest.save(path);
      forest.save_json(path + ".json");
      test::expect_same_forest(forest, Forest::load(path));
      test::expect_same_forest(forest, Forest::load_json(path + ".json"));
    });
  };
  EXPECT_EQ(refusal(0, 1), "");
  EXPECT_NE(refusal(2, -4), "");
  EXPECT_NE(refusal(3, 0), "");
  EXPECT_NE(refusal(4, 6), "");  // no factor
  EXPECT_NE(refusal(4, -6.5f), "");
  EXPECT_NE(refusal(6, 0.5f), "");  // a mass above 1
  EXPECT_NE(refusal(7, -1), "");
  for (std::size_t at = 0; at < 8; ++at)
    EXPECT_NE(refusal(at, std::numeric_limits<float>::quiet_NaN()), "");
  EXPECT_NE(refusal(0, 1, {.features = {{"a"}, {"b"}, {"c"}}, .targets = {}, .classes = {}}), "");
  EXPECT_NE(refusal(0, 1, {.features = {{"a"}, {"b"}}, .targets = {"y"}, .classes = {}}), "");
  EXPECT_NE(refusal(0, 1,
                    {.features = {{"a"}, {"b", FeatureKind::categorical, {"x"}}},
                     .targets = {},
                     .classes = {}}),
            "");
}

TEST(PayloadFaults, CalibrationMustBeInOrder) {
  const auto calibrated = [](std::size_t size, std::size_t at, float value) {
    return test::refusal([&] {
      ForestInfo info = test::small_info(PayloadKind::mean_variance);
      for (std::size_t n = 0; n < size; ++n)
        info.calibration.push_back(static_cast<float>(n % ForestInfo::kCalibrationFloats));
      info.calibration[at] = value;
      const Forest forest =
          leaf_forest({PayloadKind::mean_variance, {1, 2, 3, 4}}).with_info(std::move(info));
      const std::string path = test::fresh_folder() + "/m";
      forest.save(path);
      EXPECT_EQ(Forest::load(path).info().calibration, forest.info().calibration);
      forest.save_json(path + ".json");
      EXPECT_EQ(Forest::load_json(path + ".json").info().calibration, forest.info().calibration);
    });
  };
  EXPECT_EQ(calibrated(400, 200, 0.5f), "");
  EXPECT_NE(calibrated(200, 0, 0), "");
  EXPECT_NE(calibrated(400, 200, -0.5f), "");
  EXPECT_NE(calibrated(400, 7, 9), "");
  EXPECT_NE(calibrated(400, 7, std::numeric_limits<float>::infinity()), "");
}

TEST(PayloadFaults, OnlyClassesAreVotedFor) {
  const KindCase means{PayloadKind::mean_variance, {1, 2, 3, 4}};
  EXPECT_EQ(problem(means), "");
  EXPECT_NE(test::refusal([&] { leaf_forest(means, Ensemble::vote); }), "");
}

TEST(PayloadFaults, ScoresAreFiniteAndOnlyAddedUp) {
  const KindCase scores{PayloadKind::class_scores, {-4, 0.5f, 1e30f}};
  EXPECT_EQ(test::refusal([&] { leaf_forest(scores, Ensemble::sum); }), "");
  for (const Ensemble other :
       {Ensemble::mean, Ensemble::product, Ensemble::vote, Ensemble::confidence})
    EXPECT_NE(test::refusal([&] { leaf_forest(scores, other); }), "");
  EXPECT_NE(test::refusal([&] {
              leaf_forest({PayloadKind::class_histogram, {0, 1, 0}}, Ensemble::sum);
            }),
            "");
  EXPECT_EQ(test::refusal([&] {
              leaf_forest({PayloadKind::mean_variance, {1, 2, 3, 4}}, Ensemble::sum);
            }),
            "");
  EXPECT_NE(test::refusal([&] {
              leaf_forest({PayloadKind::mean_covariance, {1, 2, 3, 4, 0}}, Ensemble::sum);
            }),
            "");
  for (std::size_t at = 0; at < 3; ++at)
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
      KindCase changed = scores;
      changed.payload[at] = bad;
      EXPECT_NE(test::refusal([&] { leaf_forest(changed, Ensemble::sum); }), "");
    }
  EXPECT_NE(test::refusal([&] {
              leaf_forest({PayloadKind::class_scores, {1, 2}}, Ensemble::sum);
            }),
            "");
}

}  // namespace
}  // namespace coppice
