#include "split/random_cuts.h"

#include <algorithm>

namespace coppice {

// In (least, most]. Infinite values have no uniform distribution between them: a random value of
// the column serves instead.
float RandomCuts::between_infinite(const CodedColumn& column, float least, float most,
                                   RandomStream& random) {
  const std::uint32_t from = column.code_of(least), to = column.code_of(most);
  return column.values[from + 1 + random.below(to - from)];
}

std::span<const float> RandomCuts::between_values(const SearchedColumn& column,
                                                  const NodeValues& node, std::uint32_t count,
                                                  RandomStream random) {
  thresholds_.clear();
  for (std::uint32_t i = 0; node.varies() && i < count; ++i)
    thresholds_.push_back(between(column.column, node.least, node.most, random));
  std::sort(thresholds_.begin(), thresholds_.end());
  return thresholds_;
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
