// Any bytes as a model file, as they are: refused with Error(corrupt_model), or a forest.
#include "coppice/error.h"
#include "tests/fuzz/scratch_file.h"
#include "tests/fuzz/used_forest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  try {
    fuzz::use(Forest::load(fuzz::scratch_file(data, size)));
  } catch (const Error& error) {
    fuzz::require(error.kind() == ErrorKind::corrupt_model);
  }
  return 0;
}
