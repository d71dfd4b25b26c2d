#include "refine/facts.h"

#include <fmt/format.h>

#include <array>

namespace coppice {

ForestInfo with_refinement_facts(ForestInfo info, const RefineOptions& options,
                                 const RefinementLoss& loss, const RefineReport& report) {
  constexpr std::array kLosses{"default", "squared", "absolute", "logistic", "hinge"};
  info.facts["refine_method"] = options.method == Refinement::add ? "agr" : "gr";
  info.facts["refine_loss"] = kLosses[loss.index()];
  info.facts["refine_cost"] = fmt::format("{}", report.cost);
  if (report.validation_rows > 0)
    info.facts["refine_validation_error"] = fmt::format("{}", report.error_after);
  return info;
}

}  // namespace coppice
