// The innermost loops of products with a matrix of constant leaves: rows of a tile by up to four
// trees, whose loads and sums do not wait for each other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "refine/output_block.h"

namespace coppice {

constexpr std::size_t kTreesAtOnce = 4;

// Ids of the rows of a tile in up to kTreesAtOnce trees.
template <class Id>
struct TreeGroup {
  std::size_t trees = 0;
  const Id* ids[kTreesAtOnce] = {};
};

// In registers: stores to rows could change the original, for all that a compiler knows.
template <std::size_t count, class Pointer>
std::array<Pointer, count> first_of(const Pointer* pointers) {
  std::array<Pointer, count> found;
  std::copy_n(pointers, count, found.begin());
  return found;
}

// Calls body.template operator()<trees>() with the number of trees known to the compiler.
template <class Body>
void with_trees(std::size_t trees, Body&& body) {
  static_assert(kTreesAtOnce == 4);
  switch (trees) {
    case 1:
      return body.template operator()<1>();
    case 2:
      return body.template operator()<2>();
    case 3:
      return body.template operator()<3>();
    default:
      return body.template operator()<4>();
  }
}

// One output: z += w of the leaves, those of a group added to each other first.
template <std::size_t trees, class Id>
void add_single(const TreeGroup<Id>& group, const float* const* w, float* z, std::size_t rows) {
  const auto ids = first_of<trees>(group.ids);
  const auto of_tree = first_of<trees>(w);
  const auto held = [&](std::size_t t, std::size_t i) { return of_tree[t][ids[t][i]]; };
  for (std::size_t i = 0; i < rows; ++i) {
    float sum = held(0, i);
    if constexpr (trees > 1) sum += held(1, i);
    if constexpr (trees == 3) sum += held(2, i);
    if constexpr (trees == 4) sum += held(2, i) + held(3, i);
    z[i] += sum;
  }
}

// Several outputs: the trees of a group one after the other.
template <std::size_t quads, std::size_t trees, class Id>
void add_rows(const TreeGroup<Id>& group, const float* const* w, float* z, std::size_t rows,
              std::size_t stride) {
  const auto ids = first_of<trees>(group.ids);
  const auto of_tree = first_of<trees>(w);
  for (std::size_t i = 0; i < rows; ++i)
    add_several<quads>(z + i * stride, trees, stride,
                       [&](std::size_t t) { return of_tree[t] + ids[t][i] * stride; });
}

// One output: the sums of the leaves += the numbers of their rows.
template <std::size_t trees, class Id, class Sum>
void collect_single(const TreeGroup<Id>& group, const float* r, Sum* const* sums,
                    std::size_t rows) {
  const auto ids = first_of<trees>(group.ids);
  const auto of_tree = first_of<trees>(sums);
  for (std::size_t i = 0; i < rows; ++i) {
    const Sum value = Sum{r[i]};
    for (std::size_t t = 0; t < trees; ++t) of_tree[t][ids[t][i]] += value;
  }
}

template <std::size_t quads, std::size_t trees, class Id>
void collect_rows(const TreeGroup<Id>& group, const float* r, float* const* sums, std::size_t rows,
                  std::size_t stride) {
  const auto ids = first_of<trees>(group.ids);
  const auto of_tree = first_of<trees>(sums);
  for (std::size_t i = 0; i < rows; ++i)
    add_to_several<quads>(r + i * stride, trees, stride,
                          [&](std::size_t t) { return of_tree[t] + ids[t][i] * stride; });
}

}  // namespace coppice
