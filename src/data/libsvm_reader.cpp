// Two passes: the first finds the size of the table, so that it can be refused before it is made.
#include "data/libsvm_reader.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "data/column_plan.h"
#include "data/line_reader.h"
#include "data/number_text.h"

namespace coppice {
namespace {

constexpr std::string_view kBlanks = " \t";

// The blank-separated fields of a line, without its comment.
class FieldCursor {
 public:
  explicit FieldCursor(std::string_view line) : rest_(line.substr(0, line.find('#'))) {}

  // Empty at the end.
  std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
    const std::string_view field = rest_.substr(0, rest_.find_first_of(kBlanks));
    rest_.remove_prefix(field.size());
    if (!field.empty()) ++number_;
    return field;
  }
  std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

struct Entry {
  std::size_t index = 0;  // from 1
  std::string_view value;
};

Entry parse_entry(std::string_view field, std::size_t previous, const Place& place) {
  const std::size_t colon = field.find(':');
  if (colon == std::string_view::npos) {
    throw data_error(place, quoted(field) + " is not of the form index:value");
  }
  Entry entry{0, field.substr(colon + 1)};
  const char* const end = field.data() + colon;
  const auto [stop, error] = std::from_chars(field.data(), end, entry.index);
  if (error == std::errc::result_out_of_range || (stop == end && entry.index > kMostColumns)) {
    throw data_error(
        place, "the index of " + quoted(field) + " is larger than " + std::to_string(kMostColumns));
  }
  if (error != std::errc() || stop != end) {
    throw data_error(place, "the index of " + quoted(field) + " is not a whole number");
  }
  if (entry.index == 0) throw data_error(place, "index 0: indices count from 1");
  if (entry.index <= previous) {
    throw data_error(place, "index " + std::to_string(entry.index) + " does not come after " +
                                std::to_string(previous) + "; indices ascend");
  }
  return entry;
}

// The labels of a line and then, entry by entry, its values.
template <typename OnLabels, typename OnEntry>
void parse_line(const LineReader& lines, OnLabels on_labels, OnEntry on_entry) {
  FieldCursor cursor(lines.line());
  std::string_view field = cursor.next();
  const bool has_labels = field.find(':') == std::string_view::npos;
  on_labels(has_labels ? field : std::string_view());
  if (has_labels) field = cursor.next();
  std::size_t previous = 0;
  for (; !field.empty(); field = cursor.next()) {
    if (field.starts_with("qid:")) continue;
    const Entry entry = parse_entry(field, previous, lines.place(cursor.number()));
    on_entry(entry, lines.place(cursor.number()));
    previous = entry.index;
  }
}

bool next_row(LineReader& lines) {
  while (lines.next()) {
    if (!FieldCursor(lines.line()).next().empty()) return true;
  }
  return false;
}

struct Shape {
  std::size_t rows = 0, labels = 1, features = 0;
  std::size_t bytes = 0;  // of the rows
};

std::size_t count_labels(std::string_view field) {
  return 1 + static_cast<std::size_t>(std::ranges::count(field, ','));
}

// The largest N of the names fN in kinds.
std::size_t features_asked_for(const ReadOptions& options) {
  std::size_t most = 0;
  for (const auto& [name, kind] : options.kinds) {
    std::size_t number = 0;
    const char* const end = name.data() + name.size();
    if (!name.starts_with('f')) continue;
    const auto [stop, error] = std::from_chars(name.data() + 1, end, number);
    if (error == std::errc() && stop == end && number <= kMostColumns)
      most = std::max(most, number);
  }
  return most;
}

// A few bytes of a stranger must not become gigabytes of columns, whose names alone take more than
// their numbers, or of zeros.
void refuse_what_grows(const Shape& shape, const ReadOptions& options, const std::string& file) {
  constexpr std::size_t kAlwaysColumns = std::size_t{1} << 17, kBytesPerColumn = 4;
  constexpr std::size_t kSmallFile = std::size_t{1} << 20, kCellsOfSmallFile = std::size_t{1} << 25;
  const std::size_t asked = features_asked_for(options);
  const std::size_t most = std::max({kAlwaysColumns, shape.bytes / kBytesPerColumn, asked});
  if (shape.features > most) {
    throw data_error({file}, "has an index of " + std::to_string(shape.features) + ", but only " +
                                 std::to_string(shape.bytes) + " bytes; up to " +
                                 std::to_string(most) + " is believed");
  }
  if (shape.features > asked && shape.bytes <= kSmallFile &&
      shape.rows > kCellsOfSmallFile / shape.features) {
    throw data_error({file}, "has only " + std::to_string(shape.bytes) + " bytes, but " +
                                 std::to_string(shape.rows) + " rows and an index of " +
                                 std::to_string(shape.features) + "; so many zeros are believed " +
                                 "of files above " + std::to_string(kSmallFile) + " bytes");
  }
}

Shape measure(TextSource& source, const ReadOptions& options) {
  LineReader lines(source);
  Shape shape{0, 1, features_asked_for(options)};
  while (next_row(lines)) {
    ++shape.rows;
    shape.bytes += lines.line().size();
    parse_line(
        lines,
        [&](std::string_view labels) {
          if (shape.rows == 1) shape.labels = count_labels(labels);
          if (count_labels(labels) != shape.labels) {
            throw data_error(lines.place(1), "has " + std::to_string(count_labels(labels)) +
                                                 " labels, the first line has " +
                                                 std::to_string(shape.labels));
          }
        },
        [&](const Entry& entry, const Place&) {
          shape.features = std::max(shape.features, entry.index);
        });
  }
  if (shape.rows == 0) throw data_error({source.name()}, "the file is empty");
  refuse_too_many_cells(shape.rows, shape.features, source.name());
  refuse_what_grows(shape, options, source.name());
  return shape;
}

Table plan_table(const Shape& shape, const ReadOptions& options, const std::string& file) {
  ColumnNames columns{{}, {}, {file}};
  ReadOptions with_labels = options;
  with_labels.targets.clear();
  for (std::size_t i = 1; i <= shape.labels; ++i) {
    columns.names.push_back(shape.labels == 1 ? "label" : "label" + std::to_string(i));
    with_labels.targets.push_back(columns.names.back());
  }
  for (std::size_t i = 1; i <= shape.features; ++i) columns.names.push_back(numbered_name(i));
  columns.declared.assign(columns.names.size(), Declared::numbers);
  for (const std::string& target : options.targets) {
    if (!options.targets_optional &&
        std::ranges::find(with_labels.targets, target) == with_labels.targets.end()) {
      throw Error(ErrorKind::invalid_option,
                  file + ": the target of a LIBSVM file is its label, not " + quoted(target));
    }
  }
  return plan_columns(columns, with_labels);
}

// +1, 1 and 1.0 are one class.
std::string plain_label(std::string_view label) {
  const auto [status, value] = parse_number<double>(label);
  return status == NumberStatus::number ? text_of(value) : std::string(label);
}

void add_labels(std::string_view labels, Table& table, const Place& place) {
  for (const std::size_t target : table.targets) {
    const std::string_view label = labels.substr(0, labels.find(','));
    table.columns[target].add_text(plain_label(label), place);
    labels.remove_prefix(std::min(label.size() + 1, labels.size()));
  }
}

void fill(Table& table, TextSource& source, const Shape& shape) {
  source.rewind();
  LineReader lines(source);
  while (table.rows < shape.rows && next_row(lines)) {
    parse_line(
        lines, [&](std::string_view labels) { add_labels(labels, table, lines.place(1)); },
        [&](const Entry& entry, const Place& place) {
          Column& column = table.columns.at(shape.labels + entry.index - 1);
          if (column.use() == ColumnUse::ignored) return;
          column.add_zeros(table.rows - column.rows(), place);
          column.add_text(entry.value, place);
        });
    ++table.rows;
  }
  for (std::size_t i = shape.labels; i < table.columns.size(); ++i) {
    Column& column = table.columns[i];
    column.add_zeros(table.rows - column.rows(), {source.name()});
  }
}

}  // namespace

Table read_libsvm(TextSource& source, const ReadOptions& options) {
  const Shape shape = measure(source, options);
  Table table = plan_table(shape, options, source.name());
  do {
    fill(table, source, shape);
  } while (table.restart_as_text());
  return table;
}

}  // namespace coppice
