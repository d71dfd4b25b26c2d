// Chooses the reader.
#include <string>
#include <string_view>

#include "coppice/read.h"
#include "data/arff_reader.h"
#include "data/assemble.h"
#include "data/csv_reader.h"
#include "data/libsvm_reader.h"
#include "data/npy_reader.h"

namespace coppice {
namespace {

enum class Format { csv, tsv, npy, libsvm, arff };

struct FormatName {
  std::string_view name;
  Format format;
};
constexpr FormatName kFormatNames[] = {{"csv", Format::csv},    {"tsv", Format::tsv},
                                       {"npy", Format::npy},    {"libsvm", Format::libsvm},
                                       {"svm", Format::libsvm}, {"arff", Format::arff}};

bool ends_with(std::string_view path, std::string_view extension) {
  if (path.size() <= extension.size()) return false;
  path.remove_prefix(path.size() - extension.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c =
        path[i] >= 'A' && path[i] <= 'Z' ? static_cast<char>(path[i] - 'A' + 'a') : path[i];
    if (c != extension[i]) return false;
  }
  return true;
}

Format format_of(std::string_view path, const ReadOptions& options) {
  if (options.format) {
    for (const auto& [name, format] : kFormatNames) {
      if (*options.format == name) return format;
    }
    throw Error(ErrorKind::invalid_option, "there is no format " + quoted(*options.format) +
                                               "; there are csv, npy, libsvm and arff");
  }
  if (path == "-") return Format::csv;
  std::string_view plain = path;
  if (ends_with(plain, ".gz")) plain.remove_suffix(3);
  for (const auto& [name, format] : kFormatNames) {
    if (ends_with(plain, '.' + std::string(name))) return format;
  }
  throw Error(ErrorKind::invalid_option,
              "the name of " + quoted(path) +
                  " does not tell its format; say whether it is csv, npy, libsvm or arff");
}

Table read_table(TextSource& source, Format format, const ReadOptions& options) {
  switch (format) {
    case Format::npy:
      return read_npy(source, options);
    case Format::libsvm:
      return read_libsvm(source, options);
    case Format::arff:
      return read_arff(source, options);
    case Format::csv:
    case Format::tsv:
      break;
  }
  ReadOptions tabs = options;
  if (format == Format::tsv && !tabs.delimiter) tabs.delimiter = '\t';
  return read_csv(source, tabs);
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  const Format format = format_of(path, options);
  TextSource source(path);
  return assemble(read_table(source, format, options), source.name());
}

ReadOptions read_options_for(const Schema& schema) {
  ReadOptions options;
  options.targets = schema.targets;
  options.target_kind = schema.classes.empty() ? TargetKind::numbers : TargetKind::classes;
  for (const Feature& feature : schema.features) options.kinds[feature.name] = feature.kind;
  options.targets_optional = true;
  return options;
}

}  // namespace coppice
