// How many bytes Forest::save() would write.
#pragma once

#include "coppice/model.h"
#include "model/compressed_file.h"
#include "model/model_file.h"

namespace coppice {

inline std::size_t stored_model_bytes(const Forest& forest, FileForm form) {
  if (form == FileForm::mapped) return model_bytes(forest.arrays(), forest.info());
  return compress(model_file_bytes(forest.arrays(), forest.info())).size();
}

}  // namespace coppice
