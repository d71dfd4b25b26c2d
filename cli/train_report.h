// What training says: the data before it starts, the forest when it is done.
#pragma once

#include <string>
#include <vector>

#include "coppice/fit.h"
#include "json_output.h"

namespace coppice {

// One line per categorical feature and per feature with missing values; the other numbers share a
// line. `missing` are shares, or empty if not known.
std::string features_text(const Schema&, const std::vector<double>& missing);

// Rows, features, their kinds and missing values, and what is learnt.
std::string data_text(const std::string& path, const Dataset&, const std::string& task,
                      double read_seconds);
// A hint that the classes are numbers and might have been meant as quantities; else empty.
std::string number_classes_hint(const Schema&);
Json data_json(const Dataset&);

// The bytes of the arrays of a data set.
std::size_t data_bytes(const Dataset&);

// The ten most important features with bars, for one kind of importance.
std::string importance_text(const Forest&, const std::string& kind);
// By kind, then by feature name.
Json importances_json(const Forest&);

// Nodes, depth, out-of-bag error, model size.
std::string summary_text(const FitResult&, const std::string& model_path);
Json summary_json(const FitResult&, const std::string& model_path);

}  // namespace coppice
