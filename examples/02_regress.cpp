// Regression with intervals: Friedman's first problem, y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 +
// 10 x4 + 5 x5 + noise. The forest says how sure it is: the variance of all that its leaves hold,
// which makes intervals that are rather too wide than too narrow.
#include <coppice/coppice.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

using namespace coppice;

namespace {

// The share of targets within mean -+ `width` standard deviations.
double coverage(const Predictions& answers, const Dataset& data, double width) {
  std::size_t inside = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    inside +=
        std::abs(data.targets[row] - answers.mean[row]) <= width * std::sqrt(answers.variance[row]);
  return static_cast<double>(inside) / static_cast<double>(data.rows);
}

int run() {
  ToyOptions shape{.shape = ToyShape::friedman1, .rows = 2000, .noise = 0.2};
  const Dataset training = generate(shape);
  shape.seed = 2;
  const Dataset test = generate(shape);

  FitOptions options;
  options.task = Regression{};
  options.forest.trees = 200;
  options.growth.min_samples_leaf = 3;  // leaves of one sample have no variance
  const FitResult result = fit(training.view(), options);
  const Predictions answers = Predictor(result.forest).predict(test.view());
  const RegressionMetrics quality = regression_metrics(answers, test.targets);

  std::printf("test R2 %.3f, RMSE %.2f (out of bag %.2f, noise %.2f)\n", quality.r2, quality.rmse,
              std::sqrt(result.report.out_of_bag->error), shape.noise * 5);
  for (std::size_t row = 0; row < 3; ++row)
    std::printf("row %zu: predicted %5.2f +- %.2f, true %5.2f\n", row + 1, answers.mean[row],
                1.96 * std::sqrt(answers.variance[row]), test.targets[row]);
  const double covered = coverage(answers, test, 1.96);
  std::printf("%.1f%% of the targets lie within 1.96 standard deviations\n", 100 * covered);

  std::printf("importance:");
  const std::vector<float>& importance = result.forest.info().importances.at("impurity");
  for (std::size_t f = 0; f < importance.size(); ++f)
    std::printf(" %s %.2f", training.schema.features[f].name.c_str(), importance[f]);
  std::printf("\n");

  return quality.r2 > 0.8 && covered > 0.9 && importance[3] > importance[9] ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
