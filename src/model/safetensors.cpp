// u64 little-endian header length; header, one JSON object; arrays, one after the other.
#include "model/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/checked.h"
#include "coppice/error.h"
#include "model/json_reader.h"

namespace coppice {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are mapped as they are");

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxHeaderBytes = 100'000'000;  // as other readers of the format have it
constexpr std::size_t kMaxDimensions = 8;
constexpr std::size_t kAlignment = 64;

[[noreturn]] void refuse(const std::string& where, const std::string& reason) {
  throw Error(ErrorKind::corrupt_model, where + ": " + reason);
}

std::string named(const std::string& source, const std::string& tensor) {
  return source + ": section '" + tensor + "'";
}

std::string_view header_of(std::span<const std::byte> file, const std::string& source) {
  if (file.size() < kLengthBytes) {
    refuse(source, fmt::format("is not a model file: it has {} bytes only", file.size()));
  }
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), kLengthBytes);
  const std::size_t most = std::min(kMaxHeaderBytes, file.size() - kLengthBytes);
  if (length > most) {
    refuse(source, fmt::format("is damaged or no model file: header length (byte 0): {}, where {} "
                               "is the most that is possible",
                               length, most));
  }
  return {reinterpret_cast<const char*>(file.data()) + kLengthBytes,
          static_cast<std::size_t>(length)};
}

// Offsets stay relative to the first array until the whole header is read.
Tensor read_tensor(JsonReader& reader, const std::string& where) {
  Tensor tensor;
  std::vector<std::size_t> offsets;
  std::size_t keys = 0;
  reader.object([&](const std::string& key) {
    ++keys;
    if (key == "dtype") {
      tensor.dtype = reader.string();
    } else if (key == "shape") {
      reader.array([&] {
        if (tensor.shape.size() == kMaxDimensions) reader.fail("a shape has too many dimensions");
        tensor.shape.push_back(reader.unsigned_integer());
      });
    } else if (key == "data_offsets") {
      reader.array([&] {
        if (offsets.size() == 2) reader.fail("data_offsets has more than two numbers");
        offsets.push_back(checked_narrow<std::size_t>(reader.unsigned_integer(), where));
      });
    } else {
      reader.fail("unknown key '" + key + "' of a section");
    }
  });
  if (keys != 3) reader.fail("a section needs dtype, shape and data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1]) {
    reader.fail("data_offsets are not a beginning and an end");
  }
  tensor.first_byte = offsets[0];
  tensor.bytes = offsets[1] - offsets[0];
  return tensor;
}

Container read_header(std::string_view header, const std::string& source) {
  if (!header.starts_with('{')) {
    refuse(source + ": header (byte 8)", "does not begin with '{'; this is no model file");
  }
  Container container;
  JsonReader reader(header, [&](std::size_t position) {
    return fmt::format("{}: header (byte {})", source, kLengthBytes + position);
  });
  reader.object([&](const std::string& name) {
    if (name == "__metadata__") {
      reader.object([&](const std::string& key) {
        const std::size_t first_byte = kLengthBytes + reader.position();
        container.metadata[key] = {reader.string(), first_byte};
      });
    } else {
      container.tensors[name] = read_tensor(reader, named(source, name));
    }
  });
  reader.end();
  return container;
}

void check_shape(const Tensor& tensor, const std::string& where) {
  const std::size_t size = element_bytes(tensor.dtype);
  if (size == 0) return;
  std::size_t expected = size;
  for (const std::uint64_t extent : tensor.shape) {
    expected = checked_multiply(expected, checked_narrow<std::size_t>(extent, where), where);
  }
  if (expected != tensor.bytes) {
    refuse(where,
           fmt::format("its shape asks for {} bytes, its offsets for {}", expected, tensor.bytes));
  }
  if (tensor.first_byte % size != 0) {
    refuse(where, fmt::format("does not begin at a multiple of {} bytes", size));
  }
}

void check_no_holes(const Container& container, std::size_t data, std::size_t end,
                    const std::string& source) {
  std::vector<std::pair<const std::string*, const Tensor*>> in_order;
  for (const auto& [name, tensor] : container.tensors) in_order.emplace_back(&name, &tensor);
  std::sort(in_order.begin(), in_order.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second->first_byte, a.second->bytes) <
           std::pair(b.second->first_byte, b.second->bytes);
  });
  std::size_t expected = data;
  for (const auto& [name, tensor] : in_order) {
    if (tensor->first_byte != expected) {
      refuse(named(source, *name),
             fmt::format("begins at byte {} instead of {}: an overlap or a hole",
                         tensor->first_byte, expected));
    }
    expected = checked_add(expected, tensor->bytes, named(source, *name));
    if (expected > end) {
      refuse(named(source, *name),
             fmt::format("ends at byte {}, but the file has {} bytes", expected, end));
    }
  }
  if (expected != end) {
    refuse(source,
           fmt::format("the sections end at byte {}, but the file has {} bytes", expected, end));
  }
}

}  // namespace

std::size_t element_bytes(std::string_view dtype) {
  constexpr std::pair<std::string_view, std::size_t> kTypes[] = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"U16", 2}, {"I16", 2}, {"F16", 2}, {"BF16", 2},
      {"U32", 4},  {"I32", 4}, {"F32", 4}, {"U64", 8}, {"I64", 8}, {"F64", 8},
  };
  for (const auto& [name, bytes] : kTypes) {
    if (name == dtype) return bytes;
  }
  return 0;
}

Container read_container(std::span<const std::byte> file, const std::string& source) {
  const std::string_view header = header_of(file, source);
  Container container = read_header(header, source);
  const std::size_t data = kLengthBytes + header.size();
  for (auto& [name, tensor] : container.tensors) {
    tensor.first_byte = checked_add(tensor.first_byte, data, named(source, name));
    check_shape(tensor, fmt::format("{} (byte {})", named(source, name), tensor.first_byte));
  }
  check_no_holes(container, data, file.size(), source);
  return container;
}

std::string container_header(const std::vector<std::pair<std::string, std::string>>& metadata,
                             std::span<const Section> sections) {
  std::string header = "{\"__metadata__\":{";
  for (std::size_t i = 0; i < metadata.size(); ++i) {
    header += (i > 0 ? "," : "") + json_string(metadata[i].first) + ":";
    header += json_string(metadata[i].second);
  }
  header += "}";
  std::size_t offset = 0;
  for (const Section& section : sections) {
    header += fmt::format(",{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
                          json_string(section.name), section.dtype, fmt::join(section.shape, ","),
                          offset, offset + section.bytes.size());
    offset += section.bytes.size();
  }
  header += "}";
  while ((kLengthBytes + header.size()) % kAlignment != 0) header += ' ';

  const std::uint64_t length = header.size();
  std::string length_field(kLengthBytes, '\0');
  std::memcpy(length_field.data(), &length, kLengthBytes);
  return length_field + header;
}

}  // namespace coppice
