#include "tasks/checkpoint_parts.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>

namespace coppice {
namespace {

// The number after "name." if it is one that part_path() writes, else 0.
std::size_t number_after(std::string_view name, std::string_view entry) {
  if (!entry.starts_with(name) || entry.size() < name.size() + 2 || entry[name.size()] != '.')
    return 0;
  entry.remove_prefix(name.size() + 1);
  std::size_t number = 0;
  const auto [end, problem] = std::from_chars(entry.data(), entry.data() + entry.size(), number);
  const bool whole = problem == std::errc{} && end == entry.data() + entry.size();
  return whole && entry.front() != '0' && number > 1 ? number : 0;
}

std::vector<std::size_t> further_parts(const std::string& checkpoint) {
  const std::size_t slash = checkpoint.rfind('/');
  const std::string name = slash == std::string::npos ? checkpoint : checkpoint.substr(slash + 1);
  const std::string folder = slash == std::string::npos ? "." : checkpoint.substr(0, slash + 1);
  const auto close = [](DIR* open) { ::closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> entries(::opendir(folder.c_str()), close);
  std::vector<std::size_t> found;
  if (!entries) return found;
  while (const dirent* entry = ::readdir(entries.get()))
    if (const std::size_t number = number_after(name, entry->d_name)) found.push_back(number);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::string part_path(const std::string& checkpoint, std::size_t part) {
  return part == 1 ? checkpoint : checkpoint + "." + std::to_string(part);
}

std::vector<std::size_t> parts_of(const std::string& checkpoint) {
  struct stat status = {};
  if (::stat(checkpoint.c_str(), &status) != 0) return {};
  std::vector<std::size_t> parts = further_parts(checkpoint);
  parts.insert(parts.begin(), 1);
  return parts;
}

void remove_further_parts(const std::string& checkpoint) {
  for (const std::size_t part : further_parts(checkpoint))
    std::remove(part_path(checkpoint, part).c_str());
}

}  // namespace coppice
