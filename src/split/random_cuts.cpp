#include "split/random_cuts.h"

#include <algorithm>
#include <cmath>

namespace coppice {
namespace {

// In (least, largest]. Infinite values have no uniform distribution between them: a random value of
// the column serves instead.
float draw_threshold(const SearchedColumn& column, const NodeCodes& node, RandomStream& random) {
  const float least = column.values[node.least], largest = column.values[node.most];
  if (!std::isfinite(least) || !std::isfinite(largest)) {
    const std::uint32_t from = column.cut_at(least), to = column.cut_at(largest);
    return column.column.values[from + 1 + random.below(to - from)];
  }
  const double span = double{largest} - double{least};
  const auto threshold = static_cast<float>(least + random.uniform() * span);
  return threshold <= least ? column.column.values[column.cut_at(least) + 1] : threshold;
}

}  // namespace

std::span<const RandomCuts::Cut> RandomCuts::between_values(const SearchedColumn& column,
                                                            const NodeCodes& node,
                                                            std::uint32_t count,
                                                            RandomStream random) {
  cuts_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    const float threshold = draw_threshold(column, node, random);
    const float* const right = std::lower_bound(column.values + node.least + 1,
                                                column.values + node.most, threshold);
    cuts_.push_back({static_cast<std::uint32_t>(right - column.values), threshold});
  }
  std::sort(cuts_.begin(), cuts_.end(), [](const Cut& a, const Cut& b) {
    return a.first_right != b.first_right ? a.first_right < b.first_right
                                          : a.threshold < b.threshold;
  });
  const auto same = [](const Cut& a, const Cut& b) { return a.first_right == b.first_right; };
  cuts_.erase(std::unique(cuts_.begin(), cuts_.end(), same), cuts_.end());
  return cuts_;
}

std::span<const std::uint32_t> RandomCuts::between_categories(std::size_t categories,
                                                              std::uint32_t count,
                                                              RandomStream random) {
  order_.clear();
  for (std::uint32_t c = 0; c < categories; ++c) order_.emplace_back(random.next(), c);
  std::sort(order_.begin(), order_.end());
  places_.clear();
  for (std::uint32_t i = 0; i < count; ++i)
    places_.push_back(1 + random.below(static_cast<std::uint32_t>(categories) - 1));
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
  group_of_.resize(categories);
  std::uint32_t group = 0;
  for (std::uint32_t place = 0; place < categories; ++place) {
    if (group < places_.size() && place == places_[group]) ++group;
    group_of_[order_[place].second] = group;
  }
  return group_of_;
}

}  // namespace coppice
