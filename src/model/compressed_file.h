// Model files in compressed form: gzip around the bytes of model_file.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace coppice {

bool is_compressed(std::span<const std::byte> file);

std::vector<std::byte> compress(std::span<const std::byte> plain);

// Throws Error(corrupt_model), with `source` as the name of the file, if the bytes are damaged or
// stand for more than 32 times as many and a megabyte: no model does.
std::vector<std::byte> decompress(std::span<const std::byte> file, const std::string& source);

}  // namespace coppice
