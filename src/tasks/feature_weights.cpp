#include "tasks/feature_weights.h"

#include <algorithm>

#include "base/random_stream.h"
#include "coppice/fit.h"
#include "split/feature_urn.h"

namespace coppice {
namespace {

std::vector<double> given_weights(const GivenFeatureWeights& given, const Schema& schema) {
  std::vector<double> weights(schema.features.size(), 1);
  for (const auto& [name, weight] : given.weights)
    for (std::size_t f = 0; f < weights.size(); ++f)
      if (schema.features[f].name == name) weights[f] = weight;
  return weights;
}

std::vector<double> learned_weights(const LearnedFeatureWeights& rule, const DatasetView& data,
                                    FitOptions options, const RunContext& context) {
  options.split.feature_weights = UniformFeatureWeights{};
  options.forest.trees = std::max(kFewestTrees, options.forest.trees / 10);
  // A stream that no tree has: theirs are children by number.
  options.forest.seed = RandomStream(options.forest.seed).child(UINT64_MAX - 1).next();
  options.report = ReportOptions();
  options.report.out_of_bag = false;
  RunContext quiet = context;
  quiet.progress = {};
  quiet.log = {};
  const FitResult first = fit(data, options, quiet);
  const std::vector<float>& importances = first.forest.info().importances.at("impurity");
  std::vector<double> weights;
  for (const float share : importances)
    weights.push_back((1 - rule.uniform_share) * std::max(0.0, double{share}) +
                      rule.uniform_share / static_cast<double>(importances.size()));
  return weights;
}

}  // namespace

std::vector<std::uint32_t> feature_weights(const DatasetView& data, const FitOptions& options,
                                           const RunContext& context) {
  const FeatureWeightChoice& choice = options.split.feature_weights;
  if (const auto* given = std::get_if<GivenFeatureWeights>(&choice))
    return urn_weights(given_weights(*given, *data.schema));
  if (const auto* rule = std::get_if<LearnedFeatureWeights>(&choice))
    return urn_weights(learned_weights(*rule, data, options, context));
  return {};
}

}  // namespace coppice
