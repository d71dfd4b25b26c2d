// Any bytes as a part of a checkpoint, its checksum repaired first, with leaves and without:
// refused with Error(corrupt_model), or trees that can be followed to their leaves.
#include <vector>

#include "coppice/error.h"
#include "grow/recorded_tree.h"
#include "tests/faults/model_parts.h"
#include "tests/fuzz/scratch_file.h"
#include "tests/fuzz/used_forest.h"

namespace {

using namespace coppice;

void follow(const RecordedTree& tree) {
  struct Node {
    RecordedTree::Place place;
    std::uint32_t depth;
  };
  std::vector<Node> open{{tree.root(), 0}};
  while (!open.empty()) {
    const auto [place, depth] = open.back();
    open.pop_back();
    if (place == RecordedTree::kUnknown || place == RecordedTree::kLeaf) continue;
    fuzz::require(std::isfinite(tree.split(place).gain));
    const auto [left, right] = tree.children(place, depth + 1);
    open.push_back({right, depth + 1});
    open.push_back({left, depth + 1});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = test::repaired(std::string(reinterpret_cast<const char*>(data), size));
  const std::string path =
      fuzz::scratch_file(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
  for (const auto leaves : {StoredCheckpoint::Leaves::kept, StoredCheckpoint::Leaves::left_out}) {
    try {
      const StoredCheckpoint stored(path, leaves);
      for (std::size_t tree = 0; tree < stored.trees().trees(); ++tree)
        follow(RecordedTree(stored, tree));
    } catch (const Error& error) {
      fuzz::require(error.kind() == ErrorKind::corrupt_model);
    }
  }
  return 0;
}
