// What an objective needs to know of a node's samples, gathered once and used by every candidate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "objective/objective.h"
#include "split/rows_ahead.h"

namespace coppice {

template <Objective O>
class LoadedNode {
 public:
  using Sum = typename O::Sum;
  using Item = typename O::Item;

  std::span<Item> items;           // per row of the node
  std::span<std::uint32_t> draws;  // per row of the node
  std::vector<Sum> sums;           // of all
  std::uint32_t samples = 0;

  // load_row(i, items[i], draws[i]) fills in what is known of row i.
  template <class Searched, class LoadRow, class Ahead = NoRowsAhead>
  void load(Searched& objective, std::size_t rows, LoadRow&& load_row, const Ahead& ahead = {}) {
    make_room(rows);
    samples = 0;
    if constexpr (LooksAtNodes<Searched>) {
      for (std::size_t i = 0; i < rows; ++i) load_row(i, items[i], draws[i]), samples += draws[i];
      objective.begin_node(items);
      sum_up(objective);
    } else {
      clear_sums(objective);
      // By values: sums might lie where items do, for all that the compiler knows, and samples
      // where sums do.
      Sum* const all = sums.data();
      std::uint32_t drawn_so_far = 0;
      for_each_row(rows, ahead, [&](std::size_t i) {
        Item item;
        std::uint32_t drawn;
        load_row(i, item, drawn);
        items[i] = item;
        draws[i] = drawn;
        objective.add(all, item);
        drawn_so_far += drawn;
      });
      samples = drawn_so_far;
    }
  }

  void sum_up(const O& objective) {
    clear_sums(objective);
    for (const Item& item : items) objective.add(sums.data(), item);
  }

  bool pure(const O& objective) const {
    return std::all_of(items.begin(), items.end(),
                       [&](const Item& item) { return objective.alike(item, items.front()); });
  }

  // Gives away storage that begins with items and draws; nothing is loaded any more.
  void hand_over(std::vector<Item>& all_items, std::vector<std::uint32_t>& all_draws) {
    all_items.swap(item_storage_);
    all_draws.swap(draw_storage_);
    items = {}, draws = {};
  }

 private:
  void clear_sums(const O& objective) {
    sums.resize(objective.statistics_size());
    std::fill(sums.begin(), sums.end(), Sum{0});
  }

  // Storage only grows: nothing is cleared that will be written anyway.
  void make_room(std::size_t rows) {
    if (item_storage_.size() < rows) item_storage_.resize(rows);
    if (draw_storage_.size() < rows) draw_storage_.resize(rows);
    items = std::span(item_storage_).first(rows);
    draws = std::span(draw_storage_).first(rows);
  }

  std::vector<Item> item_storage_;
  std::vector<std::uint32_t> draw_storage_;
};

}  // namespace coppice
