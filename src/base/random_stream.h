// Random streams named by their purpose, so that results depend on the seed only: never on the
// number of threads, the order of growth, or the standard library.
#pragma once

#include <cstdint>

namespace coppice {

class RandomStream {
 public:
  explicit RandomStream(std::uint64_t key) : key_(key) {}

  // An independent stream for a part of this stream's purpose: tree 3, left child, candidate 17.
  RandomStream child(std::uint64_t label) const { return RandomStream(mix(key_ ^ mix(label + 1))); }

  std::uint64_t next() { return mix(key_ + kGoldenGamma * ++count_); }

  // Uniform in [0, bound), up to a bias of bound / 2^32. REQUIRES: bound > 0.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15;

  static std::uint64_t mix(std::uint64_t z) {  // the finaliser of SplitMix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t key_;
  std::uint64_t count_ = 0;
};

}  // namespace coppice
