// Features drawn one after the other without being put back: all equally likely, or by weight
// (biased randomisation: Criminisi et al. 2012, section 8.4.1).
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/random_stream.h"

namespace coppice {

class FeatureUrn {
 public:
  // `weights` by feature, adding up to less than 2^32; none: all equal. A feature of weight 0 is
  // never drawn.
  explicit FeatureUrn(std::vector<std::uint32_t> features,
                      std::span<const std::uint32_t> weights = {});

  // That can be drawn; never changes.
  const std::vector<std::uint32_t>& features() const { return features_; }
  std::size_t left() const { return features_.size() - drawn_; }

  // Draws as many as fit. REQUIRES: so many are left.
  void draw(RandomStream& random, std::span<std::uint32_t> drawn);

  // All that was drawn, at the cost of drawing it: the urn is as it was at first.
  void put_back();

 private:
  void draw_equally(RandomStream& random, std::span<std::uint32_t> drawn);
  std::uint32_t draw_by_weight(RandomStream& random);
  void add_weight(std::size_t place, std::uint32_t weight);

  std::vector<std::uint32_t> features_;
  std::vector<std::uint32_t> places_;  // drawn, in order; without weights: what it was swapped with
  std::uint32_t drawn_ = 0;            // of these are valid
  std::vector<std::uint32_t> order_;   // without weights: a Fisher-Yates shuffle as far as needed
  std::vector<std::uint32_t> weights_, tree_;  // by place; a Fenwick tree of those left
  std::uint32_t total_ = 0;
};

// Weights as whole numbers that add up to about 2^30; what is above 0 stays above 0.
// REQUIRES: finite, not negative.
std::vector<std::uint32_t> urn_weights(std::span<const double> weights);

}  // namespace coppice
