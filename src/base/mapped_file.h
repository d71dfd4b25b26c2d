// A file as bytes in memory, mapped and not copied. The bytes are those of the file: whoever
// replaces it must rename a new file into place (as AtomicFile does), never truncate the old one.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace coppice {

class MappedFile {
 public:
  // Throws Error(io) unless `path` is a regular file that can be read.
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&&) noexcept;
  MappedFile& operator=(MappedFile&&) noexcept;
  ~MappedFile();

  // Begins at a page boundary; empty for an empty file. Stays where it is when *this moves.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace coppice
