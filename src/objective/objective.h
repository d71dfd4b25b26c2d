// What an objective (the book's energy) must offer to be searched, scanned and grown by.
//
// An objective turns the samples of a set into sums, and the sums into a cost:
//   item(row, weight)   what it needs to know of one sample; loaded once per node
//   add(sums, item)     sums are additive over disjoint sets, and integers, so that every order of
//                       work gives the same bits
//   weight(sums)        of the set, in units
//   cost(sums)          extensive: the gain of a split is cost(parent) - cost(left) - cost(right)
//   alike(a, b)         samples that no split needs to tell apart; a node of such samples is pure
//   mean(sums, out)     a point that represents the set: categories are ordered along the main
//                       axis of these points
// All are inlined into the scan; everything above the node is virtual. What only some objectives
// need are members that the others leave out:
//   children_cost(left, right)       in place of cost(left) + cost(right), where the gain is not a
//                                    difference of costs; infinite for a split that must not be.
//                                    cost() is then 0
//   begin_node(items)                called before the items of a node are summed up; it may change
//                                    them and statistics_size()
//   begin_candidate(items, values)   called before a candidate is searched with what the candidate
//                                    compares with its threshold, or nothing for categories; the
//                                    items are then summed up anew
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace coppice {

template <class O>
concept Objective = requires(const O& objective, typename O::Sum* sums,
                             const typename O::Sum* sums_of_set, const typename O::Item& item,
                             std::uint32_t row, std::uint32_t weight, double* point) {
  requires std::integral<typename O::Sum>;
  { objective.statistics_size() } -> std::convertible_to<std::size_t>;
  { objective.item(row, weight) } -> std::same_as<typename O::Item>;
  { objective.add(sums, item) } -> std::same_as<void>;
  { objective.weight(sums_of_set) } -> std::convertible_to<std::uint64_t>;
  { objective.cost(sums_of_set) } -> std::same_as<double>;
  { objective.alike(item, item) } -> std::same_as<bool>;
  { objective.mean_size() } -> std::convertible_to<std::size_t>;
  { objective.mean(sums_of_set, point) } -> std::same_as<void>;
};

template <class O>
concept LooksAtNodes = requires(O& objective, std::span<typename O::Item> items) {
  objective.begin_node(items);
};
template <class O>
concept LooksAtCandidates = requires(O& objective, std::span<const typename O::Item> items,
                                     std::span<const float> values) {
  objective.begin_candidate(items, values);
};

// Objectives whose costs are never below 0.
template <class O>
concept CostsFromZero = requires {
  requires O::kCostsFromZero;
};

template <Objective O>
double children_cost(const O& objective, const typename O::Sum* left,
                     const typename O::Sum* right) {
  if constexpr (requires { objective.children_cost(left, right); }) {
    return objective.children_cost(left, right);
  } else {
    return objective.cost(left) + objective.cost(right);
  }
}

}  // namespace coppice
