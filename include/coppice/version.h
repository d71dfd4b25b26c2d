// The version of the library; follows semantic versioning.
#pragma once

namespace coppice {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace coppice
