#include "tasks/checkpoint_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <system_error>
#include <utility>

#include "coppice/error.h"
#include "tasks/checkpoint_differences.h"
#include "tasks/checkpoint_parts.h"

namespace coppice {
namespace {

constexpr const char* kHeld = "checkpoint";  // a fact of the file: what it holds

// What all writes may take of the time, what those of trees that are on disk already, and what one
// after the last tree: other work follows, so that it matters less.
constexpr double kMostCost = 0.01, kMostRewriting = 0.0025, kMostWhenGrown = 0.02;
// Seconds between writes that are too expensive, at most: of trees that are written once waiting
// makes nothing cheaper. The first of a whole forest, and all of others, come after so many times
// the asked seconds at the latest.
constexpr double kMostPause = 1, kMostPauseOfLevels = 600, kMostDelay = 10;
// Larger parts are never written again, as they would have to be copied.
constexpr std::size_t kMostOpenBytes = 32 << 20;
// A stop has to write what has not been written yet: no more than takes so many seconds.
constexpr double kMostStopSeconds = 0.2;
// Before there is a write to go by, and not to be learnt from smaller ones.
constexpr double kSecondsPerByte = 1e-9, kBytesPerSecond = 400e6, kSmallWrite = 0.005;
constexpr std::size_t kTellingBytes = 4 << 20;

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

std::string words_for(const CheckpointArrays& arrays, std::size_t finished, std::size_t planned) {
  const std::uint32_t levels =
      *std::min_element(arrays.closed_depth.begin(), arrays.closed_depth.end());
  if (finished == 0 && levels > 0)
    return fmt::format("{} {} of all trees", levels, levels == 1 ? "level" : "levels");
  return fmt::format("{} of {} trees", finished, planned);
}

std::size_t finished_trees(const CheckpointArrays& arrays) {
  return static_cast<std::size_t>(std::count(arrays.closed_depth.begin(), arrays.closed_depth.end(),
                                             CheckpointArrays::kFinished));
}

// Marks the trees that are finished.
void mark_finished(const CheckpointArrays& arrays, std::vector<bool>& trees) {
  for (std::size_t index = 0; index < arrays.number.size(); ++index)
    if (arrays.closed_depth[index] == CheckpointArrays::kFinished)
      trees[arrays.number[index]] = true;
}

}  // namespace

CheckpointFile::CheckpointFile(const Checkpoint& wishes, Training training)
    : wishes_(wishes),
      training_(std::move(training)),
      stored_(training_.trees),
      kept_(training_.trees),
      seconds_per_byte_(kSecondsPerByte),
      bytes_per_second_(kBytesPerSecond) {
  if (wishes_.resume) read_parts();
  if (files_.empty()) remove_further_parts(wishes_.path);
}

// --- Reading -------------------------------------------------------------------------------------

void CheckpointFile::read_parts() {
  const std::vector<std::size_t> parts = parts_of(wishes_.path);
  for (const std::size_t part : parts) read_part(part);
  if (files_.empty()) return;
  const bool open = training_.by_levels || !completes(files_.back().bytes());
  open_part_ = parts.back() + (open ? 0 : 1);
  for (const StoredCheckpoint& file : files_) {
    mark_finished(file.arrays(), kept_);
    if (!open || &file != &files_.back()) mark_finished(file.arrays(), stored_);
  }
  held_ = words_for(files_.back().arrays(),
                    static_cast<std::size_t>(std::count(kept_.begin(), kept_.end(), true)),
                    training_.trees);
}

void CheckpointFile::read_part(std::size_t part) {
  const std::string path = part_path(wishes_.path, part);
  const StoredCheckpoint& file = files_.emplace_back(
      path, part == 1 ? StoredCheckpoint::Leaves::kept : StoredCheckpoint::Leaves::left_out);
  if (fingerprints_.empty()) fingerprints_ = fingerprints_of(training_.data, training_.workers);
  refuse_differences(file, path, training_.info, fingerprints_);
  const std::span<const std::uint32_t> numbers = file.arrays().number;
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    const std::size_t tree = numbers[index];
    if (tree >= training_.trees)
      throw Error(ErrorKind::corrupt_model,
                  fmt::format("{}: holds tree {} of {}", path, tree, training_.trees));
    if (tree >= records_.size()) records_.resize(tree + 1);
    // Later parts know more of a tree.
    if (!records_[tree] || !records_[tree]->finished()) records_[tree].emplace(file, index);
  }
}

const RecordedTree* CheckpointFile::recorded(std::size_t tree) const {
  return tree < records_.size() && records_[tree] ? &*records_[tree] : nullptr;
}

// --- When to write -------------------------------------------------------------------------------

bool CheckpointFile::due(std::size_t bytes) const {
  if (wishes_.seconds <= 0 || writer_.busy()) return false;
  const double passed = since_last_.seconds();
  if (passed < pause_) return false;
  const bool much =
      !training_.by_levels && static_cast<double>(bytes) > kMostStopSeconds * bytes_per_second_;
  return much || passed >= wishes_.seconds;
}

bool CheckpointFile::completes(std::size_t bytes) const {
  if (bytes > kMostOpenBytes) return true;
  const double spent = static_cast<double>(bytes) * seconds_per_byte_;
  return wishes_.seconds > 0 &&
         spent > kMostRewriting * static_cast<double>(training_.workers) * wishes_.seconds;
}

// Whether a write of so many bytes takes no more than this share of the time that has passed; if
// not, sets the pause until it does. Of whole forests it takes as long as the last one, and what
// was added since.
bool CheckpointFile::worth_while(std::size_t bytes, double share) {
  const bool again = training_.by_levels && writes_ > 0;
  const std::size_t more = bytes - (again ? std::min(bytes, last_bytes_) : 0);
  const double seconds =
      (again ? last_seconds_ : kSmallWrite) + static_cast<double>(more) / kBytesPerSecond;
  const double most =
      writes_ > 0 ? kMostPauseOfLevels : std::min(kMostDelay * wishes_.seconds, kMostPauseOfLevels);
  const double pause = std::min(seconds / share, most);
  if (since_last_.seconds() >= pause) return true;
  pause_ = pause;
  return false;
}

// --- Writing -------------------------------------------------------------------------------------

void CheckpointFile::keep_beside(StandingTrees trees, Handover handover) {
  if (training_.by_levels && !worth_while(trees.bytes(), kMostCost)) return;
  // A part that could not be written waits until it can be, or for what it is replaced by.
  if (!waiting_.empty() && waiting_.back().part == open_part_) waiting_.pop_back();
  waiting_.push_back({open_part_, std::move(trees)});
  if (handover.complete) ++open_part_;
  since_last_ = Stopwatch();
  const auto work = [this, waited = handover.seconds] {
    const ThreadStopwatch watch;
    const Stopwatch wall;
    write_waiting();
    const double cost = watch.seconds() + waited;
    seconds_ += cost;
    pause_ = training_.by_levels
                 ? std::min(std::max(cost, wall.seconds()) / kMostCost, kMostPauseOfLevels)
                 : std::min({cost / kMostCost / static_cast<double>(training_.workers), kMostPause,
                             kMostDelay * wishes_.seconds});
  };
  try {
    writer_.start(work);
  } catch (const std::system_error&) {
    work();  // there is no thread to be had
  }
}

void CheckpointFile::write_waiting() {
  try {
    for (; !waiting_.empty(); waiting_.pop_front())
      write(waiting_.front().part, waiting_.front().trees);
  } catch (const std::exception& error) {
    if (wishes_.failed) wishes_.failed(error.what());
  }
}

void CheckpointFile::keep_now(const StandingTrees& trees, Occasion occasion) {
  writer_.wait();
  // What follows the trees cannot be stopped and kept: they had better be there before it begins.
  const bool nothing_kept = writes_ == 0 && files_.empty();
  if (occasion == Occasion::grown &&
      (!wishes_.when_grown || (!nothing_kept && !worth_while(trees.bytes(), kMostWhenGrown))))
    return;
  const ThreadStopwatch watch;
  try {
    std::erase_if(waiting_, [&](const Waiting& part) { return part.part == open_part_; });
    for (; !waiting_.empty(); waiting_.pop_front())
      write(waiting_.front().part, waiting_.front().trees);
    if (!trees.empty()) write(open_part_, trees);
  } catch (const Error& error) {
    if (occasion == Occasion::stopped) throw;
    if (wishes_.failed) wishes_.failed(error.what());
  }
  seconds_ += watch.seconds();
}

void CheckpointFile::write(std::size_t part, const StandingTrees& trees) {
  const Announced announced(wishes_.writing);
  if (fingerprints_.empty())
    fingerprints_ = fingerprints_of(training_.data, writer_.busy() ? 1 : training_.workers);
  const Stopwatch wall;
  const ThreadStopwatch watch;
  CheckpointArrays arrays = trees.arrays();
  arrays.data = fingerprints_;
  ForestInfo info = training_.info;
  info.facts[kHeld] = words_for(arrays, finished_trees(arrays), training_.trees);
  write_checkpoint(trees.trees(), info, arrays, part_path(wishes_.path, part));
  mark_finished(arrays, kept_);
  held_ = words_for(arrays, static_cast<std::size_t>(std::count(kept_.begin(), kept_.end(), true)),
                    training_.trees);
  ++writes_;
  last_seconds_ = wall.seconds();
  last_bytes_ = trees.bytes();
  if (last_bytes_ < kTellingBytes) return;
  seconds_per_byte_ = watch.seconds() / static_cast<double>(last_bytes_);
  bytes_per_second_ = static_cast<double>(last_bytes_) / last_seconds_;
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
  for (const std::string& path : {checkpoint.path, of_first_forest(checkpoint).path}) {
    remove_further_parts(path);
    std::remove(path.c_str());
  }
}

}  // namespace coppice
