// Few labels and many rows (Criminisi et al. 2012, eq. 7.1-7.3): of a node with the samples S, the
// labelled ones L among them, and their parts S_i and L_i,
//   gain = log |C(S)| - sum |S_i|/|S| log |C(S_i)| + alpha (H(L) - sum |L_i|/|L| H(L_i)),
// C the covariance of the coordinates of all samples, as LogDet has it, and H the entropy of what
// is known about the labelled ones: of classes in natural units, of numbers that of a Gaussian as
// LogDet has it. As a cost of sets, times |S|.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coppice/dataset.h"
#include "objective/class_impurity.h"
#include "objective/log_det.h"
#include "objective/objective.h"

namespace coppice {

// The entropy of classes as EntropyImpurity has it, with sums as wide as those of LogDet.
class LabelEntropy {
 public:
  struct Item {
    std::uint32_t label, weight;
  };
  using Sum = std::int64_t;

  LabelEntropy(std::span<const std::uint32_t> labels, std::size_t classes)
      : labels_(labels), classes_(classes) {}

  std::size_t statistics_size() const { return classes_; }
  Item item(std::uint32_t row, std::uint32_t weight) const { return {labels_[row], weight}; }
  void add(Sum* counts, const Item& item) const { counts[item.label] += item.weight; }
  bool alike(const Item& a, const Item& b) const { return a.label == b.label; }
  std::uint64_t weight(const Sum* counts) const {
    std::uint64_t total = 0;
    for (std::size_t c = 0; c < classes_; ++c) total += static_cast<std::uint64_t>(counts[c]);
    return total;
  }
  double cost(const Sum* counts) const {
    constexpr double kNaturalUnits = 0.69314718055994530942;  // log 2
    std::int64_t total = 0;
    EntropyRule::Term terms = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      total += counts[c];
      terms += EntropyRule::term(static_cast<std::uint32_t>(counts[c]));
    }
    return kNaturalUnits * EntropyRule::cost(total, terms);
  }
  std::size_t mean_size() const { return classes_; }
  void mean(const Sum* counts, double* shares) const {
    const auto total = static_cast<double>(weight(counts));
    for (std::size_t c = 0; c < classes_; ++c) shares[c] = static_cast<double>(counts[c]) / total;
  }

 private:
  std::span<const std::uint32_t> labels_;
  std::size_t classes_;
};
static_assert(Objective<LabelEntropy>);

// Known: LabelEntropy of classes, LogDet of numbers. Its rows without a label must not be read.
template <Objective Known>
class MixedGain {
 public:
  struct Item {
    NodeItem place;
    bool labelled;
    typename Known::Item known;
  };
  // [ sums of LogDet over all samples | sums of Known over labelled ones ]
  using Sum = std::int64_t;

  // labelled: per row 1 or 0.
  MixedGain(const FixedPointTargets& space, Known known, std::span<const std::uint8_t> labelled,
            double alpha)
      : density_(space), known_(known), labelled_(labelled), alpha_(alpha) {}

  void begin_node(std::span<Item> items) {
    places_.clear();
    std::vector<typename Known::Item> known;
    std::uint64_t all = 0;
    for (const Item& item : items) {
      places_.push_back(item.place);
      if (item.labelled) known.push_back(item.known);
      all += item.place.weight;
    }
    density_.begin_node(places_);
    if constexpr (LooksAtNodes<Known>) known_.begin_node(std::span(known));
    std::vector<Sum> sums(known_.statistics_size(), 0);
    for (const auto& item : known) known_.add(sums.data(), item);
    for (std::size_t i = 0, next = 0; i < items.size(); ++i) {
      items[i].place = places_[i];
      if (items[i].labelled) items[i].known = known[next++];
    }
    const std::uint64_t labelled = known_.weight(sums.data());
    share_ = labelled == 0 ? 0 : alpha_ * static_cast<double>(all) / static_cast<double>(labelled);
  }

  std::size_t statistics_size() const {
    return density_.statistics_size() + known_.statistics_size();
  }
  Item item(std::uint32_t row, std::uint32_t weight) const {
    const bool labelled = labelled_[row] != 0;
    return {density_.item(row, weight), labelled,
            labelled ? known_.item(row, weight) : typename Known::Item{}};
  }
  void add(Sum* sums, const Item& item) const {
    density_.add(sums, item.place);
    if (item.labelled) known_.add(sums + density_.statistics_size(), item.known);
  }
  bool alike(const Item& a, const Item& b) const {
    return a.labelled == b.labelled && density_.alike(a.place, b.place) &&
           (!a.labelled || known_.alike(a.known, b.known));
  }
  std::uint64_t weight(const Sum* sums) const { return density_.weight(sums); }

  double cost(const Sum* sums) const {
    const double spread = density_.cost(sums);
    const Sum* const known = sums + density_.statistics_size();
    return share_ > 0 && known_.weight(known) > 0 ? spread + share_ * known_.cost(known) : spread;
  }

  std::size_t mean_size() const { return density_.mean_size(); }
  void mean(const Sum* sums, double* point) const { density_.mean(sums, point); }

 private:
  LogDet density_;
  Known known_;
  std::span<const std::uint8_t> labelled_;
  double alpha_, share_ = 0;
  std::vector<NodeItem> places_;
};
static_assert(Objective<MixedGain<LabelEntropy>> && LooksAtNodes<MixedGain<LogDet>>);

}  // namespace coppice
