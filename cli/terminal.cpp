// See terminal.h. Widths count code points, which is right for all but a few scripts.
#include "terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "coppice/error.h"

namespace coppice {
namespace {

std::size_t width_of(std::string_view text) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

std::string padded(const std::string& text, std::size_t width, char alignment) {
  const std::string fill(width - std::min(width, width_of(text)), ' ');
  return alignment == 'r' ? fill + text : text + fill;
}

}  // namespace

bool is_terminal(std::FILE* file) { return isatty(fileno(file)) != 0; }

void print_text(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw Error(ErrorKind::io, "standard output cannot be written: is the disk full?");
  }
}

std::string count_text(std::size_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, ",");
  return text;
}

std::string bytes_text(std::size_t bytes) {
  static constexpr std::array<const char*, 5> units{"bytes", "kB", "MB", "GB", "TB"};
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  double scaled = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (scaled >= 999.5 && unit + 1 < units.size()) {
    scaled /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", scaled, scaled < 9.95 ? 1 : 0, units[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 99.5) return fmt::format("{:.1f} s", seconds);
  const long whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string percent_text(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string number_text(double number) { return fmt::format("{:.6g}", number); }

std::string plural(std::size_t count, const std::string& one, const std::string& several) {
  return count_text(count) + ' ' + (count == 1 ? one : several);
}

std::string printable(std::string_view text) {
  std::string safe(text);
  for (char& c : safe) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return safe;
}

std::string abbreviated(const std::vector<std::string>& names, std::size_t width) {
  std::string text;
  for (std::size_t n = 0; n < names.size(); ++n) {
    const std::string next = (n == 0 ? "" : ", ") + printable(names[n]);
    if (n > 0 && width_of(text) + width_of(next) > width) {
      return fmt::format("{}, ... ({} in all)", text, count_text(names.size()));
    }
    text += next;
  }
  return text;
}

std::string bar(double share, std::size_t width) {
  if (!(share > 0)) return "";
  const double length = std::round(std::min(share, 1.0) * static_cast<double>(width));
  return std::string(std::max<std::size_t>(1, static_cast<std::size_t>(length)), '#');
}

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(alignment_.size());
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::size_t> widths(alignment_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      line += padded(row[c], widths[c], alignment_[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

ProgressBar::ProgressBar(std::string unit, bool wanted)
    : unit_(std::move(unit)), shown_(wanted && is_terminal(stderr)) {}

ProgressBar::~ProgressBar() {
  if (last_drawn_ >= 0) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::update(std::size_t done, std::size_t total) {
  const double elapsed = watch_.seconds();
  if (!shown_ || total == 0 || (last_drawn_ >= 0 && elapsed < last_drawn_ + 0.1)) return;
  last_drawn_ = elapsed;
  constexpr std::size_t width = 30;
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const std::string left =
      done == 0 ? "" : ", " + seconds_text(elapsed * (1 - share) / share) + " left";
  fmt::print(stderr, "\r[{:<{}}] {} of {} {}{}\033[K", bar(share, width), width, count_text(done),
             count_text(total), unit_, left);
  std::fflush(stderr);
}

}  // namespace coppice
