#include "tasks/checkpoint_differences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <set>

#include "base/worker_team.h"
#include "coppice/error.h"

namespace coppice {
namespace {

template <class T>
std::uint64_t fingerprint(std::span<const T> values) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t hash = values.size();
  for (const T value : values) {
    if constexpr (sizeof(T) == 8) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * kOdd;
    } else {
      hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * kOdd;
    }
    hash ^= hash >> 32;
  }
  return hash;
}

using Texts = std::vector<std::string>;

// "what was A, now B", for what is in either.
void compare(const std::string& what, const std::string& then, const std::string& now,
             Texts& differences) {
  if (then == now) return;
  const auto shown = [](const std::string& text) { return text.empty() ? "not given" : text; };
  differences.push_back(fmt::format("{} was {}, now {}", what, shown(then), shown(now)));
}

template <class Names>
void compare_names(const char* what, const Names& then, const Names& now, Texts& differences) {
  if (then.size() != now.size()) {
    differences.push_back(fmt::format("{} {} then, {} now", then.size(), what, now.size()));
    return;
  }
  for (std::size_t n = 0; n < now.size(); ++n)
    if (then[n] != now[n])
      return differences.push_back(fmt::format("{}: '{}' then, '{}' now", what, then[n], now[n]));
}

Texts feature_names(const Schema& schema) {
  Texts names;
  for (const Feature& feature : schema.features) names.push_back(feature.name);
  return names;
}

void compare_schemas(const Schema& then, const Schema& now, Texts& differences) {
  compare_names("features", feature_names(then), feature_names(now), differences);
  compare_names("targets", then.targets, now.targets, differences);
  compare_names("classes", then.classes, now.classes, differences);
  if (!differences.empty()) return;
  for (std::size_t f = 0; f < now.features.size(); ++f)
    if (then.features[f] != now.features[f])
      return differences.push_back(fmt::format(
          "feature '{}' has other categories or is of another kind", now.features[f].name));
}

void compare_contents(std::span<const std::uint64_t> then, std::span<const std::uint64_t> now,
                      const Schema& schema, Texts& differences) {
  Texts changed;
  for (std::size_t n = 0; n < now.size(); ++n) {
    if (n < then.size() && then[n] == now[n]) continue;
    constexpr const char* kOthers[] = {"classes of the rows", "targets", "weights of the rows"};
    const std::size_t features = schema.features.size();
    changed.push_back(n < features ? fmt::format("feature '{}'", schema.features[n].name)
                                   : kOthers[n - features]);
  }
  if (changed.empty() && then.size() == now.size()) return;
  constexpr std::size_t kMostNamed = 3;
  const std::size_t more = changed.size() - std::min(changed.size(), kMostNamed);
  changed.resize(std::min(changed.size(), kMostNamed));
  differences.push_back(fmt::format("its contents changed: {}{}", fmt::join(changed, ", "),
                                    more > 0 ? fmt::format(" and {} more", more) : ""));
}

std::string fact(const ForestInfo& info, const std::string& name) {
  const auto found = info.facts.find(name);
  return found == info.facts.end() ? "" : found->second;
}

std::string option(const ForestInfo& info, const std::string& name) {
  for (const auto& [other, value] : info.options)
    if (other == name) return value;
  return "";
}

Texts option_differences(const ForestInfo& then, const ForestInfo& now) {
  Texts differences;
  std::set<std::string> names;
  for (const ForestInfo* info : {&then, &now})
    for (const auto& [name, value] : info->options) names.insert(name);
  for (const std::string& name : names)
    compare("--" + name, option(then, name), option(now, name), differences);
  compare("coppice", fact(then, "coppice_version"), fact(now, "coppice_version"), differences);
  if (!differences.empty()) return differences;
  for (const auto& [name, value] : now.facts) compare(name, fact(then, name), value, differences);
  return differences;
}

[[noreturn]] void refuse(ErrorKind kind, const std::string& path, const char* what,
                         const Texts& differences) {
  throw Error(kind, fmt::format("{}: is the checkpoint of a training with other {}: {}; continue "
                                "with the same, or begin anew",
                                path, what, fmt::join(differences, "; ")));
}

}  // namespace

std::vector<std::uint64_t> fingerprints_of(const DatasetView& data, std::size_t workers) {
  const std::size_t columns = data.columns.size();
  std::vector<std::uint64_t> all(columns + 3);
  for_each_task(columns, workers, [&](std::size_t, std::size_t column) {
    all[column] = fingerprint(data.columns[column]);
  });
  all[columns] = fingerprint(data.labels);
  all[columns + 1] = fingerprint(data.targets);
  all[columns + 2] = fingerprint(data.weights);
  return all;
}

void refuse_differences(const StoredCheckpoint& stored, const std::string& path,
                        const ForestInfo& now, std::span<const std::uint64_t> fingerprints) {
  const ForestInfo& then = stored.info();
  Texts differences;
  const std::string rows = fact(then, "rows");
  if (rows != fact(now, "rows"))
    differences.push_back(fmt::format("{} rows then, {} now", rows, fact(now, "rows")));
  compare_schemas(then.schema, now.schema, differences);
  if (differences.empty())
    compare_contents(stored.arrays().data, fingerprints, now.schema, differences);
  if (!differences.empty()) refuse(ErrorKind::invalid_data, path, "data", differences);
  differences = option_differences(then, now);
  if (!differences.empty()) refuse(ErrorKind::invalid_option, path, "options", differences);
  if (then.payload_kind != now.payload_kind)
    throw Error(ErrorKind::corrupt_model, path + ": its leaves are not of this training");
}

}  // namespace coppice
