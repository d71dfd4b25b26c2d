// Splits in words.
#include "model/describe.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <span>

#include "model/walk.h"

namespace coppice {

namespace {

std::string set_names(const Feature& feature, std::span<const std::uint32_t> words) {
  std::string names;
  for (std::uint32_t category = 0; category < feature.categories.size(); ++category) {
    if ((words[category / 32] >> (category % 32) & 1) == 0) continue;
    if (!names.empty()) names += ", ";
    names += feature.categories[category];
  }
  return names;
}

std::string centred_name(const ForestArrays& arrays, const Schema& schema, std::uint32_t feature) {
  const float centre = arrays.projections.centre[feature];
  if (centre == 0) return schema.features[feature].name;
  return fmt::format("({} {} {})", schema.features[feature].name, centre < 0 ? '+' : '-',
                     centre < 0 ? -centre : centre);
}

std::string term_words(const ForestArrays& arrays, const Schema& schema, const Term& term) {
  const Feature& feature = schema.features[term.feature];
  if (feature.kind == FeatureKind::categorical)
    return fmt::format("[{} in {{{}}}]", feature.name,
                       set_names(feature, arrays.category_words.subspan(term.first_word)));
  const std::string name = centred_name(arrays, schema, term.feature);
  if (term.partner == Term::kNoPartner) return name;
  if (term.partner == term.feature) return name + "^2";
  return name + " " + centred_name(arrays, schema, term.partner);
}

std::string projection_sentence(const ForestArrays& arrays, const Schema& schema,
                                const Split& split) {
  const ProjectionArrays& all = arrays.projections;
  std::string words;
  for (std::size_t t = all.first_term[split.feature]; t < all.first_term[split.feature + 1]; ++t) {
    const Term term = all.term(t);
    const float size = term.coefficient < 0 ? -term.coefficient : term.coefficient;
    words +=
        words.empty() ? (term.coefficient < 0 ? "-" : "") : (term.coefficient < 0 ? " - " : " + ");
    if (size != 1) words += fmt::format("{} ", size);
    words += term_words(arrays, schema, term);
  }
  const float lower = all.lower[split.feature];
  const std::string from = std::isinf(lower) ? "" : fmt::format("{} <= ", lower);
  return fmt::format("{}{} < {}", from, words, split.threshold);
}

}  // namespace

std::string split_sentence(const Forest& forest, std::size_t tree, std::size_t number) {
  const Split split = forest.arrays().split(tree, number);
  const std::string missing = split.missing_left ? " or missing" : "";
  const Schema& schema = forest.info().schema;
  if (split.kind == Split::Kind::projection)
    return projection_sentence(forest.arrays(), schema, split) + missing;
  const Feature& feature = schema.features[split.feature];
  if (split.kind == Split::Kind::numeric)
    return fmt::format("{} < {}{}", feature.name, split.threshold, missing);
  const auto words = forest.arrays().category_words.subspan(split.first_word);
  return fmt::format("{} in {{{}}}{}", feature.name, set_names(feature, words), missing);
}

}  // namespace coppice
