// Owned arrays as everything that reads a forest sees them.
#pragma once

#include "coppice/model.h"

namespace coppice {

inline ProjectionArrays views_of(const ProjectionStorage& storage) {
  return {storage.first_term, storage.lower,       storage.feature, storage.partner,
          storage.first_word, storage.coefficient, storage.centre};
}

inline ForestArrays views_of(const ForestStorage& storage) {
  ForestArrays arrays;
  arrays.first_split = storage.first_split;
  arrays.right = storage.right;
  arrays.threshold = storage.threshold;
  arrays.code = storage.code;
  arrays.category_words = storage.category_words;
  arrays.projections = views_of(storage.projections);
  arrays.payload_row = {storage.payload_row_narrow, storage.payload_row_medium,
                        storage.payload_row_wide};
  arrays.payload = storage.payload;
  arrays.support = storage.support;
  arrays.payload_size = storage.payload_size;
  return arrays;
}

}  // namespace coppice
