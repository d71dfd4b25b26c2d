// Files to data sets. The format follows from the name: .csv .tsv .npy .libsvm .svm .arff, each
// also with .gz. In text, an empty field, NA, N/A, nan, NaN, NULL, null and ? are missing values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coppice/dataset.h"

namespace coppice {

enum class TargetKind { infer, classes, numbers };

struct ReadOptions {
  // Names (or 1-based numbers) of the target columns. Empty: the file has features only, except
  // that the label of a LIBSVM file is always the target.
  std::vector<std::string> targets = {};
  // infer: text, or at most 50 distinct whole numbers, are classes; other numbers are regressed on.
  TargetKind target_kind = TargetKind::infer;
  std::optional<std::string> weight_column = {};
  std::vector<std::string> ignored_columns = {};
  std::map<std::string, FeatureKind> kinds = {};  // overrides of the inferred kinds
  std::optional<bool> header = {};         // inferred: a first line without a number is a header
  std::optional<char> delimiter = {};      // inferred from the first line: , ; tab or |
  std::optional<std::string> format = {};  // "csv", "npy", "libsvm", "arff"; inferred from the name
  // Prediction: a column that is named here and that the file lacks is no error.
  bool targets_optional = false;
};

// "-" is standard input (csv unless said otherwise). Throws Error(invalid_data) with
// file:line:field, where fields of the line count from 1, or Error(io).
Dataset read_dataset(const std::string& path, const ReadOptions& = {});

// What to ask of a file whose rows a model with `schema` is to see: kinds are those of the model.
ReadOptions read_options_for(const Schema& schema);

}  // namespace coppice
