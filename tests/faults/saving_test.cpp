// Whatever call of the operating system fails while a model is saved: the file is the old one and
// the error says why, or it is the new one; and no temporary file is left.
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <optional>

#include "coppice/coppice.h"
#include "tasks/test_parts.h"
#include "tests/faults/system_faults.h"
#include "tests/property/forest_checks.h"

namespace coppice::test {
namespace {

struct Saving {
  const char* name;
  std::function<void(const Forest&, const std::string& path)> save;
};

std::vector<Saving> savings() {
  return {{"mapped", [](const Forest& forest, const std::string& path) { forest.save(path); }},
          {"compressed", [](const Forest& forest,
                            const std::string& path) { forest.save(path, FileForm::compressed); }},
          {"json", [](const Forest& forest, const std::string& path) { forest.save_json(path); }}};
}

// "" if the action succeeds; its error must be Error(io) with the path.
std::string failure(const std::function<void()>& action, const std::string& path) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    return error.what();
  }
  return "";
}

class SavingUnderFaults : public testing::Test {
 protected:
  // Saves with this fault; false if the program did not come that far.
  bool try_fault(const Saving& saving, const SystemFault& fault) {
    const TestFolder folder;
    const std::string path = folder.file("model.coppice");
    old_.save(path);
    const std::string before = bytes_of_file(path);
    bool met = false;
    const std::string error = failure(
        [&] {
          const FailingCalls failing(fault);
          try {
            saving.save(new_, path);
          } catch (...) {
            met = failing.met();
            throw;
          }
          met = failing.met();
        },
        path);
    const std::string after = bytes_of_file(path);
    saving.save(new_, path);
    const std::string whole = bytes_of_file(path);
    const bool renamed = error.empty() || error.find("was written") != std::string::npos;
    EXPECT_TRUE(after == (renamed ? whole : before)) << error;
    const auto files =
        std::filesystem::directory_iterator(std::filesystem::path(path).parent_path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "a temporary file is left";
    return met;
  }

  const Forest old_ = Forest::load("tests/golden/classes.coppice");
  const Forest new_ = Forest::load("tests/golden/numbers_medium_index.coppice");
};

TEST_F(SavingUnderFaults, EveryCallInEveryWay) {
  std::size_t faults = 0;
  for (const Saving& saving : savings())
    for (const SystemCall call : {SystemCall::open, SystemCall::write, SystemCall::fsync,
                                  SystemCall::rename, SystemCall::close})
      for (const int code : {0, ENOSPC, EIO, EINTR})
        for (const bool from_then_on : {false, true}) {
          // A call that is interrupted for ever is repeated for ever.
          if (code == EINTR && from_then_on) continue;
          for (std::size_t number = 1;; ++number) {
            SCOPED_TRACE(std::string(saving.name) + ": " +
                         kSystemCallNames[static_cast<int>(call)] + " " + std::to_string(number) +
                         ", errno " + std::to_string(code) + (from_then_on ? " from then on" : ""));
            if (!try_fault(saving, {call, number, code, from_then_on})) break;
            ++faults;
          }
        }
  EXPECT_GT(faults, 100u);
}

// --- Checkpoints ---------------------------------------------------------------------------------

// Writes of the background fail; the training goes on, and what it could not write it writes when
// it is stopped.
class CheckpointsUnderFaults : public testing::Test {
 protected:
  CheckpointsUnderFaults() { options_.forest.trees = 4; }

  // Trains until a tree is finished that is never reached or the third, from then on continues.
  ModelFile model_under(const SystemFault& fault, bool stopped, bool& met) {
    const TestFolder folder;
    Checkpoint checkpoint{.path = folder.file("model.checkpoint"), .resume = true};
    checkpoint.failed = [&](std::string_view why) {
      EXPECT_NE(why.find(checkpoint.path), std::string::npos) << why;
      ++reported_;
    };
    RunContext context;
    const PartPerTree parts(checkpoint, context);
    const auto told = checkpoint.writing;
    std::optional<FailingCalls> failing;
    std::size_t writes = 0;
    checkpoint.writing = [&](bool begins) {
      if (begins && ++writes <= 2) failing.emplace(fault);
      if (!begins && failing) met = failing->met();
      if (!begins) failing.reset();
      told(begins);
    };
    if (!stopped) return model_bytes(fit(data_.view(), options_, context, &checkpoint).forest);
    context.cancelled = [&] { return parts.finished() >= 3; };
    EXPECT_THROW(fit(data_.view(), options_, context, &checkpoint), Error);
    const Checkpoint as_left{.path = checkpoint.path, .seconds = 0, .resume = true};
    return model_bytes(fit(data_.view(), options_, {}, &as_left).forest);
  }

  const Dataset data_ = generate({.shape = ToyShape::spirals, .rows = 200, .noise = 0.2});
  FitOptions options_;
  std::size_t reported_ = 0;
};

TEST_F(CheckpointsUnderFaults, EndInTheRightModel) {
  const ModelFile whole = model_bytes(fit(data_.view(), options_).forest);
  std::size_t faults = 0;
  for (const SystemCall call : {SystemCall::open, SystemCall::write, SystemCall::fsync,
                                SystemCall::rename, SystemCall::close})
    for (const bool stopped : {false, true})
      for (std::size_t number = 1;; ++number) {
        SCOPED_TRACE(kSystemCallNames[static_cast<int>(call)] + std::to_string(number) +
                     (stopped ? ", stopped" : ""));
        bool met = false;
        EXPECT_TRUE(model_under({call, number, ENOSPC, true}, stopped, met) == whole);
        if (!met) break;
        ++faults;
      }
  EXPECT_GT(faults, 10u);
  EXPECT_GT(reported_, faults);  // both writes of most
}

TEST(LoadingUnderFaults, NamesTheFile) {
  const std::string path = "tests/golden/classes.coppice";
  const FailingCalls failing({SystemCall::open, 1, EIO, true});
  EXPECT_NE(failure([&] { Forest::load(path); }, path), "");
}

TEST(ReadingUnderFaults, NamesTheFileOrReadsAll) {
  const std::string path = "tests/golden/mixed.csv";
  const Dataset all = read_dataset(path);
  for (const SystemCall call : {SystemCall::open, SystemCall::read})
    for (const int code : {0, EIO})
      for (std::size_t number = 1; number < 10; ++number) {
        Dataset read;
        const std::string error = failure(
            [&] {
              const FailingCalls failing({call, number, code, true});
              read = read_dataset(path);
            },
            path);
        if (!error.empty()) continue;
        EXPECT_EQ(read.schema, all.schema);
        EXPECT_EQ(read.rows, all.rows);
      }
}

}  // namespace
}  // namespace coppice::test
