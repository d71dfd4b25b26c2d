// The part of the C interface that learns from rows without labels. The rules of c_api.h hold.
#pragma once

#include "coppice/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- Densities -----------------------------------------------------------------------------------
//
// Of forests that coppice_fit() trained with the option "task", "density"; others are refused.
// Labels and targets of the rows do not matter.

// size: rows, or the array is NULL. `log_density` is the natural logarithm of p(x); of a row with
// missing values that of the others. `unusual` is the share of training rows with a larger density
// out of bag: near 1 for a row that is like none of them.
CoppiceStatus coppice_log_density(const CoppiceForest*, const CoppiceDataset*, size_t threads,
                                  double* log_density, size_t log_density_size, double* unusual,
                                  size_t unusual_size);

// Draws rows. size: rows x features, row-major.
CoppiceStatus coppice_sample(const CoppiceForest*, size_t rows, uint64_t seed, float* values,
                             size_t size);

// What to ask of p(unknown features | known ones), and the caller's arrays for the answers; NULL
// where an answer is not wanted.
typedef struct CoppiceConditional {
  size_t struct_size;
  double* mean;  // features; a known one is as given
  size_t mean_size;
  double* variance;  // features; 0 of a known one
  size_t variance_size;
  size_t density_of;         // an unknown feature ...
  const double* density_at;  // ... and values of it
  size_t density_at_size;
  double* density;  // as many
  size_t density_size;
  size_t sample_rows;
  uint64_t sample_seed;
  float* sample;  // sample_rows x features, row-major
  size_t sample_size;
  double log_known;  // written: log density of what is known
} CoppiceConditional;

// `row` has a value per feature, NaN where it is not known. Refused if the forest gives what is
// known no density at all.
CoppiceStatus coppice_condition(const CoppiceForest*, const float* row, size_t features,
                                CoppiceConditional* conditional);

// --- Rows that are alike -------------------------------------------------------------------------
//
// By the leaves they share, of any forest; the option "task", "manifold" trains one without labels.

// Coordinates on the manifold that the rows lie on. size: rows x dimensions, row-major. `intrinsic`
// (or NULL) is the dimension that the eigenvalues speak for.
CoppiceStatus coppice_embed(const CoppiceForest*, const CoppiceDataset*, size_t threads,
                            size_t dimensions, double* coordinates, size_t size, size_t* intrinsic);

// Spectral clustering. clusters: 0 lets the eigenvalues say. Numbers from 0, the largest cluster
// first. size: rows.
CoppiceStatus coppice_cluster(const CoppiceForest*, const CoppiceDataset*, size_t threads,
                              size_t clusters, uint64_t seed, uint32_t* cluster, size_t size);

// The rows of a pool whose labels would teach most, the best first; labels of the pool do not
// matter. strategy: "entropy", "margin" or "disagreement". diversity: from 0 to 1, how much less a
// row is worth beside one that is chosen already. size: the number of rows to choose, at most those
// of the pool; scores may be NULL.
CoppiceStatus coppice_query(const CoppiceForest*, const CoppiceDataset* pool, size_t threads,
                            const char* strategy, double diversity, size_t* rows, double* scores,
                            size_t size);

#ifdef __cplusplus
}
#endif
