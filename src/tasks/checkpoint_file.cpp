#include "tasks/checkpoint_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <set>
#include <utility>

#include "base/worker_team.h"
#include "coppice/error.h"

namespace coppice {
namespace {

constexpr const char* kHeld = "checkpoint";  // a fact of the file: what it holds
// Seconds between two writes, as multiples of what one takes; or these at most.
constexpr double kLeastPause = 100, kLeastGrowth = 50, kMostPause = 600;
// The first one comes after so many times the asked seconds at the latest.
constexpr double kFirstPause = 10;
// What a write may take: of the first all of it, of others what they have grown by.
constexpr double kBytesPerSecond = 400e6;

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

// Tells of a write, whether or not it succeeds.
class Announced {
 public:
  explicit Announced(const std::function<void(bool)>& told) : told_(told) {
    if (told_) told_(true);
  }
  Announced(const Announced&) = delete;
  Announced& operator=(const Announced&) = delete;
  ~Announced() {
    if (told_) told_(false);
  }

 private:
  const std::function<void(bool)>& told_;
};

bool exists(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0;
}

std::size_t bytes_of(const ForestArrays& trees) {
  const ProjectionArrays& projections = trees.projections;
  return 20 * trees.splits() + trees.category_words.size_bytes() + trees.payload.size_bytes() +
         8 * trees.leaves() + 8 * projections.count() + 16 * projections.terms();
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

std::string words_for(const CheckpointArrays& arrays, std::size_t planned) {
  const auto finished = static_cast<std::size_t>(std::count(
      arrays.closed_depth.begin(), arrays.closed_depth.end(), CheckpointArrays::kFinished));
  const std::uint32_t levels =
      *std::min_element(arrays.closed_depth.begin(), arrays.closed_depth.end());
  if (finished == 0 && levels > 0)
    return fmt::format("{} {} of all trees", levels, levels == 1 ? "level" : "levels");
  return fmt::format("{} of {} trees", finished, planned);
}

}  // namespace

CheckpointFile::CheckpointFile(const Checkpoint& wishes, Training training)
    : wishes_(wishes), training_(std::move(training)) {
  if (!wishes_.resume || !exists(wishes_.path)) return;
  stored_.emplace(wishes_.path);
  refuse_differences();
  const std::span<const std::uint32_t> numbers = stored_->arrays().number;
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    const std::size_t tree = numbers[index];
    if (tree >= training_.trees)
      throw Error(ErrorKind::corrupt_model,
                  fmt::format("{}: holds tree {} of {}", wishes_.path, tree, training_.trees));
    if (tree >= records_.size()) records_.resize(tree + 1);
    records_[tree].emplace(*stored_, index);
  }
  held_ = words_for(stored_->arrays(), training_.trees);
}

// Most trainings end before the first write and never need them.
const std::vector<std::uint64_t>& CheckpointFile::fingerprints() {
  if (fingerprints_.empty()) fingerprints_ = fingerprints_of(training_.data, training_.workers);
  return fingerprints_;
}

void CheckpointFile::refuse_differences() {
  const ForestInfo &then = stored_->info(), &now = training_.info;
  Texts differences;
  const std::string rows = fact(then, "rows");
  if (rows != fact(now, "rows"))
    differences.push_back(fmt::format("{} rows then, {} now", rows, fact(now, "rows")));
  compare_schemas(then.schema, now.schema, differences);
  if (differences.empty())
    compare_contents(stored_->arrays().data, fingerprints(), now.schema, differences);
  if (!differences.empty()) refuse(ErrorKind::invalid_data, wishes_.path, "data", differences);
  differences = option_differences(then, now);
  if (!differences.empty()) refuse(ErrorKind::invalid_option, wishes_.path, "options", differences);
  if (then.payload_kind != now.payload_kind)
    throw Error(ErrorKind::corrupt_model, wishes_.path + ": its leaves are not of this training");
}

const RecordedTree* CheckpointFile::recorded(std::size_t tree) const {
  return tree < records_.size() && records_[tree] ? &*records_[tree] : nullptr;
}

bool CheckpointFile::due() const {
  return wishes_.seconds > 0 && since_last_.seconds() >= std::max(wishes_.seconds, pause_);
}

void CheckpointFile::keep(const ForestArrays& trees, const CheckpointArrays& arrays,
                          Occasion occasion) {
  if (occasion == Occasion::stopped) return write(trees, arrays);
  if (occasion == Occasion::grown && !wishes_.when_grown) return;
  // As long as the last write took, and what the trees have grown by since.
  const std::size_t bytes = bytes_of(trees);
  const std::size_t more = bytes - std::min(bytes, last_bytes_);
  pause_after(last_seconds_ + static_cast<double>(more) / kBytesPerSecond);
  // What follows the trees takes longer than they did, so that this write matters less.
  const double share = occasion == Occasion::grown ? kLeastGrowth / kLeastPause : 1;
  if (since_last_.seconds() < share * pause_) return;
  try {
    write(trees, arrays);
  } catch (const Error& error) {
    since_last_ = Stopwatch();
    if (wishes_.failed) wishes_.failed(error.what());
  }
}

void CheckpointFile::write(const ForestArrays& trees, const CheckpointArrays& arrays) {
  const Stopwatch watch;
  const Announced announced(wishes_.writing);
  ForestInfo info = training_.info;
  info.facts[kHeld] = words_for(arrays, training_.trees);
  CheckpointArrays whole = arrays;
  whole.data = fingerprints();
  write_checkpoint(trees, info, whole, wishes_.path);
  held_ = info.facts[kHeld];
  ++writes_;
  last_seconds_ = watch.seconds();
  last_bytes_ = bytes_of(trees);
  seconds_ += last_seconds_;
  pause_after(last_seconds_);
  since_last_ = Stopwatch();
}

void CheckpointFile::pause_after(double seconds) {
  const double most =
      writes_ == 0 ? std::min(kFirstPause * wishes_.seconds, kMostPause) : kMostPause;
  pause_ = std::min(kLeastPause * seconds, most);
}

std::string CheckpointFile::stopped_sentence() const {
  if (held_.empty()) return "stopped before anything was kept";
  return fmt::format("stopped; {} are in {}", held_, wishes_.path);
}

// --- Public --------------------------------------------------------------------------------------

Checkpoint of_first_forest(const Checkpoint& checkpoint) {
  Checkpoint first = checkpoint;
  first.path += ".first";
  first.when_grown = true;
  return first;
}

void remove_checkpoint(const Checkpoint& checkpoint) {
  for (const std::string& path : {checkpoint.path, of_first_forest(checkpoint).path})
    std::remove(path.c_str());
}

}  // namespace coppice
