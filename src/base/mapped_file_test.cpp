// Mapping of files that can and cannot be mapped.
#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>

#include "base/test_folder.h"
#include "coppice/error.h"

namespace coppice {
namespace {

using test::fresh_folder;

ErrorKind kind_of_error(const std::string& path) {
  try {
    MappedFile{path};
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(path)) << error.what();
    return error.kind();
  }
  ADD_FAILURE() << path << " could be mapped";
  return ErrorKind::cancelled;
}

TEST(MappedFile, ShowsTheBytesAndSurvivesMoves) {
  const std::string path = fresh_folder() + "/file";
  std::ofstream(path) << "hello";
  MappedFile first(path);
  const auto* start = first.bytes().data();
  MappedFile second(std::move(first));
  EXPECT_EQ(second.bytes().data(), start);
  EXPECT_TRUE(first.bytes().empty());
  first = std::move(second);
  ASSERT_EQ(first.bytes().size(), 5u);
  EXPECT_EQ(std::memcmp(first.bytes().data(), "hello", 5), 0);
}

TEST(MappedFile, TakesEmptyFiles) {
  const std::string path = fresh_folder() + "/file";
  std::ofstream{path};
  EXPECT_TRUE(MappedFile(path).bytes().empty());
}

TEST(MappedFile, RefusesWhatIsNoFile) {
  const std::string folder = fresh_folder();
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  EXPECT_EQ(kind_of_error(folder), ErrorKind::io);
  EXPECT_EQ(kind_of_error(folder + "/absent"), ErrorKind::io);
  EXPECT_EQ(kind_of_error(folder + "/pipe"), ErrorKind::io);
  EXPECT_EQ(kind_of_error("/dev/zero"), ErrorKind::io);
}

}  // namespace
}  // namespace coppice
