// A trained forest: immutable arrays that are saved, mapped and shared as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/projection.h"

namespace coppice {

// How one split is written: 12 bytes, in three arrays of the forest. Only splits are stored, in
// pre-order: the left child of split i is split i + 1, or a leaf if right == i + 1. Splits i + 1
// ... right - 1 are the left subtree, which has one leaf more than splits; so the number of a leaf
// follows from the path: start at 0 and add right - i whenever the path goes right.
struct Split {
  enum class Kind : std::uint32_t { numeric = 0, category_set = 1, projection = 2 };

  std::uint32_t right = 0;       // within the tree: where the right subtree begins (or would begin)
  float threshold = 0;           // numeric: left if value < threshold; projection: response
  std::uint32_t first_word = 0;  // category_set: left if its bit is set in category_words from here
  std::uint32_t feature = 0;     // projection: its number, see ProjectionArrays
  Kind kind = Kind::numeric;
  bool missing_left = false;
  bool right_is_leaf = false;
};

// The code word of a split: feature | kind | right_is_leaf | missing_left.
struct SplitCode {
  static constexpr std::uint32_t kFeatureBits = 27;
  static constexpr std::uint32_t kFeatureMask = (1u << kFeatureBits) - 1;
  static constexpr std::uint32_t kKindShift = 28;
  static constexpr std::uint32_t kKindMask = 3u << kKindShift;
  static constexpr std::uint32_t kRightIsLeaf = 1u << 30;
  static constexpr std::uint32_t kMissingLeft = 1u << 31;

  static constexpr Split::Kind kind_of(std::uint32_t code) {
    return static_cast<Split::Kind>((code & kKindMask) >> kKindShift);
  }
};

// The projections of a forest's splits; all empty if it has none. Projection p has the terms
// [first_term[p], first_term[p + 1]); a row goes left if lower[p] <= response < threshold.
struct ProjectionArrays {
  std::span<const std::uint32_t> first_term;                    // projections + 1
  std::span<const float> lower;                                 // -infinity: one-sided
  std::span<const std::uint32_t> feature, partner, first_word;  // per term
  std::span<const float> coefficient;                           // per term
  std::span<const float> centre;                                // per feature

  std::size_t count() const { return lower.size(); }
  std::size_t terms() const { return feature.size(); }
  Term term(std::size_t number) const {
    return {feature[number], partner[number], first_word[number], coefficient[number]};
  }
};

// The payload row of every leaf. Leaves with equal payloads share a row, so that a pure leaf costs
// one, two or four bytes; an empty index means that leaf n has row n.
struct PayloadIndex {
  std::span<const std::uint8_t> narrow;
  std::span<const std::uint16_t> medium;
  std::span<const std::uint32_t> wide;

  std::size_t operator[](std::size_t leaf) const {
    if (!narrow.empty()) return narrow[leaf];
    if (!medium.empty()) return medium[leaf];
    if (!wide.empty()) return wide[leaf];
    return leaf;
  }
};

// Views of all trees of a forest. Tree t owns splits [first_split[t], first_split[t + 1]) and one
// leaf more: leaves [first_split[t] + t, first_split[t + 1] + t + 1).
struct ForestArrays {
  std::span<const std::uint32_t> first_split;  // trees + 1
  std::span<const std::uint32_t> right;        // per split
  std::span<const std::uint32_t> threshold;    // per split: bits of a float, or first_word
  std::span<const std::uint32_t> code;         // per split: SplitCode
  std::span<const std::uint32_t> category_words;
  ProjectionArrays projections;
  PayloadIndex payload_row;        // per leaf
  std::span<const float> payload;  // rows x payload_size
  std::span<const float> support;  // per leaf: weight of its training samples
  std::size_t payload_size = 0;

  std::size_t trees() const { return first_split.size() - 1; }
  std::size_t splits() const { return right.size(); }
  std::size_t leaves() const { return splits() + trees(); }
  std::size_t first_leaf(std::size_t tree) const { return first_split[tree] + tree; }
  Split split(std::size_t tree, std::size_t local) const;
  std::span<const float> payload_of(std::size_t leaf) const {
    return payload.subspan(payload_row[leaf] * payload_size, payload_size);
  }
};

// What a leaf's payload means. The names reach the disk: do not change them. Those about numbers
// begin with a mean per target, then a variance per target; doc/leaves.md says what follows.
enum class PayloadKind {
  class_histogram,  // "class_histogram": a probability per class
  mean_variance,    // "mean_variance": nothing follows
  mean_covariance,  // "mean_covariance": the covariances between targets
  mean_quantiles,   // "mean_quantiles": quantiles of every target
  linear,           // "linear": terms of features and their coefficients
  linear_gaussian,  // "linear_gaussian": the same, and how uncertain the coefficients are
  class_scores,     // "class_scores": any number per class; those of all trees add up
  gaussian,         // "gaussian": a density of the features, which are its targets, and its mass
};

constexpr bool predicts_classes(PayloadKind kind) {
  return kind == PayloadKind::class_histogram || kind == PayloadKind::class_scores;
}

// Classes, targets or, of densities, features that a payload speaks of.
inline std::size_t outputs_of(PayloadKind kind, const Schema& schema) {
  if (kind == PayloadKind::gaussian) return schema.features.size();
  return predicts_classes(kind) ? schema.classes.size() : schema.targets.size();
}

// How the answers of the trees become one. The names reach the disk.
enum class Ensemble {
  mean,        // "mean": every tree counts the same
  product,     // "product": distributions are multiplied and normalised
  vote,        // "vote": every tree votes for its most probable class
  confidence,  // "confidence": leaves that are sure of their answer count more
  sum,         // "sum": class scores add up, probabilities are their softmax; means add up
};

// How exactly a model file keeps the numbers of payloads. In memory they are floats that such a
// file holds. The names reach the disk.
enum class PayloadPrecision {
  full,  // "full": four bytes each
  half,  // "half": two bytes, 11 significant bits
  byte,  // "byte": one of 256 steps from the least to the largest number of its kind
};

// What a model file is: bytes that are mapped and used as they are, or the same ones compressed.
enum class FileForm { mapped, compressed };

struct ForestInfo {
  Schema schema;
  PayloadKind payload_kind = PayloadKind::class_histogram;
  // How it was trained, as option names and values that change the result; in order of name.
  std::vector<std::pair<std::string, std::string>> options;
  // Facts of the training: rows, oob_error ...; in order of name. Never a time or a path.
  std::map<std::string, std::string> facts;
  // By name ("impurity", "permutation", "unbiased"): one value per feature.
  std::map<std::string, std::vector<float>> importances = {};
  Ensemble ensemble = Ensemble::mean;
  PayloadPrecision precision = PayloadPrecision::full;
  // Empty, or kCalibrationFloats per target: a variance t to add to the predicted one, then
  // quantiles of (y - mean) / sqrt(variance + t) over out-of-bag rows, at levels 0.005, 0.01 ...
  // 0.995.
  static constexpr std::size_t kCalibrationFloats = 200;
  std::vector<float> calibration = {};
};

struct ProjectionStorage {
  std::vector<std::uint32_t> first_term;  // empty, or projections + 1
  std::vector<float> lower;
  std::vector<std::uint32_t> feature, partner, first_word;
  std::vector<float> coefficient, centre;
};

// Owned arrays on their way to becoming a Forest.
struct ForestStorage {
  std::vector<std::uint32_t> first_split{0};
  std::vector<std::uint32_t> right, threshold, code, category_words;
  ProjectionStorage projections;
  std::vector<std::uint8_t> payload_row_narrow;
  std::vector<std::uint16_t> payload_row_medium;
  std::vector<std::uint32_t> payload_row_wide;
  std::vector<float> payload, support;
  std::size_t payload_size = 0;
};

class Forest {
 public:
  // Validates; throws Error(corrupt_model) if the arrays are not a forest.
  Forest(ForestStorage, ForestInfo);
  Forest(Forest&&) noexcept;
  Forest& operator=(Forest&&) noexcept;
  ~Forest();

  // The same trees with other words about them; validates again.
  Forest with_info(ForestInfo) &&;

  const ForestArrays& arrays() const { return arrays_; }
  const ForestInfo& info() const { return info_; }
  std::size_t trees() const { return arrays_.trees(); }

  // Writes the model file whole or not at all: a temporary file beside it, synced, then renamed.
  void save(const std::string& path, FileForm = FileForm::mapped) const;
  // Maps and validates a file; throws Error(corrupt_model) naming section and byte offset, or io.
  static Forest load(const std::string& path);

  // The same model as text: convert back and forth loses nothing, not even a bit.
  void save_json(const std::string& path) const;
  static Forest load_json(const std::string& path);

 private:
  struct Backing;  // owned vectors or a mapped file
  Forest(std::unique_ptr<Backing>, ForestArrays, ForestInfo);

  std::unique_ptr<Backing> backing_;
  ForestArrays arrays_;
  ForestInfo info_;
};

// The same trees, with payloads rounded to what files of this precision hold. Throws
// Error(invalid_option) if the leaves hold more than means, variances, probabilities or scores.
Forest with_precision(const Forest&, PayloadPrecision);

}  // namespace coppice
