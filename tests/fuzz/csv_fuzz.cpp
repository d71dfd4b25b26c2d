// Any bytes as a CSV file.
#include "tests/fuzz/read_as.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return coppice::fuzz::read_as("csv", data, size);
}
