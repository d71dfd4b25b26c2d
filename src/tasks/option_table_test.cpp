// Every row must survive show -> set -> show, and every wrong text must be answered by a sentence.
#include "tasks/option_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coppice/error.h"
#include "data/test_file.h"

namespace coppice {
namespace {

FitOptions with(std::initializer_list<std::pair<std::string, std::string>> named_values) {
  FitOptions options;
  set_options(options, std::vector<std::pair<std::string, std::string>>(named_values));
  return options;
}

std::string sentence(std::initializer_list<std::pair<std::string, std::string>> named_values) {
  try {
    with(named_values);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_option);
    return error.what();
  }
  return "no error";
}

std::string shown(const FitOptions& options, const char* name) {
  return find_option(name)->show(options);
}

TEST(OptionTable, NamesAndAliasesAreUnique) {
  std::set<std::string> names;
  for (const OptionRow& row : option_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    for (const char* const alias : row.aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
  }
  EXPECT_GE(names.size(), 19u);
}

TEST(OptionTable, ShownTextIsAcceptedAndStable) {
  const FitOptions odd[] = {
      with({}),
      with({{"task", "regression"}, {"max-features", "1.0"}, {"max-depth", "7"}}),
      with({{"bins", "64"}, {"criterion", "entropy"}, {"class-weight", "<=50K=2,b=0.5"}}),
      with({{"random-thresholds", "3"}, {"bagging", "without-replacement"}, {"oob", "no"}}),
      with({{"max-features", "0.25"}, {"importance", "unbiased,permutation"}, {"seed", "99"}}),
      with({{"max-node-samples", "100"}, {"growth-order", "breadth-first"}}),
      with({{"split", "oblique:0.7,lda:0.3"}, {"coefficients", "sign"}, {"candidates", "9"}}),
      with({{"split", "conic"}, {"split-features", "4"}, {"two-sided", "true"}}),
      with({{"split", "boxes,axis:0.5"}, {"image-width", "28"}, {"box-side", "4"}}),
      with({{"criterion", "tsallis"}, {"criterion-order", "1.5"}}),
      with({{"recipe", "ccf"}}),
      with({{"task", "regression"}, {"recipe", "einfalt-so"}}),
      with({{"task", "regression"}, {"recipe", "einfalt-or"}}),
      with({{"task", "regression"}, {"criterion", "variance-features"}, {"kappa", "0.25"}}),
      with({{"task", "regression"}, {"objective", "log-det"}, {"feature-weights", "learned"}}),
      with({{"criterion", "twoing"}, {"class-weight", "resample"}, {"feature-weights", "a=2,b=0"}}),
  };
  for (const FitOptions& options : odd) {
    FitOptions copy;
    for (const OptionRow& row : option_table()) {
      if (const std::string text = row.show(options); !text.empty()) row.set(copy, text);
    }
    for (const OptionRow& row : option_table()) EXPECT_EQ(row.show(options), row.show(copy));
  }
}

TEST(OptionTable, SetsTheField) {
  const FitOptions options = with(
      {{"trees", "33"}, {"mtry", "4"}, {"min_node_size", "9"}, {"random-state", "12345678901"}});
  EXPECT_EQ(options.forest.trees, 33u);
  EXPECT_EQ(std::get<FeatureCount>(options.split.max_features).count, 4u);
  EXPECT_EQ(options.growth.min_samples_leaf, 9u);
  EXPECT_EQ(options.forest.seed, 12345678901u);
}

TEST(OptionTable, RecipesGiveWayToOtherOptions) {
  const FitOptions ccf = with({{"bagging", "with-replacement"}, {"recipe", "ccf"}});
  ASSERT_EQ(ccf.split.learners.size(), 1u);
  EXPECT_EQ(ccf.split.learners[0].kind, WeakLearnerKind::canonical);
  EXPECT_EQ(ccf.sampling.bagging, Bagging::with_replacement);
  EXPECT_EQ(with({{"recipe", "extra-trees"}}).sampling.bagging, Bagging::none);
  EXPECT_NE(sentence({{"recipe", "bremain"}}).find("did you mean breiman?"), std::string::npos);
}

TEST(OptionTable, FeatureWeightsAreAListOrAFile) {
  const auto weights = [](const char* text) {
    const FitOptions options = with({{"feature-weights", text}});
    return std::get<GivenFeatureWeights>(options.split.feature_weights).weights;
  };
  const std::vector<std::pair<std::string, double>> expected{{"age", 3}, {"x=1", 0.5}};
  EXPECT_EQ(weights("age=3,x=1=0.5"), expected);
  const TestFile file("weights.csv", "feature,weight\nage,3\n\nx=1,0.5\n");
  EXPECT_EQ(weights(file.path().c_str()), expected);
  const TestFile wrong("wrong.csv", "age,3\nheight,tall\n");
  EXPECT_NE(sentence({{"feature-weights", wrong.path().c_str()}}).find("'tall'"),
            std::string::npos);
  EXPECT_NE(sentence({{"feature-weights", "no/such/file"}}).find("a file that exists"),
            std::string::npos);
  EXPECT_NE(sentence({{"feature-weights", "age=-1"}}).find("negative"), std::string::npos);
}

TEST(OptionTable, SharesOfLearnersArePositive) {
  EXPECT_NE(sentence({{"split", "oblique:0"}}).find("above 0"), std::string::npos);
  EXPECT_NE(sentence({{"split", "obliqe"}}).find("did you mean oblique?"), std::string::npos);
  EXPECT_NE(sentence({{"criterion-order", "2"}}).find("belongs to"), std::string::npos);
}

TEST(OptionTable, SynonymsOfOtherLibraries) {
  EXPECT_EQ(with({{"bootstrap", "false"}}).sampling.bagging, Bagging::none);
  EXPECT_EQ(with({{"bootstrap", "true"}}).sampling.bagging, Bagging::with_replacement);
  EXPECT_EQ(shown(with({{"splitter", "best"}}), "threshold"), "exact");
  EXPECT_EQ(shown(with({{"threshold", "exhaustive"}}), "threshold"), "exact");
  EXPECT_EQ(shown(with({{"threshold", "quantile"}}), "threshold"), "bins");
}

TEST(OptionTable, BinsAreTheDefault) {
  EXPECT_EQ(shown(with({}), "threshold"), "bins");
  EXPECT_EQ(shown(with({}), "bins"), "256");
  EXPECT_EQ(shown(with({}), "exact-rows"), "2048");
  EXPECT_EQ(shown(with({{"task", "regression"}}), "exact-rows"), "8192");
  const FitOptions options = with({{"exact-rows", "0"}, {"bins", "64"}});
  EXPECT_EQ(std::get<BinnedThresholds>(options.split.thresholds).exact_rows, 0u);
  EXPECT_EQ(std::get<BinnedThresholds>(options.split.thresholds).bins, 64u);
  EXPECT_EQ(shown(with({{"threshold", "exact"}}), "bins"), "");
  EXPECT_EQ(shown(with({{"threshold", "exact"}}), "exact-rows"), "");
}

TEST(OptionTable, OneIsACountAndOnePointZeroAFraction) {
  EXPECT_TRUE(std::holds_alternative<FeatureCount>(with({{"mtry", "1"}}).split.max_features));
  EXPECT_TRUE(std::holds_alternative<FeatureFraction>(with({{"mtry", "1.0"}}).split.max_features));
}

TEST(OptionTable, OrderOfSettingDoesNotMatter) {
  const FitOptions options = with({{"bins", "16"},
                                   {"threshold", "quantile"},
                                   {"exact-rows", "100"},
                                   {"bins", "32"},
                                   {"criterion", "variance"},
                                   {"task", "regression"}});
  EXPECT_EQ(shown(options, "bins"), "32");
  EXPECT_EQ(shown(options, "exact-rows"), "100");
  EXPECT_EQ(shown(options, "criterion"), "variance");
}

TEST(OptionTable, SentencesForWrongValues) {
  EXPECT_EQ(sentence({{"max-depth", "abc"}}),
            "--max-depth: 'abc' is not a whole number; try --max-depth 12");
  EXPECT_EQ(sentence({{"trees", "0"}}), "--n-estimators: 0 is too small; at least 1");
  EXPECT_EQ(sentence({{"trees", "4294967296"}}),
            "--n-estimators: 4294967296 is too large; at most 4294967295");
  EXPECT_EQ(sentence({{"trees", "99999999999999999999999"}}),
            "--n-estimators: 99999999999999999999999 is too large; at most 4294967295");
  EXPECT_EQ(sentence({{"trees", "-1"}}),
            "--n-estimators: '-1' is not a whole number; try --n-estimators 500");
  EXPECT_EQ(
      sentence({{"criterion", "gin"}}),
      "--criterion: 'gin' is not one of gini, entropy, tsallis, renyi, twoing, variance, absolute, "
      "variance-features, log-det, probabilistic-linear; did you mean gini?");
  EXPECT_EQ(sentence({{"max-dept", "3"}}),
            "--max-dept: there is no such option; did you mean --max-depth?");
  for (const char* const wrong : {"", "1e400", "nan", "inf", "2x", "-0.5", "0"}) {
    EXPECT_NE(sentence({{"max-samples", wrong}}), "no error") << wrong;
    EXPECT_NE(sentence({{"max-features", wrong}}), "no error") << wrong;
  }
  EXPECT_NE(sentence({{"max-features", "1.5"}}), "no error");
  EXPECT_EQ(sentence({{"max-samples", "1.5"}}), "no error");
}

TEST(OptionTable, ContradictionsAreRefused) {
  EXPECT_NE(sentence({{"task", "regression"}, {"criterion", "gini"}}).find("add --task"),
            std::string::npos);
  for (const char* const name : {"bins", "exact-rows"})
    EXPECT_NE(sentence({{"threshold", "random"}, {name, "9"}}).find("--threshold bins"),
              std::string::npos);
  EXPECT_NE(sentence({{"task", "regression"}, {"class-weight", "balanced"}}), "no error");
  EXPECT_NE(sentence({{"criterion", "absolute"}}).find("add --task regression"), std::string::npos);
  EXPECT_NE(sentence({{"task", "regression"}, {"kappa", "1"}}).find("variance-features"),
            std::string::npos);
}

TEST(OptionTable, ShownOptionsAreSortedAndLeaveOutWhatNeverMatters) {
  const auto options = shown_options(with({{"growth-order", "breadth-first"}}));
  EXPECT_TRUE(std::is_sorted(options.begin(), options.end()));
  for (const auto& [name, value] : options) {
    EXPECT_NE(name, "growth-order");
    EXPECT_NE(name, "random-thresholds");
    EXPECT_FALSE(value.empty()) << name;
  }
}

}  // namespace
}  // namespace coppice
