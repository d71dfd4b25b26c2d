// The bytes of a file, unpacked if it is gzip (whatever its name), and again from the start when
// asked. What cannot be read twice, such as a pipe, is kept in memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct gzFile_s;

namespace coppice {

// Bytes of a buffer for reading a file of this size, 0 if that is not known: small files do with
// little.
std::size_t buffer_for(std::size_t file_size, std::size_t most);

class TextSource {
 public:
  // "-" is standard input. Throws Error(io) if the file cannot be opened.
  explicit TextSource(const std::string& path);

  // The path as errors name it.
  const std::string& name() const { return name_; }

  // Of the file, packed if it is; 0 if it is not known before it is read.
  std::size_t packed_size() const { return packed_size_; }

  // Fills the span as far as the file goes: less than its size only at the end of the file. Throws
  // Error(io) if the system fails, Error(invalid_data) if compressed data are damaged or cut off.
  std::size_t read(std::span<char> out);
  void rewind();

  // Unpacked bytes in all. Compressed files are unpacked to memory for this. Call before read().
  std::size_t size();

 private:
  struct Closer {
    void operator()(gzFile_s* file) const;
  };
  std::size_t read_file(std::span<char> out);
  void hold_in_memory();

  std::string name_;
  std::unique_ptr<gzFile_s, Closer> file_;
  std::size_t packed_size_ = 0;
  std::string held_;
  bool holds_ = false;
  std::size_t held_position_ = 0;
};

}  // namespace coppice
