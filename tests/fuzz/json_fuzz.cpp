// Any text as a model in JSON.
#include <string_view>
#include <utility>

#include "coppice/error.h"
#include "model/json_model.h"
#include "tests/fuzz/used_forest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  try {
    auto read = read_json_model({reinterpret_cast<const char*>(data), size}, "fuzz");
    fuzz::use(Forest(std::move(read.storage), std::move(read.info)));
  } catch (const Error& error) {
    fuzz::require(error.kind() == ErrorKind::corrupt_model);
  }
  return 0;
}
