// What the opaque handles of c_api.h hold.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coppice/c_api.h"
#include "coppice/dataset.h"
#include "coppice/density.h"
#include "coppice/fit.h"
#include "coppice/model.h"
#include "coppice/predict.h"

struct CoppiceDataset {
  coppice::Dataset data;
};

struct CoppiceOptions {
  std::vector<std::pair<std::string, std::string>> named_values;
};

struct CoppiceForest {
  explicit CoppiceForest(coppice::Forest grown) : forest(std::move(grown)) {}

  // Compiled by whoever asks first.
  const coppice::Predictor& predictor() const {
    std::call_once(compiled_, [this] { predictor_.emplace(forest); });
    return *predictor_;
  }

  // Refuses forests whose leaves are no densities.
  const coppice::DensityModel& density() const {
    std::call_once(weighed_, [this] { density_.emplace(forest); });
    return *density_;
  }

  const coppice::Forest forest;
  std::optional<coppice::OutOfBag> out_of_bag = {};  // of a forest that was just trained

 private:
  mutable std::once_flag compiled_, weighed_;
  mutable std::optional<coppice::Predictor> predictor_;
  mutable std::optional<coppice::DensityModel> density_;
};
