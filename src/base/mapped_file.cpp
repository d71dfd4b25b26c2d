// Read-only mapping of a whole file.
#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <utility>

#include "base/file_descriptor.h"

namespace coppice {

MappedFile::MappedFile(const std::string& path) {
  // Without O_NONBLOCK a pipe without a writer would block for ever.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) throw io_error(path, "cannot be opened", errno);
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) throw io_error(path, "cannot be examined", errno);
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorKind::io, path + ": is not a regular file; a model is read from a file only");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (start == MAP_FAILED) throw io_error(path, "cannot be mapped", errno);
  bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace coppice
