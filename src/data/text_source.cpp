// zlib reads plain and compressed files alike; this turns its errors into sentences.
#include "data/text_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "data/place.h"

namespace coppice {
namespace {

Error io_error(const std::string& what, const std::string& name, int code) {
  return Error(ErrorKind::io,
               "cannot " + what + " '" + name + "': " + std::generic_category().message(code));
}

constexpr std::size_t kMostBuffer = 1u << 16;

int open_descriptor(const std::string& path) {
  return path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

}  // namespace

std::size_t buffer_for(std::size_t file_size, std::size_t most) {
  constexpr std::size_t kLeast = 1u << 12;
  if (file_size == 0) return most;
  return std::clamp(std::bit_ceil(std::min(2 * file_size, most)), kLeast, most);
}

void TextSource::Closer::operator()(gzFile_s* file) const { gzclose_r(file); }

TextSource::TextSource(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  const int descriptor = open_descriptor(path);
  if (descriptor < 0) throw io_error("open", name_, errno);
  struct stat status {};
  const bool known = ::fstat(descriptor, &status) == 0;
  if (known && S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    throw io_error("read", name_, EISDIR);
  }
  file_.reset(gzdopen(descriptor, "rb"));
  if (!file_) {
    ::close(descriptor);
    throw io_error("open", name_, ENOMEM);
  }
  const bool regular = known && S_ISREG(status.st_mode);
  if (regular) packed_size_ = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
  gzbuffer(file_.get(), static_cast<unsigned>(buffer_for(packed_size_, kMostBuffer)));
  if (!regular) hold_in_memory();
}

std::size_t TextSource::read(std::span<char> out) {
  if (!holds_) return read_file(out);
  const std::size_t bytes = std::min(out.size(), held_.size() - held_position_);
  if (bytes > 0) std::memcpy(out.data(), held_.data() + held_position_, bytes);
  held_position_ += bytes;
  return bytes;
}

std::size_t TextSource::read_file(std::span<char> out) {
  constexpr std::size_t kLargestRead = 1u << 30;
  std::size_t done = 0;
  while (done < out.size()) {
    const auto wanted = static_cast<unsigned>(std::min(out.size() - done, kLargestRead));
    const int bytes = gzread(file_.get(), out.data() + done, wanted);
    if (bytes > 0) done += static_cast<std::size_t>(bytes);
    if (bytes == static_cast<int>(wanted)) continue;
    int code = Z_OK;
    const char* reason = gzerror(file_.get(), &code);
    if (code == Z_ERRNO) throw io_error("read", name_, errno);
    if (code == Z_BUF_ERROR) throw data_error({name_}, "the compressed data are cut off");
    if (code != Z_OK && code != Z_STREAM_END) {
      // zlib puts a name of its own before the reason.
      const std::string_view text = reason;
      const std::string_view plain =
          text.substr(text.find(": ") == text.npos ? 0 : text.find(": ") + 2);
      throw data_error({name_}, "the compressed data are damaged (" + std::string(plain) + ")");
    }
    break;
  }
  return done;
}

void TextSource::rewind() {
  held_position_ = 0;
  if (!holds_ && gzrewind(file_.get()) != 0) throw io_error("read again", name_, EIO);
}

std::size_t TextSource::size() {
  if (!holds_ && gzdirect(file_.get()) != 0) return packed_size_;
  if (!holds_) hold_in_memory();
  return held_.size();
}

void TextSource::hold_in_memory() {
  std::size_t filled = 0;
  while (true) {
    held_.resize(std::max<std::size_t>(std::size_t{1} << 16, 2 * filled));
    filled += read_file(std::span(held_).subspan(filled));
    if (filled < held_.size()) break;
  }
  held_.resize(filled);
  holds_ = true;
}

}  // namespace coppice
