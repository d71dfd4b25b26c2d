// p(y|x) of rows: what the leaves of all trees say, as a mixture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/worker_team.h"
#include "coppice/error.h"
#include "coppice/predict.h"
#include "infer/row_blocks.h"
#include "infer/votes.h"
#include "report/calibration.h"
#include "tasks/mixture.h"

namespace coppice {
namespace {

void refuse_senseless(const DistributionQuery& query, const ForestInfo& info) {
  const auto require = [](bool holds, const std::string& sentence) {
    if (!holds) throw Error(ErrorKind::invalid_option, sentence);
  };
  require(!predicts_classes(info.payload_kind),
          "quantiles, intervals, densities and modes are for regression; this model classifies");
  for (const double level : query.quantiles)
    require(level > 0 && level < 1,
            fmt::format("the quantile {} does not lie between 0 and 1", level));
  for (const double y : query.density_at)
    require(std::isfinite(y), fmt::format("there is no density at {}", y));
  if (!query.interval) return;
  require(*query.interval > 0 && *query.interval < 1,
          fmt::format("an interval of {} of the targets does not lie between 0 and 1; try 0.9",
                      *query.interval));
  require(!info.calibration.empty(),
          "the model does not know how wide intervals must be; train it with --calibration true");
}

// The parts of a row's mixture for every target.
class MixtureReader {
 public:
  MixtureReader(const Forest& forest, const DatasetView& data, const LeafIds& ids)
      : arrays_(forest.arrays()), rule_(forest), data_(data), ids_(ids) {}

  std::vector<Mixture> read(std::size_t row) const {
    std::vector<std::vector<Mixture::Part>> parts(rule_.outputs());
    const auto value = [&](std::uint32_t feature) { return data_.columns[feature][row]; };
    LeafAnswer answer;
    for (std::size_t tree = 0; tree < ids_.trees(); ++tree) {
      const auto payload = arrays_.payload_of(arrays_.first_leaf(tree) + ids_.leaf(tree, row));
      read_leaf(rule_.layout(), payload, value, answer);
      for (std::size_t k = 0; k < parts.size(); ++k) append(payload, answer, k, parts[k]);
    }
    std::vector<Mixture> mixtures;
    for (auto& of_target : parts) mixtures.emplace_back(std::move(of_target), ids_.trees());
    return mixtures;
  }

 private:
  void append(std::span<const float> payload, const LeafAnswer& answer, std::size_t k,
              std::vector<Mixture::Part>& parts) const {
    const double weight = rule_.weight_of(answer.variance[k], k);
    const std::size_t points = rule_.layout().points();
    if (points == 0) parts.push_back({answer.mean[k], std::sqrt(answer.variance[k]), weight});
    for (std::size_t i = 0; i < points; ++i)
      parts.push_back({double{payload[rule_.layout().quantiles(k) + i]}, 0, weight});
  }

  const ForestArrays& arrays_;
  VoteRule rule_;
  const DatasetView& data_;
  const LeafIds& ids_;
};

// The product of Gaussians is one; what adds up has one answer, too.
std::vector<Mixture> single_gaussians(const Predictions& answers, std::size_t row) {
  std::vector<Mixture> mixtures;
  for (std::size_t n = row * answers.outputs; n < (row + 1) * answers.outputs; ++n)
    mixtures.push_back(Mixture({{answers.mean[n], std::sqrt(answers.variance[n]), 1}}, 1));
  return mixtures;
}

void answer_row(const DistributionQuery& query, const std::vector<Mixture>& mixtures,
                std::size_t row, Distributions& result) {
  const std::size_t levels = query.quantiles.size(), values = query.density_at.size();
  for (std::size_t k = 0; k < mixtures.size(); ++k) {
    const std::size_t at = row * mixtures.size() + k;
    for (std::size_t n = 0; n < levels; ++n)
      result.quantiles[at * levels + n] = mixtures[k].quantile(query.quantiles[n]);
    for (std::size_t n = 0; n < values; ++n)
      result.density[at * values + n] = mixtures[k].density(query.density_at[n]);
    if (query.mode) result.mode[at] = mixtures[k].mode();
  }
}

void answer_intervals(const Predictions& answers, const ForestInfo& info, double coverage,
                      Distributions& result) {
  for (std::size_t n = 0; n < answers.mean.size(); ++n) {
    const std::size_t target = n % answers.outputs;
    const auto scores =
        std::span(info.calibration)
            .subspan(target * ForestInfo::kCalibrationFloats, ForestInfo::kCalibrationFloats);
    const Interval interval =
        calibrated_interval(scores, answers.mean[n], answers.variance[n], coverage);
    result.lower.push_back(interval.lower);
    result.upper.push_back(interval.upper);
  }
}

}  // namespace

Distributions Predictor::distributions(const DatasetView& data, const DistributionQuery& query,
                                       const RunContext& context) const {
  const ForestInfo& info = forest().info();
  refuse_senseless(query, info);
  Distributions result;
  Predictions answers;
  const bool one = info.ensemble == Ensemble::product || info.ensemble == Ensemble::sum;
  if (query.interval || one) answers = predict(data, context);
  if (query.interval) answer_intervals(answers, info, *query.interval, result);
  if (query.quantiles.empty() && query.density_at.empty() && !query.mode) return result;
  const std::size_t size = data.rows * info.schema.targets.size();
  result.quantiles.resize(size * query.quantiles.size());
  result.density.resize(size * query.density_at.size());
  result.mode.resize(query.mode ? size : 0);
  const LeafIds ids = apply(data, context);
  const MixtureReader reader(forest(), data, ids);
  for_each_row_block(data.rows, worker_count(context.threads),
                     [&](std::size_t, std::size_t first, std::size_t count) {
                       for (std::size_t row = first; row < first + count; ++row)
                         answer_row(query, one ? single_gaussians(answers, row) : reader.read(row),
                                    row, result);
                     });
  return result;
}

}  // namespace coppice
