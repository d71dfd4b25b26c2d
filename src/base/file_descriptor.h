// Owns an open file of the operating system.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "coppice/error.h"

namespace coppice {

class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

  // True unless the operating system reports that written bytes were lost.
  bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

// "model.coppice: cannot be opened: No such file or directory"; `code` is a value of errno.
inline Error io_error(const std::string& path, const std::string& what, int code) {
  return Error(ErrorKind::io, path + ": " + what + ": " + std::generic_category().message(code));
}

}  // namespace coppice
