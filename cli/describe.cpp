// coppice describe: what a model is and how it came to be; a tree of it as rules.
#include "model/describe.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "any_model.h"
#include "command.h"
#include "coppice/coppice.h"
#include "json_output.h"
#include "model/depth.h"
#include "model/info_json.h"
#include "model/walk.h"
#include "model_files.h"
#include "terminal.h"
#include "train_report.h"

namespace coppice {
namespace {

constexpr std::size_t kListWidth = 60;

class DescribeCommand final : public Command {
 public:
  const char* name() const override { return "describe"; }
  const char* summary() const override { return "what a model is and how it was trained"; }
  const char* examples() const override {
    return "  coppice describe letter.coppice\n"
           "  coppice describe letter.coppice --tree 1 | less\n"
           "  coppice describe letter.coppice --json\n";
  }
  void declare(CLI::App& app) override {
    app.add_option("MODEL", model_, "what train wrote")->type_name("")->required();
    app.add_option("--tree", tree_, "print this tree as rules, from 1")
        ->check(CLI::Range(1, 1'000'000))
        ->type_name("N")
        ->group("Output");
  }
  int run(const SharedArguments&) override;

 private:
  std::string model_;
  std::size_t tree_ = 0;
};

// --- The model as a whole ------------------------------------------------------------------------

std::string size_text(const Forest& forest, const std::string& path) {
  std::string text =
      fmt::format("  size     {} on disk, {} of arrays\n", bytes_text(file_bytes(path)),
                  bytes_text(total_array_bytes(forest.arrays())));
  TextTable table("lr");
  for (const auto& [name, bytes] : array_bytes(forest.arrays())) {
    if (bytes > 0) table.add({name, bytes_text(bytes)});
  }
  return text + table.text(11);
}

std::string training_text(const ForestInfo& info) {
  std::string text;
  TextTable table("ll");
  for (const auto& [name, value] : info.facts) {
    if (name == "command") {
      text += fmt::format("  command  {}\n", printable(value));
    } else {
      table.add({name, value});
    }
  }
  text += "  facts\n" + table.text(4);
  TextTable options("ll");
  for (const auto& [name, value] : info.options) options.add({name, value});
  return text + "  options\n" + options.text(4);
}

std::string model_text(const Forest& forest, const std::string& path) {
  const Schema& schema = forest.info().schema;
  const ForestArrays& arrays = forest.arrays();
  const std::string task =
      is_density(forest) ? "density of the features"
      : is_classifier(forest)
          ? fmt::format("classification of {} into {}: {}", printable(schema.targets.at(0)),
                        plural(schema.classes.size(), "class", "classes"),
                        abbreviated(schema.classes, kListWidth))
          : "regression of " + abbreviated(schema.targets, kListWidth);
  std::string text = fmt::format(
      "{}\n  task     {}\n  forest   {}, {} nodes, {} leaves, depth {} at most\n", path, task,
      plural(arrays.trees(), "tree", "trees"), count_text(arrays.splits() + arrays.leaves()),
      count_text(arrays.leaves()), max_depth(arrays));
  text += fmt::format("  leaves   {}, ensemble {}\n", payload_kind_name(forest.info().payload_kind),
                      ensemble_name(forest.info().ensemble));
  text += size_text(forest, path) + training_text(forest.info());
  text += fmt::format("  {}\n{}", plural(schema.features.size(), "feature", "features"),
                      features_text(schema, {}));
  for (const auto& [kind, values] : forest.info().importances)
    text += importance_text(forest, kind);
  return text;
}

Json model_json(const Forest& forest, const std::string& path) {
  const ForestInfo& info = forest.info();
  const ForestArrays& arrays = forest.arrays();
  Json features = Json::array();
  for (const Feature& feature : info.schema.features) {
    const bool named = feature.kind == FeatureKind::categorical;
    Json entry{{"name", feature.name}, {"kind", named ? "categorical" : "numeric"}};
    if (named) entry["categories"] = feature.categories;
    features.push_back(std::move(entry));
  }
  Json options = Json::object(), sections = Json::object();
  for (const auto& [name, value] : info.options) options[name] = value;
  for (const auto& [name, bytes] : array_bytes(arrays)) sections[name] = bytes;
  return {{"model", path},
          {"model_bytes", file_bytes(path)},
          {"task", task_name(forest)},
          {"payload_kind", payload_kind_name(info.payload_kind)},
          {"ensemble", ensemble_name(info.ensemble)},
          {"trees", arrays.trees()},
          {"nodes", arrays.splits() + arrays.leaves()},
          {"leaves", arrays.leaves()},
          {"max_depth", max_depth(arrays)},
          {"array_bytes", std::move(sections)},
          {"facts", info.facts},
          {"options", std::move(options)},
          {"features", std::move(features)},
          {"targets", info.schema.targets},
          {"classes", info.schema.classes},
          {"importances", importances_json(forest)}};
}

// --- One tree ------------------------------------------------------------------------------------

// "A 0.75, B 0.25" with the most probable first, or "price 3.4".
std::string leaf_text(const Forest& forest, std::size_t tree, std::size_t leaf) {
  const ForestArrays& arrays = forest.arrays();
  const Schema& schema = forest.info().schema;
  const std::size_t number = arrays.first_leaf(tree) + leaf;
  const auto payload = arrays.payload_of(number);
  std::vector<std::pair<float, std::string>> parts;
  for (std::size_t k = 0; k < outputs_of(forest.info().payload_kind, schema); ++k) {
    const std::string& name = is_density(forest)      ? schema.features[k].name
                              : is_classifier(forest) ? schema.classes[k]
                                                      : schema.targets[k];
    if (payload[k] != 0 || !is_classifier(forest)) parts.emplace_back(payload[k], name);
  }
  if (is_classifier(forest)) {
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
  }
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t n = 0; n < std::min(parts.size(), shown); ++n) {
    text +=
        fmt::format("{}{} {:.4g}", n == 0 ? "" : ", ", printable(parts[n].second), parts[n].first);
  }
  if (parts.size() > shown) text += ", ...";
  return fmt::format("{}  (leaf {}, weight {})", text, leaf, arrays.support[number]);
}

// Deep levels say their depth instead of being indented further.
std::string indentation(std::size_t depth) {
  constexpr std::size_t deepest = 50;
  if (depth <= deepest) return std::string(2 * depth, ' ');
  return fmt::format("{}({}) ", std::string(2 * deepest, ' '), depth);
}

// In pre-order the second child of a split is the "else" of the first.
std::string tree_text(const Forest& forest, std::size_t tree) {
  struct Open {
    std::string sentence;
    bool left_done = false;
  };
  std::vector<Open> path;  // from the root to the parent of the current node
  std::string text;
  const auto lead_to = [&](std::size_t depth) {
    path.resize(depth);
    if (depth == 0) return;
    Open& parent = path.back();
    text += indentation(depth - 1) + (parent.left_done ? "else" : "if " + parent.sentence) + '\n';
    parent.left_done = true;
  };
  const auto on_split = [&](std::size_t split, std::size_t depth) {
    lead_to(depth);
    path.push_back({printable(split_sentence(forest, tree, split))});
  };
  const auto on_leaf = [&](std::size_t leaf, std::size_t depth) {
    lead_to(depth);
    text += indentation(depth) + leaf_text(forest, tree, leaf) + '\n';
  };
  for_each_node(forest.arrays(), tree, on_split, on_leaf);
  return text;
}

int DescribeCommand::run(const SharedArguments& shared) {
  const Forest forest = load_any_model(model_);
  if (tree_ > forest.trees()) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--tree: there is no tree {}; the model has {}", tree_,
                            plural(forest.trees(), "tree", "trees")));
  }
  if (shared.json) {
    Json json = model_json(forest, model_);
    if (tree_ > 0) json["rules"] = tree_text(forest, tree_ - 1);
    print_json(json);
  } else {
    print_text(tree_ > 0 ? tree_text(forest, tree_ - 1) : model_text(forest, model_));
  }
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> describe_command() { return std::make_unique<DescribeCommand>(); }

}  // namespace coppice
