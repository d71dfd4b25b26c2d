// What weak learners make sums of: random features, each measured in its own spread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/random_stream.h"
#include "data/coded_columns.h"
#include "data/feature_scales.h"
#include "split/feature_urn.h"
#include "split/projection.h"

namespace coppice {

class TermSource {
 public:
  // Borrows columns and scales.
  TermSource(const CodedColumns& columns, const FeatureScales& scales, FeatureUrn urn)
      : columns_(columns), scales_(scales), urn_(std::move(urn)) {}

  const std::vector<std::uint32_t>& features() const { return urn_.features(); }

  // Different features, at most as many as there are; what was drawn before does not matter. Valid
  // until the next call.
  std::span<const std::uint32_t> draw(std::size_t count, RandomStream& random) {
    urn_.put_back();
    drawn_.resize(std::min(count, urn_.left()));
    urn_.draw(random, drawn_);
    return drawn_;
  }

  bool numeric(std::uint32_t feature) const {
    return columns_.column(feature).kind == FeatureKind::numeric;
  }
  float spread(std::uint32_t feature) const { return scales_.spread[feature]; }

  // A term of one feature. A category takes part through a random set of its categories.
  void add(Projection& projection, std::uint32_t feature, double coefficient,
           RandomStream& random) const {
    Term term{.feature = feature, .coefficient = static_cast<float>(coefficient)};
    if (!numeric(feature)) {
      term.first_word = static_cast<std::uint32_t>(projection.category_words.size());
      add_set(projection, columns_.column(feature).known, random);
    }
    projection.terms.push_back(term);
  }

 private:
  static void add_set(Projection& projection, std::uint32_t categories, RandomStream& random) {
    for (std::uint32_t first = 0; first < categories; first += 32) {
      const std::uint32_t used = std::min(32u, categories - first);
      const auto bits = static_cast<std::uint32_t>(random.next() >> 32);
      projection.category_words.push_back(used == 32 ? bits : bits & ((1u << used) - 1));
    }
  }

  const CodedColumns& columns_;
  const FeatureScales& scales_;
  FeatureUrn urn_;
  std::vector<std::uint32_t> drawn_;
};

}  // namespace coppice
