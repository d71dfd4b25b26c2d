#include "tasks/learner_options.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "data/text_source.h"
#include "tasks/option_values.h"

namespace coppice {
namespace {

using Text = std::string_view;

constexpr std::array<Text, 7> kLearnerNames = {"axis", "difference", "oblique", "conic",
                                               "pca",  "lda",        "boxes"};
constexpr std::array<Text, 3> kCoefficientNames = {"uniform", "gaussian", "sign"};

LearnerShare learner_share(const OptionText& option, Text part) {
  const std::size_t colon = part.rfind(':');
  const Text name = part.substr(0, colon);
  LearnerShare one;
  one.kind = static_cast<WeakLearnerKind>(
      choice_value({option.name, name, option.example}, {{"axis", 0},
                                                         {"difference", 1},
                                                         {"oblique", 2},
                                                         {"conic", 3},
                                                         {"pca", 4},
                                                         {"lda", 5},
                                                         {"boxes", 6},
                                                         {"linear", 2},
                                                         {"hyperplane", 2},
                                                         {"quadratic", 3},
                                                         {"cca", 5},
                                                         {"canonical", 5}}));
  if (colon == Text::npos) return one;
  one.share = finite_number({option.name, part.substr(colon + 1), option.example});
  if (!(one.share > 0)) refuse(option, fmt::format("the share in '{}' must be above 0", part));
  return one;
}

std::optional<std::uint32_t> count_or_default(const OptionText& option) {
  if (option.text == "default") return std::nullopt;
  return count_value(option, 1);
}

void set_learners(FitOptions& options, Text text) {
  const OptionText option{"split", text, "oblique:0.7,axis:0.3"};
  std::vector<LearnerShare> learners;
  for (const Text part : split_list(text, ',')) learners.push_back(learner_share(option, part));
  if (learners.empty()) refuse(option, "is empty; try --split oblique");
  options.split.learners = std::move(learners);
}

std::string show_learners(const FitOptions& options) {
  std::string shown;
  for (const LearnerShare& one : options.split.learners) {
    if (!shown.empty()) shown += ',';
    shown += kLearnerNames[static_cast<std::size_t>(one.kind)];
    if (one.share != 1) shown += fmt::format(":{}", one.share);
  }
  return shown == "axis" ? "" : shown;
}

void set_projected_features(FitOptions& options, Text text) {
  options.split.projected_features = count_or_default({"split-features", text, "3"});
}

std::string show_count(const std::optional<std::uint32_t>& count) {
  return count ? fmt::format("{}", *count) : "";
}

void set_coefficients(FitOptions& options, Text text) {
  options.split.coefficients = static_cast<Coefficients>(
      choice_value({"coefficients", text, "uniform"},
                   {{"uniform", 0}, {"gaussian", 1}, {"sign", 2}, {"normal", 1}}));
}

std::string show_coefficients(const FitOptions& options) {
  const auto kind = static_cast<std::size_t>(options.split.coefficients);
  return kind == 0 ? "" : std::string(kCoefficientNames[kind]);
}

void set_candidates(FitOptions& options, Text text) {
  options.split.candidates = count_or_default({"candidates", text, "20"});
}

// Lines of a feature and its weight; the last comma or '=' separates. A first line whose weight is
// no number is a header.
GivenFeatureWeights weights_in_file(const OptionText& option) {
  const std::string path(option.text);
  if (!std::filesystem::exists(path))
    refuse(option, fmt::format("'{}' is neither learned, none, a file that exists nor features and "
                               "their weights",
                               path));
  TextSource source{path};
  std::string text(source.size(), ' ');
  source.read(text);
  GivenFeatureWeights given;
  bool first = true;
  for (const Text line : split_list(text, '\n')) {
    const std::size_t comma = line.find_last_of(",=");
    if (line.empty()) continue;
    if (comma == Text::npos)
      refuse(option,
             fmt::format("'{}' in {} is not a feature, a comma and a weight", line, option.text));
    const Text weight = line.substr(comma + 1);
    const bool header = first && weight.find_first_of("0123456789") == Text::npos;
    first = false;
    if (header) continue;
    given.weights.emplace_back(line.substr(0, comma),
                               finite_number({option.name, weight, option.example}));
  }
  if (given.weights.empty()) refuse(option, fmt::format("{} has no weights", option.text));
  return given;
}

void set_feature_weights(FitOptions& options, Text text) {
  const OptionText option{"feature-weights", text, "age=3,zip=0"};
  FeatureWeightChoice& choice = options.split.feature_weights;
  constexpr Text kLearned = "learned";
  if (text == "none") {
    choice = UniformFeatureWeights{};
  } else if (text == kLearned) {
    choice = LearnedFeatureWeights{};
  } else if (text.starts_with("learned:")) {
    const OptionText share{option.name, text.substr(kLearned.size() + 1), "0.3"};
    choice = LearnedFeatureWeights{finite_number(share)};
  } else if (text.find('=') != Text::npos) {
    choice = GivenFeatureWeights{named_weights(option, "neither learned, none, a file nor")};
  } else {
    choice = weights_in_file(option);
  }
}

std::string show_feature_weights(const FitOptions& options) {
  const FeatureWeightChoice& choice = options.split.feature_weights;
  if (const auto* learned = std::get_if<LearnedFeatureWeights>(&choice))
    return fmt::format("learned:{}", learned->uniform_share);
  const auto* given = std::get_if<GivenFeatureWeights>(&choice);
  return given == nullptr ? "" : show_named_weights(given->weights);
}

}  // namespace

std::vector<OptionRow> learner_rows() {
  return {
      {"split",
       {"weak-learner"},
       "LIST",
       "of axis, difference, oblique, conic, pca, lda, boxes; shares read oblique:0.7,axis:0.3 "
       "(axis)",
       set_learners,
       show_learners,
       true},
      {"split-features",
       {},
       "N|default",
       "features of a sum: oblique 3, conic 2, pca and lda log2 of all plus 1 (default)",
       set_projected_features,
       [](const FitOptions& o) { return show_count(o.split.projected_features); },
       true},
      {"coefficients",
       {},
       "uniform|gaussian|sign",
       "how oblique and conic splits weigh their features (uniform)",
       set_coefficients,
       show_coefficients,
       true},
      {"two-sided",
       {},
       "true|false",
       "two thresholds per split: what lies between goes left (false)",
       [](FitOptions& o, Text t) {
         o.split.two_sided = truth_value({"two-sided", t, "true"});
       },
       [](const FitOptions& o) -> std::string { return o.split.two_sided ? "true" : ""; },
       true},
      {"feature-weights",
       {},
       "learned|FILE|LIST|none",
       "how often features are drawn: as a first small forest used them, or as given: age=3,zip=0",
       set_feature_weights,
       show_feature_weights,
       true},
      {"candidates",
       {"rho"},
       "N|default",
       "splits tried per node (as --max-features says)",
       set_candidates,
       [](const FitOptions& o) { return show_count(o.split.candidates); },
       true},
  };
}

std::vector<OptionRow> box_rows() {
  return {
      {"image-width",
       {},
       "N|default",
       "--split boxes: features are images of so many columns, row by row; for a series, the "
       "number of features (default: square images)",
       [](FitOptions& o, Text t) {
         o.split.image_width = count_or_default({"image-width", t, "28"});
       },
       [](const FitOptions& o) { return show_count(o.split.image_width); },
       true},
      {"box-side",
       {},
       "N|default",
       "--split boxes: columns and rows of a box at most (a quarter of the image)",
       [](FitOptions& o, Text t) {
         o.split.box_side = count_or_default({"box-side", t, "5"});
       },
       [](const FitOptions& o) { return show_count(o.split.box_side); },
       true},
  };
}

}  // namespace coppice
