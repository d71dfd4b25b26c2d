#include "grow/share_tally.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/wide_loops.h"

namespace coppice {
namespace {

// One, two, or a multiple of four.
std::size_t eights_for(std::size_t classes) {
  return classes <= 8 ? 1 : classes <= 16 ? 2 : (classes + 31) / 32 * 4;
}

// The nearest whole numbers to factor * (weight + prior).
struct RoundShares {
  [[gnu::always_inline]] static void run(const std::uint32_t* weights, std::size_t classes,
                                         float prior, float factor, std::uint16_t* shares) {
    for (std::size_t c = 0; c < classes; ++c) {
      const float weight = static_cast<float>(static_cast<std::int32_t>(weights[c])) + prior;
      shares[c] = static_cast<std::uint16_t>(static_cast<std::int32_t>(weight * factor + 0.5f));
    }
  }
};

}  // namespace

ShareTally::ShareTally(std::size_t rows, std::size_t classes, std::size_t trees, double prior)
    : rows_(rows),
      classes_(classes),
      eights_(eights_for(classes)),
      unit_(static_cast<std::uint32_t>(UINT16_MAX / trees)),
      prior_(static_cast<float>(prior)),
      before_(eights_ * kEight),
      said_(eights_ * kEight),
      change_(eights_),
      parent_(classes) {
  counts_.resize(rows * eights_);
  std::fill(counts_.begin(), counts_.end(), Eight{});
}

// Few rows are found faster by themselves.
void ShareTally::begin_tree(std::size_t rows) {
  constexpr std::size_t kFew = 8;
  at_once_ = rows < rows_ / kFew;
  if (at_once_) return;
  if (trees_waiting_ == kMostWaiting) settle();
  Waiting& tree = waiting_[trees_waiting_++];
  tree.number.assign(rows_, 0);
  tree.changes.assign(eights_, Eight{});
}

void ShareTally::plant(const Leaf& root) {
  std::fill(before_.begin(), before_.end(), 0);
  replace(root);
}

void ShareTally::split(const Leaf& left, const Leaf& right) {
  for (std::size_t c = 0; c < classes_; ++c) parent_[c] = left.weights[c] + right.weights[c];
  round_shares(parent_, before_);
  replace(left);
  replace(right);
}

void ShareTally::replace(const Leaf& leaf) {
  round_shares(leaf.weights, said_);
  for (std::size_t place = 0; place < eights_; ++place) {
    Eight before, said;
    std::memcpy(&before, &before_[place * kEight], sizeof(before));
    std::memcpy(&said, &said_[place * kEight], sizeof(said));
    change_[place] = said - before;
  }
  Waiting* const tree = at_once_ ? nullptr : &waiting_[trees_waiting_ - 1];
  const std::size_t number = tree ? tree->changes.size() / eights_ : 0;
  if (!tree || number > UINT16_MAX) {
    for (const std::span<const SampleId> rows : leaf.rows) add_at_once(rows);
    return;
  }
  tree->changes.insert(tree->changes.end(), change_.begin(), change_.end());
  std::uint16_t* const number_of = tree->number.data();
  for (const std::span<const SampleId> rows : leaf.rows)
    for (const SampleId row : rows) number_of[row] = static_cast<std::uint16_t>(number);
}

void ShareTally::add_at_once(std::span<const SampleId> rows) {
  for (const SampleId row : rows)
    for (std::size_t place = 0; place < eights_; ++place)
      counts_[row * eights_ + place] += change_[place];
}

void ShareTally::round_shares(std::span<const std::uint32_t> weights,
                              std::vector<std::uint16_t>& shares) const {
  const auto total = static_cast<float>(std::accumulate(weights.begin(), weights.end(), 0u));
  const float factor = static_cast<float>(unit_) / (total + static_cast<float>(classes_) * prior_);
  run_loop<RoundShares>(weights.data(), classes_, prior_, factor, shares.data());
}

// Up to four eights stay in registers.
struct ShareTally::Settle {
  [[gnu::always_inline]] static void run(ShareTally* tally) {
    switch (tally->eights_) {
      case 1:
        return add<1>(*tally, 0);
      case 2:
        return add<2>(*tally, 0);
      default:
        for (std::size_t place = 0; place < tally->eights_; place += 4) add<4>(*tally, place);
    }
  }
  template <std::size_t kPlaces>
  [[gnu::always_inline]] static void add(ShareTally& tally, std::size_t place) {
    const std::size_t eights = tally.eights_, trees = tally.trees_waiting_;
    const std::uint16_t* number[kMostWaiting];
    const Eight* changes[kMostWaiting];
    for (std::size_t t = 0; t < trees; ++t) {
      number[t] = tally.waiting_[t].number.data();
      changes[t] = tally.waiting_[t].changes.data() + place;
    }
    typedef std::uint16_t Places __attribute__((vector_size(16 * kPlaces)));
    Eight* counts = tally.counts_.data() + place;
    for (std::size_t row = 0; row < tally.rows_; ++row, counts += eights) {
      Places sum;
      std::memcpy(&sum, counts, sizeof(Places));
      for (std::size_t t = 0; t < trees; ++t) {
        Places by;
        std::memcpy(&by, changes[t] + number[t][row] * eights, sizeof(Places));
        sum += by;
      }
      std::memcpy(counts, &sum, sizeof(Places));
    }
  }
};

void ShareTally::settle() {
  if (trees_waiting_ == 0) return;
  run_loop<Settle>(this);
  trees_waiting_ = 0;
}

// Whole eights are written, of which the next row takes back what is too much; the last rows,
// behind which there is no room, are written class by class.
struct ShareTally::Read {
  [[gnu::always_inline]] static void run(const ShareTally* all, std::size_t tallies,
                                         std::size_t first, std::size_t last, float factor,
                                         float* sums) {
    const std::size_t classes = all->classes_, eights = all->eights_;
    const std::size_t places = (classes + kEight - 1) / kEight;
    typedef float Shares __attribute__((vector_size(kEight * sizeof(float))));
    typedef std::int32_t Wide __attribute__((vector_size(kEight * sizeof(std::int32_t))));
    for (std::size_t row = first; row < last; ++row, sums += classes) {
      const std::size_t room = (last - row) * classes;
      for (std::size_t place = 0; place < places; ++place) {
        Eight counts = all[0].counts_[row * eights + place];
        for (std::size_t t = 1; t < tallies; ++t) counts += all[t].counts_[row * eights + place];
        const Shares shares =
            factor * __builtin_convertvector(__builtin_convertvector(counts, Wide), Shares);
        const std::size_t c = place * kEight;
        if (c + kEight <= room) {
          std::memcpy(sums + c, &shares, sizeof(shares));
        } else {
          std::memcpy(sums + c, &shares, (classes - c) * sizeof(float));
        }
      }
    }
  }
};

void ShareTally::read(std::span<const ShareTally> all, std::size_t first, std::size_t last,
                      float scale, std::span<float> sums) {
  if (first == last) return;
  run_loop<Read>(all.data(), all.size(), first, last, scale / static_cast<float>(all[0].unit_),
                 sums.data());
}

}  // namespace coppice
