#include "grow/sampling.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "data/fixed_point.h"

namespace coppice {
namespace {

std::vector<SampleId> rows_with_weight(std::span<const std::uint32_t> weights) {
  std::vector<SampleId> rows;
  rows.reserve(weights.size());
  for (std::size_t row = 0; row < weights.size(); ++row)
    if (weights[row] > 0) rows.push_back(static_cast<SampleId>(row));
  return rows;
}

// A draw that would lift the total weight over its limit does not count; only weights as uneven as
// one row against all others come near it.
void draw_with_replacement(std::span<const SampleId> eligible,
                           std::span<const std::uint32_t> weights, std::size_t count,
                           RandomStream random, LargeVector<std::uint16_t>& draws) {
  std::uint64_t total = 0;
  constexpr std::uint16_t kMost = std::numeric_limits<std::uint16_t>::max();
  for (std::size_t i = 0; i < count; ++i) {
    const SampleId row = eligible[random.below(static_cast<std::uint32_t>(eligible.size()))];
    if (draws[row] == kMost || total + weights[row] > kMaxTotalWeight) continue;
    ++draws[row];
    total += weights[row];
  }
}

// Selection sampling: each row is taken with probability wanted / left.
void draw_without_replacement(std::span<const SampleId> eligible, std::size_t count,
                              RandomStream random, LargeVector<std::uint16_t>& draws) {
  std::size_t wanted = count;
  for (std::size_t i = 0; i < eligible.size(); ++i) {
    if (random.below(static_cast<std::uint32_t>(eligible.size() - i)) >= wanted) continue;
    draws[eligible[i]] = 1;
    --wanted;
  }
}

void draw(std::span<const SampleId> eligible, std::span<const std::uint32_t> weights,
          const SamplingOptions& options, std::size_t count, RandomStream random,
          LargeVector<std::uint16_t>& draws) {
  if (options.bagging == Bagging::with_replacement) {
    draw_with_replacement(eligible, weights, count, random, draws);
  } else {
    draw_without_replacement(eligible, count, random, draws);
  }
}

// The rows of each class that has any.
std::vector<std::vector<SampleId>> by_class(std::span<const SampleId> rows,
                                            std::span<const std::uint32_t> classes) {
  std::vector<std::vector<SampleId>> parts;
  for (const SampleId row : rows) {
    if (parts.size() <= classes[row]) parts.resize(classes[row] + 1);
    parts[classes[row]].push_back(row);
  }
  std::erase_if(parts, [](const auto& part) { return part.empty(); });
  return parts;
}

void sort_rows(Bag& bag) {
  for (std::size_t row = 0; row < bag.draws.size(); ++row)
    (bag.draws[row] > 0 ? bag.inside : bag.outside).push_back(static_cast<SampleId>(row));
}

}  // namespace

std::size_t samples_drawn(const SamplingOptions& options, std::size_t eligible) {
  if (options.bagging == Bagging::none) return eligible;
  const double share = std::floor(options.max_samples * static_cast<double>(eligible) + 0.5);
  return std::max<std::size_t>(1, static_cast<std::size_t>(share));
}

Bag draw_bag(std::span<const std::uint32_t> weights, const SamplingOptions& options,
             RandomStream random, std::span<const std::uint32_t> classes) {
  const std::vector<SampleId> eligible = rows_with_weight(weights);
  Bag bag;
  bag.draws.assign(weights.size(), 0);
  if (classes.empty()) {
    draw(eligible, weights, options, samples_drawn(options, eligible.size()), random, bag.draws);
  } else {
    const auto parts = by_class(eligible, classes);
    const auto smallest =
        std::min_element(parts.begin(), parts.end(),
                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const std::size_t count = samples_drawn(options, smallest->size());
    for (std::size_t c = 0; c < parts.size(); ++c)
      draw(parts[c], weights, options, count, random.child(c), bag.draws);
  }
  sort_rows(bag);
  return bag;
}

Bag draw_bag_by_weight(std::span<const std::uint32_t> weights, const SamplingOptions& options,
                       RandomStream random) {
  std::vector<std::uint64_t> up_to(weights.size());
  std::inclusive_scan(weights.begin(), weights.end(), up_to.begin(), std::plus<>{},
                      std::uint64_t{0});
  const auto eligible = static_cast<std::size_t>(
      std::count_if(weights.begin(), weights.end(), [](std::uint32_t w) { return w > 0; }));
  const std::size_t count = samples_drawn(options, eligible);
  Bag bag;
  bag.draws.assign(weights.size(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t at = random.next() % up_to.back();
    const auto row = std::upper_bound(up_to.begin(), up_to.end(), at) - up_to.begin();
    std::uint16_t& draws = bag.draws[static_cast<std::size_t>(row)];
    if (draws < std::numeric_limits<std::uint16_t>::max()) ++draws;
  }
  sort_rows(bag);
  return bag;
}

}  // namespace coppice
