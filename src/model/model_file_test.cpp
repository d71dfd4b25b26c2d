// Model files: what is saved comes back, byte for byte and for other readers of the format too.
#include "model/model_file.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "model/describe.h"
#include "model/test_forests.h"

namespace coppice {
namespace {

constexpr PayloadKind kKinds[] = {PayloadKind::class_histogram, PayloadKind::mean_variance,
                                  PayloadKind::class_scores};

void expect_round_trip(const Forest& forest) {
  const std::string folder = test::fresh_folder(), path = folder + "/m", again = folder + "/n";
  forest.save(path);
  const Forest loaded = Forest::load(path);
  test::expect_same_forest(forest, loaded);
  EXPECT_EQ(test::walk_everything(forest.arrays(), forest.info()),
            test::walk_everything(loaded.arrays(), loaded.info()));
  loaded.save(again);
  EXPECT_EQ(test::bytes_of(path), test::bytes_of(again));
}

TEST(ModelFile, RoundTrip) {
  for (const PayloadKind kind : kKinds) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      expect_round_trip(test::random_forest(seed, kind, {seed, 0, 2 * seed}, 4));
    }
  }
}

TEST(ModelFile, RoundTripOfEveryIndex) {
  const auto widths = [](const Forest& forest) {
    const PayloadIndex& index = forest.arrays().payload_row;
    return std::vector<bool>{index.narrow.empty(), index.medium.empty(), index.wide.empty()};
  };
  const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::vector<bool>>> cases = {
      {2001, 50, {false, true, true}},  // an odd number of leaves
      {3000, 1000, {true, false, true}},
      {300'000, 90'000, {true, true, false}},
      {40, 1'000'000'000, {true, true, true}}};
  for (const auto& [splits, payloads, expected] : cases) {
    const Forest forest = test::random_forest(1, PayloadKind::mean_variance, {splits, 3}, payloads);
    EXPECT_EQ(widths(forest), expected);
    expect_round_trip(forest);
  }
}

TEST(ModelFile, RoundTripOfSingleLeaves) {
  expect_round_trip(test::random_forest(1, PayloadKind::class_histogram, {0}, 4));
  expect_round_trip(test::random_forest(1, PayloadKind::mean_variance, {0, 0, 0}, 4));
}

TEST(ModelFile, SurvivesMoves) {
  const std::string path = test::fresh_folder() + "/m";
  const Forest built = test::random_forest(2, PayloadKind::class_histogram, {9}, 4);
  built.save(path);
  Forest first = Forest::load(path);
  Forest second = std::move(first);
  first = Forest::load(path);
  first = std::move(second);
  test::expect_same_forest(first, built);
}

TEST(ModelFile, MayReplaceTheFileThatIsMapped) {
  const std::string path = test::fresh_folder() + "/m";
  test::random_forest(2, PayloadKind::class_histogram, {9}, 4).save(path);
  const Forest old = Forest::load(path);
  test::random_forest(3, PayloadKind::class_histogram, {90}, 4).save(path);
  test::expect_same_forest(old, test::random_forest(2, PayloadKind::class_histogram, {9}, 4));
  EXPECT_EQ(Forest::load(path).arrays().splits(), 90u);
}

// Reads the container as its specification has it, with another reader of JSON.
TEST(ModelFile, IsASafetensorsFile) {
  const std::string path = test::fresh_folder() + "/m";
  const Forest forest = test::random_forest(2, PayloadKind::class_histogram, {30, 9}, 4);
  forest.save(path);
  const std::string file = test::bytes_of(path);
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  ASSERT_EQ((8 + length) % 64, 0u);
  const auto header = nlohmann::ordered_json::parse(file.substr(8, length));
  const std::string data = file.substr(8 + length);

  std::size_t offset = 0;
  for (const auto& [name, tensor] : header.items()) {
    if (name == "__metadata__") continue;
    EXPECT_EQ(tensor["data_offsets"][0], offset) << name;
    const std::string dtype = tensor["dtype"];
    std::size_t bytes = dtype == "U8" ? 1 : 4;
    EXPECT_EQ(offset % bytes, 0u) << name;
    for (const std::size_t extent : tensor["shape"]) bytes *= extent;
    offset += bytes;
    EXPECT_EQ(tensor["data_offsets"][1], offset) << name;
  }
  EXPECT_EQ(offset, data.size());

  const auto matches = [&](const char* name, const auto& values) {
    const std::size_t first = header[name]["data_offsets"][0];
    return data.compare(
               first, values.size_bytes(),
               std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes())) == 0;
  };
  EXPECT_TRUE(matches("tree.first_split", forest.arrays().first_split));
  EXPECT_TRUE(matches("split.right", forest.arrays().right));
  EXPECT_TRUE(matches("split.threshold", forest.arrays().threshold));
  EXPECT_TRUE(matches("split.code", forest.arrays().code));
  EXPECT_TRUE(matches("category.words", forest.arrays().category_words));
  EXPECT_TRUE(matches("leaf.payload", forest.arrays().payload));
  EXPECT_TRUE(matches("leaf.support", forest.arrays().support));
  EXPECT_TRUE(matches("leaf.row", forest.arrays().payload_row.narrow));
  EXPECT_TRUE(matches("importance.impurity", std::span(forest.info().importances.at("impurity"))));

  for (const auto& [key, value] : header["__metadata__"].items()) {
    EXPECT_TRUE(value.is_string()) << key;
  }
  const auto schema = nlohmann::json::parse(header["__metadata__"]["schema"].get<std::string>());
  EXPECT_EQ(schema["features"][2]["name"], "Größe \"x\"\n");
  EXPECT_EQ(schema["features"][3]["categories"][39], "c39");
  EXPECT_EQ(schema["classes"][2], "virginica");
}

TEST(ModelFile, ChecksumIsTheCrcOfTheFileWithZerosInItsPlace) {
  const std::string path = test::fresh_folder() + "/m";
  test::random_forest(2, PayloadKind::class_histogram, {30, 9}, 4).save(path);
  std::string file = test::bytes_of(path);
  const std::size_t digits = file.find("\"checksum\":\"") + 12;
  const std::string stated = file.substr(digits, 8);
  file.replace(digits, 8, "00000000");
  const auto crc =
      crc32(0, reinterpret_cast<const Bytef*>(file.data()), static_cast<uInt>(file.size()));
  std::ostringstream expected;
  expected << std::hex << std::setw(8) << std::setfill('0') << crc;
  EXPECT_EQ(stated, expected.str());
}

// --- Limits --------------------------------------------------------------------------------------

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||
                            __has_feature(memory_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

template <class Body>
void with_small_stack(Body body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kSanitized ? 512 << 10 : 64 << 10);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<Body*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &body), 0);
  pthread_join(thread, nullptr);
}

TEST(ModelFile, ChainsOfAMillionSplitsNeedLittleStack) {
  for (const bool down_the_left : {false, true}) {
    const std::string folder = test::fresh_folder();
    with_small_stack([&] {
      constexpr std::uint32_t kSplits = 1'000'000;
      test::chain(kSplits, down_the_left).save(folder + "/m");
      const Forest forest = Forest::load(folder + "/m");
      const float value = down_the_left ? -1.f : 1e9f;
      const std::size_t leaf =
          leaf_of(forest.arrays(), forest.info().schema, 0, std::vector<float>{value});
      EXPECT_EQ(leaf, down_the_left ? 0 : kSplits);
      EXPECT_EQ(split_sentence(forest, 0, kSplits - 1), "x < 999999");
      std::size_t deepest = 0;
      for_each_node(
          forest.arrays(), 0, [](std::size_t, std::size_t) {},
          [&](std::size_t, std::size_t depth) { deepest = std::max(deepest, depth); });
      EXPECT_EQ(deepest, kSplits);
    });
  }
}

std::size_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) << 10;
  }
  return 0;
}

// Peak resident memory of loading, file pages included, in a process of its own.
std::size_t memory_of_loading(const std::string& path) {
  int pipe_ends[2];
  EXPECT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::size_t before = peak_memory();
    try {
      Forest::load(path);
    } catch (const Error&) {
    }
    const std::size_t used = peak_memory() - before;
    _exit(write(pipe_ends[1], &used, sizeof used) == sizeof used ? 0 : 1);
  }
  std::size_t used = 0;
  EXPECT_EQ(read(pipe_ends[0], &used, sizeof used), static_cast<ssize_t>(sizeof used));
  waitpid(child, nullptr, 0);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  return used;
}

TEST(ModelFile, LoadingTakesAtMostFourTimesTheFile) {
  if (kSanitized) GTEST_SKIP() << "sanitizers keep memory of their own";
  const std::string path = test::fresh_folder() + "/m";
  test::chain(600'000, false).save(path);
  const auto limit = [&] { return 4 * std::filesystem::file_size(path) + (1 << 20); };
  EXPECT_LE(memory_of_loading(path), limit());
  for (const std::string& start :
       {std::string("["), std::string("{\"__metadata__\":{\"schema\":\""),
        std::string("{\"__metadata__\":{\"a\":[")}) {
    for (const char filler : {'[', '{', 'x', '"', '\\', ' '}) {
      std::string file(8, '\0');
      file += start + std::string(10'000'000, filler);
      const std::uint64_t length = file.size() - 8;
      std::memcpy(file.data(), &length, 8);
      test::put_bytes(path, file);
      EXPECT_LE(memory_of_loading(path), limit()) << start << " " << filler;
    }
  }
}

// --- Crashes -------------------------------------------------------------------------------------

TEST(ModelFile, KilledSavesLeaveTheOldOrTheNewFile) {
  const std::string folder = test::fresh_folder(), path = folder + "/m";
  const Forest a = test::random_forest(1, PayloadKind::class_histogram, {20'000}, 4);
  const Forest b = test::random_forest(2, PayloadKind::mean_variance, {30'000, 5}, 100'000);
  a.save(folder + "/a");
  b.save(folder + "/b");
  a.save(path);
  const std::string bytes_a = test::bytes_of(folder + "/a"),
                    bytes_b = test::bytes_of(folder + "/b");
  test::Dice dice(7);
  std::size_t seen_a = 0;
  for (int kill_number = 0; kill_number < 50; ++kill_number) {
    const pid_t child = fork();
    if (child == 0) {
      for (;;) {
        b.save(path);
        a.save(path);
      }
    }
    const timespec pause{0, static_cast<long>(dice.below(30'000'000))};
    nanosleep(&pause, nullptr);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string now = test::bytes_of(path);
    ASSERT_TRUE(now == bytes_a || now == bytes_b) << kill_number;
    seen_a += now == bytes_a;
    Forest::load(path);
  }
  a.save(path);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 3);
  RecordProperty("files_a", static_cast<int>(seen_a));
}

}  // namespace
}  // namespace coppice
