// Hashing finds texts; nothing here depends on the order of the hash table.
#include "data/dictionary.h"

#include <algorithm>
#include <numeric>

#include "data/number_text.h"

namespace coppice {
namespace {

// Empty unless all texts are numbers.
std::vector<double> numbers_of(const Dictionary& dictionary) {
  std::vector<double> numbers;
  for (std::size_t code = 0; code < dictionary.size(); ++code) {
    const auto [status, value] = parse_number<double>(trim(dictionary.text(code)));
    if (status == NumberStatus::text) return {};
    numbers.push_back(value);
  }
  return numbers;
}

}  // namespace

std::uint32_t Dictionary::code(std::string_view text) {
  if (const auto known = codes_.find(text); known != codes_.end()) return known->second;
  const auto code = static_cast<std::uint32_t>(texts_.size());
  texts_.push_back(&codes_.emplace(text, code).first->first);
  return code;
}

SortedTexts sorted(const Dictionary& dictionary) {
  const std::vector<double> numbers = numbers_of(dictionary);
  std::vector<std::uint32_t> order(dictionary.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    if (!numbers.empty() && numbers[a] != numbers[b]) return numbers[a] < numbers[b];
    return dictionary.text(a) < dictionary.text(b);
  });

  SortedTexts result;
  result.texts.reserve(order.size());
  result.rank.resize(order.size());
  for (const std::uint32_t code : order) {
    result.rank[code] = static_cast<std::uint32_t>(result.texts.size());
    result.texts.push_back(dictionary.text(code));
  }
  return result;
}

}  // namespace coppice
