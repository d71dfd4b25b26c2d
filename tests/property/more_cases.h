// Rows of which determinism and model files are asked, but not all that cases.h is asked of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/property/cases.h"

namespace coppice::test {

// Methods in stages. What they share with the rows above is that nothing but data, options and seed
// decides a model; a leaf may hold more than its own samples, and rows of weight 2 are not two
// rows.
inline std::vector<TaskCase> staged_cases() {
  const TaskChoice gini = Classification{GiniObjective{}, {}};
  const TaskChoice entropy = Classification{EntropyObjective{}, BalancedClassWeights{}};
  const DataShape classes{.numeric = 4, .categorical = 1, .classes = 5, .extreme = true};
  const DataShape weighted{.numeric = 3, .classes = 3, .weights = WeightKind::whole};
  const DataShape number{.numeric = 3, .categorical = 2, .classes = 0, .extreme = true};
  const DataShape numbers{.numeric = 3,
                          .categorical = 1,
                          .classes = 0,
                          .targets = 3,
                          .weights = WeightKind::fractional};
  std::vector<TaskCase> cases;
  for (const auto& [name, loss] :
       {std::pair{"logit", MarginLoss::logit}, std::pair{"hinge", MarginLoss::hinge},
        std::pair{"exponential", MarginLoss::exponential}, std::pair{"savage", MarginLoss::savage},
        std::pair{"tangent", MarginLoss::tangent}}) {
    cases.push_back({std::string("adf_") + name, gini, BinnedThresholds{}, classes,
                     AlternatingForest{{.margin = loss}, 0.8}});
    cases.push_back({std::string("boosted_") + name, entropy, ExactThresholds{}, weighted,
                     BoostedTrees{{.margin = loss}, 1}});
  }
  for (const auto& [name, loss] :
       {std::pair{"squared", ResidualLoss::squared}, std::pair{"absolute", ResidualLoss::absolute},
        std::pair{"huber", ResidualLoss::huber}}) {
    cases.push_back({std::string("arf_") + name, Regression{}, BinnedThresholds{8, 25}, number,
                     AlternatingForest{{.residual = loss}}});
    cases.push_back({std::string("arf_several_") + name, Regression{}, RandomThresholds{2}, numbers,
                     AlternatingForest{{.residual = loss}, 0.5}});
    cases.push_back({std::string("arf_linear_") + name, Regression{{}, LinearLeaf{}},
                     BinnedThresholds{}, number, AlternatingForest{{.residual = loss}}});
  }
  cases.push_back({"arf_linear_several", Regression{{}, LinearLeaf{.regressors = 2, .degree = 2}},
                   ExactThresholds{}, numbers, AlternatingForest{{}, 0.5}});
  for (const auto& [name, loss] :
       {std::pair{"squared", ResidualLoss::squared}, std::pair{"absolute", ResidualLoss::absolute},
        std::pair{"huber", ResidualLoss::huber}}) {
    cases.push_back({std::string("boosted_numbers_") + name, Regression{}, BinnedThresholds{},
                     number, BoostedTrees{{.residual = loss}, 0.3}});
    cases.push_back({std::string("boosted_several_") + name, Regression{}, ExactThresholds{},
                     numbers, BoostedTrees{{.residual = loss}, {}}});
  }
  cases.push_back({"newton", gini, BinnedThresholds{}, weighted, NewtonTrees{}});
  cases.push_back({"newton_two_classes", gini, RandomThresholds{2},
                   DataShape{.numeric = 3, .categorical = 2, .classes = 2}, NewtonTrees{0.5, 0}});
  cases.push_back({"irrf", gini, BinnedThresholds{}, weighted, IntermediateRefinement{}});
  cases.push_back({"irrf_two_classes", gini, RandomThresholds{2},
                   DataShape{.numeric = 3, .categorical = 2, .classes = 2},
                   IntermediateRefinement{0.5, 1}});
  cases.push_back(
      {"irrf_numbers", Regression{}, BinnedThresholds{}, number, IntermediateRefinement{}});
  cases.push_back({"irrf_several", Regression{}, ExactThresholds{}, numbers,
                   IntermediateRefinement{0.5, 0.1}});
  cases.push_back({"dynamic", gini, BinnedThresholds{}, weighted, DynamicForest{}});
  return cases;
}

// Leaves that say more of a row than a mean and a variance.
inline std::vector<TaskCase> leaf_kind_cases() {
  const DataShape number{.numeric = 4, .categorical = 1, .classes = 0, .extreme = true};
  const DataShape numbers{.numeric = 3,
                          .categorical = 1,
                          .classes = 0,
                          .targets = 3,
                          .weights = WeightKind::fractional};
  const auto with = [](auto leaf) { return Regression{{}, leaf}; };
  return {
      {"linear", with(LinearLeaf{}), BinnedThresholds{}, number},
      {"linear_several", with(LinearLeaf{}), ExactThresholds{}, numbers},
      {"polynomial", with(LinearLeaf{.degree = 3}), BinnedThresholds{}, numbers},
      {"probabilistic_constant", with(ProbabilisticConstantLeaf{}), RandomThresholds{1}, numbers},
      {"probabilistic_linear", with(ProbabilisticLinearLeaf{}), BinnedThresholds{}, number},
      {"quantiles", with(QuantileLeaf{}), BinnedThresholds{}, numbers},
      {"histogram_with_prior", Classification{{}, {}, {.prior = 0.5}}, BinnedThresholds{},
       DataShape{.classes = 4}}};
}

}  // namespace coppice::test
