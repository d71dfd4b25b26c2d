// Classification from beginning to end: read, fit, look at the out-of-bag error, save, load,
// predict.
//   01_classify                    learns two spirals
//   01_classify data.csv target    learns the column `target` of a file
#include <coppice/coppice.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <vector>

using namespace coppice;

namespace {

Dataset training_data(int count, char** arguments) {
  if (count < 3) return generate({.shape = ToyShape::spirals, .rows = 1000, .noise = 0.05});
  ReadOptions options;
  options.targets = {arguments[2]};
  options.target_kind = TargetKind::classes;
  return read_dataset(arguments[1], options);
}

// The error of whoever always says the most frequent class.
double error_of_guessing(const Dataset& data) {
  std::vector<std::size_t> counts(data.schema.classes.size());
  for (const std::uint32_t label : data.labels) ++counts[label];
  const std::size_t most = *std::max_element(counts.begin(), counts.end());
  return 1 - static_cast<double>(most) / static_cast<double>(data.rows);
}

Forest saved_and_loaded(const Forest& forest) {
  const auto path = std::filesystem::temp_directory_path() / "coppice_01_classify.coppice";
  forest.save(path.string());
  Forest loaded = Forest::load(path.string());
  std::printf("model file: %ju bytes\n", std::uintmax_t{std::filesystem::file_size(path)});
  std::filesystem::remove(path);  // what is mapped stays readable
  return loaded;
}

int run(int count, char** arguments) {
  const Dataset data = training_data(count, arguments);
  FitOptions options;
  options.forest.trees = 200;
  const FitResult result = fit(data.view(), options);
  const double oob_error = result.report.out_of_bag->error;
  std::printf("%zu rows, %zu features, %zu classes: %zu trees, %zu leaves in %.2f s\n", data.rows,
              data.columns.size(), data.schema.classes.size(), result.report.trees,
              result.report.leaves, result.report.seconds);
  std::printf("out-of-bag error: %.3f (guessing: %.3f)\n", oob_error, error_of_guessing(data));

  const Forest forest = saved_and_loaded(result.forest);
  const Predictions before = Predictor(result.forest).predict(data.view());
  const Predictions after = Predictor(forest).predict(data.view());
  const std::uint32_t label = after.labels[0];
  std::printf("row 1 is predicted to be of class '%s' (probability %.2f)\n",
              forest.info().schema.classes[label].c_str(), after.mean[label]);

  const bool learnt = oob_error < error_of_guessing(data);
  return learnt && before.mean == after.mean ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count, arguments);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
