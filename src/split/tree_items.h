// What an objective knows of the samples of a tree, or of one level of it, by row of the data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_pages.h"
#include "objective/objective.h"
#include "split/node_splitter.h"

namespace coppice {

template <Objective O>
class TreeItems {
 public:
  using Item = typename O::Item;

  // Borrows the weights: units per row (see FixedPointWeights).
  explicit TreeItems(std::span<const std::uint32_t> weights) : weights_(weights) {}

  // The samples are those of all parts. Rows that are asked for often are kept in a table.
  void begin(const O& objective, TreeParts parts, const std::uint16_t* draws, bool often) {
    draws_ = draws;
    drawn_once_ = all_of(parts, [&](SampleId row) { return draws_[row] == 1; });
    unit_weights_ = all_of(parts, [&](SampleId row) { return weights_[row] == 1; });
    kept_ = often;
    if (!often) return;
    table_.resize(weights_.size());
    for (const auto rows : parts)
      for (const SampleId row : rows) table_[row] = item(objective, row);
  }

  bool unit_weights() const { return unit_weights_; }  // of every sample
  const std::uint16_t* draws() const { return draws_; }
  // REQUIRES: begun with `often`.
  const Item* table() const { return table_.data(); }

  // read(item_of, draws_of, fetch): by row; the last asks for what the others will read of it.
  template <class Read>
  void visit(const O& objective, Read&& read) const {
    const auto draws_of = [all = draws_](SampleId row) { return std::uint32_t{all[row]}; };
    if (drawn_once_ && unit_weights_) {
      read([&](SampleId row) { return objective.item(row, 1); }, [](SampleId) { return 1u; },
           [](SampleId) {});
    } else if (kept_) {
      read([all = table_.data()](SampleId row) { return all[row]; }, draws_of,
           [all = table_.data(), draws = draws_](SampleId row) {
             __builtin_prefetch(all + row);
             __builtin_prefetch(draws + row);
           });
    } else {
      read([&](SampleId row) { return item(objective, row); }, draws_of,
           [draws = draws_](SampleId row) { __builtin_prefetch(draws + row); });
    }
  }

 private:
  template <class Holds>
  static bool all_of(TreeParts parts, Holds&& holds) {
    return std::all_of(parts.begin(), parts.end(), [&](std::span<const SampleId> rows) {
      return std::all_of(rows.begin(), rows.end(), holds);
    });
  }
  Item item(const O& objective, SampleId row) const {
    return objective.item(row, weights_[row] * draws_[row]);
  }

  std::span<const std::uint32_t> weights_;
  const std::uint16_t* draws_ = nullptr;
  bool drawn_once_ = false, unit_weights_ = false, kept_ = false;
  LargeVector<Item> table_;
};

}  // namespace coppice
