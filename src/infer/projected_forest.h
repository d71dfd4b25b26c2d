// A forest with splits on several features, ready for traversal: values are read as they are,
// since a response is a sum of them. Several rows walk through a tree side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/model.h"

namespace coppice {

class ProjectedForest {
 public:
  explicit ProjectedForest(const Forest&);

  std::size_t bytes() const;

  // leaves[(tree - first) * count + row] for `count` rows of `features` floats, one after the
  // other.
  void find_leaves(const float* rows, std::size_t count, std::size_t features, std::size_t first,
                   std::size_t trees, std::uint32_t* leaves) const;

  // The leaf of one row in one tree; value(feature) is the row's value, NaN if missing.
  template <class Value>
  std::uint32_t find_leaf(std::size_t tree, Value&& value) const {
    std::uint32_t at = first_node_[tree];
    while (!nodes_[at].is_leaf()) at = next(nodes_[at], value);
    return nodes_[at].right;
  }

 private:
  // The left child of a node is the one after it.
  struct Node {
    float lower, threshold;
    std::uint32_t first_term, terms;  // no terms: a leaf
    std::uint32_t right;              // node, or the number of the leaf
    bool missing_left;

    bool is_leaf() const { return terms == 0; }
  };
  // A category has no partner but a set: words from `partner` on, and its `centre` is the number of
  // categories.
  struct PlainTerm {
    std::uint32_t feature, partner;
    float coefficient, centre, partner_centre;
    bool categorical;
  };

  void add_tree(const Forest&, std::size_t tree);
  void add_terms(const Forest&, const Split&);
  std::uint32_t add_set(const Forest&, std::uint32_t first_word, const Feature&);

  template <class Value>
  double response(const Node& node, Value&& value) const {
    double sum = 0;
    const PlainTerm* const terms = terms_.data() + node.first_term;
    for (std::uint32_t t = 0; t < node.terms; ++t) {
      const PlainTerm& term = terms[t];
      double u;
      if (term.categorical) {
        u = membership(value(term.feature), static_cast<std::size_t>(term.centre),
                       std::span(words_).subspan(term.partner));
      } else {
        u = centred(value(term.feature), term.centre);
        if (term.partner != Term::kNoPartner)
          u *= centred(value(term.partner), term.partner_centre);
      }
      sum += term.coefficient * u;
    }
    return sum;
  }

  template <class Value>
  std::uint32_t next(const Node& node, Value&& value) const {
    const auto r = static_cast<float>(response(node, value));
    const bool left = r != r ? node.missing_left : r < node.threshold && r >= node.lower;
    return left ? static_cast<std::uint32_t>(&node - nodes_.data()) + 1 : node.right;
  }

  std::vector<std::uint32_t> first_node_;  // per tree
  std::vector<Node> nodes_;
  std::vector<PlainTerm> terms_;
  std::vector<std::uint32_t> words_;  // of category sets
};

}  // namespace coppice
