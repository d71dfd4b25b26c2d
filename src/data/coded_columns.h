// Features as small integers. The code of a number is its rank among the distinct values (or
// quantile bins) of its column; the code of a category is its index. Splits on codes are splits on
// values, and codes of one or two bytes are what makes training fast.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/options.h"

namespace coppice {

using SampleId = std::uint32_t;

// One feature of all rows. Codes [0, known) are values in ascending order; `known` is missing.
struct CodedColumn {
  FeatureKind kind = FeatureKind::numeric;
  std::uint32_t known = 0;
  bool has_missing = false;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>
      codes;
  // Numeric only: the least and the largest value of each code; equal unless codes are bins, in
  // which case `highest` differs (it is empty otherwise).
  std::vector<float> lowest, highest;

  float low(std::uint32_t code) const { return lowest[code]; }
  float high(std::uint32_t code) const { return highest.empty() ? lowest[code] : highest[code]; }

  // Calls body(const Code* codes) with the narrowest type that holds this column's codes.
  template <class Body>
  decltype(auto) visit(Body&& body) const {
    return std::visit([&](const auto& narrow) -> decltype(auto) { return body(narrow.data()); },
                      codes);
  }
};

class CodedColumns {
 public:
  // max_codes limits the codes of a numeric column by quantile binning; 0 keeps every value.
  CodedColumns(const DatasetView&, std::uint32_t max_codes, std::size_t workers);

  std::size_t rows() const { return rows_; }
  std::size_t features() const { return columns_.size(); }
  const CodedColumn& column(std::size_t feature) const { return columns_[feature]; }

 private:
  std::size_t rows_ = 0;
  std::vector<CodedColumn> columns_;
};

}  // namespace coppice
