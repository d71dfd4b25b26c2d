// The calls of c_api.h that keep forests and answer questions about them.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "coppice/error.h"
#include "data/place.h"
#include "data/spelling.h"
#include "infer/votes.h"

namespace coppice {
namespace {

const Forest& required_forest(const CoppiceForest* forest) {
  return required(forest, "forest").forest;
}

template <class T>
const T& element(const std::vector<T>& list, std::size_t index, const char* what) {
  if (index < list.size()) return list[index];
  throw Error(
      ErrorKind::invalid_option,
      fmt::format("there is no {} {}; there are {}, numbered from 0", what, index, list.size()));
}

const Feature& required_feature(const CoppiceForest* forest, std::size_t feature) {
  return element(required_forest(forest).info().schema.features, feature, "feature");
}

bool has_classes(const Forest& forest) { return predicts_classes(forest.info().payload_kind); }

// Null if the training left no such fact and had no such option.
const std::string* find_fact(const ForestInfo& info, const std::string& name) {
  if (const auto fact = info.facts.find(name); fact != info.facts.end()) return &fact->second;
  for (const auto& [option, value] : info.options)
    if (option == name) return &value;
  return nullptr;
}

template <class Named>
std::vector<std::string> names_of(const Named& named) {
  std::vector<std::string> names;
  names.reserve(named.size());
  for (const auto& entry : named) names.push_back(entry.first);
  return names;
}

[[noreturn]] void refuse_unknown(const std::string& what, const std::string& name,
                                 const std::vector<std::string>& names) {
  throw Error(ErrorKind::invalid_option,
              "the forest has no " + what + " " + quoted(name) + "; it has " + listed(names));
}

}  // namespace
}  // namespace coppice

using namespace coppice;

CoppiceStatus coppice_forest_save(const CoppiceForest* forest, const char* path) {
  return guarded([&] { required_forest(forest).save(required_path(path)); });
}

CoppiceStatus coppice_forest_save_json(const CoppiceForest* forest, const char* path) {
  return guarded([&] { required_forest(forest).save_json(required_path(path)); });
}

CoppiceStatus coppice_forest_load(const char* path, CoppiceForest** forest) {
  return guarded([&] {
    CoppiceForest*& output = required_output(forest, "forest");
    output = new CoppiceForest(Forest::load(required_path(path)));
  });
}

CoppiceStatus coppice_forest_load_json(const char* path, CoppiceForest** forest) {
  return guarded([&] {
    CoppiceForest*& output = required_output(forest, "forest");
    output = new CoppiceForest(Forest::load_json(required_path(path)));
  });
}

void coppice_forest_free(CoppiceForest* forest) { delete forest; }

CoppiceStatus coppice_forest_facts(const CoppiceForest* forest, CoppiceForestFacts* facts) {
  return guarded([&] {
    const Forest& model = required_forest(forest);
    write_struct({.struct_size = 0,
                  .trees = model.trees(),
                  .splits = model.arrays().splits(),
                  .leaves = model.arrays().leaves(),
                  .features = model.info().schema.features.size(),
                  .outputs = outputs_of(model),
                  .payload = has_classes(model) ? coppice_class_histogram : coppice_mean_variance},
                 facts, "facts");
  });
}

CoppiceStatus coppice_forest_feature(const CoppiceForest* forest, size_t feature,
                                     const char** name) {
  return guarded([&] { required(name, "name") = required_feature(forest, feature).name.c_str(); });
}

CoppiceStatus coppice_forest_output(const CoppiceForest* forest, size_t output, const char** name) {
  return guarded([&] {
    const Forest& model = required_forest(forest);
    const Schema& schema = model.info().schema;
    required(name, "name") = has_classes(model) ? element(schema.classes, output, "class").c_str()
                                                : element(schema.targets, output, "target").c_str();
  });
}

CoppiceStatus coppice_forest_categories(const CoppiceForest* forest, size_t feature,
                                        size_t* count) {
  return guarded(
      [&] { required(count, "count") = required_feature(forest, feature).categories.size(); });
}

CoppiceStatus coppice_forest_category(const CoppiceForest* forest, size_t feature, size_t category,
                                      const char** name) {
  return guarded([&] {
    const Feature& described = required_feature(forest, feature);
    required(name, "name") = element(described.categories, category, "category").c_str();
  });
}

CoppiceStatus coppice_forest_fact(const CoppiceForest* forest, const char* name,
                                  const char** value) {
  return guarded([&] {
    const ForestInfo& info = required_forest(forest).info();
    const std::string wanted = required_text(name, "name");
    const std::string* const found = find_fact(info, wanted);
    if (found == nullptr) refuse_unknown("fact", wanted, names_of(info.facts));
    required(value, "value") = found->c_str();
  });
}

CoppiceStatus coppice_forest_importances(const CoppiceForest* forest, const char* name,
                                         float* importances, size_t size) {
  return guarded([&] {
    const ForestInfo& info = required_forest(forest).info();
    const std::string wanted = required_text(name, "name");
    const auto found = info.importances.find(wanted);
    if (found == info.importances.end())
      refuse_unknown("importance", wanted, names_of(info.importances));
    const auto output = required_array(importances, size, found->second.size(), "importances");
    std::copy(found->second.begin(), found->second.end(), output.begin());
  });
}

CoppiceStatus coppice_forest_out_of_bag(const CoppiceForest* forest, double* mean, size_t mean_size,
                                        uint32_t* votes, size_t votes_size) {
  return guarded([&] {
    const auto& oob = required(forest, "forest").out_of_bag;
    if (!oob)
      throw Error(ErrorKind::invalid_option,
                  "the forest has no out-of-bag estimates: it was loaded, or trained without them");
    const auto means = optional_array(mean, mean_size, oob->mean.size(), "mean");
    const auto counts = optional_array(votes, votes_size, oob->votes.size(), "votes");
    if (!means.empty()) std::copy(oob->mean.begin(), oob->mean.end(), means.begin());
    if (!counts.empty()) std::copy(oob->votes.begin(), oob->votes.end(), counts.begin());
  });
}
