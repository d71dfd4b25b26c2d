// The checks, in the order in which later ones rely on earlier ones.
#include "model/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "coppice/error.h"
#include "model/payload_faults.h"
#include "model/walk.h"

namespace coppice {
namespace {

// --- Names ---------------------------------------------------------------------------------------

// The names must outlive the call.
Fault names_fault(std::string_view section, std::string_view what,
                  std::vector<const std::string*> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_utf8(*names[i])) return fault(section, i, "name {} of the {} is not UTF-8", i, what);
  }
  std::sort(names.begin(), names.end(), [](auto* a, auto* b) { return *a < *b; });
  const auto twice =
      std::adjacent_find(names.begin(), names.end(), [](auto* a, auto* b) { return *a == *b; });
  if (twice == names.end()) return std::nullopt;
  return fault(section, 0, "'{}' comes twice among the {}", **twice, what);
}

template <class Range, class Name>
std::vector<const std::string*> pointers(const Range& range, Name name_of) {
  std::vector<const std::string*> names;
  names.reserve(range.size());
  for (const auto& element : range) names.push_back(&name_of(element));
  return names;
}

constexpr auto kItself = [](const std::string& name) -> const std::string& { return name; };
constexpr auto kFirst = [](const auto& pair) -> const std::string& { return pair.first; };

Fault schema_fault(const ForestArrays&, const ForestInfo& info) {
  const Schema& schema = info.schema;
  const auto feature_name = [](const Feature& feature) -> const std::string& {
    return feature.name;
  };
  if (auto found = names_fault("schema", "features", pointers(schema.features, feature_name)))
    return found;
  if (auto found = names_fault("schema", "targets", pointers(schema.targets, kItself)))
    return found;
  if (auto found = names_fault("schema", "classes", pointers(schema.classes, kItself)))
    return found;
  for (const Feature& feature : schema.features) {
    if (feature.kind == FeatureKind::numeric && !feature.categories.empty()) {
      return fault("schema", 0, "numeric feature '{}' has categories", feature.name);
    }
    if (auto found = names_fault("schema", "categories of feature '" + feature.name + "'",
                                 pointers(feature.categories, kItself)))
      return found;
  }
  if (schema.features.empty()) return fault("schema", 0, "there are no features");
  if (schema.features.size() > SplitCode::kFeatureMask) {
    return fault("schema", 0, "{} features are more than a split can name", schema.features.size());
  }
  return std::nullopt;
}

template <class Pairs>
Fault pairs_fault(std::string_view section, const Pairs& pairs) {
  for (const auto& [name, value] : pairs) {
    if (!is_utf8(value)) return fault(section, 0, "the value of '{}' is not UTF-8", name);
  }
  return names_fault(section, section, pointers(pairs, kFirst));
}

Fault texts_fault(const ForestArrays&, const ForestInfo& info) {
  if (auto found = pairs_fault("options", info.options)) return found;
  if (auto found = pairs_fault("facts", info.facts)) return found;
  return names_fault("schema", "importances", pointers(info.importances, kFirst));
}

// --- Sizes ---------------------------------------------------------------------------------------

Fault size_fault(std::string_view section, std::size_t size, std::size_t expected) {
  if (size == expected) return std::nullopt;
  return fault(section, 0, "has {} entries instead of {}", size, expected);
}

Fault split_sizes_fault(const ForestArrays& arrays, const ForestInfo&) {
  if (arrays.first_split.size() < 2) return fault("tree.first_split", 0, "there is no tree");
  const std::size_t splits = arrays.splits();
  if (auto found = size_fault("split.threshold", arrays.threshold.size(), splits)) return found;
  return size_fault("split.code", arrays.code.size(), splits);
}

Fault leaf_sizes_fault(const ForestArrays& arrays, const ForestInfo&) {
  const std::size_t leaves = arrays.leaves();
  if (auto found = size_fault("leaf.support", arrays.support.size(), leaves)) return found;
  if (arrays.payload.size() % arrays.payload_size != 0) {
    return fault("leaf.payload", 0, "the last row is incomplete");
  }
  const PayloadIndex& index = arrays.payload_row;
  const std::size_t entries = index.narrow.size() + index.medium.size() + index.wide.size();
  if (entries != 0) return size_fault("leaf.row", entries, leaves);
  return size_fault("leaf.payload", arrays.payload.size() / arrays.payload_size, leaves);
}

Fault first_splits_fault(const ForestArrays& arrays, const ForestInfo&) {
  const auto& first = arrays.first_split;
  if (first[0] != 0) return fault("tree.first_split", 0, "tree 0 begins at split {}", first[0]);
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree) {
    if (first[tree + 1] < first[tree]) {
      return fault("tree.first_split", tree + 1,
                   "tree {} ends at split {}, before its beginning {}", tree, first[tree + 1],
                   first[tree]);
    }
  }
  if (first.back() == arrays.splits()) return std::nullopt;
  return fault("tree.first_split", arrays.trees(), "the trees have {} splits, but {} are there",
               first.back(), arrays.splits());
}

// --- Splits --------------------------------------------------------------------------------------

Fault category_set_fault(const ForestArrays& arrays, const Feature& feature, std::size_t at) {
  const std::size_t words = category_words(feature), first = arrays.threshold[at];
  if (first > arrays.category_words.size() || words > arrays.category_words.size() - first) {
    return fault("split.threshold", at, "category words {} to {} of split {} lie outside the array",
                 first, first + words, at);
  }
  const std::size_t used = feature.categories.size() % 32;
  if (used == 0 || arrays.category_words[first + words - 1] >> used == 0) return std::nullopt;
  return fault("category.words", first + words - 1,
               "split {} names categories that feature '{}' does not have", at, feature.name);
}

// --- Projections ---------------------------------------------------------------------------------

Fault projection_sizes_fault(const ForestArrays& arrays, const ForestInfo& info) {
  const ProjectionArrays& all = arrays.projections;
  if (all.first_term.empty()) {
    const std::size_t others = all.lower.size() + all.feature.size() + all.centre.size();
    if (others == 0) return std::nullopt;
    return fault("projection.first_term", 0, "is empty, but there are projections");
  }
  const std::size_t terms = all.feature.size();
  for (const Fault& found :
       {size_fault("projection.lower", all.lower.size(), all.first_term.size() - 1),
        size_fault("term.partner", all.partner.size(), terms),
        size_fault("term.first_word", all.first_word.size(), terms),
        size_fault("term.coefficient", all.coefficient.size(), terms),
        size_fault("feature.centre", all.centre.size(), info.schema.features.size())})
    if (found) return found;
  if (all.first_term[0] != 0 || all.first_term.back() != terms)
    return fault("projection.first_term", 0, "does not begin at term 0 or end at term {}", terms);
  for (std::size_t p = 0; p < all.count(); ++p) {
    if (all.first_term[p] >= all.first_term[p + 1])
      return fault("projection.first_term", p + 1, "projection {} has no terms", p);
    if (std::isnan(all.lower[p]))
      return fault("projection.lower", p, "the lower threshold of projection {} is not a number",
                   p);
  }
  for (std::size_t f = 0; f < all.centre.size(); ++f)
    if (!std::isfinite(all.centre[f]))
      return fault("feature.centre", f, "the centre of feature {} is {}", f, all.centre[f]);
  return std::nullopt;
}

Fault term_set_fault(const ForestArrays& arrays, const Feature& feature, std::size_t t) {
  const std::size_t words = category_words(feature), first = arrays.projections.first_word[t];
  if (first > arrays.category_words.size() || words > arrays.category_words.size() - first)
    return fault("term.first_word", t, "category words {} to {} of term {} lie outside the array",
                 first, first + words, t);
  return std::nullopt;
}

Fault terms_fault(const ForestArrays& arrays, const ForestInfo& info) {
  const ProjectionArrays& all = arrays.projections;
  const std::vector<Feature>& features = info.schema.features;
  for (std::size_t t = 0; t < all.terms(); ++t) {
    const Term term = all.term(t);
    if (term.feature >= features.size())
      return fault("term.feature", t, "term {} has feature {} of {}", t, term.feature,
                   features.size());
    if (!std::isfinite(term.coefficient))
      return fault("term.coefficient", t, "the coefficient of term {} is {}", t, term.coefficient);
    const Feature& feature = features[term.feature];
    const bool number = feature.kind == FeatureKind::numeric;
    if (term.partner != Term::kNoPartner && (!number || term.partner >= features.size() ||
                                             features[term.partner].kind != FeatureKind::numeric))
      return fault("term.partner", t, "term {} does not have two numbers as partners", t);
    if (number) continue;
    if (auto found = term_set_fault(arrays, feature, t)) return found;
  }
  return std::nullopt;
}

Fault threshold_fault(const ForestArrays& arrays, std::size_t at) {
  if (!std::isnan(std::bit_cast<float>(arrays.threshold[at]))) return std::nullopt;
  return fault("split.threshold", at, "the threshold of split {} is not a number", at);
}

// What the split tests; its place in the tree is tree_fault()'s concern.
Fault test_fault(const ForestArrays& arrays, const Schema& schema, std::size_t at) {
  const std::uint32_t code = arrays.code[at], number = code & SplitCode::kFeatureMask;
  constexpr std::uint32_t kKnownBits = SplitCode::kFeatureMask | SplitCode::kKindMask |
                                       SplitCode::kRightIsLeaf | SplitCode::kMissingLeft;
  const std::uint32_t kind = (code & SplitCode::kKindMask) >> SplitCode::kKindShift;
  if ((code & ~kKnownBits) != 0 || kind > static_cast<std::uint32_t>(Split::Kind::projection)) {
    return fault("split.code", at, "split {} has unknown bits in its code {:#x}", at, code);
  }
  if (kind == static_cast<std::uint32_t>(Split::Kind::projection)) {
    if (number < arrays.projections.count()) return threshold_fault(arrays, at);
    return fault("split.code", at, "split {} tests projection {} of {}", at, number,
                 arrays.projections.count());
  }
  if (number >= schema.features.size()) {
    return fault("split.code", at, "split {} tests feature {} of {}", at, number,
                 schema.features.size());
  }
  const Feature& feature = schema.features[number];
  const bool tests_categories = (code & SplitCode::kKindMask) != 0;
  if (tests_categories != (feature.kind == FeatureKind::categorical)) {
    return fault("split.code", at, "split {} does not fit the kind of feature '{}'", at,
                 feature.name);
  }
  if (tests_categories) return category_set_fault(arrays, feature, at);
  return threshold_fault(arrays, at);
}

// What is wrong with the place of the children of split i, whose part ends at `end`.
Fault place_fault(const ForestArrays& arrays, std::size_t tree, std::size_t i, std::size_t end,
                  bool inside) {
  const std::size_t at = arrays.first_split[tree] + i;
  const std::size_t splits = arrays.first_split[tree + 1] - arrays.first_split[tree];
  if (!inside)
    return fault("split.right", at, "child {} of split {} in tree {} lies outside the {}",
                 arrays.right[at], i, tree, end == splits ? "tree" : "subtree of its parent");
  const bool right_is_leaf = (arrays.code[at] & SplitCode::kRightIsLeaf) != 0;
  return fault("split.code", at, "split {} in tree {} {} a leaf as its right child", i, tree,
               right_is_leaf ? "wrongly claims" : "does not claim");
}

// Pre-order makes a tree of any splits [i, end) with i < right <= end, split by split: left part
// [i + 1, right), right part [right, end). ends[i] is where the part ends that split i begins; it
// is known before the split is looked at. Without a branch that depends on the tree's shape.
Fault tree_fault(const ForestArrays& arrays, std::size_t tree, std::vector<std::uint32_t>& ends) {
  const std::size_t base = arrays.first_split[tree];
  const std::uint32_t splits = arrays.first_split[tree + 1] - arrays.first_split[tree];
  ends.resize(std::size_t{splits} + 1);
  ends[0] = splits;
  for (std::uint32_t i = 0; i < splits; ++i) {
    const std::uint32_t right = arrays.right[base + i], end = ends[i];
    const bool right_is_leaf = (arrays.code[base + i] & SplitCode::kRightIsLeaf) != 0;
    const bool inside = right > i && right <= end;
    if (!inside || right_is_leaf != (right == end))
      return place_fault(arrays, tree, i, end, inside);
    // A part without a split is a leaf, whose end nobody asks for.
    ends[right > i + 1 ? i + 1 : splits] = right;
    ends[right < end ? right : splits] = end;
  }
  return std::nullopt;
}

// Whether the split is what nearly all are: a number below its threshold, without a fault.
bool tests_number(const ForestArrays& arrays, const std::vector<std::uint8_t>& is_number,
                  std::size_t at) {
  const std::uint32_t what = arrays.code[at] & ~(SplitCode::kRightIsLeaf | SplitCode::kMissingLeft);
  return what < is_number.size() && is_number[what] != 0 &&
         !std::isnan(std::bit_cast<float>(arrays.threshold[at]));
}

Fault splits_fault(const ForestArrays& arrays, const ForestInfo& info) {
  std::vector<std::uint8_t> is_number;
  for (const Feature& feature : info.schema.features)
    is_number.push_back(feature.kind == FeatureKind::numeric);
  for (std::size_t at = 0; at < arrays.splits(); ++at) {
    if (tests_number(arrays, is_number, at)) continue;
    if (auto found = test_fault(arrays, info.schema, at)) return found;
  }
  std::vector<std::uint32_t> ends;
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree) {
    if (auto found = tree_fault(arrays, tree, ends)) return found;
  }
  return std::nullopt;
}

// --- Leaves --------------------------------------------------------------------------------------

Fault payload_rows_fault(const ForestArrays& arrays, const ForestInfo&) {
  const std::size_t rows = arrays.payload.size() / arrays.payload_size;
  const auto range_fault = [&](auto index) -> Fault {
    for (std::size_t leaf = 0; leaf < index.size(); ++leaf) {
      if (index[leaf] >= rows) {
        return fault("leaf.row", leaf, "leaf {} has payload row {} of {}", leaf, index[leaf], rows);
      }
    }
    return std::nullopt;
  };
  if (auto found = range_fault(arrays.payload_row.narrow)) return found;
  if (auto found = range_fault(arrays.payload_row.medium)) return found;
  return range_fault(arrays.payload_row.wide);
}

Fault support_fault(const ForestArrays& arrays, const ForestInfo&) {
  for (std::size_t leaf = 0; leaf < arrays.support.size(); ++leaf) {
    const float support = arrays.support[leaf];
    if (std::isfinite(support) && support >= 0) continue;
    return fault("leaf.support", leaf, "the support of leaf {} is {}", leaf, support);
  }
  return std::nullopt;
}

Fault importances_fault(const ForestArrays&, const ForestInfo& info) {
  for (const auto& [name, values] : info.importances) {
    const std::string section = "importance." + name;
    if (values.size() != info.schema.features.size()) {
      return fault(section, 0, "there are {} values for {} features", values.size(),
                   info.schema.features.size());
    }
    for (std::size_t feature = 0; feature < values.size(); ++feature) {
      if (std::isfinite(values[feature])) continue;
      return fault(section, feature, "the importance of feature {} is {}", feature,
                   values[feature]);
    }
  }
  return std::nullopt;
}

Fault calibration_fault(const ForestArrays&, const ForestInfo& info) {
  constexpr std::string_view kSection = "calibration.scores";
  const std::vector<float>& scores = info.calibration;
  if (scores.empty()) return std::nullopt;
  const std::size_t per_target = ForestInfo::kCalibrationFloats;
  const bool gaussian = info.payload_kind == PayloadKind::gaussian;
  if (predicts_classes(info.payload_kind) ||
      scores.size() != per_target * (gaussian ? 1 : info.schema.targets.size()))
    return fault(kSection, 0, "{} values do not fit the targets", scores.size());
  for (std::size_t at = 0; at < scores.size(); ++at) {
    const std::size_t place = at % per_target;
    const bool in_order = place == 0 ? scores[at] >= 0 : place == 1 || scores[at] >= scores[at - 1];
    if (std::isfinite(scores[at]) && in_order) continue;
    return fault(kSection, at, "value {} is {}, which is no variance or quantile", at, scores[at]);
  }
  return std::nullopt;
}

using Check = Fault (*)(const ForestArrays&, const ForestInfo&);

Fault first_fault(std::initializer_list<Check> checks, const ForestArrays& arrays,
                  const ForestInfo& info) {
  for (const Check check : checks)
    if (auto found = check(arrays, info)) return found;
  return std::nullopt;
}

}  // namespace

std::optional<ForestFault> find_fault(const ForestArrays& arrays, const ForestInfo& info) {
  return first_fault(
      {schema_fault, texts_fault, payload_size_fault, split_sizes_fault, leaf_sizes_fault,
       first_splits_fault, projection_sizes_fault, terms_fault, splits_fault, payload_rows_fault,
       payloads_fault, precision_fault, support_fault, importances_fault, calibration_fault},
      arrays, info);
}

std::optional<ForestFault> find_fault_of_splits(const ForestArrays& arrays,
                                                const ForestInfo& info) {
  return first_fault({schema_fault, texts_fault, split_sizes_fault, first_splits_fault,
                      projection_sizes_fault, terms_fault, splits_fault},
                     arrays, info);
}

void validate(const ForestArrays& arrays, const ForestInfo& info, const std::string& source) {
  const Fault found = find_fault(arrays, info);
  if (!found) return;
  throw Error(ErrorKind::corrupt_model,
              fmt::format("{}: section '{}': {}", source, found->section, found->sentence));
}

}  // namespace coppice
