// See csv_writer.h.
#include "csv_writer.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/atomic_file.h"
#include "coppice/error.h"
#include "terminal.h"

namespace coppice {
namespace {

static_assert(std::endian::native == std::endian::little, ".npy is written as it lies in memory");

// A file that appears on close(), or standard output.
class Sink {
 public:
  explicit Sink(const std::string& path) {
    if (!path.empty()) file_.emplace(path);
  }

  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBufferSize) flush();
  }
  void close() {
    flush();
    if (file_) file_->commit();
  }

 private:
  static constexpr std::size_t kBufferSize = 1 << 16;

  void flush() {
    if (file_) {
      file_->write(buffer_);
    } else {
      print_text(buffer_);
    }
    buffer_.clear();
  }

  std::optional<AtomicFile> file_;
  std::string buffer_;
};

std::string quoted(std::string_view text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos &&
                     !text.starts_with(' ') && !text.ends_with(' ');
  if (plain) return std::string(text);
  std::string result = "\"";
  for (const char c : text) result.append(c == '"' ? 2 : 1, c);
  return result + '"';
}

struct AppendField {
  std::string& line;

  void operator()(std::uint64_t value) const {
    fmt::format_to(std::back_inserter(line), "{}", value);
  }
  void operator()(float value) const { append_number(value); }
  void operator()(double value) const { append_number(value); }
  void operator()(std::string_view text) const { line += quoted(text); }

  template <class Number>
  void append_number(Number value) const {
    if (!std::isnan(value)) fmt::format_to(std::back_inserter(line), "{}", value);
  }
};

class CsvWriter final : public TableWriter {
 public:
  explicit CsvWriter(const std::string& path) : sink_(path) {}

  void header(std::span<const std::string> names) override {
    std::vector<Cell> cells(names.begin(), names.end());
    row(cells);
  }

  void row(std::span<const Cell> cells) override {
    line_.clear();
    for (const Cell& cell : cells) {
      if (&cell != cells.data()) line_ += ',';
      std::visit(AppendField{line_}, cell);
    }
    line_ += '\n';
    sink_.write(line_);
  }

  void finish() override { sink_.close(); }

 private:
  Sink sink_;
  std::string line_;
};

class NpyWriter final : public TableWriter {
 public:
  NpyWriter(const std::string& path, std::size_t rows) : sink_(path), rows_(rows) {}

  // Version 1.0: magic, length of the description, description padded to a multiple of 64 bytes.
  void header(std::span<const std::string> names) override {
    std::string text = fmt::format(
        "{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", rows_, names.size());
    constexpr std::size_t prefix = 10, block = 64;
    text.append((block - (prefix + text.size() + 1) % block) % block, ' ');
    text += '\n';
    const char size[2] = {static_cast<char>(text.size() & 255),
                          static_cast<char>(text.size() >> 8)};
    sink_.write(std::string_view("\x93NUMPY\x01\x00", 8));
    sink_.write(std::string_view(size, 2));
    sink_.write(text);
  }

  void row(std::span<const Cell> cells) override {
    for (const Cell& cell : cells) {
      const double value = std::visit(
          [](const auto& known) -> double {
            if constexpr (std::is_arithmetic_v<std::decay_t<decltype(known)>>) {
              return static_cast<double>(known);
            }
            return std::nan("");
          },
          cell);
      sink_.write(std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
    }
  }

  void finish() override { sink_.close(); }

 private:
  Sink sink_;
  std::size_t rows_;
};

class JsonWriter final : public TableWriter {
 public:
  explicit JsonWriter(Json& into) : into_(into) {}

  void header(std::span<const std::string> names) override {
    into_["columns"] = std::vector<std::string>(names.begin(), names.end());
    into_["data"] = Json::array();
  }

  void row(std::span<const Cell> cells) override {
    Json values = Json::array();
    for (const Cell& cell : cells) {
      std::visit([&](const auto& value) { values.push_back(value); }, cell);
    }
    into_["data"].push_back(std::move(values));
  }

  void finish() override {}

 private:
  Json& into_;
};

}  // namespace

std::unique_ptr<TableWriter> csv_writer(const std::string& path) {
  return std::make_unique<CsvWriter>(path);
}

std::unique_ptr<TableWriter> npy_writer(const std::string& path, std::size_t rows) {
  return std::make_unique<NpyWriter>(path, rows);
}

std::unique_ptr<TableWriter> json_writer(Json& into) { return std::make_unique<JsonWriter>(into); }

bool is_npy(const std::string& path) { return path.ends_with(".npy"); }

std::unique_ptr<TableWriter> table_writer(const std::string& path, std::size_t rows, Json* into) {
  if (is_npy(path)) return npy_writer(path, rows);
  if (path.empty() && into != nullptr) return json_writer(*into);
  return csv_writer(path);
}

}  // namespace coppice
