// What a reader makes of a file: named columns of numbers or of dictionary-coded text, before the
// roles of the columns turn them into a Dataset.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "coppice/dataset.h"
#include "data/dictionary.h"
#include "data/limits.h"
#include "data/place.h"

namespace coppice {

enum class ColumnUse : std::uint8_t { ignored, feature, target, weight };

enum class Content : std::uint8_t {
  undecided,     // nothing but missing values so far
  numbers,       // inferred from the first value
  only_numbers,  // asked for: a text is an error
  few_numbers,   // a target so far of at most 50 distinct whole numbers: coded like text
  texts,         // values are codes of the dictionary
  declared,      // like texts, but a text that is not in the dictionary is an error
  spoiled,       // numbers, then a text: the file has to be read again, see Table
};

// Most whole numbers that are taken for classes unless asked for.
inline constexpr std::size_t kMostInferredClasses = 50;

class Column {
 public:
  Column(std::string name, ColumnUse use, Content content);

  const std::string& name() const { return name_; }
  ColumnUse use() const { return use_; }
  Content content() const { return content_; }
  bool coded() const;  // values are codes of the dictionary
  std::size_t rows() const { return use_ == ColumnUse::target ? doubles_.size() : floats_.size(); }

  // Appends a value. `text` is trimmed if it was not in quotes. Throws Error(invalid_data) for text
  // where numbers are asked for and for numbers beyond range.
  void add_text(std::string_view text, const Place&);
  // Appends a value of a binary file; as text if the column is coded.
  template <typename Number>
  void add_number(Number value, const Place&);
  // Appends `count` times what add_text("0") appends.
  void add_zeros(std::size_t count, const Place&);

  // Numbers that need no look at the text: add_float() may be called instead of add_text().
  bool takes_floats() const { return takes_floats_; }
  void add_float(float finite) { floats_.push_back(finite); }

  // Forgets all values. A spoiled column will hold text; what else is known of a column is kept.
  void restart();
  // Fixes the texts that may occur.
  void declare(const std::vector<std::string>& texts);

  const Dictionary& dictionary() const { return *dictionary_; }
  std::string take_name() { return std::move(name_); }
  std::vector<float> take_floats() { return std::move(floats_); }
  std::vector<double> take_doubles() { return std::move(doubles_); }

 private:
  void become(Content);
  void add_missing();
  void append(double value);
  void add_as_number(std::string_view text, const Place&);
  void add_coded(std::string_view text, const Place&);
  void add_few_number(std::string_view text, const Place&);
  void decode();

  std::string name_;
  ColumnUse use_;
  Content content_;
  bool takes_floats_ = false;
  std::vector<float> floats_;    // features and weights: numbers or codes
  std::vector<double> doubles_;  // targets: the same
  std::unique_ptr<Dictionary> dictionary_;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::size_t> targets;  // numbers of the target columns, in the order asked for
  std::size_t rows = 0;

  // If any column is spoiled: forgets all rows, will take it for text, and returns true.
  bool restart_as_text();
};

// For sparse files, which are short texts of large tables. Throws Error(invalid_data) if there are
// more than kMostCells values.
void refuse_too_many_cells(std::size_t rows, std::size_t columns, const std::string& file);

// The shortest text that is this number and no other.
std::string text_of(float);
std::string text_of(double);
std::string text_of(std::int64_t);
std::string text_of(std::uint64_t);

template <typename Number>
void Column::add_number(Number value, const Place& place) {
  if (use_ == ColumnUse::ignored) return;
  const auto narrow = static_cast<float>(value);
  if (takes_floats_ && std::isfinite(narrow)) return add_float(narrow);
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isnan(value)) return add_missing();
    add_text(text_of(value), place);
  } else if constexpr (std::is_signed_v<Number>) {
    add_text(text_of(std::int64_t{value}), place);
  } else {
    add_text(text_of(std::uint64_t{value}), place);
  }
}

}  // namespace coppice
