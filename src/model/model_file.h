// The model file, format versions 1.0 to 1.2: a safetensors file whose arrays are those of the
// forest. doc/model_format.md describes it byte by byte.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "coppice/model.h"
#include "model/safetensors.h"

namespace coppice {

// Arrays point into the file; only info, and payloads of less than full precision, are copied.
struct ModelView {
  ForestArrays arrays;
  ForestInfo info;
  std::vector<float> unpacked_payload;  // where `arrays` finds it then
};

// The bytes are a pure function of the forest.
// REQUIRES: a valid forest. Sections `beside` those of the model have names that begin with "x-",
// which read_model() skips, and the widest elements. Trees without leaves (payload size 0) make a
// file that only read_splits() takes.
void write_model(const ForestArrays&, const ForestInfo&, AtomicFile&,
                 std::span<const Section> beside = {});

// What write_model() would write.
std::vector<std::byte> model_file_bytes(const ForestArrays&, const ForestInfo&);

// How many bytes write_model() would write.
std::size_t model_bytes(const ForestArrays&, const ForestInfo&);

// Throws Error(corrupt_model), with `source` as the name of the file, unless the bytes are whole
// and a valid forest. REQUIRES: `file` begins at a multiple of 8 bytes in memory.
ModelView read_model(std::span<const std::byte> file, const std::string& source);

// The same for a file of trees without leaves.
ModelView read_splits(std::span<const std::byte> file, const std::string& source);

// The CRC-32 of a whole file, its eight checksum digits (the first at `digits`) taken as zeros.
std::string checksum_of(std::span<const std::byte> file, std::size_t digits);

}  // namespace coppice
