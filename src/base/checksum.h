// The CRC-32 of model files, the one of zlib and gzip, as fast as memory is read where the
// processor multiplies without carries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace coppice {

// Of what `crc` is the checksum of, followed by these bytes; 0 is the checksum of nothing.
std::uint32_t crc32_after(std::uint32_t crc, std::span<const std::byte> bytes);

}  // namespace coppice
