// Tables as the library sees them: named float columns, and what is to be learnt about each row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace coppice {

enum class FeatureKind : std::uint8_t { numeric, categorical };

struct Feature {
  std::string name;
  FeatureKind kind = FeatureKind::numeric;
  // Categorical only: the names of the categories, sorted; a value of the column is an index here.
  std::vector<std::string> categories = {};

  bool operator==(const Feature&) const = default;
};

struct Schema {
  std::vector<Feature> features;
  std::vector<std::string> targets;  // names of the target columns; one for classification
  std::vector<std::string> classes;  // classification only: a label is an index here

  bool operator==(const Schema&) const = default;
};

// A missing value, of either kind of feature. A category that the model has never seen is missing.
inline constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
inline constexpr std::uint32_t kNoLabel = std::numeric_limits<std::uint32_t>::max();

// Borrows columns; whoever makes one keeps schema and arrays alive. What is not known is empty.
struct DatasetView {
  const Schema* schema = nullptr;
  std::size_t rows = 0;
  std::vector<std::span<const float>> columns;  // one per feature
  std::span<const std::uint32_t> labels;        // classification: one per row, or kNoLabel
  std::span<const double> targets;              // regression: row-major, rows x targets
  std::span<const float> weights;               // empty: every row weighs 1
};

struct Dataset {
  Schema schema;
  std::size_t rows = 0;
  std::vector<std::vector<float>> columns;
  std::vector<std::uint32_t> labels;
  std::vector<double> targets;
  std::vector<float> weights;

  DatasetView view() const;
};

// Throws Error(invalid_data) unless the sizes agree, every category code is in range, every weight
// is finite and not negative, and every label (if any) is a class or kNoLabel.
void validate(const DatasetView&);

// The same rows as the model with `schema` expects them: columns matched by name (by position if
// no name agrees and the counts do), categories recoded by their names, unseen ones missing. Labels
// are recoded by class name. Throws Error(invalid_data) with the list of differences.
struct Conformed {
  Dataset data;
  std::size_t unseen_categories = 0;  // values that became missing
};
Conformed conform(Dataset, const Schema& schema);

}  // namespace coppice
