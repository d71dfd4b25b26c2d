// Any bytes as a model file, its checksum repaired first, so that the checks behind it are reached.
#include "coppice/error.h"
#include "tests/faults/model_parts.h"
#include "tests/fuzz/scratch_file.h"
#include "tests/fuzz/used_forest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  const std::string file = test::repaired(std::string(reinterpret_cast<const char*>(data), size));
  try {
    fuzz::use(Forest::load(
        fuzz::scratch_file(reinterpret_cast<const std::uint8_t*>(file.data()), file.size())));
  } catch (const Error& error) {
    fuzz::require(error.kind() == ErrorKind::corrupt_model);
  }
  return 0;
}
