// For tests: folders that are gone, with their files, when the test is.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <deque>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace coppice::test {

class TestFolder {
 public:
  TestFolder() : path_(testing::TempDir() + "coppice_XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;  // of a folder that the test itself has removed or locked
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// One that lasts until the program ends.
inline std::string fresh_folder() {
  static std::deque<TestFolder> folders;
  return folders.emplace_back().path();
}

}  // namespace coppice::test
