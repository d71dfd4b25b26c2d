// Files appear whole or not at all, whatever goes wrong.
#include "base/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/test_folder.h"

namespace coppice {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::fresh_folder();
    path_ = folder_ + "/file";
  }

  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void save(const std::string& path, std::string_view text) {
    write_file_atomically(path, std::as_bytes(std::span(text)));
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  std::string folder_, path_;
};

TEST_F(AtomicFileTest, WritesAndReplaces) {
  save(path_, "one");
  EXPECT_EQ(content(path_), "one");
  save(path_, "");
  EXPECT_EQ(content(path_), "");
  const std::string large(1'000'003, 'x');
  save(path_, large);
  EXPECT_EQ(content(path_), large);
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, StreamsPiecesOfAnySize) {
  for (const bool reader : {true, false}) {
    fs::remove(path_);
    AtomicFile file(path_);
    if (!reader) file.expect_no_reader();
    std::string expected;
    for (std::size_t size = 0; size < 700; ++size) {
      const std::string piece(size * size / 3, static_cast<char>('a' + size % 26));
      file.write(piece);
      expected += piece;
    }
    EXPECT_FALSE(fs::exists(path_));
    file.commit();
    EXPECT_EQ(content(path_), expected);
  }
}

TEST_F(AtomicFileTest, LeavesNothingWithoutCommit) {
  save(path_, "old");
  { AtomicFile(path_).write("new"); }
  { AtomicFile(folder_ + "/other").write("new"); }
  EXPECT_EQ(content(path_), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, KeepsPermissionsAndLinks) {
  save(path_, "old");
  fs::permissions(path_, fs::perms(0612));
  fs::create_symlink("file", folder_ + "/link");
  save(folder_ + "/link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ + "/link"));
  EXPECT_EQ(content(path_), "new");
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms(0612));
}

TEST_F(AtomicFileTest, NewFilesFollowTheMask) {
  const mode_t before = umask(027);
  save(path_, "new");
  umask(before);
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms(0640));
}

TEST_F(AtomicFileTest, WritesRelativeAndLongNames) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  save("short", "a");
  fs::current_path(before);
  EXPECT_EQ(content(folder_ + "/short"), "a");
  const std::string longest = folder_ + "/" + std::string(255, 'n');
  save(longest, "b");
  EXPECT_EQ(content(longest), "b");
}

TEST_F(AtomicFileTest, NamesPathAndReason) {
  for (const std::string& path : {folder_ + "/absent/file", folder_, std::string("/dev/full")}) {
    try {
      save(path, "text");
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      EXPECT_TRUE(std::string(error.what()).starts_with(path + ": ")) << error.what();
    }
  }
}

TEST_F(AtomicFileTest, WritesPipesDirectly) {
  const std::string pipe = folder_ + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string large(300'000, 'p');
  std::string received;
  std::thread reader([&] { received = content(pipe); });
  save(pipe, large);
  reader.join();
  EXPECT_EQ(received, large);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

// Runs `body` in a process of its own; true if it returned true.
template <class Body>
bool in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(AtomicFileTest, AppendsToRedirectedStandardOutput) {
  save(path_, "before ");
  EXPECT_TRUE(in_child([&] {
    const int file = open(path_.c_str(), O_WRONLY | O_APPEND);
    dup2(file, STDOUT_FILENO);
    save("/dev/stdout", "after");
    return true;
  }));
  EXPECT_EQ(content(path_), "before after");
}

TEST_F(AtomicFileTest, OldFileSurvivesAFullDisk) {
  save(path_, "old");
  EXPECT_TRUE(in_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      save(path_, std::string(1'000'000, 'x'));
    } catch (const Error& error) {
      return error.kind() == ErrorKind::io;
    }
    return false;
  }));
  EXPECT_EQ(content(path_), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, RemovesWhatACrashLeftBehind) {
  save(path_, "old");
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(path_);
    file.write(std::string(200'000, 'x'));
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(files(), 2u);
  save(path_, "new");
  EXPECT_EQ(content(path_), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, ConcurrentSavesDoNotDisturbEachOther) {
  std::vector<std::thread> writers;
  for (char letter : {'a', 'b', 'c', 'd'}) {
    writers.emplace_back([this, letter] {
      for (int i = 0; i < 50; ++i) save(path_, std::string(100'000, letter));
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string text = content(path_);
  EXPECT_EQ(text, std::string(100'000, text.empty() ? ' ' : text[0]));
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace coppice
