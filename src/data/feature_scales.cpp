#include "data/feature_scales.h"

#include <cmath>
#include <span>

#include "base/worker_team.h"

namespace coppice {
namespace {

struct Moments {
  double mean = 0, deviation = 1;
};

// Two passes, in the order of the rows.
Moments moments_of(std::span<const float> values) {
  double sum = 0, count = 0;
  for (const float value : values)
    if (std::isfinite(value)) sum += value, count += 1;
  if (count == 0) return {};
  Moments moments{.mean = sum / count};
  double squares = 0;
  for (const float value : values)
    if (std::isfinite(value)) squares += (value - moments.mean) * (value - moments.mean);
  if (squares > 0) moments.deviation = std::sqrt(squares / count);
  return moments;
}

}  // namespace

FeatureScales measure_scales(const DatasetView& data, std::size_t workers) {
  const std::size_t features = data.columns.size();
  FeatureScales scales{std::vector<float>(features, 0), std::vector<float>(features, 0.5f)};
  for_each_task(features, workers, [&](std::size_t, std::size_t f) {
    if (data.schema->features[f].kind == FeatureKind::categorical) return;
    const Moments moments = moments_of(data.columns[f]);
    scales.centre[f] = static_cast<float>(moments.mean);
    const auto spread = static_cast<float>(moments.deviation);
    scales.spread[f] = spread > 0 && std::isfinite(spread) ? spread : 1;
  });
  return scales;
}

}  // namespace coppice
