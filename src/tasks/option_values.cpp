// Whole texts or nothing: "12abc" is not 12.
#include "tasks/option_values.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

#include "coppice/error.h"
#include "data/spelling.h"

namespace coppice {

void refuse(const OptionText& option, const std::string& problem) {
  throw Error(ErrorKind::invalid_option, fmt::format("--{}: {}", option.name, problem));
}

std::uint64_t whole_number(const OptionText& option, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const last = option.text.data() + option.text.size();
  const auto [end, problem] = std::from_chars(option.text.data(), last, value);
  const bool overflow = problem == std::errc::result_out_of_range && end == last;
  if (!overflow && (problem != std::errc() || end != last)) {
    refuse(option, fmt::format("'{}' is not a whole number; try --{} {}", option.text, option.name,
                               option.example));
  }
  if (overflow || value > most) {
    refuse(option, fmt::format("{} is too large; at most {}", option.text, most));
  }
  if (value < least) refuse(option, fmt::format("{} is too small; at least {}", value, least));
  return value;
}

std::uint32_t count_value(const OptionText& option, std::uint32_t least) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(whole_number(option, least, most));
}

double finite_number(const OptionText& option) {
  double value = 0;
  const char* const last = option.text.data() + option.text.size();
  const auto [end, problem] = fast_float::from_chars(option.text.data(), last, value);
  if (problem != std::errc() || end != last || !std::isfinite(value)) {
    refuse(option, fmt::format("'{}' is not a number; try --{} {}", option.text, option.name,
                               option.example));
  }
  return value;
}

bool truth_value(const OptionText& option) {
  return choice_value(option, {{"true", 1},
                               {"false", 0},
                               {"yes", 1},
                               {"no", 0},
                               {"on", 1},
                               {"off", 0},
                               {"1", 1},
                               {"0", 0}});
}

std::size_t choice_value(const OptionText& option, std::initializer_list<Choice> choices) {
  std::vector<std::string> names;
  std::string choices_text;
  std::vector<std::size_t> listed_values;
  for (const Choice& choice : choices) {
    if (option.text == choice.name) return choice.value;
    names.emplace_back(choice.name);
    bool synonym = false;
    for (const std::size_t value : listed_values) synonym |= value == choice.value;
    if (synonym) continue;
    listed_values.push_back(choice.value);
    choices_text += (choices_text.empty() ? "" : ", ") + names.back();
  }
  const auto nearest = nearest_spelling(option.text, names);
  refuse(option, fmt::format("'{}' is not one of {}{}", option.text, choices_text,
                             nearest ? fmt::format("; did you mean {}?", *nearest) : ""));
}

std::vector<std::string_view> split_list(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    parts.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

NamedWeights named_weights(const OptionText& option, const char* otherwise) {
  NamedWeights weights;
  for (const std::string_view part : split_list(option.text, ',')) {
    const std::size_t equals = part.rfind('=');
    if (equals == std::string_view::npos || equals == 0)
      refuse(option, fmt::format("'{}' is {} a list like 'a=2,b=0.5'", option.text, otherwise));
    const double weight = finite_number({option.name, part.substr(equals + 1), option.example});
    if (weight < 0) refuse(option, fmt::format("the weight in '{}' is negative", part));
    weights.emplace_back(part.substr(0, equals), weight);
  }
  return weights;
}

std::string show_named_weights(const NamedWeights& weights) {
  std::string shown;
  for (const auto& [name, weight] : weights)
    shown += fmt::format("{}{}={}", shown.empty() ? "" : ",", name, weight);
  return shown;
}

}  // namespace coppice
