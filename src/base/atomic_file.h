// Output files that appear whole or not at all: every file that the library or the program writes
// goes through here.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/huge_pages.h"

namespace coppice {

// Bytes go to a temporary file in the folder of `path`; commit() syncs it and renames it into
// place, so that at any moment, even after a crash, `path` is the old file or the new one.
// Pipes, devices and /dev/stdout are written to directly. A symbolic link is followed; an existing
// file keeps its permissions. Everything throws Error(io) with path and reason.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  // Without commit(): removes the temporary file, `path` stays as it was.
  ~AtomicFile();

  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);
  void commit();
  // Nobody will read it soon: from here on its bytes go past the system's memory to the disk, where
  // the disk can take them so, in a tenth of the processor time. To be called before write().
  void expect_no_reader();

 private:
  void open_temporary(std::optional<mode_t> permissions);
  void keep(std::string_view text);  // in the buffer, which has room for it
  void write_out(const char* bytes, std::size_t size);
  void flush();
  bool write_through(bool on);
  void rename_into_place();

  std::string path_;       // as the caller names it
  std::string target_;     // path_ with symbolic links followed
  std::string temporary_;  // empty: written to directly, or already renamed
  FileDescriptor file_;
  LargeVector<char> buffer_;
  std::size_t buffer_bytes_ = std::size_t{1} << 16;
  bool through_ = false;  // whole pages go past the system's memory
};

void write_file_atomically(const std::string& path, std::span<const std::byte> bytes);

}  // namespace coppice
