// Levenshtein's distance, two rows at a time; upper and lower case are alike.
#include "data/spelling.h"

#include <algorithm>
#include <numeric>

#include "data/place.h"

namespace coppice {
namespace {

constexpr std::size_t kMostListed = 20;
constexpr std::size_t kLongestCompared = 64;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = above[j] + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      row[j + 1] = std::min({change, above[j + 1] + 1, row[j] + 1});
    }
    std::swap(above, row);
  }
  return above.back();
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kMostListed);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += (i > 0 ? ", " : "") + quoted(names[i]);
  if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

std::optional<std::string> nearest_spelling(std::string_view word,
                                            const std::vector<std::string>& names) {
  if (word.size() > kLongestCompared) return std::nullopt;
  const std::string* nearest = nullptr;
  std::size_t least = word.size() > 1 ? (word.size() + 2) / 3 + 1 : 1;
  for (const std::string& name : names) {
    if (name.size() >= word.size() + least || word.size() >= name.size() + least) continue;
    const std::size_t distance = edit_distance(word, name);
    if (distance < least) {
      least = distance;
      nearest = &name;
    }
  }
  return nearest != nullptr ? std::optional(*nearest) : std::nullopt;
}

}  // namespace coppice
