// Versions 1 to 3. The header is a Python dictionary with exactly the keys descr, fortran_order and
// shape; nothing else is accepted.
#include "data/npy_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "data/place.h"

namespace coppice {
namespace {

constexpr std::size_t kLongestHeader = 1u << 20;

struct NamedType {
  std::string_view name;
  NpyType type;
  std::size_t bytes;
};
constexpr std::array<NamedType, 11> kTypes = {{{"f4", NpyType::f4, 4},
                                               {"f8", NpyType::f8, 8},
                                               {"i1", NpyType::i1, 1},
                                               {"i2", NpyType::i2, 2},
                                               {"i4", NpyType::i4, 4},
                                               {"i8", NpyType::i8, 8},
                                               {"u1", NpyType::u1, 1},
                                               {"u2", NpyType::u2, 2},
                                               {"u4", NpyType::u4, 4},
                                               {"u8", NpyType::u8, 8},
                                               {"b1", NpyType::b1, 1}}};

class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      parse_entry();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!text_.empty()) throw damaged("there is text after the dictionary");
    if (!has_type_ || !has_order_ || !has_shape_) throw damaged("a key is missing");
    return header_;
  }

 private:
  void parse_entry() {
    const std::string_view key = string();
    expect(':');
    if (key == "descr") {
      once(has_type_);
      parse_type();
    } else if (key == "fortran_order") {
      once(has_order_);
      header_.fortran_order = boolean();
    } else if (key == "shape") {
      once(has_shape_);
      parse_shape();
    } else {
      throw damaged("there is an unknown key " + quoted(key));
    }
  }

  void parse_type() {
    skip_blanks();
    if (text_.starts_with('[')) throw refused("a record array");
    const std::string_view descr = string();
    if (descr.starts_with('>')) throw refused("big-endian (" + quoted(descr) + ")");
    if (descr.size() > 1 && (descr[1] == 'O' || descr[0] == 'O')) throw refused("Python objects");
    for (const NamedType& known : kTypes) {
      const bool order = descr.starts_with('<') || (known.bytes == 1 && descr.starts_with('|'));
      if (!order || descr.substr(1) != known.name) continue;
      header_.type = known.type;
      header_.item_bytes = known.bytes;
      return;
    }
    throw refused("of type " + quoted(descr));
  }

  void parse_shape() {
    std::vector<std::size_t> shape;
    expect('(');
    while (!accept(')')) {
      shape.push_back(number());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    if (shape.empty() || shape.size() > 2) {
      throw data_error({file_}, "the array has " + std::to_string(shape.size()) +
                                    " dimensions; it should have one or two");
    }
    header_.rows = shape[0];
    header_.columns = shape.size() == 2 ? shape[1] : 1;
  }

  std::string_view string() {
    skip_blanks();
    if (!text_.starts_with('\'') && !text_.starts_with('"')) throw damaged("a name is expected");
    const std::size_t close = text_.find(text_[0], 1);
    if (close == std::string_view::npos) throw damaged("a quote is not closed");
    const std::string_view content = text_.substr(1, close - 1);
    text_.remove_prefix(close + 1);
    return content;
  }

  bool boolean() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    throw damaged("True or False is expected");
  }

  std::size_t number() {
    skip_blanks();
    std::size_t value = 0;
    const auto [stop, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) throw damaged("a size is expected");
    text_.remove_prefix(static_cast<std::size_t>(stop - text_.data()));
    return value;
  }

  void skip_blanks() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size()));
  }
  bool accept(char c) {
    skip_blanks();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw damaged(std::string("'") + c + "' is expected");
  }
  void once(bool& seen) {
    if (seen) throw damaged("a key occurs twice");
    seen = true;
  }

  Error damaged(const std::string& why) const {
    return data_error({file_}, "the NumPy header is damaged: " + why);
  }
  Error refused(const std::string& what) const {
    return data_error(
        {file_}, "the array is " + what + "; save it as little-endian numbers, such as float32");
  }

  std::string_view text_;
  const std::string& file_;
  NpyHeader header_;
  bool has_type_ = false, has_order_ = false, has_shape_ = false;
};

std::string read_bytes(TextSource& source, std::size_t count) {
  std::string bytes(count, '\0');
  if (source.read(bytes) < count) throw data_error({source.name()}, "the file is cut off");
  return bytes;
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

// What is too large for a size is the largest size, which no file has.
std::size_t saturated_product(std::size_t a, std::size_t b) {
  constexpr std::size_t kLargest = std::numeric_limits<std::size_t>::max();
  return a != 0 && b > kLargest / a ? kLargest : a * b;
}

void check_size(const NpyHeader& header, std::size_t bytes, const std::string& file) {
  const std::size_t cells = saturated_product(header.rows, header.columns);
  const std::size_t announced = saturated_product(cells, header.item_bytes);
  const std::string shape =
      std::to_string(header.rows) + " x " + std::to_string(header.columns) + " array";
  if (announced > bytes) {
    throw data_error({file}, "the file is cut off: it holds " + std::to_string(bytes) +
                                 " bytes of an announced " + shape);
  }
  if (announced < bytes) {
    throw data_error({file}, std::to_string(bytes - announced) + " bytes follow the " + shape);
  }
}

}  // namespace

NpyHeader read_npy_header(TextSource& source) {
  const std::size_t file_bytes = source.size();
  if (file_bytes == 0) throw data_error({source.name()}, "the file is empty");
  const std::string start = read_bytes(source, 8);
  if (!start.starts_with("\x93NUMPY")) {
    throw data_error({source.name()}, "is no NumPy array file (.npy)");
  }
  const int version = start[6];
  if (version < 1 || version > 3) {
    throw data_error({source.name()}, "has version " + std::to_string(version) +
                                          " of the NumPy format; 1 to 3 can be read");
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t length = little_endian(read_bytes(source, length_bytes));
  if (length > kLongestHeader) throw data_error({source.name()}, "the NumPy header is too long");
  const std::string text = read_bytes(source, length);
  const NpyHeader header = HeaderParser(text, source.name()).parse();
  check_size(header, file_bytes - 8 - length_bytes - length, source.name());
  return header;
}

}  // namespace coppice
