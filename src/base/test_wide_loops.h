// Tests that run twice: with loops for every processor, and with wide ones.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/wide_loops.h"

namespace coppice {

class BothLoops : public testing::TestWithParam<bool> {
 protected:
  BothLoops() { wide_loops_wanted = GetParam(); }
  ~BothLoops() override { wide_loops_wanted = true; }
};

inline std::string loops_name(const testing::TestParamInfo<bool>& wide) {
  return wide.param ? "wide" : "any";
}

}  // namespace coppice
