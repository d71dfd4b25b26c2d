// A column is found by its name, or else by its number.
#include "data/column_plan.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>

#include "data/spelling.h"

namespace coppice {
namespace {

// Columns in order of name, for look-ups.
class NameIndex {
 public:
  explicit NameIndex(const ColumnNames& columns) : columns_(columns), order_(columns.names.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::sort(order_, {}, [&](std::size_t i) { return std::string_view(name(i)); });
    const auto twin = std::ranges::adjacent_find(
        order_, {}, [&](std::size_t i) { return std::string_view(name(i)); });
    if (twin != order_.end()) {
      throw data_error(columns.place, "two columns are named " + quoted(name(*twin)));
    }
  }

  std::optional<std::size_t> find(std::string_view wanted) const {
    const auto hit = std::ranges::lower_bound(
        order_, wanted, {}, [&](std::size_t i) { return std::string_view(name(i)); });
    if (hit == order_.end() || name(*hit) != wanted) return std::nullopt;
    return *hit;
  }

  std::optional<std::size_t> find_number(std::string_view digits) const {
    std::size_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc() || stop != end || number == 0) return std::nullopt;
    return number <= order_.size() ? std::optional(number - 1) : std::nullopt;
  }

  Error unknown(const std::string& wanted) const {
    std::string sentence = "there is no column " + quoted(wanted);
    const auto nearest = nearest_spelling(wanted, columns_.names);
    sentence += nearest ? "; did you mean " + quoted(*nearest) + "?" : ".";
    return data_error({columns_.place.file},
                      sentence + " The columns are " + listed(columns_.names));
  }

 private:
  const std::string& name(std::size_t column) const { return columns_.names[column]; }

  const ColumnNames& columns_;
  std::vector<std::size_t> order_;
};

class Planner {
 public:
  Planner(const ColumnNames& columns, const ReadOptions& options)
      : columns_(columns),
        options_(options),
        index_(columns),
        uses_(columns.names.size(), ColumnUse::feature) {}

  Table plan() {
    Table table;
    for (const std::string& name : options_.targets) {
      if (const auto column = use(name, ColumnUse::target)) table.targets.push_back(*column);
    }
    if (options_.weight_column) use(*options_.weight_column, ColumnUse::weight);
    for (const std::string& name : options_.ignored_columns) use(name, ColumnUse::ignored);
    const std::vector<Content> contents = plan_contents();
    table.columns.reserve(uses_.size());
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      table.columns.emplace_back(columns_.names[i], uses_[i], contents[i]);
    }
    return table;
  }

 private:
  // A column that the file lacks is no error in prediction. There, a number is only a name.
  std::optional<std::size_t> use(const std::string& name, ColumnUse use) {
    std::optional<std::size_t> column = index_.find(name);
    if (!column && !options_.targets_optional) column = index_.find_number(name);
    if (!column && !options_.targets_optional) throw index_.unknown(name);
    if (!column) return std::nullopt;
    if (uses_[*column] != ColumnUse::feature) {
      throw Error(ErrorKind::invalid_option,
                  "column " + quoted(name) + " is asked for twice, as target, weight or ignored");
    }
    uses_[*column] = use;
    return column;
  }

  std::vector<Content> plan_contents() const {
    std::vector<Content> contents(uses_.size());
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      contents[i] =
          content(uses_[i], columns_.declared.empty() ? Declared::nothing : columns_.declared[i]);
    }
    for (const auto& [name, kind] : options_.kinds) {
      const auto column = index_.find(name);
      if (!column && !options_.targets_optional) throw index_.unknown(name);
      if (!column || uses_[*column] != ColumnUse::feature) continue;
      contents[*column] = kind == FeatureKind::numeric ? Content::only_numbers : Content::texts;
    }
    return contents;
  }

  Content content(ColumnUse use, Declared declared) const {
    if (use == ColumnUse::weight) return Content::only_numbers;
    if (use == ColumnUse::target) return target_content(declared);
    if (declared == Declared::texts) return Content::texts;
    return declared == Declared::numbers ? Content::only_numbers : Content::undecided;
  }

  Content target_content(Declared declared) const {
    const bool several = options_.targets.size() > 1;
    if (several && options_.target_kind == TargetKind::classes) {
      throw Error(ErrorKind::invalid_option, "classes can be learnt from one target column only");
    }
    if (several || options_.target_kind == TargetKind::numbers) return Content::only_numbers;
    const bool texts = options_.target_kind == TargetKind::classes || declared == Declared::texts;
    return texts ? Content::texts : Content::few_numbers;
  }

  const ColumnNames& columns_;
  const ReadOptions& options_;
  NameIndex index_;
  std::vector<ColumnUse> uses_;
};

}  // namespace

Table plan_columns(const ColumnNames& columns, const ReadOptions& options) {
  if (columns.names.size() > kMostColumns) {
    throw data_error(columns.place, "has more than " + std::to_string(kMostColumns) + " columns");
  }
  return Planner(columns, options).plan();
}

std::string numbered_name(std::size_t number) { return "f" + std::to_string(number); }

}  // namespace coppice
