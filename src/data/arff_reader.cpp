// First the declarations, which fix the columns; then the rows.
#include "data/arff_reader.h"

#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/arff_cursor.h"
#include "data/column_plan.h"
#include "data/line_reader.h"

namespace coppice {
namespace {

struct Attribute {
  enum class Type { number, nominal, string, unusable };
  Type type = Type::number;
  std::vector<std::string> values;  // nominal: as declared
  std::string type_name;
  Place place;
};

struct Declarations {
  std::vector<std::string> names;
  std::vector<Attribute> attributes;
};

std::vector<std::string> nominal_values(ArffCursor& cursor) {
  std::vector<std::string> values;
  while (!cursor.accept('}')) {
    values.push_back(cursor.value(",}"));
    if (!cursor.accept(',')) {
      cursor.expect('}');
      break;
    }
  }
  return values;
}

Attribute parse_type(ArffCursor& cursor, const Place& place) {
  Attribute attribute;
  attribute.place = place;
  if (cursor.accept('{')) {
    attribute.type = Attribute::Type::nominal;
    attribute.values = nominal_values(cursor);
    return attribute;
  }
  attribute.type_name = lower_case(cursor.value(" \t%"));
  const std::string& name = attribute.type_name;
  if (name == "numeric" || name == "real" || name == "integer") {
    attribute.type = Attribute::Type::number;
  } else if (name == "string") {
    attribute.type = Attribute::Type::string;
  } else if (name == "date") {
    attribute.type = Attribute::Type::unusable;
  } else {
    throw cursor.error("attributes of type " + quoted(name) +
                       " cannot be read; numeric, real, integer, string and {...} can");
  }
  return attribute;
}

// Up to and including @data.
Declarations read_declarations(LineReader& lines) {
  Declarations declarations;
  bool any_line = false;
  while (lines.next()) {
    any_line = true;
    ArffCursor cursor(lines.line(), lines.place());
    if (cursor.at_end()) continue;
    cursor.expect('@');
    const std::string keyword = lower_case(cursor.value(" \t%"));
    if (keyword == "data") return declarations;
    if (keyword == "relation") continue;
    if (keyword != "attribute") throw cursor.error("unknown declaration " + quoted("@" + keyword));
    declarations.names.push_back(cursor.value(" \t{"));
    if (declarations.names.back().empty()) throw cursor.error("an attribute has no name");
    declarations.attributes.push_back(parse_type(cursor, lines.place()));
  }
  throw data_error({lines.place().file}, any_line ? "there is no @data" : "the file is empty");
}

Table plan_table(const Declarations& declarations, const ReadOptions& options, const Place& file) {
  if (declarations.names.empty()) throw data_error(file, "there is no @attribute");
  ColumnNames columns{declarations.names, {}, file};
  for (const Attribute& attribute : declarations.attributes) {
    columns.declared.push_back(attribute.type == Attribute::Type::number ? Declared::numbers
                                                                         : Declared::texts);
  }
  Table table = plan_columns(columns, options);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Attribute& attribute = declarations.attributes[i];
    Column& column = table.columns[i];
    if (column.use() == ColumnUse::ignored) continue;
    if (attribute.type == Attribute::Type::unusable) {
      throw data_error(attribute.place, "attribute " + quoted(column.name()) + " is a " +
                                            attribute.type_name + "; ignore this column");
    }
    const bool nominal = attribute.type == Attribute::Type::nominal;
    if (nominal && column.content() == Content::texts) column.declare(attribute.values);
  }
  return table;
}

class RowReader {
 public:
  RowReader(Declarations declarations, Table table)
      : declarations_(std::move(declarations)), table_(std::move(table)) {}

  Table read(LineReader& lines) {
    while (lines.next()) {
      ArffCursor cursor(lines.line(), lines.place());
      if (cursor.at_end()) continue;
      if (cursor.accept('{')) {
        add_sparse(cursor, lines);
      } else {
        add_dense(cursor, lines);
      }
      ++table_.rows;
    }
    return std::move(table_);
  }

 private:
  std::size_t width() const { return table_.columns.size(); }

  void add_dense(ArffCursor& cursor, const LineReader& lines) {
    std::size_t fields = 0;
    do {
      const std::string value = cursor.value(",%");
      if (fields < width()) table_.columns[fields].add_text(value, lines.place(fields + 1));
      ++fields;
    } while (cursor.accept(','));
    if (!cursor.at_end()) {
      throw data_error(lines.place(fields), "there is text after the closing quote of a value");
    }
    if (fields != width()) {
      throw cursor.error("has " + std::to_string(fields) + " values, there are " +
                         std::to_string(width()) + " attributes");
    }
  }

  void add_sparse(ArffCursor& cursor, const LineReader& lines) {
    refuse_too_many_cells(table_.rows + 1, width(), std::string(lines.place().file));
    std::size_t next = 0;
    while (!cursor.accept('}')) {
      const std::size_t attribute = sparse_index(cursor, next);
      for (; next < attribute; ++next) add_default(next, lines);
      table_.columns[next].add_text(cursor.value(",}"), lines.place(next + 1));
      ++next;
      if (!cursor.accept(',')) {
        cursor.expect('}');
        break;
      }
    }
    if (!cursor.at_end()) throw cursor.error("there is text after '}'");
    for (; next < width(); ++next) add_default(next, lines);
  }

  std::size_t sparse_index(ArffCursor& cursor, std::size_t least) const {
    const std::string digits = cursor.value(" \t,}");
    std::size_t index = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, index);
    if (error != std::errc() || stop != end || index >= width()) {
      throw cursor.error(quoted(digits) + " is not the number of an attribute (0 to " +
                         std::to_string(width() - 1) + ")");
    }
    if (index < least) throw cursor.error("the attributes of a sparse row ascend");
    return index;
  }

  // What a sparse row leaves out: 0, or the first declared value.
  void add_default(std::size_t attribute, const LineReader& lines) {
    const std::vector<std::string>& values = declarations_.attributes[attribute].values;
    table_.columns[attribute].add_text(values.empty() ? "0" : values[0],
                                       lines.place(attribute + 1));
  }

  Declarations declarations_;
  Table table_;
};

}  // namespace

Table read_arff(TextSource& source, const ReadOptions& options) {
  Table table;
  do {
    source.rewind();
    LineReader lines(source);
    Declarations declarations = read_declarations(lines);
    if (table.columns.empty()) table = plan_table(declarations, options, {source.name()});
    table = RowReader(std::move(declarations), std::move(table)).read(lines);
  } while (table.restart_as_text());
  return table;
}

}  // namespace coppice
