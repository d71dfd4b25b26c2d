// The lines of a text, however long, straight from one buffer. Checks what no text may contain.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "data/place.h"
#include "data/text_source.h"

namespace coppice {

class LineReader {
 public:
  // Keeps a reference. Reads on from where the source stands, which is the start of the file.
  explicit LineReader(TextSource&);

  // Moves to the next line; false at the end. Lines end with LF, CRLF or, if the first one does,
  // CR. Throws Error(invalid_data) for UTF-16, for NUL bytes and for lines of more than 1 GiB.
  bool next();
  // Appends the following line, and the line end before it, to the current one; false at the end.
  bool extend();

  // Without its end; valid until the next call of next() or extend().
  std::string_view line() const { return {buffer_.data() + begin_, end_ - begin_}; }
  Place place(std::size_t field = 0) const { return {source_->name(), number_, field}; }

 private:
  void inspect_start();
  bool find_line_end(std::size_t from);
  void refuse_nul(std::size_t from) const;
  bool fill();

  TextSource* source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;   // of the current line
  std::size_t end_ = 0;     // of the current line, without its end
  std::size_t next_ = 0;    // of the line after it
  std::size_t filled_ = 0;  // bytes in the buffer
  std::size_t number_ = 0;
  std::size_t lines_read_ = 0;
  bool started_ = false;
  bool exhausted_ = false;
  char line_end_ = '\n';
};

}  // namespace coppice
