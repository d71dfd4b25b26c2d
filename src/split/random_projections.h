// Weak learners that draw projections blindly: differences of two features, sparse hyperplanes and
// quadratic forms (Criminisi, Shotton, Konukoglu 2012, section 2.2; eq. 2.5).
#pragma once

#include <cstdint>
#include <utility>

#include "base/portable_math.h"
#include "coppice/options.h"
#include "split/term_source.h"
#include "split/weak_learner.h"

namespace coppice {

// Proposals without end, drawn by Draw(source, random, projection).
template <class Draw>
class RandomProjections final : public WeakLearner {
 public:
  RandomProjections(TermSource source, std::size_t candidates, Draw draw)
      : source_(std::move(source)), candidates_(candidates), draw_(draw) {}

  std::size_t candidates() const override { return candidates_; }
  std::vector<std::uint32_t> features() const override { return source_.features(); }
  bool projects() const override { return true; }
  void begin(std::span<const SampleId>, RandomStream random) override {
    node_ = random;
    drawn_ = 0;
  }
  // A large node that met nothing but constants asks for more, but not for ever.
  bool propose(Projection& projection) override {
    if (drawn_ >= candidates_ + source_.features().size()) return false;
    RandomStream random = node_.child(drawn_++);
    projection.clear();
    draw_(source_, random, projection);
    return true;
  }

 private:
  TermSource source_;
  std::size_t candidates_;
  Draw draw_;
  RandomStream node_{0};
  std::size_t drawn_ = 0;
};

// One feature by itself, as a projection: for bands.
struct DrawSingle {
  void operator()(TermSource& source, RandomStream& random, Projection& projection) const {
    source.add(projection, source.draw(1, random)[0], 1, random);
  }
};

// x_i - x_j
struct DrawDifference {
  void operator()(TermSource& source, RandomStream& random, Projection& projection) const {
    double coefficient = 1;
    for (const std::uint32_t feature : source.draw(2, random)) {
      source.add(projection, feature, coefficient, random);
      coefficient = -1;
    }
  }
};

inline double draw_coefficient(Coefficients kind, RandomStream& random) {
  switch (kind) {
    case Coefficients::gaussian:
      return standard_normal(random);
    case Coefficients::sign:
      return random.below(2) == 0 ? -1 : 1;
    case Coefficients::uniform:
      break;
  }
  return 2 * random.uniform() - 1;
}

// sum of w_i x_i / spread_i over some features.
struct DrawOblique {
  std::size_t features;
  Coefficients coefficients;
  void operator()(TermSource& source, RandomStream& random, Projection& projection) const {
    for (const std::uint32_t feature : source.draw(features, random))
      source.add(projection, feature,
                 draw_coefficient(coefficients, random) / double{source.spread(feature)}, random);
  }
};

// A quadratic form of some features and 1: squares, products and the features themselves. A
// category takes part as itself only.
struct DrawConic {
  std::size_t features;
  Coefficients coefficients;
  void operator()(TermSource& source, RandomStream& random, Projection& projection) const {
    const std::span<const std::uint32_t> drawn = source.draw(features, random);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const double spread = source.spread(drawn[i]);
      source.add(projection, drawn[i], draw_coefficient(coefficients, random) / spread, random);
      for (std::size_t j = 0; j <= i && source.numeric(drawn[i]); ++j) {
        if (!source.numeric(drawn[j])) continue;
        const double size = spread * double{source.spread(drawn[j])};
        projection.terms.push_back(
            {.feature = drawn[i],
             .partner = drawn[j],
             .coefficient = static_cast<float>(draw_coefficient(coefficients, random) / size)});
      }
    }
  }
};

}  // namespace coppice
