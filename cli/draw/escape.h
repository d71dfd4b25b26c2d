// Bytes as text that XML and HTML can hold.
#pragma once

#include <string>
#include <string_view>

namespace coppice {

// & < > " ' as entities. What XML cannot hold, control characters and bytes that are not UTF-8,
// becomes U+FFFD.
std::string xml_escaped(std::string_view);

std::string base64(std::string_view bytes);

}  // namespace coppice
