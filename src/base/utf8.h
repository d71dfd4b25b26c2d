// Which bytes are text.
#pragma once

#include <string_view>

namespace coppice {

// Valid UTF-8 in the strict sense: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

}  // namespace coppice
