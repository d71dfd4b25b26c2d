// The header of a NumPy array file: what the bytes after it are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/text_source.h"

namespace coppice {

enum class NpyType : std::uint8_t { f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, b1 };

struct NpyHeader {
  NpyType type = NpyType::f4;
  std::size_t item_bytes = 4;
  bool fortran_order = false;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

// Reads the header and checks that exactly the announced number of bytes follows. Throws
// Error(invalid_data) for damaged files and for arrays that are no table of little-endian numbers.
NpyHeader read_npy_header(TextSource&);

}  // namespace coppice
