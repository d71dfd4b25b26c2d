// The JSON form of a model: nothing is lost, and broken text is refused with its place.
#include "model/json_model.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "model/test_forests.h"

namespace coppice {
namespace {

// Model file, JSON, and model file again; returns the JSON.
std::string expect_lossless(const Forest& forest) {
  const std::string folder = test::fresh_folder();
  forest.save(folder + "/m");
  forest.save_json(folder + "/m.json");
  const Forest loaded = Forest::load_json(folder + "/m.json");
  test::expect_same_forest(forest, loaded);
  loaded.save(folder + "/n");
  loaded.save_json(folder + "/n.json");
  EXPECT_EQ(test::bytes_of(folder + "/m"), test::bytes_of(folder + "/n"));
  EXPECT_EQ(test::bytes_of(folder + "/m.json"), test::bytes_of(folder + "/n.json"));
  return test::bytes_of(folder + "/m.json");
}

TEST(JsonModel, IsLossless) {
  for (const PayloadKind kind :
       {PayloadKind::class_histogram, PayloadKind::mean_variance, PayloadKind::class_scores}) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      expect_lossless(test::random_forest(seed, kind, {seed, 0, 2 * seed}, 4));
    }
    for (const auto& [splits, payloads] :
         {std::pair{2001u, 50u}, {3000u, 1000u}, {40u, 1'000'000'000u}, {0u, 1u}}) {
      expect_lossless(test::random_forest(1, kind, {splits, 3}, payloads));
    }
  }
}

TEST(JsonModel, KeepsOddFloats) {
  ForestInfo info = test::small_info(PayloadKind::mean_variance);
  TreeArrays tree;
  for (const float threshold :
       {-0.f, 1e-45f, std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max(), 0.1f}) {
    tree.threshold.push_back(std::bit_cast<std::uint32_t>(threshold));
    tree.right.push_back(static_cast<std::uint32_t>(tree.right.size() + 1));
    tree.code.push_back(tree.right.size() == 6 ? SplitCode::kRightIsLeaf : 0);
    tree.payload.insert(tree.payload.end(), {1e-45f, -0.f, 3.4e38f, 0.1f});
    tree.support.push_back(16777216.f);
  }
  tree.payload.insert(tree.payload.end(), {1, 2, 3, 4});
  tree.support.push_back(0.1f);
  ForestBuilder builder(4);
  builder.append(tree);
  expect_lossless(Forest(builder.finish(), info));
}

TEST(JsonModel, IsJsonForOthers) {
  const Forest forest = test::random_forest(3, PayloadKind::class_histogram, {12, 5}, 4);
  const auto json = nlohmann::json::parse(expect_lossless(forest));
  EXPECT_EQ(json["schema"]["features"][2]["name"], "Größe \"x\"\n");
  EXPECT_EQ(json["trees"].size(), 2u);
  for (std::size_t tree = 0; tree < 2; ++tree) {
    const auto& splits = json["trees"][tree]["splits"];
    for (std::size_t i = 0; i < splits.size(); ++i) {
      const Split split = forest.arrays().split(tree, i);
      EXPECT_EQ(splits[i]["right"], split.right);
      EXPECT_EQ(splits[i]["feature"], split.feature);
      EXPECT_EQ(splits[i]["missing_left"], split.missing_left);
      if (split.kind == Split::Kind::numeric) {
        EXPECT_EQ(splits[i]["less_than"].get<float>(), split.threshold);
      } else {
        EXPECT_EQ(splits[i]["first_word"], split.first_word);
      }
    }
    const auto& leaves = json["trees"][tree]["leaves"];
    ASSERT_EQ(leaves.size(), splits.size() + 1);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const auto payload = forest.arrays().payload_of(forest.arrays().first_leaf(tree) + i);
      const std::size_t row = leaves[i]["row"];
      EXPECT_EQ(json["payload"][row].get<std::vector<float>>(),
                std::vector<float>(payload.begin(), payload.end()));
    }
  }
}

std::string problem(const std::string& text) {
  const std::string path = test::fresh_folder() + "/m.json";
  test::put_bytes(path, text);
  const std::string message = test::refusal([&] { Forest::load_json(path); });
  if (message.empty()) return "";
  EXPECT_TRUE(message.starts_with(path)) << message;
  return message.substr(path.size());
}

std::string small_text() {
  const std::string path = test::fresh_folder() + "/m.json";
  test::random_forest(3, PayloadKind::class_histogram, {3, 0, 2}, 2).save_json(path);
  return test::bytes_of(path);
}

std::string with(const std::string& before, const std::string& after) {
  std::string text = small_text();
  const std::size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return problem(text.replace(at, before.size(), after));
}

TEST(JsonModel, RefusesEveryTruncation) {
  const std::string text = small_text();
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    const std::string part = text.substr(0, size);
    EXPECT_NE(test::refusal([&] { read_json_model(part, "m"); }), "") << size;
  }
}

TEST(JsonModel, SurvivesEveryChangedByte) {
  const std::string text = small_text(), path = test::fresh_folder() + "/m.json";
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char c : {'"', '9', '[', '}', '-', ' ', '\xff'}) {
      std::string changed = text;
      changed[at] = c;
      test::refusal([&] {
        StoredModel model = read_json_model(changed, "m");
        const Forest forest(std::move(model.storage), std::move(model.info));
        test::walk_everything(forest.arrays(), forest.info());
      });
    }
  }
}

TEST(JsonModel, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(with("\"1.0\"", "\"2.0\""),
            ":3:25: the model is written in format 2.0, but this program reads 1.x");
  EXPECT_NE(with("\"coppice\"", "\"thicket\""), "");
  EXPECT_NE(with("class_histogram", "histogram"), "");
  EXPECT_NE(with("\"right\":", "\"wrong\":"), "");
  EXPECT_NE(with("\"right\":1", "\"right\":-1"), "");
  EXPECT_NE(with("\"right\":1", "\"right\":4294967296"), "");
  EXPECT_NE(with("\"feature\":", "\"feature\":9"), "");
  EXPECT_NE(with("\"feature\":", "\"feature\":999999999"), "");
  EXPECT_NE(with("\"support\":", "\"support\":-1"), "");
  EXPECT_NE(with("\"support\":", "\"support\":\"inf\",\"row\":"), "");
  EXPECT_NE(with("\"U8\"", "\"U9\""), "");
  EXPECT_NE(with("\"U8\"", "\"none\""), "");
  EXPECT_EQ(with("\"U8\"", "\"U16\""), "");
  EXPECT_NE(with("\"row\":0", "\"row\":256"), "");
  EXPECT_NE(with("\"trees\":[", "\"bushes\":["), "");
  EXPECT_NE(with("\"facts\"", "\"options\""), "");
  EXPECT_NE(with("]}]\n}", "]}]\n} x"), "");
  EXPECT_NE(with("\"payload\":[", "\"payload\":[[],"), "");
  EXPECT_NE(with("\"payload\":[", "\"payload\":[[1],"), "");
}

TEST(JsonModel, DeepNesting) {
  for (const char* unit : {"[", "{\"a\":", "{\"trees\":[{\"splits\":[", "[{\"a\":"}) {
    std::string text;
    while (text.size() < 10'000'000) text += unit;
    EXPECT_NE(problem(text), "");
    EXPECT_NE(problem("{\"trees\":" + text), "");
  }
}

}  // namespace
}  // namespace coppice
