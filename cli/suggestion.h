// The end of a sentence about a mistyped name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coppice {

// "; did you mean train?" or, if nothing is near, "; there are train, predict, evaluate".
std::string suggestion(std::string_view mistyped, const std::vector<std::string>& names);

}  // namespace coppice
