// How a column learns what it holds, one field at a time.
#include "data/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "data/number_text.h"

namespace coppice {
namespace {

constexpr double kMissingNumber = std::numeric_limits<double>::quiet_NaN();

bool is_whole(double value) { return std::isfinite(value) && value == std::trunc(value); }

Error beyond_range(std::string_view text, const Place& place) {
  return data_error(place, quoted(text) + " is beyond the range of numbers");
}

template <typename Float>
ParsedNumber<Float> parse_within_range(std::string_view text, const Place& place) {
  const ParsedNumber<Float> parsed = parse_number<Float>(text);
  if (parsed.status == NumberStatus::beyond_range) throw beyond_range(text, place);
  return parsed;
}

}  // namespace

Column::Column(std::string name, ColumnUse use, Content content)
    : name_(std::move(name)), use_(use), content_(content) {
  become(content);
}

bool Column::coded() const {
  return content_ == Content::texts || content_ == Content::declared ||
         content_ == Content::few_numbers;
}

void Column::become(Content content) {
  content_ = content;
  const bool numbers = content == Content::numbers || content == Content::only_numbers;
  takes_floats_ = numbers && (use_ == ColumnUse::feature || use_ == ColumnUse::weight);
  if (coded() && !dictionary_) dictionary_ = std::make_unique<Dictionary>();
}

void Column::add_text(std::string_view text, const Place& place) {
  if (use_ == ColumnUse::ignored || content_ == Content::spoiled) return;
  const std::string_view trimmed = trim(text);
  if (means_missing(trimmed)) return add_missing();
  if (content_ == Content::undecided) {
    become(is_number(trimmed) ? Content::numbers : Content::texts);
  }
  switch (content_) {
    case Content::few_numbers:
      return add_few_number(trimmed, place);
    case Content::texts:
    case Content::declared:
      return add_coded(text, place);
    default:
      return add_as_number(trimmed, place);
  }
}

void Column::add_zeros(std::size_t count, const Place& place) {
  if (count == 0 || use_ == ColumnUse::ignored || content_ == Content::spoiled) return;
  add_text("0", place);
  if (use_ == ColumnUse::target) {
    doubles_.resize(doubles_.size() + count - 1, double{doubles_.back()});
  } else {
    floats_.resize(floats_.size() + count - 1, float{floats_.back()});
  }
}

void Column::add_missing() { append(kMissingNumber); }

void Column::append(double value) {
  if (use_ == ColumnUse::target) {
    doubles_.push_back(value);
  } else {
    floats_.push_back(static_cast<float>(value));
  }
}

void Column::add_as_number(std::string_view text, const Place& place) {
  // Straight to the type that is kept: rounding twice would not be rounding to nearest.
  ParsedNumber<double> parsed;
  if (use_ == ColumnUse::target) {
    parsed = parse_within_range<double>(text, place);
  } else {
    const ParsedNumber<float> narrow = parse_within_range<float>(text, place);
    parsed = {narrow.status, double{narrow.value}};
  }
  if (parsed.status == NumberStatus::number) return append(parsed.value);
  if (content_ == Content::only_numbers) {
    throw data_error(place, quoted(text) + " is not a number (column '" + name_ + "')");
  }
  become(Content::spoiled);
  floats_ = {};
  doubles_ = {};
}

void Column::add_coded(std::string_view text, const Place& place) {
  if (content_ == Content::declared && !dictionary_->contains(text)) {
    throw data_error(place,
                     quoted(text) + " is not among the declared values of column '" + name_ + "'");
  }
  const std::uint32_t code = dictionary_->code(text);
  if (code >= kMostCategories) {
    throw data_error(place, "column '" + name_ + "' has more than " +
                                std::to_string(kMostCategories) + " different texts; ignore it");
  }
  append(code);
}

void Column::add_few_number(std::string_view text, const Place& place) {
  const ParsedNumber<double> parsed = parse_within_range<double>(text, place);
  if (parsed.status == NumberStatus::text) {
    become(Content::texts);
    return add_coded(text, place);
  }
  const bool one_more = !dictionary_->contains(text);
  if (one_more && (!is_whole(parsed.value) || dictionary_->size() == kMostInferredClasses)) {
    decode();
    return append(parsed.value);
  }
  add_coded(text, place);
}

// Few numbers turned out to be many.
void Column::decode() {
  for (double& value : doubles_) {
    if (std::isnan(value)) continue;
    value = parse_number<double>(dictionary_->text(static_cast<std::size_t>(value))).value;
  }
  dictionary_.reset();
  become(Content::numbers);
}

void Column::restart() {
  floats_ = {};
  doubles_ = {};
  if (content_ != Content::declared) dictionary_.reset();
  become(content_ == Content::spoiled ? Content::texts : content_);
}

void Column::declare(const std::vector<std::string>& texts) {
  become(Content::declared);
  for (const std::string& text : texts) dictionary_->code(text);
}

bool Table::restart_as_text() {
  const auto spoiled = [](const Column& column) { return column.content() == Content::spoiled; };
  if (std::ranges::none_of(columns, spoiled)) return false;
  for (Column& column : columns) column.restart();
  rows = 0;
  return true;
}

void refuse_too_many_cells(std::size_t rows, std::size_t columns, const std::string& file) {
  if (columns == 0 || rows <= kMostCells / columns) return;
  throw data_error({file}, "a table of " + std::to_string(rows) + " rows and " +
                               std::to_string(columns) + " columns is too large: more than " +
                               std::to_string(kMostCells) + " values");
}

std::string text_of(float value) { return fmt::format("{}", value); }
std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(std::int64_t value) { return fmt::format("{}", value); }
std::string text_of(std::uint64_t value) { return fmt::format("{}", value); }

}  // namespace coppice
