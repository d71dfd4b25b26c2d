#include "ensemble_argument.h"

#include <utility>

#include "coppice/error.h"
#include "model_files.h"
#include "tasks/leaf_options.h"

namespace coppice {

void declare_ensemble(CLI::App& app, std::string& ensemble) {
  app.add_option("--ensemble", ensemble,
                 "how the answers of the trees become one; default: as trained")
      ->type_name("mean|product|vote|confidence")
      ->group("Output");
}

Forest with_ensemble(Forest forest, const std::string& ensemble) {
  if (ensemble.empty()) return forest;
  ForestInfo info = forest.info();
  if (info.ensemble == Ensemble::sum) {
    if (ensemble == "sum") return forest;
    throw Error(ErrorKind::invalid_option,
                "--ensemble: the trees of this model correct each other, so they can only be added "
                "up; leave the option out");
  }
  info.ensemble = ensemble_value(ensemble);
  if (info.ensemble == Ensemble::vote && !is_classifier(forest))
    throw Error(ErrorKind::invalid_option, "--ensemble vote is for classification");
  return std::move(forest).with_info(std::move(info));
}

}  // namespace coppice
