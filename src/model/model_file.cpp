// Sections of a forest to a safetensors file and back. The checksum covers every byte of the file
// except its own eight digits, so that no single damaged bit goes unnoticed.
#include "model/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "base/half.h"
#include "coppice/error.h"
#include "model/info_json.h"
#include "model/model_sections.h"
#include "model/payload_codes.h"
#include "model/safetensors.h"
#include "model/validate.h"

namespace coppice {
namespace {

constexpr unsigned kMajorVersion = 1;
constexpr std::string_view kNoChecksum = "00000000";
constexpr const char* kWithoutLeaves = "without_leaves";  // of the metadata

[[noreturn]] void refuse(const std::string& source, const std::string& reason) {
  throw Error(ErrorKind::corrupt_model, source + ": " + reason);
}

// --- Reading -------------------------------------------------------------------------------------

class ModelReader {
 public:
  ModelReader(std::span<const std::byte> file, const std::string& source, bool leaves)
      : file_(file), source_(source), leaves_(leaves), container_(read_container(file, source)) {}

  ModelView read() {
    check_format();
    check_checksum();
    ModelView model;
    read_info(model.info);
    read_arrays(model);
    refuse_unknown_sections();
    if (const auto found = leaves_ ? find_fault(model.arrays, model.info)
                                   : find_fault_of_splits(model.arrays, model.info))
      refuse_fault(*found);
    return model;
  }

 private:
  const MetadataText& metadata(const std::string& key) const {
    const auto found = container_.metadata.find(key);
    if (found == container_.metadata.end()) refuse_metadata(key, "is missing");
    return found->second;
  }

  void check_format() const {
    if (!container_.metadata.contains("format") || metadata("format").text != "coppice") {
      refuse(source_, "is a safetensors file, but not a coppice model: header (byte 8)");
    }
    const std::string& version = metadata("format_version").text;
    unsigned major = 0;
    const char* end = version.data() + version.size();
    const auto [stop, problem] = std::from_chars(version.data(), end, major);
    if (problem != std::errc{} || stop == end || *stop != '.' || major == 0) {
      refuse_metadata("format_version", "'" + version + "' is no version");
    }
    if (major > kMajorVersion) {
      refuse(source_, fmt::format("is written in model format {}, but this program reads versions "
                                  "up to {}.x; use a newer program",
                                  version, kMajorVersion));
    }
    if (container_.metadata.contains(kWithoutLeaves) == leaves_) {
      refuse(source_, leaves_ ? "holds trees without leaves: a further part of a checkpoint, which "
                                "only coppice train --resume can use"
                              : "is no further part of a checkpoint: its trees have leaves");
    }
  }

  void check_checksum() const {
    const MetadataText& stated = metadata("checksum");
    const std::size_t digits = stated.first_byte + 1;
    const auto* raw = reinterpret_cast<const char*>(file_.data()) + digits;
    // An escape would be longer than what it stands for.
    if (stated.text.size() != kNoChecksum.size() || !std::equal(raw, raw + 8, stated.text.data())) {
      refuse_metadata("checksum", "is not eight hexadecimal digits");
    }
    const std::string actual = checksum_of(file_, digits);
    if (actual == stated.text) return;
    refuse(source_, fmt::format("is damaged: its checksum (byte {}) is {}, but its bytes give {}",
                                digits, stated.text, actual));
  }

  // Reads a metadata text that is JSON itself.
  template <class Parse>
  auto parsed(const std::string& key, Parse parse) const {
    const auto& [text, first_byte] = metadata(key);
    JsonReader reader(text, [&, byte = first_byte](std::size_t position) {
      return fmt::format("{}: header '{}' (byte {}, character {})", source_, key, byte, position);
    });
    auto value = parse(reader);
    reader.end();
    return value;
  }

  void read_info(ForestInfo& info) {
    const std::string& kind_name = metadata("payload_kind").text;
    const auto kind = payload_kind_named(kind_name);
    if (!kind) refuse_metadata("payload_kind", "'" + kind_name + "' is unknown");
    info.payload_kind = *kind;
    if (container_.metadata.contains("ensemble")) {
      const std::string& ensemble_text = metadata("ensemble").text;
      const auto ensemble = ensemble_named(ensemble_text);
      if (!ensemble) refuse_metadata("ensemble", "'" + ensemble_text + "' is unknown");
      info.ensemble = *ensemble;
    }
    info.schema = parsed("schema", read_schema);
    container_.metadata["schema"].text.clear();  // may be long
    info.options = parsed("options", read_string_pairs);
    for (auto& [name, value] : parsed("facts", read_string_pairs)) info.facts[name] = value;
  }

  template <class T>
  std::span<const T> values(const Tensor& tensor) const {
    return {reinterpret_cast<const T*>(file_.data() + tensor.first_byte), tensor.bytes / sizeof(T)};
  }

  const Tensor& section(const std::string& name, std::string_view dtype, std::size_t dimensions) {
    const auto found = container_.tensors.find(name);
    if (found == container_.tensors.end()) refuse_fault({name, 0, "is missing"});
    const Tensor& tensor = found->second;
    if (tensor.dtype != dtype || tensor.shape.size() != dimensions) {
      refuse(source_, fmt::format("section '{}' (byte {}): is {} with {} dimensions instead of {} "
                                  "with {}",
                                  name, tensor.first_byte, tensor.dtype, tensor.shape.size(), dtype,
                                  dimensions));
    }
    return tensor;
  }

  void read_arrays(ModelView& model) {
    ForestArrays& arrays = model.arrays;
    const auto words = [&](const char* name) {
      return values<std::uint32_t>(section(name, "U32", 1));
    };
    arrays.first_split = words("tree.first_split");
    arrays.right = words("split.right");
    arrays.threshold = words("split.threshold");
    arrays.code = words("split.code");
    arrays.category_words = words("category.words");
    if (container_.tensors.contains("projection.first_term")) read_projections(arrays.projections);
    if (!leaves_) return;
    arrays.support = values<float>(section("leaf.support", "F32", 1));
    read_payload(model);
    if (container_.tensors.contains("leaf.row")) read_payload_row(arrays);
    if (container_.tensors.contains(std::string(kCalibration))) {
      const auto scores = values<float>(section(std::string(kCalibration), "F32", 1));
      model.info.calibration.assign(scores.begin(), scores.end());
    }
    for (const auto& [name, tensor] : container_.tensors) {
      if (!name.starts_with(kImportance)) continue;
      const auto importance = values<float>(section(name, "F32", 1));
      model.info.importances[name.substr(kImportance.size())].assign(importance.begin(),
                                                                     importance.end());
    }
  }

  void read_payload(ModelView& model) {
    const auto found = container_.tensors.find("leaf.payload");
    const std::string dtype = found == container_.tensors.end() ? "F32" : found->second.dtype;
    const bool packed = dtype == "F16" || dtype == "U8";
    const Tensor& tensor = section("leaf.payload", packed ? dtype : "F32", 2);
    model.arrays.payload_size = tensor.shape[1];
    if (!packed) {
      model.arrays.payload = values<float>(tensor);
      return;
    }
    std::vector<float>& unpacked = model.unpacked_payload;
    if (dtype == "F16") {
      model.info.precision = PayloadPrecision::half;
      for (const std::uint16_t half : values<std::uint16_t>(tensor))
        unpacked.push_back(from_half(half));
    } else {
      model.info.precision = PayloadPrecision::byte;
      const ByteCodes codes = read_ranges(tensor.shape[1]);
      const auto bytes = values<std::uint8_t>(tensor);
      for (std::size_t at = 0; at < bytes.size(); ++at)
        unpacked.push_back(codes.value(at % tensor.shape[1], bytes[at]));
    }
    model.arrays.payload = unpacked;
  }

  ByteCodes read_ranges(std::size_t columns) {
    const Tensor& tensor = section(std::string(kRanges), "F32", 2);
    const auto ranges = values<float>(tensor);
    if (ranges.size() != 2 * columns)
      refuse(source_, fmt::format("section '{}' (byte {}): has {} numbers instead of {}", kRanges,
                                  tensor.first_byte, ranges.size(), 2 * columns));
    return ByteCodes(ranges);
  }

  void read_projections(ProjectionArrays& all) {
    const auto words = [&](const char* name) {
      return values<std::uint32_t>(section(name, "U32", 1));
    };
    const auto numbers = [&](const char* name) { return values<float>(section(name, "F32", 1)); };
    all.first_term = words("projection.first_term");
    all.lower = numbers("projection.lower");
    all.feature = words("term.feature");
    all.partner = words("term.partner");
    all.first_word = words("term.first_word");
    all.coefficient = numbers("term.coefficient");
    all.centre = numbers("feature.centre");
  }

  void read_payload_row(ForestArrays& arrays) {
    const std::string dtype = container_.tensors["leaf.row"].dtype;
    const bool known = dtype == "U8" || dtype == "U16";
    const Tensor& tensor = section("leaf.row", known ? dtype : "U32", 1);
    // An empty index would mean that every leaf has its own row.
    if (tensor.bytes == 0) refuse_fault({"leaf.row", 0, "is empty; leave it out instead"});
    if (dtype == "U8") {
      arrays.payload_row.narrow = values<std::uint8_t>(tensor);
    } else if (dtype == "U16") {
      arrays.payload_row.medium = values<std::uint16_t>(tensor);
    } else {
      arrays.payload_row.wide = values<std::uint32_t>(tensor);
    }
  }

  void refuse_unknown_sections() const {
    constexpr std::string_view kKnown[] = {
        "tree.first_split",      "split.right",      "split.threshold", "split.code",
        "category.words",        "leaf.payload",     "leaf.support",    "leaf.row",
        "projection.first_term", "projection.lower", "term.feature",    "term.partner",
        "term.first_word",       "term.coefficient", "feature.centre"};
    const auto listed = container_.metadata.find("optional");
    const std::string optional =
        listed == container_.metadata.end() ? "" : "," + listed->second.text + ",";
    for (const auto& [name, tensor] : container_.tensors) {
      const bool known = std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown);
      const bool skipped =
          name.starts_with("x-") || optional.find("," + name + ",") != std::string::npos;
      if (known || skipped || name.starts_with(kImportance)) continue;
      if (name == kCalibration || name == kRanges) continue;
      refuse(source_, fmt::format("section '{}' (byte {}): is unknown, and the model (format {}) "
                                  "does not call it optional; use a newer program",
                                  name, tensor.first_byte, metadata("format_version").text));
    }
  }

  // What is missing is missing in the header, at byte 8.
  [[noreturn]] void refuse_metadata(const std::string& key, const std::string& reason) const {
    const auto found = container_.metadata.find(key);
    const std::size_t byte = found == container_.metadata.end() ? 8 : found->second.first_byte;
    refuse(source_, fmt::format("header '{}' (byte {}): {}", key, byte, reason));
  }

  [[noreturn]] void refuse_fault(const ForestFault& fault) const {
    const auto found = container_.tensors.find(fault.section);
    if (found == container_.tensors.end()) refuse_metadata(fault.section, fault.sentence);
    const Tensor& tensor = found->second;
    const std::size_t byte = tensor.first_byte + fault.entry * element_bytes(tensor.dtype);
    refuse(source_, fmt::format("section '{}' (byte {}): {}", fault.section, byte, fault.sentence));
  }

  std::span<const std::byte> file_;
  const std::string& source_;
  bool leaves_;
  Container container_;
};

// Hands the file over piece by piece, in order.
template <class Emit>
void for_each_piece(const ForestArrays& arrays, const ForestInfo& info,
                    std::span<const Section> beside, Emit&& emit) {
  const PackedPayload packed(arrays, info);
  std::vector<Section> sections = sections_of(arrays, info, packed);
  sections.insert(sections.begin(), beside.begin(), beside.end());
  std::vector<std::pair<std::string, std::string>> metadata{
      {"format", "coppice"},
      {"format_version", std::string(format_version(arrays, info))},
      {"checksum", std::string(kNoChecksum)},
      {"payload_kind", std::string(payload_kind_name(info.payload_kind))},
      {"schema", schema_json(info.schema)},
      {"options", options_json(info.options)},
      {"facts", facts_json(info.facts)}};
  if (info.ensemble != Ensemble::mean)
    metadata.emplace_back("ensemble", ensemble_name(info.ensemble));
  if (!info.calibration.empty()) metadata.emplace_back("optional", kCalibration);
  if (arrays.payload_size == 0) metadata.emplace_back(kWithoutLeaves, "true");
  std::string header = container_header(metadata, sections);
  std::uint32_t crc = crc32_after(0, std::as_bytes(std::span(header)));
  for (const Section& section : sections) crc = crc32_after(crc, section.bytes);
  constexpr std::string_view kKey = "\"checksum\":\"";
  header.replace(header.find(kKey) + kKey.size(), kNoChecksum.size(), fmt::format("{:08x}", crc));
  emit(std::as_bytes(std::span(header)));
  for (const Section& section : sections) emit(section.bytes);
}

}  // namespace

std::size_t model_bytes(const ForestArrays& arrays, const ForestInfo& info) {
  return model_file_bytes(arrays, info).size();
}

void write_model(const ForestArrays& arrays, const ForestInfo& info, AtomicFile& file,
                 std::span<const Section> beside) {
  for_each_piece(arrays, info, beside,
                 [&](std::span<const std::byte> piece) { file.write(piece); });
}

std::vector<std::byte> model_file_bytes(const ForestArrays& arrays, const ForestInfo& info) {
  std::vector<std::byte> bytes;
  for_each_piece(arrays, info, {}, [&](std::span<const std::byte> piece) {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  });
  return bytes;
}

std::string checksum_of(std::span<const std::byte> file, std::size_t digits) {
  std::uint32_t crc = crc32_after(0, file.first(digits));
  crc = crc32_after(crc, std::as_bytes(std::span(kNoChecksum)));
  crc = crc32_after(crc, file.subspan(digits + kNoChecksum.size()));
  return fmt::format("{:08x}", crc);
}

ModelView read_model(std::span<const std::byte> file, const std::string& source) {
  return ModelReader(file, source, true).read();
}

ModelView read_splits(std::span<const std::byte> file, const std::string& source) {
  return ModelReader(file, source, false).read();
}

}  // namespace coppice
