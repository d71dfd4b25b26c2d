// Gains by feature, of splits of every kind.
#include "grow/standing_trees.h"

#include <gtest/gtest.h>

#include "coppice/model.h"

namespace coppice {
namespace {

std::uint32_t code_of(Split::Kind kind, std::uint32_t what) {
  return what | static_cast<std::uint32_t>(kind) << SplitCode::kKindShift | SplitCode::kRightIsLeaf;
}

TEST(StandingTrees, GainsAddUpByFeature) {
  TreeArrays tree;
  tree.code = {code_of(Split::Kind::numeric, 2), code_of(Split::Kind::category_set, 0),
               code_of(Split::Kind::numeric, 2)};
  std::vector<double> gains{0, 0, 1};
  add_gains(tree, std::vector<double>{4, 8, 2}, gains);
  EXPECT_EQ(gains, (std::vector<double>{8, 0, 7}));
}

TEST(StandingTrees, SumsOfTermsShareTheirGainOut) {
  TreeArrays tree;
  tree.code = {code_of(Split::Kind::projection, 0), code_of(Split::Kind::numeric, 1),
               code_of(Split::Kind::projection, 1)};
  tree.terms_of = {2, 1};
  tree.terms = {{.feature = 0, .partner = Term::kNoPartner},
                {.feature = 1, .partner = 2},
                {.feature = 3, .partner = Term::kNoPartner}};
  std::vector<double> gains(4);
  add_gains(tree, std::vector<double>{8, 1, 16}, gains);
  EXPECT_EQ(gains, (std::vector<double>{4, 2 + 1, 2, 16}));
}

}  // namespace
}  // namespace coppice
