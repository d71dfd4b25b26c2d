#include "report/calibration.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/row_error.h"

namespace coppice {
namespace {

constexpr std::size_t kLevels = ForestInfo::kCalibrationFloats - 1;
// Of the mean squared error, added to every variance: trees that agree by chance must not make a
// residual count for infinitely many deviations.
constexpr double kLeastVarianceShare = 0.3;
constexpr double kLeastShrinkage = 0.5;
constexpr double kReportedCoverage = 0.9;

struct Score {
  double value, weight;
};

// Out-of-bag residuals of one target.
class Residuals {
 public:
  Residuals(const OutOfBag& answers, const DatasetView& data, std::size_t target, std::size_t trees)
      : answers_(answers), data_(data), target_(target), outputs_(data.schema->targets.size()) {
    double squares = 0, total = 0;
    for (std::size_t row = 0; row < data.rows; ++row) {
      if (!covered(row)) continue;
      squares += row_weight(data, row) * residual(row) * residual(row);
      total += row_weight(data, row);
    }
    added_variance_ = static_cast<float>(kLeastVarianceShare * squares / total);
    find_shrinkage(trees);
  }

  float added_variance() const { return added_variance_; }
  bool covered(std::size_t row) const {
    return answers_.votes[row] > 0 && row_weight(data_, row) > 0;
  }
  double score(std::size_t row) const {
    const double deviation =
        std::sqrt(answers_.variance[at(row)] + static_cast<double>(added_variance_));
    return deviation > 0 ? shrinkage_ * residual(row) / deviation : 0;
  }
  double target(std::size_t row) const { return data_.targets[at(row)]; }
  double mean(std::size_t row) const { return answers_.mean[at(row)]; }
  double variance(std::size_t row) const { return answers_.variance[at(row)]; }

  // Scores of the rows with row % 2 == parity, or of all.
  std::vector<Score> scores(int parity) const {
    std::vector<Score> found;
    for (std::size_t row = 0; row < data_.rows; ++row)
      if (covered(row) && (parity < 0 || row % 2 == static_cast<std::size_t>(parity)))
        found.push_back({score(row), row_weight(data_, row)});
    return found;
  }

 private:
  std::size_t at(std::size_t row) const { return row * outputs_ + target_; }
  double residual(std::size_t row) const { return target(row) - mean(row); }

  // The mean of b trees varies by variance / b around that of infinitely many.
  void find_shrinkage(std::size_t trees) {
    double squares = 0, excess = 0;
    for (std::size_t row = 0; row < data_.rows; ++row) {
      const double spread = variance(row) + static_cast<double>(added_variance_);
      if (!covered(row) || !(spread > 0)) continue;
      const double fewer = 1.0 / answers_.votes[row] - 1 / static_cast<double>(trees);
      squares += row_weight(data_, row) * score(row) * score(row);
      excess += row_weight(data_, row) * fewer * variance(row) / spread;
    }
    if (squares > 0) shrinkage_ = std::sqrt(std::max(kLeastShrinkage, 1 - excess / squares));
  }

  const OutOfBag& answers_;
  const DatasetView& data_;
  std::size_t target_, outputs_;
  float added_variance_ = 0;
  double shrinkage_ = 1;
};

// Quantiles at levels i / (kLevels + 1), outwards of the middle by half a row, as if the row to be
// predicted were one of them.
void append_quantiles(std::vector<Score> scores, std::vector<float>& quantiles) {
  std::sort(scores.begin(), scores.end(), [](const Score& a, const Score& b) {
    return std::pair(a.value, a.weight) < std::pair(b.value, b.weight);
  });
  double total = 0;
  for (const Score& score : scores) total += score.weight;
  const double row_share = 1 / static_cast<double>(scores.size());
  double below = 0;
  std::size_t at = 0;
  for (std::size_t i = 1; i <= kLevels; ++i) {
    const double level = static_cast<double>(i) / static_cast<double>(kLevels + 1);
    const double outwards = level + row_share * (level - 0.5);
    while (at + 1 < scores.size() && below + scores[at].weight < outwards * total)
      below += scores[at++].weight;
    quantiles.push_back(static_cast<float>(scores[at].value));
  }
}

std::vector<float> calibration_of(const Residuals& residuals, int parity) {
  std::vector<float> floats{residuals.added_variance()};
  append_quantiles(residuals.scores(parity), floats);
  return floats;
}

double quantile(std::span<const float> scores, double level) {
  const double place =
      std::clamp(level * static_cast<double>(kLevels + 1), 1.0, static_cast<double>(kLevels));
  const auto lower = std::min(static_cast<std::size_t>(place), kLevels - 1);
  const double share = place - static_cast<double>(lower);
  return (1 - share) * static_cast<double>(scores[lower]) +
         share * static_cast<double>(scores[lower + 1]);
}

}  // namespace

Calibrated calibrate(const OutOfBag& answers, const DatasetView& data, std::size_t trees) {
  Calibrated result;
  double within = 0, total = 0;
  for (std::size_t k = 0; k < data.schema->targets.size(); ++k) {
    const Residuals residuals(answers, data, k, trees);
    const std::vector<float> all = calibration_of(residuals, -1);
    result.scores.insert(result.scores.end(), all.begin(), all.end());
    if (answers.rows_covered < 2) continue;
    for (const int parity : {0, 1}) {
      if (residuals.scores(1 - parity).empty()) continue;
      const std::vector<float> others = calibration_of(residuals, 1 - parity);
      for (std::size_t row = static_cast<std::size_t>(parity); row < data.rows; row += 2) {
        if (!residuals.covered(row)) continue;
        const Interval interval = calibrated_interval(others, residuals.mean(row),
                                                      residuals.variance(row), kReportedCoverage);
        const double y = residuals.target(row), weight = row_weight(data, row);
        if (y >= interval.lower && y <= interval.upper) within += weight;
        total += weight;
      }
    }
  }
  result.coverage = total > 0 ? within / total : 0;
  return result;
}

Interval calibrated_interval(std::span<const float> scores, double mean, double variance,
                             double coverage) {
  const double deviation = std::sqrt(variance + static_cast<double>(scores[0]));
  return {mean + deviation * quantile(scores, (1 - coverage) / 2),
          mean + deviation * quantile(scores, (1 + coverage) / 2)};
}

}  // namespace coppice
