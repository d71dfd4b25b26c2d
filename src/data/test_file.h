// For tests: files that live as long as a test needs them, and errors as values.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "coppice/error.h"
#include "coppice/read.h"

namespace coppice {

class TestFile {
 public:
  TestFile(const std::string& name, std::string_view bytes) {
    static int files = 0;
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::path(testing::TempDir()) /
                 ("coppice_" + std::string(test->name()) + "_" + std::to_string(::getpid()) + "_" +
                  std::to_string(++files));
    std::filesystem::create_directories(directory_);
    path_ = (directory_ / name).string();
    std::ofstream(path_, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;
  ~TestFile() { std::filesystem::remove_all(directory_); }

  const std::string& path() const { return path_; }

 private:
  std::filesystem::path directory_;
  std::string path_;
};

inline Dataset read_bytes(const std::string& name, std::string_view bytes,
                          const ReadOptions& options = {}) {
  return read_dataset(TestFile(name, bytes).path(), options);
}

// "kind: sentence" with directories cut from the file name, or "none".
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    constexpr const char* kKinds[] = {"option", "data", "model", "io", "cancelled"};
    const std::string sentence = error.what();
    const std::size_t slash = sentence.rfind('/', sentence.find(": "));
    const bool path = sentence.starts_with('/') && slash != std::string::npos;
    return std::string(kKinds[static_cast<int>(error.kind())]) + ": " +
           (path ? sentence.substr(slash + 1) : sentence);
  }
  return "none";
}

inline std::string read_error(const std::string& name, std::string_view bytes,
                              const ReadOptions& options = {}) {
  return error_of([&] { read_bytes(name, bytes, options); });
}

// Where the shared data sets are; tests that need them skip if this does not exist.
inline std::filesystem::path shared_data() {
  const char* const set = std::getenv("COPPICE_DATA");
  return set != nullptr ? set : "../shared/data";
}

}  // namespace coppice
