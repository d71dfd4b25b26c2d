#include "affinity/spectrum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "affinity/largest_eigen.h"
#include "affinity/sparse_affinity.h"
#include "base/portable_math.h"
#include "base/stopwatch.h"
#include "base/worker_team.h"
#include "coppice/error.h"
#include "infer/prediction_engine.h"

namespace coppice {
namespace {

// Below this an eigenvalue of the Laplacian is 0.
constexpr double kZero = 1e-7;

EigenRequest request_of(const SpectrumOptions& options, std::size_t vectors, std::size_t rows,
                        const RunContext& context) {
  return {.values = std::min(rows, std::max(options.eigenvalues, vectors)),
          .exact = vectors,
          .tolerance = options.tolerance,
          .value_tolerance = std::max(options.tolerance, EigenRequest{}.value_tolerance),
          .most_products = options.most_products,
          .workers = worker_count(context.threads)};
}

// How far the residuals have fallen, on a logarithmic scale from the first to 1.
class EigenProgress {
 public:
  explicit EigenProgress(const RunContext& context) : context_(context) {}

  bool operator()(std::size_t, double worst) {
    constexpr std::size_t kSteps = 100;
    const double now = std::max(0.0, portable_log(std::max(worst, 1e-300)));
    if (first_ <= 0) first_ = now;
    const double share = first_ > 0 ? 1 - std::min(1.0, now / first_) : 1;
    furthest_ = std::max(furthest_, static_cast<std::size_t>(share * kSteps));
    if (context_.progress) context_.progress({furthest_, kSteps});
    if (context_.cancelled && context_.cancelled())
      throw Error(ErrorKind::cancelled, "stopped before the eigenvectors were found");
    return true;
  }

 private:
  const RunContext& context_;
  double first_ = 0;
  std::size_t furthest_ = 0;
};

void check(const Forest& forest, const DatasetView& data, const SpectrumOptions& options,
           std::size_t vectors) {
  const auto refuse = [](const std::string& sentence) {
    throw Error(ErrorKind::invalid_option, sentence);
  };
  validate(data);
  if (data.columns.size() != forest.info().schema.features.size())
    throw Error(ErrorKind::invalid_data,
                fmt::format("the data has {} columns, but the model was trained on {}",
                            data.columns.size(), forest.info().schema.features.size()));
  if (vectors >= data.rows)
    refuse(
        fmt::format("{} eigenvectors are needed, but there are {} rows; ask for fewer "
                    "dimensions or clusters",
                    vectors, data.rows));
  if (!(options.tolerance > 0 && options.tolerance < 1))
    refuse("the tolerance must be a number above 0 and below 1");
  if (const auto* gaussian = std::get_if<GaussianLeafAffinity>(&options.affinity);
      gaussian && !(gaussian->length >= 0 && std::isfinite(gaussian->length)))
    refuse("the length of the Gaussian affinity must be a number of at least 0");
}

void require_memory(std::size_t needed, const RunContext& context, std::size_t rows) {
  if (context.memory == 0 || needed <= context.memory) return;
  throw Error(ErrorKind::invalid_option,
              fmt::format("the eigenvectors of {} rows need about {} MB, but {} MB are allowed; "
                          "allow more, or ask for fewer eigenvalues",
                          rows, needed >> 20, context.memory >> 20));
}

std::size_t operator_size(const LeafIncidence& leaves, bool binary) {
  return binary ? std::min(leaves.leaves(), leaves.rows()) : leaves.rows();
}

std::size_t bytes_of_sparse(const RunContext& context, std::size_t others) {
  const std::size_t allowed = context.memory > 0 ? context.memory : kAffinityBytes;
  return allowed > others ? allowed - others : 0;
}

// The operator with what it stands on.
struct LeafAffinity {
  std::optional<LeafIncidence> leaves;
  std::optional<BinaryAffinity> binary;
  std::optional<SparseAffinity> sparse;

  const AffinityOperator& matrix() const {
    return binary ? static_cast<const AffinityOperator&>(*binary) : *sparse;
  }
};

void make_sparse(const Forest& forest, const DatasetView& data, const LeafIds& ids,
                 std::size_t others, const RunContext& context, LeafAffinityChoice& choice,
                 LeafAffinity& made) {
  const LeafMembers members(*made.leaves);
  others += LeafMembers::bytes(data.rows, forest.trees());
  AffinityLimits limits{bytes_of_sparse(context, others), worker_count(context.threads)};
  AffinityPoints points;
  if (auto* gaussian = std::get_if<GaussianLeafAffinity>(&choice)) {
    points = gaussian_points(data, *made.leaves, gaussian->length);
  } else {
    points = mahalanobis_points(forest, data, ids, *made.leaves, members, limits);
  }
  limits.bytes = bytes_of_sparse(context, others + points.values.size() * sizeof(float));
  made.sparse.emplace(*made.leaves, members, points, limits);
}

void make_affinity(const Forest& forest, const DatasetView& data, const EigenRequest& request,
                   const RunContext& context, LeafAffinityChoice& choice, LeafAffinity& made) {
  const LeafIds ids = leaf_ids_of(forest, data, context);
  made.leaves.emplace(ids);
  const bool binary = std::holds_alternative<BinaryLeafAffinity>(choice);
  const std::size_t needed = LeafIncidence::bytes(data.rows, forest.trees()) +
                             eigen_bytes(operator_size(*made.leaves, binary), request);
  require_memory(needed, context, data.rows);
  if (binary) {
    made.binary.emplace(*made.leaves);
  } else {
    make_sparse(forest, data, ids, needed, context, choice, made);
  }
}

}  // namespace

LeafIds leaf_ids_of(const Forest& forest, const DatasetView& data, const RunContext& context) {
  RunContext quiet = context;
  quiet.progress = {};
  return PredictionEngine(forest).find_leaf_ids(RowSource(data), data.rows, quiet);
}

// A line through log n over log of -log(1 - lambda_n), which is lambda_n while that is small. The
// first eigenvalues know the shape of the manifold better than its dimension, and those near 1 the
// noise.
void measure_growth(EigenvalueProfile& profile) {
  constexpr std::size_t kSkipped = 4, kFewest = 8;
  constexpr double kLargest = 0.6;
  profile.pieces = static_cast<std::size_t>(std::count_if(
      profile.values.begin(), profile.values.end(), [](double v) { return v < kZero; }));
  double count = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (std::size_t n = profile.pieces + kSkipped; n < profile.values.size(); ++n) {
    if (profile.values[n] > kLargest) break;
    const double x = portable_log(-portable_log(1 - profile.values[n]));
    const double y = portable_log(static_cast<double>(n - profile.pieces) + 1.5);
    count += 1, sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
  }
  if (count < static_cast<double>(kFewest)) return;
  const double variance = count * sum_xx - sum_x * sum_x;
  if (!(variance > 0)) return;
  profile.growth = 2 * (count * sum_xy - sum_x * sum_y) / variance;
  profile.intrinsic_dimension =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::floor(profile.growth + 0.5)));
}

Spectrum find_spectrum(const Forest& forest, const DatasetView& data,
                       const SpectrumOptions& options, std::size_t vectors,
                       const RunContext& context) {
  check(forest, data, options, vectors);
  Spectrum spectrum{.affinity = options.affinity};
  LeafAffinity affinity;
  EigenRequest request = request_of(options, vectors, data.rows, context);
  make_affinity(forest, data, request, context, spectrum.affinity, affinity);
  const Stopwatch watch;
  request.go_on = EigenProgress(context);
  LargestEigen found = largest_eigen(affinity.matrix(), request);
  for (std::size_t n = 0; n < found.vectors.size(); ++n) {
    if (!affinity.binary) continue;
    const std::size_t count = std::min(kPanelWidth, vectors - n * kPanelWidth);
    const auto values = std::span<const double>(found.values).subspan(n * kPanelWidth, count);
    found.vectors[n] = affinity.binary->row_vectors(found.vectors[n], values, request.workers);
  }
  spectrum.vectors = std::move(found.vectors);
  spectrum.degrees = affinity.binary ? affinity.leaves->degrees() : affinity.sparse->degrees();
  for (const double value : found.values)
    spectrum.profile.values.push_back(std::clamp(1 - value, 0.0, 1.0));
  spectrum.profile.residuals = std::move(found.residuals);
  spectrum.profile.products = found.products;
  spectrum.profile.converged = found.converged;
  spectrum.profile.seconds = watch.seconds();
  measure_growth(spectrum.profile);
  return spectrum;
}

}  // namespace coppice
