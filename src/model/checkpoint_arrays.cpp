#include "model/checkpoint_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "base/atomic_file.h"
#include "coppice/error.h"

namespace coppice {
namespace {

constexpr const char* kData = "x-checkpoint.data";
constexpr const char* kGain = "x-checkpoint.gain";
constexpr const char* kRootWeight = "x-checkpoint.root_weight";
constexpr const char* kNumber = "x-checkpoint.number";
constexpr const char* kClosedDepth = "x-checkpoint.closed_depth";

template <class T>
constexpr std::string_view dtype_of() {
  if (std::is_same_v<T, double>) return "F64";
  return sizeof(T) == 8 ? "U64" : "U32";
}

template <class T>
Section section_of(const char* name, std::span<const T> values) {
  return {name, dtype_of<T>(), {values.size()}, std::as_bytes(values)};
}

// Finds the arrays beside the model in a file that is known to be a sound container.
class SectionReader {
 public:
  SectionReader(std::span<const std::byte> file, const std::string& source)
      : file_(file), source_(source), container_(read_container(file, source)) {}

  template <class T>
  std::span<const T> values(const char* name) const {
    const auto found = container_.tensors.find(name);
    if (found == container_.tensors.end())
      throw Error(ErrorKind::corrupt_model,
                  fmt::format("{}: is no checkpoint: section '{}' is missing", source_, name));
    const Tensor& tensor = found->second;
    if (tensor.dtype != dtype_of<T>() || tensor.shape.size() != 1)
      refuse(name, 0, fmt::format("is {} instead of {}", tensor.dtype, dtype_of<T>()));
    return {reinterpret_cast<const T*>(file_.data() + tensor.first_byte), tensor.shape[0]};
  }

  [[noreturn]] void refuse(const char* name, std::size_t entry, const std::string& reason) const {
    const Tensor& tensor = container_.tensors.at(name);
    throw Error(ErrorKind::corrupt_model,
                fmt::format("{}: section '{}' (byte {}): {}", source_, name,
                            tensor.first_byte + entry * element_bytes(tensor.dtype), reason));
  }

  void require_size(const char* name, std::size_t size, std::size_t expected) const {
    if (size != expected)
      refuse(name, 0, fmt::format("has {} entries instead of {}", size, expected));
  }

  void require_finite(const char* name, std::span<const double> values) const {
    for (std::size_t at = 0; at < values.size(); ++at)
      if (!std::isfinite(values[at]))
        refuse(name, at, fmt::format("entry {} is {}", at, values[at]));
  }

  void require_distinct(const char* name, std::span<const std::uint32_t> values) const {
    std::vector<std::uint32_t> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) refuse(name, 0, fmt::format("tree {} comes twice", *twice));
  }

 private:
  std::span<const std::byte> file_;
  const std::string& source_;
  Container container_;
};

CheckpointArrays read_arrays(const SectionReader& reader, const ForestArrays& trees) {
  const CheckpointArrays arrays{.data = reader.values<std::uint64_t>(kData),
                                .gain = reader.values<double>(kGain),
                                .root_weight = reader.values<double>(kRootWeight),
                                .number = reader.values<std::uint32_t>(kNumber),
                                .closed_depth = reader.values<std::uint32_t>(kClosedDepth)};
  reader.require_size(kGain, arrays.gain.size(), trees.splits());
  reader.require_size(kRootWeight, arrays.root_weight.size(), trees.trees());
  reader.require_size(kNumber, arrays.number.size(), trees.trees());
  reader.require_size(kClosedDepth, arrays.closed_depth.size(), trees.trees());
  reader.require_finite(kGain, arrays.gain);
  reader.require_finite(kRootWeight, arrays.root_weight);
  reader.require_distinct(kNumber, arrays.number);
  return arrays;
}

}  // namespace

void write_checkpoint(const ForestArrays& trees, const ForestInfo& info,
                      const CheckpointArrays& arrays, const std::string& path) {
  const Section beside[] = {section_of(kData, arrays.data), section_of(kGain, arrays.gain),
                            section_of(kRootWeight, arrays.root_weight),
                            section_of(kNumber, arrays.number),
                            section_of(kClosedDepth, arrays.closed_depth)};
  AtomicFile file(path);
  file.expect_no_reader();
  write_model(trees, info, file, beside);
  file.commit();
}

StoredCheckpoint::StoredCheckpoint(const std::string& path, Leaves leaves)
    : file_(path),
      model_(leaves == Leaves::kept ? read_model(file_.bytes(), path)
                                    : read_splits(file_.bytes(), path)),
      arrays_(read_arrays(SectionReader(file_.bytes(), path), model_.arrays)) {}

}  // namespace coppice
