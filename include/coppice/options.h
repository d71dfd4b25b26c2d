// What a user may choose. Plain values with defaults; a choice between kinds is a variant, never a
// string. problems() names everything wrong at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "coppice/dataset.h"
#include "coppice/method.h"
#include "coppice/model.h"

namespace coppice {

// --- What is learnt ------------------------------------------------------------------------------

struct GiniObjective {};
struct EntropyObjective {};
struct TsallisObjective {  // (1 - sum p^q) / (q - 1)
  double q = 2;
};
struct RenyiObjective {  // log2(sum p^alpha) / (1 - alpha)
  double alpha = 2;
};
struct TwoingObjective {};    // p_left p_right / 4 (sum over classes |p(c|left) - p(c|right)|)^2
struct VarianceObjective {};  // the sum of squared distances to the mean, over all targets
struct AbsoluteDeviationObjective {};  // the sum of distances to the median, over all targets
struct FeatureVarianceObjective {      // variance of the targets + kappa x variance of the features
  double kappa = 1;                    // means over targets and over numbers, scaled to [0, 1]
};
struct LogDetObjective {};               // log of the determinant of the targets' covariance
struct ProbabilisticLinearObjective {};  // entropy of lines along what the split looks at

struct UniformClassWeights {};
struct BalancedClassWeights {};  // rows / (classes * rows of the class)
struct ResampledClasses {};      // weights stay, but every tree draws all classes equally often
struct GivenClassWeights {
  std::vector<std::pair<std::string, double>> weights;  // by class name; the others weigh 1
};

struct HistogramLeaf {
  double prior = 0;  // samples added to every class (Laplace)
};
struct ConstantLeaf {};               // mean and variance of every target
struct ProbabilisticConstantLeaf {};  // mean and covariance matrix of the targets
struct QuantileLeaf {
  std::uint32_t points = 16;  // quantiles kept per target
};
struct LinearLeaf {              // least squares on powers of the leaf's features
  std::uint32_t regressors = 8;  // terms at most
  std::uint32_t degree = 1;      // highest power of a feature
  double ridge =
      1;  // Tikhonov: penalty of a squared coefficient of a standardised term, in samples
};
struct ProbabilisticLinearLeaf {  // least squares with the predictive variance of its coefficients
  std::uint32_t regressors = 4;
};

struct Classification {
  std::variant<GiniObjective, EntropyObjective, TsallisObjective, RenyiObjective, TwoingObjective>
      objective;
  std::variant<UniformClassWeights, BalancedClassWeights, GivenClassWeights, ResampledClasses>
      class_weights;
  HistogramLeaf leaf = {};
};
struct Regression {
  std::variant<VarianceObjective, AbsoluteDeviationObjective, FeatureVarianceObjective,
               LogDetObjective, ProbabilisticLinearObjective>
      objective;
  std::variant<ConstantLeaf, LinearLeaf, ProbabilisticConstantLeaf, ProbabilisticLinearLeaf,
               QuantileLeaf>
      leaf = {};
};
// What a tree of Gaussians cut off at the borders of their cells is divided by, so that it
// integrates to 1: each Gaussian by its own mass in its cell, or all by the mass of the tree
// (Criminisi et al. 2012, eq. 5.3).
enum class Normalisation { leaf, tree };
// The density of numeric features: Gaussian leaves, splits by the determinant of the covariance.
struct Density {
  double prior = 1;                // samples per feature that a leaf takes over from the node above
  double floor = 1e-3;             // added to every variance, in variances of the whole data
  double samples_per_feature = 2;  // a leaf has at least so many samples, times features + 1
  Normalisation normalisation = Normalisation::tree;
  bool choose_trees = true;  // as few as are as likely out of bag as all; else all are kept
};
// Classes or numbers that only some rows have, the others having kNoLabel or NaN: splits tell
// labels and dense regions apart, leaves learn from the nearest leaf that has labels (Criminisi et
// al. 2012, chapter 7). Gaussians are those of the numeric features.
struct SemiSupervised {
  double alpha = 1;  // weight of the gain about labels beside that about the density, per dimension
  double samples_per_feature = 1;  // a leaf has at least so many samples, times dimensions + 1
  std::uint32_t components = 16;  // of more features the Gaussians see so many principal components
  std::uint32_t neighbours = 24;  // leaves that labels can reach from a leaf in one step
};
using TaskChoice = std::variant<Classification, Regression, Density, SemiSupervised>;

// --- How a node is split -------------------------------------------------------------------------

struct ExactThresholds {};  // between every two neighbouring values of the node
struct BinnedThresholds {  // in large nodes between bins of equal population, the same in all trees
  std::uint32_t bins = 0;  // 0: 256 for classification, 2048 for regression
  // A search of up to so many in-bag rows is exact; by default 2048 for classification, else 8192.
  std::optional<std::uint32_t> exact_rows;
};
struct RandomThresholds {  // uniform between least and largest value: extremely randomised trees
  std::uint32_t per_feature = 1;
};
using ThresholdChoice = std::variant<BinnedThresholds, ExactThresholds, RandomThresholds>;

struct DefaultFeatures {};  // square root for classes, one third for regression, all of a density
struct AllFeatures {};
struct SqrtFeatures {};
struct Log2Features {};
struct FeatureFraction {
  double fraction = 1;
};
struct FeatureCount {
  std::uint32_t count = 1;
};
using FeatureChoice = std::variant<DefaultFeatures, AllFeatures, SqrtFeatures, Log2Features,
                                   FeatureFraction, FeatureCount>;

// How likely each feature is to be drawn (Criminisi 2012, section 8.4.1).
struct UniformFeatureWeights {};
struct GivenFeatureWeights {
  std::vector<std::pair<std::string, double>> weights;  // by name; 0: never; the others weigh 1
};
struct LearnedFeatureWeights {  // the importances in a small forest, mixed with equal weights
  double uniform_share = 0.3;
};
using FeatureWeightChoice =
    std::variant<UniformFeatureWeights, GivenFeatureWeights, LearnedFeatureWeights>;

// What a candidate looks at: one feature, or a sum of several (see coppice/projection.h).
enum class WeakLearnerKind {
  axis,        // one feature
  difference,  // x_i - x_j
  oblique,     // a hyperplane over some features
  conic,       // a quadratic form of some features
  principal,   // principal components of some features in the node
  canonical,   // directions of some features that tell the targets of the node apart best
  boxes,       // the mean of a rectangle of an image, or of a stretch of a series, less another
};
struct LearnerShare {
  WeakLearnerKind kind = WeakLearnerKind::axis;
  double share = 1;  // of the candidates, relative to the other learners
};
enum class Coefficients { uniform, gaussian, sign };

struct SplitOptions {
  std::vector<LearnerShare> learners;  // none: axis
  // Features of a projection; none: 3 of a hyperplane, 2 of a quadratic form, and
  // ceil(log2(features) + 1) where directions are found in the node.
  std::optional<std::uint32_t> projected_features;
  Coefficients coefficients = Coefficients::uniform;  // of hyperplanes and quadratic forms
  // For boxes: features are the pixels of images of this width, row by row, or, if it is their
  // number, the steps of a series; none: the images are squares.
  std::optional<std::uint32_t> image_width;
  std::optional<std::uint32_t> box_side;    // at most; none: a quarter of the image, rounded up
  std::optional<std::uint32_t> candidates;  // tried per node; none: as max_features says
  bool two_sided = false;                   // lower <= response < upper goes left
  ThresholdChoice thresholds;
  FeatureChoice max_features;  // drawn anew for every node
  FeatureWeightChoice feature_weights;
  std::optional<std::uint32_t> max_node_samples;  // larger nodes are searched on a random subset
};

// --- How a tree grows ----------------------------------------------------------------------------

enum class GrowthOrder { depth_first, breadth_first };  // never changes the result

struct GrowthOptions {
  std::optional<std::uint32_t> max_depth;  // none: until nothing is left to split
  std::uint32_t min_samples_split = 2;     // in-bag samples; a row drawn twice counts twice
  std::uint32_t min_samples_leaf = 1;      // in each child
  double min_impurity_decrease = 0;        // gain of a split per in-bag sample of the tree
  GrowthOrder order = GrowthOrder::depth_first;
};

// --- How trees differ ----------------------------------------------------------------------------

enum class Bagging { with_replacement, without_replacement, none };

struct SamplingOptions {
  Bagging bagging = Bagging::with_replacement;
  double max_samples = 1;  // samples drawn per tree, as a share of the rows
};

struct ForestOptions {
  std::uint32_t trees = 100;
  std::uint64_t seed = 1;
  Ensemble ensemble = Ensemble::mean;
};

// --- What is reported ----------------------------------------------------------------------------

struct ReportOptions {
  bool out_of_bag = true;
  bool calibration = false;  // regression: learn from out-of-bag rows how wide intervals must be
  bool permutation_importance = false;
  bool unbiased_importance = false;
  bool leaf_ids = false;                     // keep the leaf of every row in every tree
  std::map<std::string, std::string> facts;  // written into the model as they are
};

struct FitOptions {
  TaskChoice task;
  MethodChoice method;
  ForestOptions forest;
  SamplingOptions sampling;
  SplitOptions split;
  GrowthOptions growth;
  ReportOptions report;
};

// One sentence per problem; empty if the options can be used with this data.
std::vector<std::string> problems(const FitOptions&, const DatasetView&);

// --- How it is run: never changes the result -----------------------------------------------------

struct Progress {
  std::size_t done = 0;  // trees
  std::size_t total = 0;
};

struct RunContext {
  std::size_t threads = 0;  // 0: as many as the machine has
  // Bytes that training may use beyond the data set; 0: no limit. With less, fewer trees grow at
  // once and less is cached; what cannot be kept within is refused before training starts.
  std::size_t memory = 0;
  // Called by one thread at a time, after every tree.
  std::function<void(const Progress&)> progress = {};
  // Asked often, by several threads at once; true stops the work soon.
  std::function<bool()> cancelled = {};
  // Told what was done and how long it took, a line at a time, by the calling thread.
  std::function<void(std::string_view)> log = {};
};

}  // namespace coppice
