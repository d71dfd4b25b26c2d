// One model asked from many threads at once, in processes that forked, while it is saved.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <limits>
#include <thread>
#include <vector>

#include "base/random_stream.h"
#include "base/test_folder.h"
#include "coppice/fit.h"
#include "coppice/predict.h"
#include "coppice/read.h"
#include "tests/faults/small_models.h"

namespace coppice::test {
namespace {

constexpr std::size_t kThreads = 8;
constexpr std::size_t kRows = 300;

// Rows around zero, some values missing; small whole numbers are codes of categories.
std::vector<float> rows_for(const Forest& forest) {
  RandomStream stream(7);
  std::vector<float> rows(forest.info().schema.features.size() * kRows);
  for (float& value : rows) {
    value = static_cast<float>(stream.below(9)) - 2;
    if (stream.below(10) == 0) value = std::numeric_limits<float>::quiet_NaN();
  }
  return rows;
}

bool same(const Predictions& a, const Predictions& b) {
  return a.mean == b.mean && a.labels == b.labels && a.variance == b.variance;
}

TEST(ConcurrentUse, ManyThreadsAskOneModel) {
  for (const std::string& path : golden_model_files()) {
    const Forest forest = Forest::load(path);
    const Predictor predictor(forest);
    const std::vector<float> rows = rows_for(forest);
    const Predictions expected = predictor.predict_rows(rows);
    std::atomic<std::size_t> agree{0};
    {
      std::vector<std::jthread> askers;
      for (std::size_t i = 0; i < kThreads; ++i)
        askers.emplace_back([&, i] {
          const auto threads = static_cast<unsigned>(1 + i % 2);
          agree += same(predictor.predict_rows(rows, {.threads = threads}), expected);
        });
    }
    EXPECT_EQ(agree, kThreads) << path;
  }
}

TEST(ConcurrentUse, ModelsAreSavedWhileTheyAreAsked) {
  const Forest forest = Forest::load("tests/golden/classes_mixed.coppice");
  const std::vector<float> rows = rows_for(forest);
  const Predictions expected = Predictor(forest).predict_rows(rows);
  const TestFolder folder;
  std::atomic<std::size_t> agree{0};
  {
    std::vector<std::jthread> users;
    for (std::size_t i = 0; i < kThreads; ++i)
      users.emplace_back([&, i] {
        const std::string path = folder.file("model" + std::to_string(i / 2));  // two per file
        forest.save(path);
        const Forest loaded = Forest::load(path);
        agree += same(Predictor(loaded).predict_rows(rows), expected);
      });
  }
  EXPECT_EQ(agree, kThreads);
}

// True if a forked process finds condition() to hold.
template <class Condition>
bool holds_after_fork(Condition condition) {
  const pid_t child = fork();
  if (child == 0) _exit(condition() ? 0 : 1);
  int status = 1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(ConcurrentUse, ForkedProcessesTrainAndAnswerWithThreads) {
  ReadOptions reading;
  reading.targets = {"species"};
  const Dataset data = read_dataset("tests/golden/mixed.csv", reading);
  FitOptions options;
  options.forest = {6, 1};
  const RunContext two{.threads = 2};
  const Forest forest = fit(data.view(), options, two).forest;  // threads have run before the fork
  const Predictor predictor(forest);
  const Predictions expected = predictor.predict(data.view(), two);
  EXPECT_TRUE(
      holds_after_fork([&] { return same(predictor.predict(data.view(), two), expected); }));
  EXPECT_TRUE(holds_after_fork([&] {
    return model_bytes(fit(data.view(), options, two).forest).bytes == model_bytes(forest).bytes;
  }));
}

}  // namespace
}  // namespace coppice::test
