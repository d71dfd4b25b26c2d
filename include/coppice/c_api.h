// The C interface, on which bindings to other languages stand. Plain C11; no C++ type and no
// exception crosses it. doc/c_api.md shows it at work.
//
// Status     Every call that can fail returns 0 (coppice_ok) or a reason; coppice_last_error() then
//            gives the sentence. A failed call changes nothing but its output handle, which is
//            NULL.
// Handles    What coppice_*_new, _read, _load and coppice_fit write into their last argument
// belongs
//            to the caller, who ends it with the _free call of its type; _free(NULL) does nothing.
//            No handle refers to another one or to the caller's arrays: everything is copied.
// Threads    A forest may be used by any number of threads at once. So may a data set and a set of
//            options, as long as no thread changes them. No handle may be freed while it is in use.
//            Threads that a call starts have ended when it returns.
// Texts      UTF-8, ended by a zero byte. Texts that the library returns belong to it.
// Sizes      of arrays are in elements, not bytes, and are checked: what does not fit is refused.
// Structs    that begin with struct_size may grow at their end in later versions: set struct_size
//            to sizeof the struct, and the rest to 0 where nothing is wanted.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CoppiceStatus {
  coppice_ok = 0,
  coppice_invalid_option = 1,  // an option or argument makes no sense: NULL, or a wrong size
  coppice_invalid_data = 2,    // the data cannot be used as asked
  coppice_corrupt_model = 3,   // a model file is damaged, hostile or too new
  coppice_io = 4,              // the operating system refused to read or write
  coppice_cancelled = 5,       // stopped on request before a tree was finished
  coppice_out_of_memory = 6,
  coppice_internal = 7,  // a mistake in the library, or the system refused a thread
} CoppiceStatus;

typedef struct CoppiceDataset CoppiceDataset;
typedef struct CoppiceOptions CoppiceOptions;
typedef struct CoppiceForest CoppiceForest;

// "0.1.0". Never fails; lives as long as the process.
const char* coppice_version(void);

// The sentence of the calling thread's latest failure: what is wrong, where, and what to do. ""
// before the first. Valid until the next failure of the same thread.
const char* coppice_last_error(void);

// --- Data ----------------------------------------------------------------------------------------

// Borrows values[row * row_stride + column * column_stride]. Strides are in floats and may be
// negative: a row-major matrix has {columns, 1}, a column-major one {1, rows}, one column {1, 0}.
typedef struct CoppiceMatrix {
  const float* values;  // NaN is missing; NULL only if there are no rows
  size_t rows, columns;
  ptrdiff_t row_stride, column_stride;
} CoppiceMatrix;

// A data set of `rows` rows without any column yet. Every array added has to have as many rows.
CoppiceStatus coppice_dataset_new(size_t rows, CoppiceDataset** dataset);
void coppice_dataset_free(CoppiceDataset*);

// Adds a numeric feature per column. `names` has an entry per column; NULL: f1, f2 ... by the
// position in the data set.
CoppiceStatus coppice_dataset_add_columns(CoppiceDataset*, const CoppiceMatrix*,
                                          const char* const* names);

// Adds a categorical feature. codes[row] is an index into `categories`, or negative if missing.
// Categories may come in any order; predictions match them by name.
CoppiceStatus coppice_dataset_add_categories(CoppiceDataset*, const char* name,
                                             const int32_t* codes, size_t rows,
                                             const char* const* categories, size_t category_count);

// Makes it a data set for classification. labels[row] is an index into `classes` (NULL: 0, 1 ...),
// or UINT32_MAX if unknown, which coppice_fit() takes for the option "task", "semi-supervised"
// only. Replaces labels or targets that were there.
CoppiceStatus coppice_dataset_set_labels(CoppiceDataset*, const uint32_t* labels, size_t rows,
                                         const char* const* classes, size_t class_count);

// Makes it a data set for regression. `targets` is row-major, rows x outputs; `names` has an entry
// per output, or is NULL. Replaces labels or targets that were there.
CoppiceStatus coppice_dataset_set_targets(CoppiceDataset*, const double* targets, size_t rows,
                                          size_t outputs, const char* const* names);

// Finite and not negative; 2 counts like the row twice.
CoppiceStatus coppice_dataset_set_weights(CoppiceDataset*, const float* weights, size_t rows);

typedef struct CoppiceSetting {
  const char* name;
  const char* value;
} CoppiceSetting;

// Reads .csv .tsv .npy .libsvm .svm .arff, each also with .gz. Columns are given by name, or by
// number from 1. Settings may be NULL if there are none:
//   target, ignore, categorical, numeric   a column; give the setting again for more columns
//   weights                                a column
//   target-kind                            infer, classes or numbers
//   header                                 true or false; guessed by default
//   delimiter                              a character, or tab; guessed by default
//   format                                 csv, tsv, npy, libsvm or arff; by default from the name
// If `like` is not NULL, the file holds rows for that forest: kinds and targets are those of the
// forest, the targets may be lacking, and target, target-kind, categorical, numeric are refused.
CoppiceStatus coppice_dataset_read(const char* path, const CoppiceSetting* settings, size_t count,
                                   const CoppiceForest* like, CoppiceDataset** dataset);

// Rows as coppice_predict() takes them: the columns of the forest, categories as its codes.
CoppiceStatus coppice_dataset_of_rows(const CoppiceForest*, const CoppiceMatrix*,
                                      CoppiceDataset** dataset);

typedef struct CoppiceDatasetFacts {
  size_t struct_size;
  size_t rows, features;
  size_t classes;  // 0 unless it has labels
  size_t targets;  // 1 if it has labels
} CoppiceDatasetFacts;

CoppiceStatus coppice_dataset_facts(const CoppiceDataset*, CoppiceDatasetFacts* facts);

// --- Training ------------------------------------------------------------------------------------

// Options by the names of the command line (doc/options.md), as texts: "n-estimators", "500". The
// order does not matter; of two values for one option the later counts. coppice_options_set()
// refuses unknown names, coppice_fit() wrong values.
CoppiceStatus coppice_options_new(CoppiceOptions** options);
CoppiceStatus coppice_options_set(CoppiceOptions*, const char* name, const char* value);
void coppice_options_free(CoppiceOptions*);

// Called after every tree, by one thread at a time, which need not be the thread that called
// coppice_fit(). Anything but 0 stops the training; the callback is not called again.
typedef int (*CoppiceProgress)(void* user, size_t trees_done, size_t trees_total);

typedef struct CoppiceRun {
  size_t struct_size;
  size_t threads;            // at most 1024; 0: as many as the machine has
  CoppiceProgress progress;  // or NULL
  void* user;                // handed to `progress` as it is
  const volatile int* stop;  // or NULL; set to anything but 0, at any time, it stops the training
} CoppiceRun;

typedef struct CoppiceReport {
  size_t struct_size;
  double seconds;
  size_t trees, nodes, leaves, max_depth;
  double oob_error;   // misclassified share, or mean squared error, out of bag; NaN if unknown
  size_t oob_rows;    // rows it was measured on
  int32_t cancelled;  // 1: stopped on request; the forest holds the trees finished by then
} CoppiceReport;

// The forest depends on data, options and seed only, not on threads. The task follows from the data
// (labels or targets) unless the option "task" says otherwise: "density", "manifold" (both without
// labels) or "semi-supervised" (some labels unknown). `options`, `run` and `report` may be NULL. A
// stop gives a forest of the finished trees, or coppice_cancelled if there are none.
CoppiceStatus coppice_fit(const CoppiceDataset*, const CoppiceOptions*, const CoppiceRun* run,
                          CoppiceReport* report, CoppiceForest** forest);

// --- Forests -------------------------------------------------------------------------------------

// A file is written whole or not at all. The JSON form holds the same model, to the last bit.
CoppiceStatus coppice_forest_save(const CoppiceForest*, const char* path);
CoppiceStatus coppice_forest_save_json(const CoppiceForest*, const char* path);
CoppiceStatus coppice_forest_load(const char* path, CoppiceForest** forest);
CoppiceStatus coppice_forest_load_json(const char* path, CoppiceForest** forest);
void coppice_forest_free(CoppiceForest*);

typedef enum CoppicePayload {
  coppice_class_histogram = 0,  // classification: outputs are classes
  coppice_mean_variance = 1,    // regression: outputs are targets
} CoppicePayload;

typedef struct CoppiceForestFacts {
  size_t struct_size;
  size_t trees, splits, leaves, features;
  size_t outputs;  // classes or targets
  CoppicePayload payload;
} CoppiceForestFacts;

CoppiceStatus coppice_forest_facts(const CoppiceForest*, CoppiceForestFacts* facts);

// Names live as long as the forest.
CoppiceStatus coppice_forest_feature(const CoppiceForest*, size_t feature, const char** name);
// The name of a class or target.
CoppiceStatus coppice_forest_output(const CoppiceForest*, size_t output, const char** name);
// How many categories a feature has: 0 if it is numeric. The code of a category is its index.
CoppiceStatus coppice_forest_categories(const CoppiceForest*, size_t feature, size_t* count);
CoppiceStatus coppice_forest_category(const CoppiceForest*, size_t feature, size_t category,
                                      const char** name);

// A fact of the training ("rows", "oob_error" ...) or the value of an option ("max-depth").
CoppiceStatus coppice_forest_fact(const CoppiceForest*, const char* name, const char** value);

// "impurity", or "permutation" and "unbiased" if the option "importance" asked for them. size:
// features.
CoppiceStatus coppice_forest_importances(const CoppiceForest*, const char* name, float* importances,
                                         size_t size);

// What the trees say of the training rows that they have not seen. Only of a forest that came from
// coppice_fit(), with the option "oob" on. mean_size: rows x outputs, or `mean` is NULL;
// votes_size: rows, or `votes` is NULL. Where a row has no votes, its mean is 0.
CoppiceStatus coppice_forest_out_of_bag(const CoppiceForest*, double* mean, size_t mean_size,
                                        uint32_t* votes, size_t votes_size);

// --- Prediction ----------------------------------------------------------------------------------
//
// Answers depend neither on the batch nor on the number of threads (at most 1024; 0: as many as the
// machine has). The first prediction lays the forest out for traversal; later ones find it so.

// The caller's arrays; NULL where an answer is not wanted.
typedef struct CoppicePredictions {
  size_t struct_size;
  double* mean;  // rows x outputs: probabilities of the classes, or means
  size_t mean_size;
  double* variance;  // rows x outputs, regression only: of the target given the row
  size_t variance_size;
  uint32_t* labels;  // rows, classification only: the most probable class, ties to the lower
  size_t labels_size;
  size_t unseen_categories;  // written: values of categories that the forest does not know
} CoppicePredictions;

// The columns are the features of the forest, in its order; categories are codes of the forest, and
// whatever is no such code is missing. Row-major rows without gaps are read where they are.
CoppiceStatus coppice_predict(const CoppiceForest*, const CoppiceMatrix*, size_t threads,
                              CoppicePredictions* predictions);

// Columns are matched by name (by position if no name agrees and the counts do), categories by
// name; labels and targets of the data set do not matter.
CoppiceStatus coppice_predict_dataset(const CoppiceForest*, const CoppiceDataset*, size_t threads,
                                      CoppicePredictions* predictions);

// What to ask of p(y|x), regression only, and the caller's arrays for the answers: for each row and
// each target in turn. NULL where an answer is not wanted.
typedef struct CoppiceDistributions {
  size_t struct_size;
  const double* levels;  // above 0 and below 1
  size_t levels_size;
  double* quantiles;  // rows x targets x levels
  size_t quantiles_size;
  double interval;  // share of targets within, such as 0.9; 0: none. Needs a forest that was
                    // trained with the option "calibration"
  double* lower;    // rows x targets
  size_t lower_size;
  double* upper;  // rows x targets
  size_t upper_size;
  const double* density_at;  // values of the target
  size_t density_at_size;
  double* density;  // rows x targets x values
  size_t density_size;
  double* mode;  // rows x targets: the most probable value
  size_t mode_size;
} CoppiceDistributions;

// Columns as for coppice_predict_dataset().
CoppiceStatus coppice_predict_distributions(const CoppiceForest*, const CoppiceDataset*,
                                            size_t threads, const CoppiceDistributions* wanted);

// What every tree says by itself: means, probabilities or class scores. size: rows x trees x
// outputs.
CoppiceStatus coppice_predict_per_tree(const CoppiceForest*, const CoppiceDataset*, size_t threads,
                                       float* means, size_t size);

// The leaf of every row in every tree, counted from 0 within the tree. size: rows x trees.
CoppiceStatus coppice_apply(const CoppiceForest*, const CoppiceDataset*, size_t threads,
                            uint32_t* leaves, size_t size);

#ifdef __cplusplus
}
#endif
