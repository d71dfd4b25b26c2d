#include "grow/recorded_tree.h"

#include "model/walk.h"

namespace coppice {

RecordedTree::RecordedTree(const StoredCheckpoint& checkpoint, std::size_t index)
    : checkpoint_(&checkpoint),
      index_(index),
      splits_(checkpoint.trees().first_split[index + 1] - checkpoint.trees().first_split[index]),
      closed_depth_(checkpoint.arrays().closed_depth[index]) {}

RecordedTree::Children RecordedTree::children(Place split, std::uint32_t depth) const {
  const Split found = checkpoint_->trees().split(index_, split);
  return {found.right == split + 1 ? leaf_at(depth) : split + 1,
          found.right_is_leaf ? leaf_at(depth) : found.right};
}

ChosenSplit RecordedTree::split(Place place) const {
  const ForestArrays& trees = checkpoint_->trees();
  const Split found = trees.split(index_, place);
  ChosenSplit chosen;
  chosen.threshold = found.threshold;
  chosen.missing_left = found.missing_left;
  chosen.gain = checkpoint_->arrays().gain[trees.first_split[index_] + place];
  chosen.node_weight = checkpoint_->arrays().root_weight[index_];
  if (found.kind == Split::Kind::projection) {
    chosen.lower = trees.projections.lower[found.feature];
    chosen.projection = projection(found.feature);
  } else {
    chosen.feature = found.feature;
  }
  if (found.kind == Split::Kind::category_set)
    chosen.left_categories = words(found.first_word, found.feature);
  return chosen;
}

std::vector<std::uint32_t> RecordedTree::words(std::size_t first, std::size_t feature) const {
  const auto all = checkpoint_->trees().category_words.subspan(
      first, category_words(checkpoint_->info().schema.features[feature]));
  return {all.begin(), all.end()};
}

Projection RecordedTree::projection(std::size_t number) const {
  const ProjectionArrays& all = checkpoint_->trees().projections;
  Projection found;
  for (std::size_t t = all.first_term[number]; t < all.first_term[number + 1]; ++t) {
    Term term = all.term(t);
    std::vector<std::uint32_t>& set = found.category_words;
    const Feature& feature = checkpoint_->info().schema.features[term.feature];
    if (feature.kind == FeatureKind::categorical) {
      const std::vector<std::uint32_t> own = words(term.first_word, term.feature);
      term.first_word = static_cast<std::uint32_t>(set.size());
      set.insert(set.end(), own.begin(), own.end());
    } else {
      term.first_word = 0;
    }
    found.terms.push_back(term);
  }
  return found;
}

}  // namespace coppice
