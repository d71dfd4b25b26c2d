// See column_names.h. The rules are those of the readers in src/data.
#include "column_names.h"

#include <algorithm>
#include <filesystem>

#include "data/arff_cursor.h"
#include "data/csv_fields.h"
#include "data/line_reader.h"
#include "data/number_text.h"
#include "data/text_source.h"

namespace coppice {
namespace {

// "csv", "npy" ...: --format, or the extension in lower case, .gz aside.
std::string format_name(const std::string& path, const ReadOptions& options) {
  if (options.format) return *options.format;
  std::filesystem::path name(lower_case(path));
  if (name.extension() == ".gz") name.replace_extension();
  const std::string extension = name.extension().string();
  return extension.empty() ? "" : extension.substr(1);
}

std::vector<std::string> csv_names(LineReader& lines, const ReadOptions& options, bool tabs) {
  while (lines.next() && trim(lines.line()).empty()) {
  }
  const char inferred = tabs ? '\t' : inferred_delimiter(lines.line());
  CsvFields fields(options.delimiter.value_or(inferred));
  QuoteTracker quotes(fields);
  quotes.follow(lines.line());
  while (quotes.inside_quotes()) {
    const std::size_t followed = lines.line().size();
    if (!lines.extend()) break;
    quotes.follow(lines.line().substr(followed));
  }
  std::vector<std::string> names = fields.split(lines.line(), lines.place());
  const auto number = [](const std::string& field) { return is_number(trim(field)); };
  const bool header = options.header.value_or(std::none_of(names.begin(), names.end(), number));
  if (!header) return {};
  for (std::string& name : names) name = trim(name);
  return names;
}

std::vector<std::string> arff_names(LineReader& lines) {
  std::vector<std::string> names;
  while (lines.next()) {
    ArffCursor cursor(lines.line(), lines.place());
    if (cursor.at_end() || !cursor.accept('@')) continue;
    const std::string keyword = lower_case(cursor.value(" \t%"));
    if (keyword == "data") break;
    if (keyword == "attribute") names.push_back(cursor.value(" \t{"));
  }
  return names;
}

}  // namespace

bool is_libsvm(const std::string& path, const ReadOptions& options) {
  const std::string format = format_name(path, options);
  return format == "libsvm" || format == "svm";
}

std::vector<std::string> column_names(const std::string& path, const ReadOptions& options) {
  const std::string format = format_name(path, options);
  if (path == "-" || format == "npy" || is_libsvm(path, options)) return {};
  TextSource source(path);
  LineReader lines(source);
  return format == "arff" ? arff_names(lines) : csv_names(lines, options, format == "tsv");
}

}  // namespace coppice
