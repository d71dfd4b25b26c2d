// Numbers are parsed where they lie in the buffer; only quotes and text take the slow path.
#include "data/csv_reader.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/column_plan.h"
#include "data/csv_fields.h"
#include "data/line_reader.h"
#include "data/number_text.h"

namespace coppice {
namespace {

class CsvReader {
 public:
  CsvReader(TextSource& source, const ReadOptions& options, char delimiter)
      : source_(source), options_(options), fields_(delimiter) {}

  Table read() {
    do {
      source_.rewind();
      read_file();
    } while (table_->restart_as_text());
    return std::move(*table_);
  }

 private:
  void read_file() {
    LineReader lines(source_);
    at_first_record_ = true;
    while (next_record(lines)) {
      const bool names = at_first_record_ && starts_with_names(lines);
      if (!table_) plan(lines, names);
      at_first_record_ = false;
      if (!names) add_record(lines);
    }
    if (!table_) throw data_error({source_.name()}, "the file is empty");
  }

  bool next_record(LineReader& lines) {
    do {
      if (!lines.next()) return false;
    } while (is_to_skip(lines.line()));
    if (lines.line().find('"') != std::string_view::npos) complete_quotes(lines);
    return true;
  }

  // A blank line, unless it can be a missing value of the only column.
  bool is_to_skip(std::string_view line) const {
    if (!at_first_record_ && table_->columns.size() == 1) return false;
    return std::ranges::all_of(line, [&](char c) { return fields_.is_blank(c); });
  }

  void complete_quotes(LineReader& lines) {
    QuoteTracker quotes(fields_);
    quotes.follow(lines.line());
    while (quotes.inside_quotes()) {
      const std::size_t followed = lines.line().size();
      if (!lines.extend()) throw data_error(lines.place(), "a quoted field is never closed");
      quotes.follow(lines.line().substr(followed));
    }
  }

  bool starts_with_names(const LineReader& lines) {
    if (options_.header) return *options_.header;
    const auto first = fields_.split(lines.line(), lines.place());
    return std::ranges::none_of(first, [](const auto& field) { return is_number(trim(field)); });
  }

  void plan(const LineReader& lines, bool has_names) {
    ColumnNames columns{fields_.split(lines.line(), lines.place()), {}, lines.place()};
    for (std::size_t i = 0; i < columns.names.size(); ++i) {
      std::string& name = columns.names[i];
      name = trim(name);
      if (!has_names || name.empty()) name = numbered_name(i + 1);
    }
    width_from_ = has_names ? "the header has " : "the first line has ";
    table_ = plan_columns(columns, options_);
  }

  void add_record(const LineReader& lines) {
    const std::string_view record = lines.line();
    const char* at = record.data();
    const char* const end = at + record.size();
    const std::size_t columns = table_->columns.size();
    for (std::size_t i = 0; i < columns; ++i) {
      if (i > 0 && at++ == end) throw ragged(lines);
      at = add_field(lines, i, at, end);
    }
    if (at != end) throw ragged(lines);
    ++table_->rows;
  }

  // Returns the end of the field.
  const char* add_field(const LineReader& lines, std::size_t number, const char* at,
                        const char* end) {
    Column& column = table_->columns[number];
    if (column.takes_floats()) {
      const char* const first = fields_.skip_blanks(at, end);
      float value = 0;
      if (const char* const quick = take_quickly(first, end, value)) {
        column.add_float(value);
        return quick;
      }
      const auto [stop, error] = fast_float::from_chars(first, end, value);
      const bool whole_field = stop == end || *stop == fields_.delimiter();
      if (error == std::errc() && whole_field && std::isfinite(value)) {
        column.add_float(value);
        return stop;
      }
    }
    const Place place = lines.place(number + 1);
    const CsvField field = fields_.take(at, end, place);
    column.add_text(field.text, place);
    return field.end;
  }

  // Null if the field is no short decimal. Where one is not, its neighbours are not either: the
  // next ones are not tried.
  const char* take_quickly(const char* first, const char* end, float& value) {
    constexpr int kUntried = 20;
    if (untried_ > 0) {
      --untried_;
      return nullptr;
    }
    const char* const stop = take_short_decimal(first, end, value);
    if (stop && (stop == end || *stop == fields_.delimiter())) return stop;
    untried_ = kUntried;
    return nullptr;
  }

  Error ragged(const LineReader& lines) {
    const std::size_t found = fields_.split(lines.line(), lines.place()).size();
    const std::string fields = found == 1 ? " field, " : " fields, ";
    return data_error(lines.place(), "has " + std::to_string(found) + fields + width_from_ +
                                         std::to_string(table_->columns.size()));
  }

  TextSource& source_;
  const ReadOptions& options_;
  CsvFields fields_;
  std::optional<Table> table_;
  std::string width_from_;
  bool at_first_record_ = true;
  int untried_ = 0;
};

char choose_delimiter(TextSource& source, const ReadOptions& options) {
  if (options.delimiter) {
    constexpr std::string_view kImpossible = "\"\r\n.+-";
    const char c = *options.delimiter;
    const bool word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (word || c == '\0' || kImpossible.find(c) != std::string_view::npos) {
      throw Error(ErrorKind::invalid_option, "fields cannot be delimited by " +
                                                 quoted(std::string_view(&c, 1)) +
                                                 "; use , ; | a space or a tab");
    }
    return c;
  }
  LineReader lines(source);
  while (lines.next()) {
    if (!trim(lines.line()).empty()) return inferred_delimiter(lines.line());
  }
  return ',';
}

}  // namespace

Table read_csv(TextSource& source, const ReadOptions& options) {
  const char delimiter = choose_delimiter(source, options);
  return CsvReader(source, options, delimiter).read();
}

}  // namespace coppice
