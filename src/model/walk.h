// Plain ways through a tree: for paths, descriptions, conversions and tests. They need no
// recursion; CompiledForest is the fast way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/model.h"

namespace coppice {

// Words of the category set of a split on this feature.
inline std::size_t category_words(const Feature& feature) {
  return feature.categories.size() / 32 + (feature.categories.size() % 32 != 0);
}

// REQUIRES: category < categories of the split's feature.
inline bool contains(const ForestArrays& arrays, const Split& split, std::uint32_t category) {
  return (arrays.category_words[split.first_word + category / 32] >> (category % 32) & 1u) != 0;
}

// The response of a row to a projection; value(feature) is the row's.
template <class Value>
float response_of(const ForestArrays& arrays, const Schema& schema, std::size_t projection,
                  Value&& value) {
  const ProjectionArrays& all = arrays.projections;
  double sum = 0;
  for (std::size_t t = all.first_term[projection]; t < all.first_term[projection + 1]; ++t) {
    const Term term = all.term(t);
    const Feature& feature = schema.features[term.feature];
    if (feature.kind == FeatureKind::categorical) {
      sum += term.coefficient * membership(value(term.feature), feature.categories.size(),
                                           arrays.category_words.subspan(term.first_word));
      continue;
    }
    double u = centred(value(term.feature), all.centre[term.feature]);
    if (term.partner != Term::kNoPartner)
      u *= centred(value(term.partner), all.centre[term.partner]);
    sum += term.coefficient * u;
  }
  return static_cast<float>(sum);
}

// Whether a row goes left; value(feature) is the row's. NaN and unknown categories are missing.
template <class Value>
bool goes_left(const ForestArrays& arrays, const Schema& schema, const Split& split,
               Value&& value) {
  if (split.kind == Split::Kind::projection) {
    const float response = response_of(arrays, schema, split.feature, value);
    if (response != response) return split.missing_left;
    return response < split.threshold && response >= arrays.projections.lower[split.feature];
  }
  const float own = value(split.feature);
  if (split.kind == Split::Kind::numeric)
    return own != own ? split.missing_left : own < split.threshold;
  const auto categories = static_cast<float>(schema.features[split.feature].categories.size());
  if (!(own >= 0 && own < categories)) return split.missing_left;
  return contains(arrays, split, static_cast<std::uint32_t>(own));
}

// Calls visit(feature, share) for the features that a split looks at; shares add up to 1.
template <class Visit>
void for_each_feature(const ForestArrays& arrays, const Split& split, Visit&& visit) {
  if (split.kind != Split::Kind::projection) return visit(split.feature, 1.0);
  const ProjectionArrays& all = arrays.projections;
  const std::size_t first = all.first_term[split.feature];
  const std::size_t last = all.first_term[split.feature + 1];
  const double share = 1.0 / static_cast<double>(last - first);
  for (std::size_t t = first; t < last; ++t) {
    const Term term = all.term(t);
    const bool pair = term.partner != Term::kNoPartner;
    visit(term.feature, pair ? share / 2 : share);
    if (pair) visit(term.partner, share / 2);
  }
}

// The leaf of a row, numbered within the tree; calls on_split(split number, goes left) on the way.
// value(feature) is the row's.
template <class Value, class OnSplit>
std::size_t walk_by(const ForestArrays& arrays, const Schema& schema, std::size_t tree,
                    Value&& value, OnSplit on_split) {
  if (arrays.first_split[tree] == arrays.first_split[tree + 1]) return 0;
  std::size_t leaf = 0;
  for (std::size_t at = 0;;) {
    const Split split = arrays.split(tree, at);
    const bool left = goes_left(arrays, schema, split, value);
    on_split(at, left);
    if (!left) leaf += split.right - at;
    if (left ? split.right == at + 1 : split.right_is_leaf) return leaf;
    at = left ? at + 1 : split.right;
  }
}
template <class OnSplit>
std::size_t walk(const ForestArrays& arrays, const Schema& schema, std::size_t tree,
                 std::span<const float> row, OnSplit on_split) {
  return walk_by(
      arrays, schema, tree, [&](std::size_t feature) { return row[feature]; }, on_split);
}

inline std::size_t leaf_of(const ForestArrays& arrays, const Schema& schema, std::size_t tree,
                           std::span<const float> row) {
  return walk(arrays, schema, tree, row, [](std::size_t, bool) {});
}

// If splits and leaves stand in pre-order: how far after a split its right child does. Its left
// subtree has one leaf more than splits.
inline std::size_t nodes_to_right(const Split& split, std::size_t number) {
  return 2 * (split.right - number);
}

// Every node of a tree in pre-order: on_split(split number, depth) or on_leaf(leaf number, depth),
// numbers within the tree, the root at depth 0.
template <class OnSplit, class OnLeaf>
void for_each_node(const ForestArrays& arrays, std::size_t tree, OnSplit on_split, OnLeaf on_leaf) {
  struct Subtree {
    std::size_t first, last, depth;  // splits [first, last); a leaf if empty
  };
  std::size_t leaves = 0;
  std::vector<Subtree> waiting{{0, arrays.first_split[tree + 1] - arrays.first_split[tree], 0}};
  while (!waiting.empty()) {
    const Subtree subtree = waiting.back();
    waiting.pop_back();
    if (subtree.first == subtree.last) {
      on_leaf(leaves++, subtree.depth);
      continue;
    }
    on_split(subtree.first, subtree.depth);
    const std::size_t right = arrays.right[arrays.first_split[tree] + subtree.first];
    waiting.push_back({right, subtree.last, subtree.depth + 1});
    waiting.push_back({subtree.first + 1, right, subtree.depth + 1});
  }
}

}  // namespace coppice
