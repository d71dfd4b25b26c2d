// Bins, thresholds and sets of categories, found from raw values.
#include "tests/reference/trial_splits.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace coppice::reference {
namespace {

// Neighbouring values that no threshold separates; usually one value.
struct Bin {
  float least = 0, largest = 0;
};

float value_of(const TrainingSet& set, const Drawn& sample, std::uint32_t feature) {
  return set.data().columns[feature][sample.row];
}

bool any_missing(const TrainingSet& set, const Samples& samples, std::uint32_t feature) {
  return std::any_of(samples.begin(), samples.end(), [&](const Drawn& sample) {
    return std::isnan(value_of(set, sample, feature));
  });
}

// A bin is closed once the values below it and in it make up its share of all, and
// before a value that makes up a share alone.
std::vector<Bin> bins_of(const TrainingSet& set, const Samples& samples, std::uint32_t feature) {
  std::vector<float> sorted;
  for (const float value : set.data().columns[feature])
    if (!std::isnan(value)) sorted.push_back(value);
  std::sort(sorted.begin(), sorted.end());
  const std::size_t distinct = std::set<float>(sorted.begin(), sorted.end()).size();
  const auto* rule = std::get_if<BinnedThresholds>(&set.options().split.thresholds);
  const bool binned =
      rule && distinct > rule->bins && samples.size() > rule->exact_rows.value_or(2048);
  std::vector<Bin> bins;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool new_value = i == 0 || sorted[i] != sorted[i - 1];
    const auto all = static_cast<double>(sorted.size());
    const auto run = static_cast<double>(std::count(sorted.begin(), sorted.end(), sorted[i]));
    const bool bin_is_full =
        !binned || static_cast<double>(i) * rule->bins >= all * static_cast<double>(bins.size());
    const bool fills_a_bin = binned && bins.size() < rule->bins && run * rule->bins >= all;
    if (new_value && (bin_is_full || fills_a_bin)) bins.push_back({sorted[i], sorted[i]});
    bins.back().largest = sorted[i];
  }
  return bins;
}

std::vector<std::size_t> bins_of_node(const TrainingSet& set, const Samples& samples,
                                      std::uint32_t feature, const std::vector<Bin>& bins) {
  std::set<std::size_t> present;
  for (const Drawn& sample : samples)
    for (std::size_t bin = 0; bin < bins.size(); ++bin)
      if (value_of(set, sample, feature) >= bins[bin].least &&
          value_of(set, sample, feature) <= bins[bin].largest)
        present.insert(bin);
  return {present.begin(), present.end()};
}

// Half way; or the right one, where no float lies half way.
float threshold_between(float left, float right) {
  const float middle = left / 2 + right / 2;
  return middle > left && middle <= right ? middle : right;
}

struct Cut {
  float threshold = 0;
  double gap = 0;
};

std::vector<Cut> all_cuts(const std::vector<Bin>& bins, const std::vector<std::size_t>& present) {
  std::vector<Cut> cuts;
  for (std::size_t i = 1; i < present.size(); ++i) {
    const std::size_t below = present[i - 1], above = present[i];
    cuts.push_back({threshold_between(bins[below].largest, bins[above].least),
                    1.0 / static_cast<double>(bins.size()) * static_cast<double>(above - below)});
  }
  return cuts;
}

// Uniform in (least, largest]; one of the column's values where that range is infinite.
std::vector<Cut> random_cuts(const std::vector<Bin>& bins, std::size_t least, std::size_t most,
                             std::uint32_t number, RandomStream random) {
  std::vector<Cut> cuts;
  for (std::uint32_t i = 0; i < number; ++i) {
    const double low = bins[least].least, high = bins[most].least;
    Cut cut;
    if (std::isinf(low) || std::isinf(high)) {
      cut.threshold =
          bins[least + 1 + random.below(static_cast<std::uint32_t>(most - least))].least;
    } else {
      cut.threshold = static_cast<float>(low + random.uniform() * (high - low));
      if (cut.threshold <= bins[least].least)
        cut.threshold = std::nextafter(bins[least].least, bins[most].least);
    }
    cuts.push_back(cut);
  }
  std::sort(cuts.begin(), cuts.end(),
            [](const Cut& a, const Cut& b) { return a.threshold < b.threshold; });
  return cuts;
}

// Of cuts between the same two values of the node, one at random.
std::vector<Cut> without_equals(const std::vector<Cut>& cuts, const std::vector<Bin>& bins,
                                const std::vector<std::size_t>& present,
                                const RandomStream& random) {
  std::map<std::ptrdiff_t, std::vector<Cut>> alike;  // by the number of values on the left
  for (const Cut& cut : cuts) {
    const auto left = std::count_if(present.begin(), present.end(), [&](std::size_t bin) {
      return bins[bin].least < cut.threshold;
    });
    alike[left].push_back(cut);
  }
  std::vector<Cut> kept;
  for (const auto& [left, equals] : alike) {
    kept.push_back(equals[random.child(0).below(static_cast<std::uint32_t>(equals.size()))]);
  }
  return kept;
}

std::uint32_t random_thresholds(const TrainingSet& set) {
  const auto* random = std::get_if<RandomThresholds>(&set.options().split.thresholds);
  return random ? random->per_feature : 0;
}

std::vector<TrialSplit> trials_on_numbers(const TrainingSet& set, const Samples& samples,
                                          std::uint32_t feature, RandomStream random) {
  const std::vector<Bin> bins = bins_of(set, samples, feature);
  const std::vector<std::size_t> present = bins_of_node(set, samples, feature, bins);
  if (present.empty()) return {};
  const bool missing = any_missing(set, samples, feature);
  const std::vector<Cut> cuts =
      random_thresholds(set) > 0 && present.size() > 1
          ? without_equals(
                random_cuts(bins, present.front(), present.back(), random_thresholds(set), random),
                bins, present, random)
          : all_cuts(bins, present);
  std::vector<TrialSplit> trials;
  for (const bool missing_left : {false, true}) {
    if (missing_left && !missing) break;
    for (const Cut& cut : cuts)
      trials.push_back({{feature, false, cut.threshold, {}, missing_left}, cut.gap});
    if (missing_left || !missing) continue;
    // Missing values alone: every number is at least minus infinity.
    trials.push_back({{feature, false, -INFINITY, {}, true}});
  }
  return trials;
}

std::vector<std::uint32_t> categories_of_node(const TrainingSet& set, const Samples& samples,
                                              std::uint32_t feature) {
  std::set<std::uint32_t> present;
  for (const Drawn& sample : samples)
    if (const float value = value_of(set, sample, feature); !std::isnan(value))
      present.insert(static_cast<std::uint32_t>(value));
  return {present.begin(), present.end()};
}

// Shuffles the categories and returns how many may go left: each entry is a trial.
std::set<std::size_t> shuffle(std::vector<std::uint32_t>& categories, std::uint32_t number,
                              RandomStream random) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed;
  for (const std::uint32_t category : categories) keyed.emplace_back(random.next(), category);
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t i = 0; i < keyed.size(); ++i) categories[i] = keyed[i].second;
  std::set<std::size_t> places;
  for (std::uint32_t i = 0; i < number; ++i)
    places.insert(1 + random.below(static_cast<std::uint32_t>(categories.size()) - 1));
  return places;
}

std::vector<TrialSplit> trials_on_categories(const TrainingSet& set, const Samples& samples,
                                             std::uint32_t feature,
                                             const std::vector<std::uint32_t>& ranks,
                                             RandomStream random) {
  std::vector<std::uint32_t> order = categories_of_node(set, samples, feature);
  if (order.empty()) return {};
  std::set<std::size_t> places;
  if (random_thresholds(set) > 0 && order.size() > 1) {
    places = shuffle(order, random_thresholds(set), random);
  } else {
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return ranks[a] < ranks[b]; });
    for (std::size_t place = 1; place < order.size(); ++place) places.insert(place);
  }
  const bool missing = any_missing(set, samples, feature);
  std::vector<TrialSplit> trials;
  for (const bool missing_left : {false, true}) {
    if (missing_left && !missing) break;
    if (missing && !missing_left) places.insert(order.size());  // known against missing
    if (missing_left) places.erase(order.size());
    for (const std::size_t place : places) {
      SplitRule rule{feature, true, 0, std::vector<bool>(ranks.size()), missing_left};
      for (std::size_t i = 0; i < place; ++i) rule.left_categories[order[i]] = true;
      trials.push_back({rule});
    }
  }
  return trials;
}

}  // namespace

bool varies(const TrainingSet& set, std::uint32_t feature) {
  const Feature& described = set.data().schema->features[feature];
  const std::span<const float> column = set.data().columns[feature];
  const bool missing =
      std::any_of(column.begin(), column.end(), [](float value) { return std::isnan(value); });
  const std::size_t known = described.kind == FeatureKind::categorical
                                ? described.categories.size()
                                : bins_of(set, {}, feature).size();
  return known + missing > 1;
}

std::vector<TrialSplit> trial_splits(const TrainingSet& set, const Samples& samples,
                                     std::uint32_t feature, const std::vector<std::uint32_t>& ranks,
                                     RandomStream random) {
  return set.data().schema->features[feature].kind == FeatureKind::categorical
             ? trials_on_categories(set, samples, feature, ranks, random)
             : trials_on_numbers(set, samples, feature, random);
}

}  // namespace coppice::reference
