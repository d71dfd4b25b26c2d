// The forest and what its arrays point into: vectors of its own, or a file.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "base/mapped_file.h"
#include "coppice/model.h"
#include "model/compressed_file.h"
#include "model/json_model.h"
#include "model/model_file.h"
#include "model/storage_views.h"
#include "model/validate.h"

namespace coppice {

struct Forest::Backing {
  explicit Backing(ForestStorage own) : storage(std::move(own)) {}
  explicit Backing(const std::string& path) : file(path) {}

  ForestStorage storage;
  std::optional<MappedFile> file;
  std::vector<std::byte> unpacked_file;  // of one that was compressed
  std::vector<float> unpacked_payload;   // of one with less than full precision
};

Forest::Forest(ForestStorage storage, ForestInfo info)
    : backing_(std::make_unique<Backing>(std::move(storage))),
      arrays_(views_of(backing_->storage)),
      info_(std::move(info)) {
  validate(arrays_, info_, "forest");
  std::sort(info_.options.begin(), info_.options.end());
}

Forest::Forest(std::unique_ptr<Backing> backing, ForestArrays arrays, ForestInfo info)
    : backing_(std::move(backing)), arrays_(arrays), info_(std::move(info)) {
  std::sort(info_.options.begin(), info_.options.end());
}

Forest::Forest(Forest&&) noexcept = default;
Forest& Forest::operator=(Forest&&) noexcept = default;
Forest::~Forest() = default;

Forest Forest::with_info(ForestInfo info) && {
  validate(arrays_, info, "forest");
  return Forest(std::move(backing_), arrays_, std::move(info));
}

void Forest::save(const std::string& path, FileForm form) const {
  AtomicFile file(path);
  if (form == FileForm::compressed) {
    file.write(compress(model_file_bytes(arrays_, info_)));
  } else {
    write_model(arrays_, info_, file);
  }
  file.commit();
}

Forest Forest::load(const std::string& path) {
  auto backing = std::make_unique<Backing>(path);
  std::span<const std::byte> bytes = backing->file->bytes();
  if (is_compressed(bytes)) {
    backing->unpacked_file = decompress(bytes, path);
    backing->file.reset();
    bytes = backing->unpacked_file;
  }
  ModelView model = read_model(bytes, path);
  backing->unpacked_payload = std::move(model.unpacked_payload);
  return Forest(std::move(backing), model.arrays, std::move(model.info));
}

void Forest::save_json(const std::string& path) const {
  AtomicFile file(path);
  write_json_model(arrays_, info_, file);
  file.commit();
}

Forest Forest::load_json(const std::string& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  StoredModel model = read_json_model(text, path);
  auto backing = std::make_unique<Backing>(std::move(model.storage));
  const ForestArrays arrays = views_of(backing->storage);
  validate(arrays, model.info, path);
  return Forest(std::move(backing), arrays, std::move(model.info));
}

}  // namespace coppice
