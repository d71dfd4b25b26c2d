#include "model/tree_copy.h"

#include <bit>

#include "model/walk.h"

namespace coppice {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

class TreeCopier {
 public:
  TreeCopier(const Forest& forest, std::size_t tree)
      : arrays_(forest.arrays()), schema_(forest.info().schema), tree_(tree) {}

  CutTree copy(const std::vector<bool>& cut) && {
    struct Subtree {
      std::size_t first, last, right_of;  // splits [first, last); the new split it is right of
    };
    const std::size_t splits = arrays_.first_split[tree_ + 1] - arrays_.first_split[tree_];
    std::vector<Subtree> waiting{{0, splits, kNone}};
    while (!waiting.empty()) {
      const auto [first, last, right_of] = waiting.back();
      waiting.pop_back();
      const bool leaf = first == last || (!cut.empty() && cut[first]);
      const std::size_t number = made_.tree.right.size();
      if (right_of != kNone) {
        made_.tree.right[right_of] = static_cast<std::uint32_t>(number);
        if (leaf) made_.tree.code[right_of] |= SplitCode::kRightIsLeaf;
      }
      if (leaf) {
        add_leaf(last - first + 1);
        continue;
      }
      const Split split = arrays_.split(tree_, first);
      add_split(split);
      waiting.push_back({split.right, last, number});
      waiting.push_back({first + 1, split.right, kNone});
    }
    return std::move(made_);
  }

 private:
  void add_leaf(std::size_t old_leaves) {
    const std::size_t first = arrays_.first_leaf(tree_) + made_.new_leaf.size();
    float support = 0;
    for (std::size_t n = first; n < first + old_leaves; ++n) support += arrays_.support[n];
    made_.new_leaf.insert(made_.new_leaf.end(), old_leaves,
                          static_cast<std::uint32_t>(made_.tree.support.size()));
    made_.tree.support.push_back(support);
  }

  void add_split(const Split& split) {
    TreeArrays& tree = made_.tree;
    const auto words = static_cast<std::uint32_t>(tree.category_words.size());
    const auto projections = static_cast<std::uint32_t>(tree.lower.size());
    const bool set = split.kind == Split::Kind::category_set;
    const bool projection = split.kind == Split::Kind::projection;
    tree.right.push_back(0);
    tree.threshold.push_back(set ? words : std::bit_cast<std::uint32_t>(split.threshold));
    tree.code.push_back((projection ? projections : split.feature) |
                        static_cast<std::uint32_t>(split.kind) << SplitCode::kKindShift |
                        (split.missing_left ? SplitCode::kMissingLeft : 0));
    if (set) add_words(split.first_word, split.feature);
    if (projection) add_projection(split.feature);
  }

  void add_words(std::size_t first, std::size_t feature) {
    const auto words =
        arrays_.category_words.subspan(first, category_words(schema_.features[feature]));
    made_.tree.category_words.insert(made_.tree.category_words.end(), words.begin(), words.end());
  }

  void add_projection(std::size_t number) {
    const ProjectionArrays& all = arrays_.projections;
    TreeArrays& tree = made_.tree;
    tree.lower.push_back(all.lower[number]);
    tree.terms_of.push_back(all.first_term[number + 1] - all.first_term[number]);
    const auto words = static_cast<std::uint32_t>(tree.category_words.size());
    for (std::size_t t = all.first_term[number]; t < all.first_term[number + 1]; ++t) {
      Term term = all.term(t);
      const std::size_t first = term.first_word;
      const bool set = schema_.features[term.feature].kind == FeatureKind::categorical;
      term.first_word = set ? static_cast<std::uint32_t>(tree.category_words.size()) : words;
      if (set) add_words(first, term.feature);
      tree.terms.push_back(term);
    }
  }

  const ForestArrays& arrays_;
  const Schema& schema_;
  std::size_t tree_;
  CutTree made_;
};

}  // namespace

CutTree copy_tree(const Forest& forest, std::size_t tree, const std::vector<bool>& cut) {
  return TreeCopier(forest, tree).copy(cut);
}

}  // namespace coppice
