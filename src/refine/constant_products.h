// The innermost loops of products with a matrix of constant leaves: rows of a tile by up to four
// trees, whose loads and sums do not wait for each other.
#pragma once

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

// One output: z += w of the leaves, those of a full group added to each other first.
template <class Id>
void add_single(const TreeGroup<Id>& group, const float* const* w, float* z, std::size_t rows) {
  if (group.trees == kTreesAtOnce) {
    const Id *a = group.ids[0], *b = group.ids[1], *c = group.ids[2], *d = group.ids[3];
    for (std::size_t i = 0; i < rows; ++i)
      z[i] += (w[0][a[i]] + w[1][b[i]]) + (w[2][c[i]] + w[3][d[i]]);
    return;
  }
  for (std::size_t t = 0; t < group.trees; ++t)
    for (std::size_t i = 0; i < rows; ++i) z[i] += w[t][group.ids[t][i]];
}

// Several outputs: the trees of a group one after the other.
template <std::size_t quads, class Id>
void add_rows(const TreeGroup<Id>& group, const float* const* w, float* z, std::size_t rows,
              std::size_t stride) {
  for (std::size_t i = 0; i < rows; ++i)
    add_several<quads>(z + i * stride, group.trees, stride,
                       [&](std::size_t t) { return w[t] + group.ids[t][i] * stride; });
}

// One output: the sums of the leaves += the numbers of their rows.
template <class Id, class Sum>
void collect_single(const TreeGroup<Id>& group, const float* r, Sum* const* sums,
                    std::size_t rows) {
  if (group.trees == kTreesAtOnce) {
    Sum *p = sums[0], *q = sums[1], *s = sums[2], *t = sums[3];
    const Id *a = group.ids[0], *b = group.ids[1], *c = group.ids[2], *d = group.ids[3];
    for (std::size_t i = 0; i < rows; ++i) {
      const Sum value = Sum{r[i]};
      p[a[i]] += value;
      q[b[i]] += value;
      s[c[i]] += value;
      t[d[i]] += value;
    }
    return;
  }
  for (std::size_t t = 0; t < group.trees; ++t)
    for (std::size_t i = 0; i < rows; ++i) sums[t][group.ids[t][i]] += Sum{r[i]};
}

template <std::size_t quads, class Id>
void collect_rows(const TreeGroup<Id>& group, const float* r, float* const* sums, std::size_t rows,
                  std::size_t stride) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t t = 0; t < group.trees; ++t)
      add_row<quads>(sums[t] + group.ids[t][i] * stride, r + i * stride, stride);
}

}  // namespace coppice
