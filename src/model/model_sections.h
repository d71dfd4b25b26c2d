// The arrays of a forest as sections of a model file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "coppice/model.h"
#include "model/safetensors.h"

namespace coppice {

inline constexpr std::string_view kImportance = "importance.";  // then its name
inline constexpr std::string_view kCalibration = "calibration.scores";
inline constexpr std::string_view kRanges = "payload.ranges";

// Payloads as codes; empty where they are floats.
struct PackedPayload {
  PackedPayload(const ForestArrays&, const ForestInfo&);

  std::vector<float> ranges;
  std::vector<std::uint16_t> halves;
  std::vector<std::uint8_t> bytes;
};

// Wider elements come first, so that every section is aligned. Those of leaves are missing if the
// payload size is 0.
std::vector<Section> sections_of(const ForestArrays&, const ForestInfo&, const PackedPayload&);

}  // namespace coppice
