// Any allocation may fail, once or from then on, while data are read, a forest is trained, saved,
// loaded or asked: what comes of it is std::bad_alloc or the whole result; nothing leaks, and no
// file changes by halves.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <new>
#include <optional>

#include "coppice/fit.h"
#include "coppice/method.h"
#include "coppice/predict.h"
#include "coppice/read.h"
#include "tests/faults/system_faults.h"
#include "tests/property/forest_checks.h"

namespace coppice::test {
namespace {

// So many numbers of allocations are tried; the first ones, and others evenly.
constexpr std::size_t kTrials = 60;

// True if the action came to its end.
bool survives(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

// Calls action() with one allocation after the other failing; after() looks at what is left.
template <class After>
void try_allocations(const std::function<void()>& action, After after) {
  action();  // what is allocated once for all
  std::size_t count = 0;
  {
    const FailingAllocations none(0, false);
    action();
    count = FailingAllocations::count();
  }
  after(true);
  std::size_t refused = 0;
  for (const bool from_then_on : {false, true})
    for (std::size_t number = 1; number <= count; number += 1 + number * 2 / kTrials) {
      const std::ptrdiff_t before = live_allocations();
      bool survived = true;
      {
        const FailingAllocations failing(number, from_then_on);
        survived = survives(action);
      }
      ASSERT_EQ(live_allocations(), before) << "allocation " << number << " of " << count;
      if (!survived) ++refused;
      after(survived);
    }
  EXPECT_GT(refused, 0u);
}
void try_allocations(const std::function<void()>& action) {
  try_allocations(action, [](bool) {});
}

Dataset data() {
  ReadOptions options;
  options.targets = {"species"};
  return read_dataset("tests/golden/mixed.csv", options);
}

TEST(OutOfMemory, Reading) {
  try_allocations([] { data(); });
}

TEST(OutOfMemory, Training) {
  const Dataset rows = data();
  for (const MethodChoice& method :
       {MethodChoice{}, MethodChoice{AlternatingForest{}}, MethodChoice{NewtonTrees{}}})
    for (const unsigned threads : {1u, 2u}) {
      FitOptions options;
      options.forest = {3, 1};
      choose_method(options, method);
      try_allocations([&] { fit(rows.view(), options, {.threads = threads}); });
    }
}

TEST(OutOfMemory, SavingKeepsTheOldFile) {
  const Forest old = Forest::load("tests/golden/classes.coppice");
  const Forest forest = Forest::load("tests/golden/numbers.coppice");
  const TestFolder folder;
  const std::string path = folder.file("model");
  for (const FileForm form : {FileForm::mapped, FileForm::compressed}) {
    forest.save(path, form);
    const std::string whole = bytes_of_file(path);
    old.save(path);
    const std::string before = bytes_of_file(path);
    try_allocations([&] { forest.save(path, form); },
                    [&](bool survived) {
                      EXPECT_TRUE(bytes_of_file(path) == (survived ? whole : before));
                      old.save(path);
                    });
  }
  const auto files = std::filesystem::directory_iterator(std::filesystem::path(path).parent_path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(OutOfMemory, Loading) {
  const TestFolder folder;
  Forest::load("tests/golden/classes_mixed.coppice").save_json(folder.file("m.json"));
  try_allocations([] { Forest::load("tests/golden/classes_mixed.coppice"); });
  try_allocations([&] { Forest::load_json(folder.file("m.json")); });
}

TEST(OutOfMemory, Answering) {
  for (const char* path :
       {"tests/golden/classes_mixed.coppice", "tests/golden/numbers_linear.coppice",
        "tests/golden/classes_projections.coppice"}) {
    const Forest forest = Forest::load(path);
    const std::vector<float> rows(forest.info().schema.features.size() * 300);
    for (const unsigned threads : {1u, 2u})
      try_allocations([&] { Predictor(forest).predict_rows(rows, {.threads = threads}); });
  }
}

}  // namespace
}  // namespace coppice::test
