// What calls that answer for the rows of a data set share.
#pragma once

#include <cstddef>
#include <optional>

#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "coppice/dataset.h"

namespace coppice {

// Rows of a data set as a forest expects them: in place if they are so already.
class ConformedRows {
 public:
  ConformedRows(const Dataset&, const Schema&);

  // The view points into the object itself.
  ConformedRows(const ConformedRows&) = delete;
  ConformedRows& operator=(const ConformedRows&) = delete;
  ~ConformedRows() = default;

  const DatasetView& view() const { return view_; }
  std::size_t unseen_categories() const { return conformed_ ? conformed_->unseen_categories : 0; }

 private:
  std::optional<Conformed> conformed_;
  DatasetView view_;
};

// Both arguments may be NULL, which is refused.
ConformedRows conformed_rows(const CoppiceForest*, const CoppiceDataset*);

RunContext on_threads(std::size_t threads);

}  // namespace coppice
