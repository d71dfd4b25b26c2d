#include "c_api/conformed_rows.h"

#include <utility>

namespace coppice {

ConformedRows::ConformedRows(const Dataset& data, const Schema& schema) : view_(data.view()) {
  if (data.schema.features == schema.features) {
    validate(view_);
    return;
  }
  Dataset features;
  features.schema.features = data.schema.features;
  features.rows = data.rows;
  features.columns = data.columns;
  conformed_ = conform(std::move(features), schema);
  view_ = conformed_->data.view();
}

ConformedRows conformed_rows(const CoppiceForest* forest, const CoppiceDataset* dataset) {
  return {required(dataset, "dataset").data, required(forest, "forest").forest.info().schema};
}

RunContext on_threads(std::size_t threads) { return {.threads = checked_threads(threads)}; }

}  // namespace coppice
