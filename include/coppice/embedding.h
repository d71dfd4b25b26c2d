// What the leaves of any forest say about which rows are alike: coordinates on the manifold that
// the rows lie on (Criminisi 2012, chapter 6), its dimension, clusters, and nearest neighbours.
// Targets and weights of the rows are not looked at; results depend on neither threads nor machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "coppice/leaf_ids.h"
#include "coppice/model.h"
#include "coppice/options.h"

namespace coppice {

// --- A forest without targets --------------------------------------------------------------------

// The same features with targets made of them, which any row has: in standard deviations, missing
// values at their mean, categories as one number each. Up to kMostDirections numeric features are
// targets themselves; of more, or of others, the first principal components are.
constexpr std::size_t kMostDirections = 8;
Dataset manifold_dataset(const DatasetView&, const RunContext& = {});

// What suits such a data set: splits by the determinant of the covariance (eq. 6.1), trees that
// differ much, leaves that hold Gaussians. What `coppice train --task manifold` begins with.
FitOptions manifold_options(std::size_t rows = 2000, std::size_t features = 3);

// --- How alike two rows in the same leaf are; those in different leaves are not ------------------

struct BinaryLeafAffinity {};  // 1 (eq. 6.5): never formed, for any number of rows
struct GaussianLeafAffinity {  // exp(-|a - b|^2 / length^2) (eq. 6.4), in standard deviations
  double length = 0;           // 0: the root mean squared distance of rows in the same leaf
};
struct MahalanobisLeafAffinity {};  // the same with the covariance of the leaf (eq. 6.3)
using LeafAffinityChoice =
    std::variant<BinaryLeafAffinity, GaussianLeafAffinity, MahalanobisLeafAffinity>;

struct SpectrumOptions {
  LeafAffinityChoice affinity = {};
  std::size_t eigenvalues = 40;  // of the profile; more if more are needed
  // |L e - lambda e| that is reached by the unit vectors e that are used.
  double tolerance = 1e-6;
  std::size_t most_products = 1000;  // of the affinity with eight vectors
};

// The smallest eigenvalues of the normalised Laplacian L = I - D^-1/2 W D^-1/2 (eq. 6.7).
struct EigenvalueProfile {
  std::vector<double> values = {};     // ascending; the first is 0
  std::vector<double> residuals = {};  // |L e - lambda e|
  std::size_t pieces = 0;  // eigenvalues that are 0: parts of the data that nothing connects
  // Weyl's law: on a manifold of dimension d the number of eigenvalues up to lambda grows as
  // lambda^(d/2). This is d; 0 if there are too few eigenvalues to tell.
  double growth = 0;
  std::size_t intrinsic_dimension = 0;  // growth as a whole number
  std::size_t products = 0;             // of the affinity with eight vectors
  bool converged = true;                // false: most_products was not enough
  double seconds = 0;
};

// --- Embedding -----------------------------------------------------------------------------------

struct EmbeddingOptions {
  std::size_t dimensions = 2;
  SpectrumOptions spectrum = {};
};

struct Embedding {
  std::size_t rows = 0, dimensions = 0;
  // rows x dimensions: entry j of a row with degree d is e_j / sqrt(d) (eq. 6.9), scaled to
  // variance 1 with the degrees as weights. The entry of largest size of a coordinate is positive.
  std::vector<double> coordinates = {};
  LeafAffinityChoice affinity = {};  // as it was used
  EigenvalueProfile profile = {};
};

// Throws Error(invalid_option) if there are fewer rows than dimensions + 2, or if the affinity does
// not suit the forest or does not fit into the context's memory (by default kAffinityBytes);
// Error(cancelled).
Embedding embed(const Forest&, const DatasetView&, const EmbeddingOptions& = {},
                const RunContext& = {});
constexpr std::size_t kAffinityBytes = std::size_t{4} << 30;

// The same trees as a regression forest whose targets embedding_1, embedding_2 ... are coordinates:
// it maps rows that were not embedded. With the binary affinity this is the Nystroem extension
//   (1 / (1 - lambda_j)) sum_t sum_{i in leaf_t} f_j(i) / sum_t |leaf_t|,
// which gives embedded rows their own coordinates; with the others, whose distances a forest does
// not know, the mean without the factor. REQUIRES: the forest and the rows of the embedding.
Forest embedding_forest(const Forest&, const DatasetView&, const Embedding&,
                        const RunContext& = {});

// --- Clusters ------------------------------------------------------------------------------------

struct ClusterOptions {
  std::size_t clusters = 0;  // 0: as many as the largest gap between two eigenvalues says, up to 12
  std::uint64_t seed = 1;
  std::size_t starts = 20;  // of k-means; the best counts
  SpectrumOptions spectrum = {};
};

struct Clustering {
  std::vector<std::uint32_t> cluster = {};  // per row, numbered from 0, the largest first
  std::vector<std::size_t> sizes = {};      // per cluster
  double spread = 0;  // mean squared distance of a row's unit vector to that of its cluster
  EigenvalueProfile profile = {};
};

// Spectral clustering: k-means on the rows of the first eigenvectors at unit length. Throws as
// embed() does.
Clustering cluster(const Forest&, const DatasetView&, const ClusterOptions& = {},
                   const RunContext& = {});

// --- Neighbours ----------------------------------------------------------------------------------

// Of every row the `count` others that share most leaves, as nearest() has them, without those that
// share none. Row n has entries [first[n], first[n + 1]).
struct NeighbourGraph {
  std::vector<std::size_t> first;
  std::vector<Neighbour> neighbours;
};
NeighbourGraph nearest_neighbours(const LeafIds&, std::size_t count, const RunContext& = {});

}  // namespace coppice
