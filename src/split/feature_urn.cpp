#include "split/feature_urn.h"

#include <algorithm>
#include <cmath>

namespace coppice {

FeatureUrn::FeatureUrn(std::vector<std::uint32_t> features, std::span<const std::uint32_t> weights)
    : features_(std::move(features)), places_(features_.size()) {
  if (weights.empty()) {
    order_ = features_;
    return;
  }
  std::erase_if(features_, [&](std::uint32_t feature) { return weights[feature] == 0; });
  tree_.assign(features_.size() + 1, 0);
  for (std::size_t place = 0; place < features_.size(); ++place) {
    weights_.push_back(weights[features_[place]]);
    add_weight(place, weights_.back());
  }
}

void FeatureUrn::draw(RandomStream& random, std::span<std::uint32_t> drawn) {
  if (tree_.empty()) return draw_equally(random, drawn);
  for (std::uint32_t& feature : drawn) feature = draw_by_weight(random);
}

// The stream and all places are the loop's own, which the compiler then keeps in registers.
void FeatureUrn::draw_equally(RandomStream& random, std::span<std::uint32_t> drawn) {
  RandomStream stream = random;
  std::uint32_t* const order = order_.data();
  std::uint32_t* const places = places_.data();
  const std::uint32_t first = drawn_, all = static_cast<std::uint32_t>(features_.size());
  for (std::uint32_t i = 0; i < drawn.size(); ++i) {
    const std::uint32_t next = first + i, place = next + stream.below(all - next);
    const std::uint32_t feature = order[place];
    order[place] = order[next];
    order[next] = feature;
    places[next] = place;
    drawn[i] = feature;
  }
  drawn_ = first + static_cast<std::uint32_t>(drawn.size());
  random = stream;
}

// Sums of unsigned numbers, so that a weight is taken out by adding its complement.
void FeatureUrn::add_weight(std::size_t place, std::uint32_t weight) {
  total_ += weight;
  for (std::size_t i = place + 1; i < tree_.size(); i += i & (~i + 1)) tree_[i] += weight;
}

std::uint32_t FeatureUrn::draw_by_weight(RandomStream& random) {
  std::uint32_t rest = random.below(total_);
  std::size_t place = 0;
  for (std::size_t step = std::bit_floor(tree_.size() - 1); step > 0; step /= 2) {
    if (place + step >= tree_.size() || tree_[place + step] > rest) continue;
    place += step;
    rest -= tree_[place];
  }
  add_weight(place, 0 - weights_[place]);
  places_[drawn_++] = static_cast<std::uint32_t>(place);
  return features_[place];
}

void FeatureUrn::put_back() {
  if (tree_.empty()) {
    for (std::uint32_t i = 0; i < drawn_; ++i) {
      order_[i] = features_[i];
      order_[places_[i]] = features_[places_[i]];
    }
  } else {
    for (std::uint32_t i = 0; i < drawn_; ++i) add_weight(places_[i], weights_[places_[i]]);
  }
  drawn_ = 0;
}

std::vector<std::uint32_t> urn_weights(std::span<const double> weights) {
  double total = 0;
  for (const double weight : weights) total += weight;
  constexpr double kTotal = 0x1.0p30;
  std::vector<std::uint32_t> units;
  for (const double weight : weights) {
    const double share = std::floor(weight / total * kTotal + 0.5);
    units.push_back(weight > 0 ? std::max(1u, static_cast<std::uint32_t>(share)) : 0);
  }
  return units;
}

}  // namespace coppice
