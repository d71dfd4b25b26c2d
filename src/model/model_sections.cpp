#include "model/model_sections.h"

#include <string>
#include <utility>

#include "base/half.h"
#include "model/payload_codes.h"

namespace coppice {
namespace {

template <class Values>
Section flat(std::string name, std::string_view dtype, Values values) {
  return {std::move(name), dtype, {values.size()}, std::as_bytes(values)};
}

std::vector<Section> sections_of_splits(const ForestArrays& arrays) {
  std::vector<Section> sections = {
      flat("tree.first_split", "U32", arrays.first_split), flat("split.right", "U32", arrays.right),
      flat("split.threshold", "U32", arrays.threshold), flat("split.code", "U32", arrays.code),
      flat("category.words", "U32", arrays.category_words)};
  if (arrays.projections.count() > 0) {
    const ProjectionArrays& all = arrays.projections;
    sections.push_back(flat("projection.first_term", "U32", all.first_term));
    sections.push_back(flat("projection.lower", "F32", all.lower));
    sections.push_back(flat("term.feature", "U32", all.feature));
    sections.push_back(flat("term.partner", "U32", all.partner));
    sections.push_back(flat("term.first_word", "U32", all.first_word));
    sections.push_back(flat("term.coefficient", "F32", all.coefficient));
    sections.push_back(flat("feature.centre", "F32", all.centre));
  }
  return sections;
}

}  // namespace

PackedPayload::PackedPayload(const ForestArrays& arrays, const ForestInfo& info) {
  if (info.precision == PayloadPrecision::half)
    for (const float value : arrays.payload) halves.push_back(to_half(value));
  if (info.precision != PayloadPrecision::byte) return;
  const ByteCodes codes(arrays, info.payload_kind);
  ranges = codes.ranges();
  for (std::size_t at = 0; at < arrays.payload.size(); ++at)
    bytes.push_back(codes.nearest(at % arrays.payload_size, arrays.payload[at]));
}

std::vector<Section> sections_of(const ForestArrays& arrays, const ForestInfo& info,
                                 const PackedPayload& packed) {
  std::vector<Section> sections = sections_of_splits(arrays);
  if (arrays.payload_size == 0) return sections;
  const std::size_t rows = arrays.payload.size() / arrays.payload_size;
  const std::vector<std::size_t> shape{rows, arrays.payload_size};
  if (info.precision == PayloadPrecision::full)
    sections.push_back({"leaf.payload", "F32", shape, std::as_bytes(arrays.payload)});
  if (info.precision == PayloadPrecision::byte)
    sections.push_back({std::string(kRanges),
                        "F32",
                        {arrays.payload_size, 2},
                        std::as_bytes(std::span(packed.ranges))});
  sections.push_back(flat("leaf.support", "F32", arrays.support));
  for (const auto& [name, values] : info.importances) {
    sections.push_back(flat(std::string(kImportance) + name, "F32", std::span(values)));
  }
  if (!info.calibration.empty())
    sections.push_back(flat(std::string(kCalibration), "F32", std::span(info.calibration)));
  const PayloadIndex& index = arrays.payload_row;
  if (!index.wide.empty()) sections.push_back(flat("leaf.row", "U32", index.wide));
  if (info.precision == PayloadPrecision::half)
    sections.push_back({"leaf.payload", "F16", shape, std::as_bytes(std::span(packed.halves))});
  if (!index.medium.empty()) sections.push_back(flat("leaf.row", "U16", index.medium));
  if (info.precision == PayloadPrecision::byte)
    sections.push_back({"leaf.payload", "U8", shape, std::as_bytes(std::span(packed.bytes))});
  if (!index.narrow.empty()) sections.push_back(flat("leaf.row", "U8", index.narrow));
  return sections;
}

}  // namespace coppice
