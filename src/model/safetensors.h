// The container of model files: named arrays behind a JSON header. Reading checks every number in
// the header against the bytes that are there, before anything relies on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coppice {

struct Tensor {
  std::string dtype;  // "U8", "U16", "U32", "F32", or one that a later version knows
  std::vector<std::uint64_t> shape;
  std::size_t first_byte = 0;  // in the file
  std::size_t bytes = 0;
};

struct MetadataText {
  std::string text;
  std::size_t first_byte = 0;  // in the file: of its opening quote
};

struct Container {
  std::map<std::string, MetadataText> metadata;
  std::map<std::string, Tensor> tensors;
};

// Bytes of one element, or 0 if the type is unknown.
std::size_t element_bytes(std::string_view dtype);

// Throws Error(corrupt_model), with `source` as the name of the file, unless header length, JSON,
// shapes and offsets are sound, the tensors follow each other without overlap or hole to the last
// byte, and each begins at a multiple of its element size.
Container read_container(std::span<const std::byte> file, const std::string& source);

// A tensor on its way into a file.
struct Section {
  std::string name;
  std::string_view dtype;
  std::vector<std::size_t> shape;
  std::span<const std::byte> bytes;
};

// Length field and header of a file with these sections in this order, padded so that the first
// one begins at a multiple of 64 bytes.
std::string container_header(const std::vector<std::pair<std::string, std::string>>& metadata,
                             std::span<const Section> sections);

}  // namespace coppice
