// Lists of names in sentences, and what a misspelt name may have meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

// "'a', 'b' and 5 more"; at most 20 names are spelt out.
std::string listed(const std::vector<std::string>& names);

// The name with the fewest changed letters, unless that is more than a third of them, rounded up.
std::optional<std::string> nearest_spelling(std::string_view word,
                                            const std::vector<std::string>& names);

}  // namespace coppice
