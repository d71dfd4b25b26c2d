// One split, leaf or payload row per line; doc/model_format.md describes the keys.
#include "model/json_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

#include "base/checked.h"
#include "coppice/error.h"
#include "model/info_json.h"
#include "model/json_reader.h"

namespace coppice {
namespace {

constexpr unsigned kMajorVersion = 1;

// --- Writing -------------------------------------------------------------------------------------

std::string_view index_name(const PayloadIndex& index) {
  if (!index.narrow.empty()) return "U8";
  if (!index.medium.empty()) return "U16";
  return index.wide.empty() ? "none" : "U32";
}

std::string numbers_json(std::span<const float> values) {
  std::string json = "[";
  for (const float value : values) {
    if (json.size() > 1) json += ',';
    json += json_number(value);
  }
  return json + "]";
}

std::string importances_json(const std::map<std::string, std::vector<float>>& importances) {
  std::string json = "{";
  for (const auto& [name, values] : importances) {
    json += json.size() > 1 ? ",\n    " : "\n    ";
    json += json_string(name) + ":" + numbers_json(values);
  }
  return json + "}";
}

std::string split_json(const Split& split) {
  const std::string test = split.kind == Split::Kind::category_set
                               ? fmt::format("\"first_word\":{}", split.first_word)
                               : "\"less_than\":" + json_number(split.threshold);
  const std::string_view what = split.kind == Split::Kind::projection ? "projection" : "feature";
  return fmt::format("{{\"{}\":{},{},\"missing_left\":{},\"right\":{},\"right_is_leaf\":{}}}", what,
                     split.feature, test, split.missing_left, split.right, split.right_is_leaf);
}

std::string projection_json(const ProjectionArrays& all, std::size_t number) {
  std::string terms;
  for (std::size_t t = all.first_term[number]; t < all.first_term[number + 1]; ++t) {
    const Term term = all.term(t);
    if (!terms.empty()) terms += ',';
    terms +=
        fmt::format("{{\"feature\":{},\"partner\":{},\"first_word\":{},\"coefficient\":{}}}",
                    term.feature, term.partner, term.first_word, json_number(term.coefficient));
  }
  return fmt::format("{{\"at_least\":{},\"terms\":[{}]}}", json_number(all.lower[number]), terms);
}

void write_projections(const ProjectionArrays& all, AtomicFile& file) {
  if (all.count() == 0) return;
  file.write(",\n  \"centres\":" + numbers_json(all.centre));
  file.write(",\n  \"projections\":[");
  for (std::size_t p = 0; p < all.count(); ++p) {
    file.write(p > 0 ? ",\n    " : "\n    ");
    file.write(projection_json(all, p));
  }
  file.write("]");
}

void write_tree(const ForestArrays& arrays, std::size_t tree, AtomicFile& file) {
  const std::size_t splits = arrays.first_split[tree + 1] - arrays.first_split[tree];
  file.write("\n    {\"splits\":[");
  for (std::size_t local = 0; local < splits; ++local) {
    file.write(local > 0 ? ",\n      " : "\n      ");
    file.write(split_json(arrays.split(tree, local)));
  }
  file.write("],\n     \"leaves\":[");
  for (std::size_t local = 0; local <= splits; ++local) {
    const std::size_t leaf = arrays.first_leaf(tree) + local;
    file.write(fmt::format("{}\n      {{\"row\":{},\"support\":{}}}", local > 0 ? "," : "",
                           arrays.payload_row[leaf], json_number(arrays.support[leaf])));
  }
  file.write("]}");
}

// --- Reading -------------------------------------------------------------------------------------

std::string line_and_column(std::string_view text, std::size_t position,
                            const std::string& source) {
  const std::string_view before = text.substr(0, position);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t last = before.rfind('\n');
  const std::size_t column = last == std::string_view::npos ? position + 1 : position - last;
  return fmt::format("{}:{}:{}", source, lines + 1, column);
}

std::vector<float> read_numbers(JsonReader& reader) {
  std::vector<float> values;
  reader.array([&] { values.push_back(reader.number()); });
  return values;
}

class JsonModelReader {
 public:
  JsonModelReader(std::string_view text, const std::string& source)
      : reader_(text, [text, source](std::size_t position) {
          return line_and_column(text, position, source);
        }) {}

  StoredModel read() {
    reader_.object([&](const std::string& key) { read_member(key); });
    reader_.end();
    if (members_ != kMembers) reader_.fail("the model is not complete: a key is missing");
    store_index();
    return std::move(model_);
  }

 private:
  static constexpr std::size_t kMembers = 11;

  void read_member(const std::string& key) {
    ForestInfo& info = model_.info;
    if (key == "ensemble") {  // may be absent
      const auto ensemble = ensemble_named(reader_.string());
      if (!ensemble) reader_.fail("unknown kind of ensemble");
      info.ensemble = *ensemble;
      return;
    }
    if (key == "payload_precision") {  // may be absent
      const auto precision = precision_named(reader_.string());
      if (!precision) reader_.fail("unknown precision of payloads");
      info.precision = *precision;
      return;
    }
    if (key == "calibration") {  // may be absent
      info.calibration = read_numbers(reader_);
      return;
    }
    ++members_;
    if (key == "format") {
      if (reader_.string() != "coppice") reader_.fail("this is not a coppice model");
    } else if (key == "format_version") {
      check_version(reader_.string());
    } else if (key == "payload_kind") {
      const auto kind = payload_kind_named(reader_.string());
      if (!kind) reader_.fail("unknown kind of payload");
      info.payload_kind = *kind;
    } else if (key == "schema") {
      info.schema = read_schema(reader_);
    } else if (key == "options") {
      info.options = read_string_pairs(reader_);
    } else if (key == "facts") {
      for (auto& [name, value] : read_string_pairs(reader_)) info.facts[name] = value;
    } else if (key == "importances") {
      reader_.object(
          [&](const std::string& name) { info.importances[name] = read_numbers(reader_); });
    } else {
      read_array_member(key);
    }
  }

  void read_array_member(const std::string& key) {
    ForestStorage& storage = model_.storage;
    if (key == "category_words") {
      reader_.array([&] { storage.category_words.push_back(reader_.unsigned_32()); });
    } else if (key == "centres") {
      --members_;  // may be left out
      storage.projections.centre = read_numbers(reader_);
    } else if (key == "projections") {
      --members_;
      storage.projections.first_term.push_back(0);
      reader_.array([&] { read_projection(); });
    } else if (key == "payload_index") {
      index_name_ = reader_.string();
    } else if (key == "payload") {
      reader_.array([&] { read_payload_row(); });
    } else if (key == "trees") {
      reader_.array([&] { read_tree(); });
    } else {
      reader_.fail("unknown key '" + key + "'");
    }
  }

  void check_version(const std::string& version) {
    const std::size_t dot = version.find('.');
    if (dot != std::string::npos && version.substr(0, dot) == std::to_string(kMajorVersion)) return;
    reader_.fail(fmt::format("the model is written in format {}, but this program reads {}.x",
                             version, kMajorVersion));
  }

  void read_projection() {
    ProjectionStorage& all = model_.storage.projections;
    std::optional<float> lower;
    reader_.object([&](const std::string& key) {
      if (key == "at_least") {
        lower = reader_.number();
      } else if (key == "terms") {
        reader_.array([&] { read_term(); });
      } else {
        reader_.fail("unknown key '" + key + "' of a projection");
      }
    });
    if (!lower) reader_.fail("a projection needs at_least and terms");
    all.lower.push_back(*lower);
    all.first_term.push_back(
        checked_narrow<std::uint32_t>(all.feature.size(), "the number of terms"));
  }

  void read_term() {
    ProjectionStorage& all = model_.storage.projections;
    std::optional<std::uint32_t> feature, partner, word;
    std::optional<float> coefficient;
    reader_.object([&](const std::string& key) {
      if (key == "feature") {
        feature = reader_.unsigned_32();
      } else if (key == "partner") {
        partner = reader_.unsigned_32();
      } else if (key == "first_word") {
        word = reader_.unsigned_32();
      } else if (key == "coefficient") {
        coefficient = reader_.number();
      } else {
        reader_.fail("unknown key '" + key + "' of a term");
      }
    });
    if (!feature || !partner || !word || !coefficient)
      reader_.fail("a term needs feature, partner, first_word and coefficient");
    all.feature.push_back(*feature);
    all.partner.push_back(*partner);
    all.first_word.push_back(*word);
    all.coefficient.push_back(*coefficient);
  }

  void read_payload_row() {
    ForestStorage& storage = model_.storage;
    const std::vector<float> row = read_numbers(reader_);
    if (storage.payload.empty()) storage.payload_size = row.size();
    if (row.empty() || row.size() != storage.payload_size) {
      reader_.fail("a payload row is empty, or not as long as the first");
    }
    storage.payload.insert(storage.payload.end(), row.begin(), row.end());
  }

  void read_tree() {
    ForestStorage& storage = model_.storage;
    bool has_splits = false, has_leaves = false;
    reader_.object([&](const std::string& key) {
      if (key == "splits") {
        reader_.array([&] { read_split(); });
        has_splits = true;
      } else if (key == "leaves") {
        reader_.array([&] { read_leaf(); });
        has_leaves = true;
      } else {
        reader_.fail("unknown key '" + key + "' of a tree");
      }
    });
    if (!has_splits || !has_leaves) reader_.fail("a tree without splits or leaves");
    const std::size_t leaves = storage.right.size() + storage.first_split.size();
    if (storage.support.size() != leaves) reader_.fail("a tree has one leaf more than splits");
    storage.first_split.push_back(
        checked_narrow<std::uint32_t>(storage.right.size(), "the number of splits"));
  }

  void read_split() {
    std::optional<std::uint32_t> right, feature, threshold;
    std::uint32_t code = 0;
    reader_.object([&](const std::string& key) {
      if ((key == "feature" || key == "projection") && !feature) {
        feature = reader_.unsigned_32();
        if (*feature > SplitCode::kFeatureMask) reader_.fail("no feature has this number");
        if (key == "projection")
          code |= static_cast<std::uint32_t>(Split::Kind::projection) << SplitCode::kKindShift;
      } else if (key == "right") {
        right = reader_.unsigned_32();
      } else if (key == "missing_left") {
        if (reader_.boolean()) code |= SplitCode::kMissingLeft;
      } else if (key == "right_is_leaf") {
        if (reader_.boolean()) code |= SplitCode::kRightIsLeaf;
      } else if (key == "less_than" && !threshold) {
        threshold = std::bit_cast<std::uint32_t>(reader_.number());
      } else if (key == "first_word" && !threshold) {
        threshold = reader_.unsigned_32();
        code |= static_cast<std::uint32_t>(Split::Kind::category_set) << SplitCode::kKindShift;
      } else {
        reader_.fail("unknown key '" + key + "' of a split, or a second threshold");
      }
    });
    if (!right || !feature || !threshold) {
      reader_.fail("a split needs feature, right, and less_than or first_word");
    }
    model_.storage.right.push_back(*right);
    model_.storage.threshold.push_back(*threshold);
    model_.storage.code.push_back(code | *feature);
  }

  void read_leaf() {
    std::optional<std::uint32_t> row;
    std::optional<float> support;
    reader_.object([&](const std::string& key) {
      if (key == "row") {
        row = reader_.unsigned_32();
      } else if (key == "support") {
        support = reader_.number();
      } else {
        reader_.fail("unknown key '" + key + "' of a leaf");
      }
    });
    if (!row || !support) reader_.fail("a leaf needs row and support");
    model_.storage.payload_row_wide.push_back(*row);
    model_.storage.support.push_back(*support);
  }

  // The rows of the leaves, read as U32, in the width that the model asks for.
  void store_index() {
    ForestStorage& storage = model_.storage;
    std::vector<std::uint32_t>& rows = storage.payload_row_wide;
    const auto narrow = [&](auto& index) {
      using Index = typename std::remove_reference_t<decltype(index)>::value_type;
      for (const std::uint32_t row : rows) {
        if (!std::in_range<Index>(row)) reader_.fail("a payload row does not fit the index");
        index.push_back(static_cast<Index>(row));
      }
      rows.clear();
    };
    if (index_name_ == "U32") return;
    if (index_name_ == "U16") return narrow(storage.payload_row_medium);
    if (index_name_ == "U8") return narrow(storage.payload_row_narrow);
    if (index_name_ != "none") reader_.fail("payload_index must be none, U8, U16 or U32");
    for (std::size_t leaf = 0; leaf < rows.size(); ++leaf) {
      if (rows[leaf] != leaf) reader_.fail("without an index, leaf n must have payload row n");
    }
    rows.clear();
  }

  StoredModel model_;
  std::string index_name_;
  std::size_t members_ = 0;
  JsonReader reader_;
};

}  // namespace

void write_json_model(const ForestArrays& arrays, const ForestInfo& info, AtomicFile& file) {
  file.write(fmt::format(
      "{{\n  \"format\":\"coppice\",\n  \"format_version\":\"{}\",\n  \"payload_kind\":",
      format_version(arrays, info)));
  file.write(json_string(payload_kind_name(info.payload_kind)));
  if (info.ensemble != Ensemble::mean) {
    file.write(",\n  \"ensemble\":" + json_string(ensemble_name(info.ensemble)));
  }
  if (info.precision != PayloadPrecision::full) {
    file.write(",\n  \"payload_precision\":" + json_string(precision_name(info.precision)));
  }
  if (!info.calibration.empty()) {
    file.write(",\n  \"calibration\":" + numbers_json(info.calibration));
  }
  file.write(",\n  \"schema\":" + schema_json(info.schema, "\n    "));
  file.write(",\n  \"options\":" + options_json(info.options));
  file.write(",\n  \"facts\":" + facts_json(info.facts));
  file.write(",\n  \"importances\":" + importances_json(info.importances));
  file.write(fmt::format(",\n  \"category_words\":[{}]", fmt::join(arrays.category_words, ",")));
  write_projections(arrays.projections, file);
  file.write(fmt::format(",\n  \"payload_index\":\"{}\"", index_name(arrays.payload_row)));
  file.write(",\n  \"payload\":[");
  for (std::size_t first = 0; first < arrays.payload.size(); first += arrays.payload_size) {
    file.write(first > 0 ? ",\n    " : "\n    ");
    file.write(numbers_json(arrays.payload.subspan(first, arrays.payload_size)));
  }
  file.write("],\n  \"trees\":[");
  for (std::size_t tree = 0; tree < arrays.trees(); ++tree) {
    if (tree > 0) file.write(",");
    write_tree(arrays, tree, file);
  }
  file.write("]\n}\n");
}

StoredModel read_json_model(std::string_view text, const std::string& source) {
  return JsonModelReader(text, source).read();
}

}  // namespace coppice
