// See model_files.h.
#include "model_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>

#include "any_model.h"
#include "coppice/error.h"

namespace coppice {

namespace fs = std::filesystem;

namespace {

// The checkpoint of a task that works on the leaves of all trees in the end.
bool awaits_its_leaves(const ForestInfo& info) {
  if (!info.facts.contains("checkpoint")) return false;
  const std::pair<std::string, std::string> few_labels("task", "semi-supervised");
  return info.payload_kind == PayloadKind::gaussian ||
         std::find(info.options.begin(), info.options.end(), few_labels) != info.options.end();
}

std::size_t projection_bytes(const ProjectionArrays& all) {
  return all.first_term.size_bytes() + all.lower.size_bytes() + all.feature.size_bytes() +
         all.partner.size_bytes() + all.first_word.size_bytes() + all.coefficient.size_bytes() +
         all.centre.size_bytes();
}

}  // namespace

const char* task_name(const Forest& forest) {
  if (is_density(forest)) return "density";
  return is_classifier(forest) ? "classification" : "regression";
}

void require_answers(const Forest& forest, const char* verb) {
  if (is_density(forest))
    throw Error(ErrorKind::invalid_option,
                fmt::format("{} is about the answers of a model, but this one is a density, which "
                            "has none",
                            verb));
}

bool is_json_model(const std::string& path) { return fs::path(path).extension() == ".json"; }

Forest load_any_model(const std::string& path) {
  return is_json_model(path) ? Forest::load_json(path) : Forest::load(path);
}

Forest load_model(const std::string& path) {
  Forest forest = load_any_model(path);
  if (awaits_its_leaves(forest.info()))
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: is a checkpoint, and leaves of this task are final only when all "
                            "trees are grown; finish it with coppice train ... --resume",
                            path));
  return forest;
}

void save_model(const Forest& forest, const std::string& path) {
  if (is_json_model(path)) {
    forest.save_json(path);
  } else {
    forest.save(path);
  }
}

void require_other(const std::string& path, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const std::string& input : inputs)
    if (fs::equivalent(path, input, ignored))
      throw Error(
          ErrorKind::invalid_option,
          fmt::format("-o {}: this file is read, too, and would be lost; name another one", path));
}

void require_binary(const std::string& path) {
  if (is_json_model(path))
    throw Error(ErrorKind::invalid_option,
                fmt::format("-o {}: the size of text is not limited; name a binary model, as in -o "
                            "model.coppice",
                            path));
}

void require_writable(const std::string& path) {
  std::error_code ignored;
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : ".";
  if (!fs::is_directory(folder, ignored)) {
    throw Error(ErrorKind::io, fmt::format("{}: the folder {} does not exist; create it first",
                                           path, folder.string()));
  }
  if (path == "-" || path.ends_with(".gz")) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("-o {}: output goes to a plain file; leave -o out for standard output, "
                            "and compress with gzip",
                            path));
  }
  if (fs::is_directory(path, ignored)) {
    throw Error(ErrorKind::io, fmt::format("{}: this is a folder; name a file", path));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw Error(ErrorKind::io, fmt::format("{}: no permission to write into the folder {}", path,
                                           folder.string()));
  }
}

std::size_t file_bytes(const std::string& path) {
  std::error_code problem;
  const std::uintmax_t bytes = fs::file_size(path, problem);
  return problem ? 0 : static_cast<std::size_t>(bytes);
}

std::vector<std::pair<std::string, std::size_t>> array_bytes(const ForestArrays& arrays) {
  const PayloadIndex& rows = arrays.payload_row;
  std::vector<std::pair<std::string, std::size_t>> sizes{
      {"right children", arrays.right.size_bytes()},
      {"thresholds", arrays.threshold.size_bytes()},
      {"features", arrays.code.size_bytes()},
      {"category sets", arrays.category_words.size_bytes()},
      {"sums of features", projection_bytes(arrays.projections)},
      {"leaf payloads", arrays.payload.size_bytes()},
      {"leaf payload rows",
       rows.narrow.size_bytes() + rows.medium.size_bytes() + rows.wide.size_bytes()},
      {"leaf support", arrays.support.size_bytes()},
      {"trees", arrays.first_split.size_bytes()},
  };
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sizes;
}

std::size_t total_array_bytes(const ForestArrays& arrays) {
  std::size_t total = 0;
  for (const auto& [name, bytes] : array_bytes(arrays)) total += bytes;
  return total;
}

}  // namespace coppice
