// Any lines "name value" as options of the command line: refused with Error(invalid_option), or
// options that are shown as text that sets them again.
#include <string>
#include <string_view>

#include "coppice/error.h"
#include "tasks/option_table.h"
#include "tests/fuzz/used_forest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!text.empty() && pairs.size() < 20) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t space = std::min(line.find(' '), line.size());
    pairs.emplace_back(line.substr(0, space), line.substr(std::min(space + 1, line.size())));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  try {
    FitOptions options;
    set_options(options, pairs);
    const auto shown = shown_options(options);
    FitOptions again;
    set_options(again, shown);
    fuzz::require(shown_options(again) == shown);
  } catch (const Error& error) {
    // A value may be the name of a file that cannot be read.
    fuzz::require(error.kind() == ErrorKind::invalid_option || error.kind() == ErrorKind::io);
  }
  return 0;
}
