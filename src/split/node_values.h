// The values of a node's samples under one feature: what random thresholds are drawn from. They
// need no codes, so nothing is ranked or sorted for them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/lanes.h"
#include "data/coded_columns.h"

namespace coppice {

struct NodeValues {
  std::vector<float> values;  // NaN where missing
  float least = 0, most = 0;  // of the known values; least > most if there are none
  std::uint32_t missing = 0;  // rows

  bool any_known() const { return least <= most; }
  bool varies() const { return least < most; }
  bool constant() const { return !any_known() || (!varies() && missing == 0); }

  // all[row] is the value of a row.
  template <class Values>
  void gather(const Values all, bool has_missing, std::span<const SampleId> rows) {
    values.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) values[i] = all[rows[i]];
    find_range();
    missing = has_missing ? count_missing() : 0;
  }
  // The same for values that are at hand, a value per row.
  void take(std::span<const float> all) {
    values.assign(all.begin(), all.end());
    find_range();
    missing = count_missing();
  }

 private:
  std::uint32_t count_missing() const {
    std::uint32_t count = 0;
    for (const float value : values) count += value != value;
    return count;
  }

  // In lanes, which compilers turn into vectors. Comparisons with NaN are false: it is passed over.
  void find_range() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::array<float, kLanes> low, high;
    low.fill(kInfinity);
    high.fill(-kInfinity);
    const std::size_t whole = values.size() / kLanes * kLanes;
    for (std::size_t i = 0; i < whole; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const float value = values[i + lane];
        low[lane] = value < low[lane] ? value : low[lane];
        high[lane] = value > high[lane] ? value : high[lane];
      }
    }
    for (std::size_t i = whole; i < values.size(); ++i) {
      low[0] = values[i] < low[0] ? values[i] : low[0];
      high[0] = values[i] > high[0] ? values[i] : high[0];
    }
    least = low[0], most = high[0];
    for (std::size_t lane = 1; lane < kLanes; ++lane) {
      least = low[lane] < least ? low[lane] : least;
      most = high[lane] > most ? high[lane] : most;
    }
  }
};

}  // namespace coppice
