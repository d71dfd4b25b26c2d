// An alternating regression forest with squared loss, grown in the slow and obvious way: every
// split of every leaf tried on the raw values, every sum taken anew (Grabner 2016, section 2.4.4).
#pragma once

#include <cstddef>
#include <vector>

namespace coppice::reference {

struct AlternatingProblem {
  std::vector<std::vector<double>> features;  // features x rows
  std::vector<std::vector<double>> targets;   // outputs x rows
  std::vector<std::vector<unsigned>> draws;   // trees x rows: how often the tree drew the row
  std::size_t levels = 0;
  std::size_t min_samples_split = 2;
};

struct AlternatingNode {
  std::size_t feature = 0;
  double threshold = 0;           // left if below
  int left = -1, right = -1;      // -1: a leaf
  std::vector<double> value;      // per output, summed along the path
  std::vector<std::size_t> rows;  // all rows of the data that arrive
};
using AlternatingTree = std::vector<AlternatingNode>;

struct AlternatingForest {
  std::vector<AlternatingTree> trees;
  bool ambiguous = false;  // somewhere two features split equally well
};

AlternatingForest grow_alternating(const AlternatingProblem&);

// The mean over trees of what their leaves say.
std::vector<double> predict(const AlternatingForest&, const std::vector<double>& row);

}  // namespace coppice::reference
