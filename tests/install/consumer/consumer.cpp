// Trains a tiny forest through the installed headers; fails if it has not learnt its own data.
#include <coppice/coppice.h>

#include <cstdio>

int main() {
  const coppice::Dataset data = coppice::generate({.shape = coppice::ToyShape::blobs, .rows = 60});
  coppice::FitOptions options;
  options.forest.trees = 5;
  const coppice::FitResult result = coppice::fit(data.view(), options);
  const coppice::Predictor predictor(result.forest);
  const coppice::Predictions answers = predictor.predict(data.view());
  const double accuracy = coppice::class_metrics(answers, data.labels).accuracy;
  std::printf("coppice %s: %zu trees, training accuracy %.3f\n", coppice::kVersion,
              result.forest.trees(), accuracy);
  return result.forest.trees() == 5 && accuracy > 0.9 ? 0 : 1;
}
