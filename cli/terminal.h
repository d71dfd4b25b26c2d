// Text for people: aligned tables, bars, sizes, durations, and a progress bar that is silent unless
// somebody watches.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/stopwatch.h"

namespace coppice {

bool is_terminal(std::FILE*);

// To standard output, whole and flushed; throws Error(io) otherwise (a full disk, say).
void print_text(std::string_view);

std::string count_text(std::size_t);     // 16,000
std::string bytes_text(std::size_t);     // 1.9 MB
std::string seconds_text(double);        // 85 ms, 1.23 s, 4 min 05 s
std::string percent_text(double share);  // 3.62 %
std::string number_text(double);         // six significant digits

// "1 tree", "2 trees".
std::string plural(std::size_t count, const std::string& one, const std::string& several);

// Control characters cannot reach the terminal by way of a name in a file.
std::string printable(std::string_view);

// "A, B, C, ... Z (26)": as many as fit into the width.
std::string abbreviated(const std::vector<std::string>& names, std::size_t width);

// `share` of the width in '#', at least one unless it is 0.
std::string bar(double share, std::size_t width);

class TextTable {
 public:
  // One letter per column: 'l' aligns left, 'r' right.
  explicit TextTable(std::string alignment) : alignment_(std::move(alignment)) {}

  void add(std::vector<std::string> cells);
  std::string text(std::size_t indent = 2) const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

// One line on standard error, redrawn at most ten times a second; gone when it is destroyed.
class ProgressBar {
 public:
  ProgressBar(std::string unit, bool wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::size_t done, std::size_t total);

 private:
  std::string unit_;
  bool shown_;
  Stopwatch watch_;
  double last_drawn_ = -1;
};

}  // namespace coppice
