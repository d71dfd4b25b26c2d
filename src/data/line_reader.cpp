// The current line always lies whole in the buffer: refilling moves it to the front.
#include "data/line_reader.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace coppice {
namespace {

constexpr std::size_t kFirstBuffer = 1u << 18;  // of a large file
constexpr std::size_t kLongestLine = 1u << 30;

}  // namespace

LineReader::LineReader(TextSource& source)
    : source_(&source), buffer_(buffer_for(source.packed_size(), kFirstBuffer)) {}

bool LineReader::next() {
  if (!started_) inspect_start();
  begin_ = end_ = next_;
  number_ = lines_read_ + 1;
  return find_line_end(begin_);
}

bool LineReader::extend() { return find_line_end(next_); }

bool LineReader::find_line_end(std::size_t from) {
  const std::size_t known = from - begin_;
  std::size_t searched = known;
  while (true) {
    const char* const start = buffer_.data() + begin_ + searched;
    const std::size_t length = filled_ - begin_ - searched;
    const void* const hit = length > 0 ? std::memchr(start, line_end_, length) : nullptr;
    if (hit != nullptr) {
      end_ = static_cast<std::size_t>(static_cast<const char*>(hit) - buffer_.data());
      next_ = end_ + 1;
      break;
    }
    searched += length;
    if (fill()) continue;
    if (searched == known) return false;
    next_ = end_ = filled_;
    break;
  }
  ++lines_read_;
  while (end_ > begin_ + known && buffer_[end_ - 1] == '\r') --end_;
  refuse_nul(begin_ + known);
  return true;
}

void LineReader::refuse_nul(std::size_t from) const {
  if (end_ > from && std::memchr(buffer_.data() + from, '\0', end_ - from) != nullptr) {
    throw data_error(place(), "contains a NUL byte; is this a text file in UTF-8?");
  }
}

// True if there are more bytes than before. Positions in the buffer change: only begin_ is kept.
bool LineReader::fill() {
  if (exhausted_) return false;
  const std::size_t kept = filled_ - begin_;
  if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, kept);
  end_ -= begin_;
  next_ -= begin_;
  begin_ = 0;
  filled_ = kept;
  if (kept > kLongestLine) throw data_error(place(), "is longer than 1 GiB");
  if (filled_ > buffer_.size() / 2) buffer_.resize(2 * buffer_.size());
  const std::span<char> room = std::span(buffer_).subspan(filled_);
  const std::size_t bytes = source_->read(room);
  exhausted_ = bytes < room.size();
  filled_ += bytes;
  return bytes > 0;
}

void LineReader::inspect_start() {
  started_ = true;
  fill();
  const std::string_view start(buffer_.data(), filled_);
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff")) {
    throw data_error({source_->name()}, "is UTF-16; convert it to UTF-8");
  }
  if (start.starts_with("\xef\xbb\xbf")) begin_ = end_ = next_ = 3;

  std::string_view seen;
  std::size_t at = 0, after = 0;
  do {
    seen = {buffer_.data() + begin_, filled_ - begin_};
    at = std::min(seen.find_first_of("\r\n"), seen.size());
    after = std::min(seen.find_first_not_of('\r', at), seen.size());
  } while (after == seen.size() && fill());
  if (at < seen.size() && seen[at] == '\r' && (after == seen.size() || seen[after] != '\n')) {
    line_end_ = '\r';
  }
}

}  // namespace coppice
