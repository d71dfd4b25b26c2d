// The library inside a C program: train on arrays, ask about a row, save, load, ask again.
#include <coppice/c_api.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRows = 400, kFeatures = 2, kClasses = 2 };
static const char* const kFeatureNames[] = {"width", "height"};
static const char* const kClassNames[] = {"apple", "pear"};

// Ends the program unless the call succeeded; a real program would clean up and tell its caller.
static void check(CoppiceStatus status) {
  if (status == coppice_ok) return;
  fprintf(stderr, "coppice: %s\n", coppice_last_error());
  exit(1);
}

static float uniform(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / 16777216.0f;
}

// Apples are as wide as they are high, pears are higher.
static void grow_fruit(float* rows, uint32_t* labels) {
  unsigned state = 1;
  for (size_t i = 0; i < kRows; ++i) {
    const float width = 5 + 3 * uniform(&state);
    labels[i] = i % kClasses;
    rows[kFeatures * i] = width;
    rows[kFeatures * i + 1] = width * (labels[i] == 0 ? 1.0f : 1.4f) + uniform(&state);
  }
}

static CoppiceDataset* make_dataset(void) {
  static float rows[kRows * kFeatures];
  static uint32_t labels[kRows];
  grow_fruit(rows, labels);
  const CoppiceMatrix matrix = {rows, kRows, kFeatures, kFeatures, 1};
  CoppiceDataset* dataset = NULL;
  check(coppice_dataset_new(kRows, &dataset));
  check(coppice_dataset_add_columns(dataset, &matrix, kFeatureNames));
  check(coppice_dataset_set_labels(dataset, labels, kRows, kClassNames, kClasses));
  return dataset;
}

static int tell_progress(void* user, size_t done, size_t total) {
  (void)total;
  *(size_t*)user = done;
  return 0;  // anything else stops the training
}

static CoppiceForest* train(double* oob_error) {
  CoppiceDataset* dataset = make_dataset();
  CoppiceOptions* options = NULL;
  check(coppice_options_new(&options));
  check(coppice_options_set(options, "n-estimators", "50"));
  check(coppice_options_set(options, "max-features", "all"));

  size_t trees_seen = 0;
  const CoppiceRun run = {
      .struct_size = sizeof run, .progress = tell_progress, .user = &trees_seen};
  CoppiceReport report = {.struct_size = sizeof report};
  CoppiceForest* forest = NULL;
  check(coppice_fit(dataset, options, &run, &report, &forest));
  printf("coppice %s: %zu trees, %zu leaves, out-of-bag error %.3f\n", coppice_version(),
         trees_seen, report.leaves, report.oob_error);
  *oob_error = report.oob_error;
  coppice_options_free(options);
  coppice_dataset_free(dataset);  // the forest does not need it
  return forest;
}

static double pear_probability(const CoppiceForest* forest, float width, float height) {
  const float row[kFeatures] = {width, height};
  const CoppiceMatrix matrix = {row, 1, kFeatures, kFeatures, 1};
  double mean[kClasses];
  uint32_t label = 0;
  CoppicePredictions answers = {.struct_size = sizeof answers,
                                .mean = mean,
                                .mean_size = kClasses,
                                .labels = &label,
                                .labels_size = 1};
  check(coppice_predict(forest, &matrix, 1, &answers));
  const char* name = NULL;
  check(coppice_forest_output(forest, label, &name));
  printf("%.1f wide and %.1f high: %s (%.2f)\n", width, height, name, mean[label]);
  return mean[1];
}

int main(void) {
  const char* const path = "03_embed_c_api.coppice";
  double oob_error = 1;
  CoppiceForest* trained = train(&oob_error);
  const double apple = pear_probability(trained, 6.5f, 7);
  const double pear = pear_probability(trained, 6.5f, 9.6f);

  check(coppice_forest_save(trained, path));
  coppice_forest_free(trained);
  CoppiceForest* loaded = NULL;
  check(coppice_forest_load(path, &loaded));
  remove(path);
  const double again = pear_probability(loaded, 6.5f, 9.6f);
  coppice_forest_free(loaded);
  return oob_error < 0.1 && apple < 0.2 && pear > 0.8 && again == pear ? 0 : 1;
}
