// Which targets are noted, and what is said of them.
#include "tasks/rounding_notes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coppice {
namespace {

// Two targets; row r of the second is offset + scale r.
std::vector<std::string> notes_of(double offset, double scale) {
  Dataset data;
  data.rows = 100;
  data.schema.targets = {"plain", "odd"};
  for (std::size_t row = 0; row < data.rows; ++row)
    data.targets.insert(data.targets.end(),
                        {static_cast<double>(row), offset + scale * static_cast<double>(row)});
  data.targets[1] = std::nan("");
  return rounding_notes(data.view());
}

TEST(RoundingNotes, TellOfTargetsFarFromZeroAndBelowFloats) {
  for (const auto& [offset, scale, word] : {std::tuple{1.6e9, 1.0, "subtract 1.6e+09"},
                                            {-1.6e9, 1.0, "subtract -1.6e+09"},
                                            {0.0, 1e-46, "multiply"}}) {
    const std::vector<std::string> notes = notes_of(offset, scale);
    ASSERT_EQ(notes.size(), 1u) << offset;
    EXPECT_NE(notes[0].find("'odd'"), std::string::npos) << notes[0];
    EXPECT_NE(notes[0].find(word), std::string::npos) << notes[0];
  }
}

TEST(RoundingNotes, SayNothingOfOthers) {
  for (const auto& [offset, scale] :
       {std::pair{0.0, 1.0}, {1e6, 1.0}, {1.6e9, 1e6}, {0.0, 1e-30}, {1.6e9, 0.0}, {0.0, 0.0}})
    EXPECT_TRUE(notes_of(offset, scale).empty()) << offset << " " << scale;
}

}  // namespace
}  // namespace coppice
