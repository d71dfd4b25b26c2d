// Any bytes as a data file: the first byte chooses the format, the rest is read. Refused with
// Error(invalid_data), or a data set that validate() accepts.
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include "coppice/error.h"
#include "coppice/read.h"

namespace {

// Reading goes through a file, as it does for users.
const std::string& scratch_path() {
  static const std::string path = "/dev/shm/coppice_reader_fuzz_" + std::to_string(::getpid());
  return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr std::array kFormats{"csv", "npy", "arff"};
  std::FILE* file = std::fopen(scratch_path().c_str(), "wb");
  if (!file) return 0;
  std::fwrite(data + 1, 1, size - 1, file);
  std::fclose(file);
  coppice::ReadOptions options;
  options.format = kFormats[data[0] % kFormats.size()];
  try {
    const coppice::Dataset read = coppice::read_dataset(scratch_path(), options);
    coppice::validate(read.view());
  } catch (const coppice::Error& error) {
    if (error.kind() != coppice::ErrorKind::invalid_data) throw;
  }
  std::remove(scratch_path().c_str());
  return 0;
}
