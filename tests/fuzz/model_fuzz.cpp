// Any bytes as a model file: refused with Error(corrupt_model), or a forest that can be walked. The
// checksum is repaired first, so that the checks behind it are reached.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/error.h"
#include "model/model_file.h"
#include "model/walk.h"

namespace {

using namespace coppice;

void repair_checksum(std::span<std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  constexpr std::string_view kKey = "\"checksum\":\"";
  const std::size_t key = text.find(kKey);
  if (key == std::string_view::npos || key + kKey.size() + 8 > file.size()) return;
  const std::string digits = checksum_of(file, key + kKey.size());
  std::memcpy(file.data() + key + kKey.size(), digits.data(), digits.size());
}

void walk_all_trees(const ModelView& model) {
  const std::vector<float> row(model.info.schema.features.size());
  for (std::size_t tree = 0; tree < model.arrays.trees(); ++tree) {
    const std::size_t leaf = leaf_of(model.arrays, model.info.schema, tree, row);
    (void)model.arrays.payload_of(model.arrays.first_leaf(tree) + leaf).front();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint64_t> aligned(size / 8 + 1);
  std::memcpy(aligned.data(), data, size);
  const std::span<std::byte> file(reinterpret_cast<std::byte*>(aligned.data()), size);
  repair_checksum(file);
  try {
    walk_all_trees(read_model(file, "fuzz"));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt_model) throw;
  }
  return 0;
}
