#include "rounding_loss.h"

#include <fmt/format.h>

#include "known_rows.h"
#include "terminal.h"

namespace coppice {

RoundingLoss rounding_loss(const Forest& before, const Forest& after, const Dataset& known) {
  return {known.rows, error_on(before, known), error_on(after, known)};
}

std::string rounding_text(const RoundingLoss& loss, bool classes) {
  const auto shown = [&](double error) {
    return classes ? percent_text(error) : number_text(error);
  };
  return fmt::format("{} on {}: {} before, {} after\n", classes ? "error" : "RMSE",
                     plural(loss.rows, "row", "rows"), shown(loss.before), shown(loss.after));
}

Json rounding_json(const RoundingLoss& loss) {
  return {{"error_before", loss.before}, {"error_after", loss.after}};
}

}  // namespace coppice
