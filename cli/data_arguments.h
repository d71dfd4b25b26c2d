// The arguments with which verbs are told how to read a data file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/model.h"
#include "coppice/read.h"

namespace CLI {
class App;
}

namespace coppice {

struct DataArguments {
  std::string path;
  std::vector<std::string> targets;
  std::string weights;
  std::vector<std::string> ignored, categorical, numeric;
  bool header = false, no_header = false;
  std::string delimiter;  // a character or the word tab; empty: inferred
  std::string format;
};

// Everything that decides what is learnt from a file.
void declare_training_data(CLI::App&, DataArguments&);
// What is left to say once a model knows the columns.
void declare_model_data(CLI::App&, DataArguments&);
// The same where a verb can do without rows.
void declare_optional_model_data(CLI::App&, DataArguments&);
void declare_weights(CLI::App&, DataArguments&);
// Where the truth stands.
void declare_truth(CLI::App&, DataArguments&);

// Throws Error(invalid_option) for contradictions and for a delimiter of several characters.
ReadOptions read_options(const DataArguments&);

// The column named label, target, class or y, in upper or lower case; none for LIBSVM, which needs
// no name. Throws Error(invalid_option) with the columns of the file unless there is exactly one.
std::vector<std::string> default_targets(const DataArguments&, const ReadOptions&);

enum class TargetUse {
  truth,
  truth_if_present,
  none,  // the target may be absent, or may be anything
};

// Reads a file for a model: columns and categories as the model numbers them.
struct ModelRows {
  Dataset data;
  std::size_t unseen_categories = 0;
  double read_seconds = 0;
};
ModelRows read_for_model(const DataArguments&, const Schema&, TargetUse);

// A sentence about categories that became missing, on standard error.
void warn_of_unseen(const ModelRows&);

}  // namespace coppice
