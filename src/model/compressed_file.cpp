#include "model/compressed_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "coppice/error.h"

namespace coppice {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, with header and checksum of gzip
constexpr std::size_t kMostRatio = 32, kAlways = std::size_t{1} << 20;

const unsigned char* zlib_bytes(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}

uInt chunk(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max() / 2));
}

// Feeds `input` to step(stream, last piece) and collects what it gives, up to `most` bytes. Returns
// the last answer of step().
template <class Step>
int run(z_stream& stream, std::span<const std::byte> input, std::size_t most,
        std::vector<std::byte>& output, Step&& step) {
  std::vector<std::byte> buffer(std::size_t{1} << 16);
  std::size_t fed = 0;
  int answer = Z_OK;
  while (answer == Z_OK && output.size() <= most) {
    if (stream.avail_in == 0 && fed < input.size()) {
      stream.next_in = const_cast<unsigned char*>(zlib_bytes(input.data() + fed));
      stream.avail_in = chunk(input.size() - fed);
      fed += stream.avail_in;
    }
    stream.next_out = reinterpret_cast<unsigned char*>(buffer.data());
    stream.avail_out = chunk(buffer.size());
    answer = step(stream, fed == input.size());
    output.insert(output.end(), buffer.begin(),
                  buffer.end() - static_cast<std::ptrdiff_t>(stream.avail_out));
  }
  return answer;
}

}  // namespace

bool is_compressed(std::span<const std::byte> file) {
  return file.size() >= 2 && file[0] == std::byte{0x1f} && file[1] == std::byte{0x8b};
}

std::vector<std::byte> compress(std::span<const std::byte> plain) {
  z_stream stream{};
  constexpr int kMemory = 9;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::vector<std::byte> packed;
  run(stream, plain, std::numeric_limits<std::size_t>::max() - 1, packed,
      [](z_stream& state, bool last) { return deflate(&state, last ? Z_FINISH : Z_NO_FLUSH); });
  deflateEnd(&stream);
  return packed;
}

std::vector<std::byte> decompress(std::span<const std::byte> file, const std::string& source) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  const std::size_t most = kMostRatio * file.size() + kAlways;
  std::vector<std::byte> plain;
  const int answer = run(stream, file, most, plain,
                         [](z_stream& state, bool) { return inflate(&state, Z_NO_FLUSH); });
  const bool whole = answer == Z_STREAM_END && stream.avail_in == 0;
  const uLong stop = stream.total_in;
  inflateEnd(&stream);
  if (answer == Z_MEM_ERROR) throw std::bad_alloc();
  if (plain.size() > most)
    throw Error(ErrorKind::corrupt_model,
                fmt::format("{}: holds more than any model compresses to (byte {})", source, stop));
  if (!whole)
    throw Error(
        ErrorKind::corrupt_model,
        fmt::format("{}: its compressed bytes are damaged or cut off (byte {})", source, stop));
  return plain;
}

}  // namespace coppice
