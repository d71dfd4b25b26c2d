// For fuzz targets: bytes as a file, since users give files. One file per process, in memory.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace coppice::fuzz {

// The path holds until the next call.
inline const std::string& scratch_file(const std::uint8_t* bytes, std::size_t size) {
  static const std::string path = "/dev/shm/coppice_fuzz_" + std::to_string(::getpid());
  static const int file = [] {
    std::atexit([] { ::unlink(path.c_str()); });
    return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  }();
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, bytes, size, 0) != static_cast<ssize_t>(size))
    std::abort();
  return path;
}

}  // namespace coppice::fuzz
