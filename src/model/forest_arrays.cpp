// Decodes the three words of a split.
#include <bit>

#include "coppice/model.h"

namespace coppice {

Split ForestArrays::split(std::size_t tree, std::size_t local) const {
  const std::size_t at = first_split[tree] + local;
  Split split;
  split.right = right[at];
  split.feature = code[at] & SplitCode::kFeatureMask;
  split.kind = SplitCode::kind_of(code[at]);
  split.missing_left = (code[at] & SplitCode::kMissingLeft) != 0;
  split.right_is_leaf = (code[at] & SplitCode::kRightIsLeaf) != 0;
  if (split.kind == Split::Kind::category_set) {
    split.first_word = threshold[at];
  } else {
    split.threshold = std::bit_cast<float>(threshold[at]);
  }
  return split;
}

}  // namespace coppice
