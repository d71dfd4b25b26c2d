#include "infer/projected_forest.h"

#include <algorithm>
#include <limits>

#include "model/walk.h"

namespace coppice {

namespace {

constexpr std::size_t kAbreast = 8;  // rows on their way through a tree at once

}  // namespace

ProjectedForest::ProjectedForest(const Forest& forest) {
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) add_tree(forest, tree);
}

std::size_t ProjectedForest::bytes() const {
  return first_node_.size() * sizeof(std::uint32_t) + nodes_.size() * sizeof(Node) +
         terms_.size() * sizeof(PlainTerm) + words_.size() * sizeof(std::uint32_t);
}

void ProjectedForest::add_tree(const Forest& forest, std::size_t tree) {
  const ForestArrays& arrays = forest.arrays();
  first_node_.push_back(static_cast<std::uint32_t>(nodes_.size()));
  for_each_node(
      arrays, tree,
      [&](std::size_t number, std::size_t) {
        const Split split = arrays.split(tree, number);
        const bool projected = split.kind == Split::Kind::projection;
        const auto first_term = static_cast<std::uint32_t>(terms_.size());
        const auto right =
            static_cast<std::uint32_t>(nodes_.size() + nodes_to_right(split, number));
        add_terms(forest, split);
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        nodes_.push_back({projected ? arrays.projections.lower[split.feature] : -kInfinity,
                          split.threshold, first_term,
                          static_cast<std::uint32_t>(terms_.size()) - first_term, right,
                          split.missing_left});
        if (split.kind == Split::Kind::category_set) {  // in the set: -1 < 0
          nodes_.back().threshold = 0;
          terms_.back().coefficient = -1;
        }
      },
      [&](std::size_t number, std::size_t) {
        nodes_.push_back({0, 0, 0, 0, static_cast<std::uint32_t>(number), false});
      });
}

void ProjectedForest::add_terms(const Forest& forest, const Split& split) {
  const ForestArrays& arrays = forest.arrays();
  const ProjectionArrays& all = arrays.projections;
  const std::vector<Feature>& features = forest.info().schema.features;
  const auto add = [&](const Term& term, float centre) {
    const Feature& feature = features[term.feature];
    if (feature.kind == FeatureKind::categorical) {
      terms_.push_back({term.feature, add_set(forest, term.first_word, feature), term.coefficient,
                        static_cast<float>(feature.categories.size()), 0, true});
    } else {
      const bool pair = term.partner != Term::kNoPartner;
      terms_.push_back({term.feature, term.partner, term.coefficient, centre,
                        pair ? all.centre[term.partner] : 0, false});
    }
  };
  if (split.kind != Split::Kind::projection)
    return add({.feature = split.feature, .first_word = split.first_word, .coefficient = 1}, 0);
  for (std::size_t t = all.first_term[split.feature]; t < all.first_term[split.feature + 1]; ++t)
    add(all.term(t), all.centre[all.feature[t]]);
}

std::uint32_t ProjectedForest::add_set(const Forest& forest, std::uint32_t first_word,
                                       const Feature& feature) {
  const auto first = static_cast<std::uint32_t>(words_.size());
  const auto words = forest.arrays().category_words.subspan(first_word, category_words(feature));
  words_.insert(words_.end(), words.begin(), words.end());
  return first;
}

void ProjectedForest::find_leaves(const float* rows, std::size_t count, std::size_t features,
                                  std::size_t first, std::size_t trees,
                                  std::uint32_t* leaves) const {
  for (std::size_t block = 0; block < count; block += kAbreast) {
    const std::size_t lanes = std::min(kAbreast, count - block);
    for (std::size_t t = 0; t < trees; ++t) {
      std::uint32_t at[kAbreast];
      std::fill_n(at, lanes, first_node_[first + t]);
      for (bool moving = true; moving;) {
        moving = false;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const Node& node = nodes_[at[lane]];
          if (node.is_leaf()) continue;
          const float* const row = rows + (block + lane) * features;
          at[lane] = next(node, [row](std::uint32_t feature) { return row[feature]; });
          moving = true;
        }
      }
      for (std::size_t lane = 0; lane < lanes; ++lane)
        leaves[t * count + block + lane] = nodes_[at[lane]].right;
    }
  }
}

}  // namespace coppice
