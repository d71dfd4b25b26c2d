// Spectral clustering: k-means on the rows of the first eigenvectors, each at unit length.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "affinity/spectrum.h"
#include "base/random_stream.h"
#include "base/row_sums.h"
#include "coppice/embedding.h"
#include "coppice/error.h"

namespace coppice {
namespace {

constexpr std::size_t kMostGuessed = 12;  // clusters, if their number is not given
constexpr int kMostRounds = 100;

// k-means with the seeding of k-means++ (Arthur and Vassilvitskii 2007).
class KMeans {
 public:
  KMeans(const std::vector<double>& points, std::size_t clusters, std::size_t workers)
      : points_(points),
        clusters_(clusters),
        rows_(points.size() / clusters),
        workers_(workers),
        nearest_(rows_),
        distance_(rows_) {}

  // The sum of squared distances that is reached from this start.
  double run(RandomStream random) {
    seed(random);
    double reached = assign();
    for (int round = 0; round < kMostRounds; ++round) {
      move_centres();
      const double now = assign();
      if (!(now < reached)) break;
      reached = now;
    }
    return reached;
  }

  const std::vector<std::uint32_t>& nearest() const { return nearest_; }

 private:
  std::size_t width() const { return clusters_; }  // as many eigenvectors as clusters
  const double* point(std::size_t row) const { return points_.data() + row * width(); }

  double squared_distance(std::size_t row, const double* centre) const {
    double sum = 0;
    for (std::size_t k = 0; k < width(); ++k) {
      const double difference = point(row)[k] - centre[k];
      sum += difference * difference;
    }
    return sum;
  }

  void add_centre(std::size_t row) {
    centres_.insert(centres_.end(), point(row), point(row) + width());
  }

  // A row, drawn with a probability that grows as its squared distance to the centres so far.
  void seed(RandomStream& random) {
    centres_.clear();
    add_centre(random.below(static_cast<std::uint32_t>(rows_)));
    while (centres_.size() < clusters_ * width()) {
      double left = random.uniform() * assign();
      std::size_t row = 0;
      while (row + 1 < rows_ && (left -= distance_[row]) >= 0) ++row;
      add_centre(row);
    }
  }

  // Every row to its nearest centre, of equally near ones the first.
  double assign() {
    return sum_rows(rows_, 1, workers_, [&](std::size_t row, double* sum) {
      distance_[row] = squared_distance(row, centres_.data());
      nearest_[row] = 0;
      for (std::size_t c = 1; c * width() < centres_.size(); ++c) {
        const double distance = squared_distance(row, centres_.data() + c * width());
        if (distance >= distance_[row]) continue;
        distance_[row] = distance;
        nearest_[row] = static_cast<std::uint32_t>(c);
      }
      *sum += distance_[row];
    })[0];
  }

  // A centre without rows stays where it is.
  void move_centres() {
    const std::size_t stride = width() + 1;
    const std::vector<double> sums =
        sum_rows(rows_, clusters_ * stride, workers_, [&](std::size_t row, double* sum) {
          double* const of_cluster = sum + nearest_[row] * stride;
          for (std::size_t k = 0; k < width(); ++k) of_cluster[k] += point(row)[k];
          of_cluster[width()] += 1;
        });
    for (std::size_t c = 0; c < clusters_; ++c)
      for (std::size_t k = 0; k < width() && sums[c * stride + width()] > 0; ++k)
        centres_[c * width() + k] = sums[c * stride + k] / sums[c * stride + width()];
  }

  const std::vector<double>& points_;
  std::size_t clusters_, rows_, workers_;
  std::vector<double> centres_ = {};
  std::vector<std::uint32_t> nearest_;
  std::vector<double> distance_;
};

// Rows of the first eigenvectors at unit length (Ng, Jordan and Weiss 2002).
std::vector<double> unit_rows(const Spectrum& spectrum, std::size_t count) {
  const std::size_t rows = spectrum.degrees.size();
  std::vector<double> points(rows * count);
  for (std::size_t row = 0; row < rows; ++row) {
    double norm = 0;
    for (std::size_t k = 0; k < count; ++k)
      norm += spectrum.vector(row, k) * spectrum.vector(row, k);
    for (std::size_t k = 0; k < count && norm > 0; ++k)
      points[row * count + k] = spectrum.vector(row, k) / std::sqrt(norm);
  }
  return points;
}

std::size_t largest_gap(const std::vector<double>& values) {
  std::size_t best = 2;
  for (std::size_t n = 2; n <= kMostGuessed && n + 1 < values.size(); ++n)
    if (values[n] - values[n - 1] > values[best] - values[best - 1]) best = n;
  return best;
}

// Numbers clusters by size, of equal ones the one with the first row; empty ones vanish.
void number_by_size(Clustering& found, std::size_t clusters) {
  std::vector<std::size_t> sizes(clusters), first(clusters, found.cluster.size());
  for (std::size_t row = found.cluster.size(); row-- > 0;) {
    ++sizes[found.cluster[row]];
    first[found.cluster[row]] = row;
  }
  std::vector<std::uint32_t> order(clusters), number(clusters);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : first[a] < first[b];
  });
  for (std::uint32_t n = 0; n < clusters; ++n) {
    number[order[n]] = n;
    if (sizes[order[n]] > 0) found.sizes.push_back(sizes[order[n]]);
  }
  for (std::uint32_t& cluster : found.cluster) cluster = number[cluster];
}

}  // namespace

Clustering cluster(const Forest& forest, const DatasetView& data, const ClusterOptions& options,
                   const RunContext& context) {
  if (options.clusters == 1)
    throw Error(ErrorKind::invalid_option, "one cluster holds all rows; ask for 2 at least");
  if (options.starts == 0)
    throw Error(ErrorKind::invalid_option, "k-means needs one start at least");
  const std::size_t vectors = options.clusters > 0 ? options.clusters : kMostGuessed;
  Spectrum spectrum = find_spectrum(forest, data, options.spectrum, vectors, context);
  const std::size_t clusters =
      options.clusters > 0 ? options.clusters : largest_gap(spectrum.profile.values);
  const std::vector<double> points = unit_rows(spectrum, clusters);
  KMeans means(points, clusters, worker_count(context.threads));
  std::optional<double> least;
  Clustering found{.profile = std::move(spectrum.profile)};
  for (std::size_t start = 0; start < options.starts; ++start) {
    const double reached = means.run(RandomStream(options.seed).child(start));
    if (least && reached >= *least) continue;
    least = reached;
    found.cluster = means.nearest();
  }
  found.spread = *least / static_cast<double>(data.rows);
  number_by_size(found, clusters);
  return found;
}

}  // namespace coppice
