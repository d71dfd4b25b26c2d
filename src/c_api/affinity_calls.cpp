// The calls of c_unlabelled.h about rows that are alike, and about those worth a label.
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "c_api/boundary.h"
#include "c_api/conformed_rows.h"
#include "c_api/handles.h"
#include "coppice/c_unlabelled.h"
#include "coppice/embedding.h"
#include "coppice/error.h"
#include "coppice/query.h"
#include "data/place.h"

namespace coppice {
namespace {

QueryStrategy strategy_named(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, QueryStrategy>, 3> kStrategies{
      {{"entropy", QueryStrategy::entropy},
       {"margin", QueryStrategy::margin},
       {"disagreement", QueryStrategy::disagreement}}};
  for (const auto& [known, strategy] : kStrategies)
    if (known == name) return strategy;
  throw Error(ErrorKind::invalid_option,
              "strategy " + quoted(name) + " is not known; use entropy, margin or disagreement");
}

}  // namespace
}  // namespace coppice

using namespace coppice;

CoppiceStatus coppice_embed(const CoppiceForest* forest, const CoppiceDataset* dataset,
                            size_t threads, size_t dimensions, double* coordinates, size_t size,
                            size_t* intrinsic) {
  return guarded([&] {
    const ConformedRows rows = conformed_rows(forest, dataset);
    const std::size_t expected = product(rows.view().rows, dimensions);
    const auto output = required_array(coordinates, size, expected, "coordinates");
    const Embedding found =
        embed(forest->forest, rows.view(), {.dimensions = dimensions}, on_threads(threads));
    copy_to(output, found.coordinates);
    if (intrinsic != nullptr) *intrinsic = found.profile.intrinsic_dimension;
  });
}

CoppiceStatus coppice_cluster(const CoppiceForest* forest, const CoppiceDataset* dataset,
                              size_t threads, size_t clusters, uint64_t seed, uint32_t* cluster,
                              size_t size) {
  return guarded([&] {
    const ConformedRows rows = conformed_rows(forest, dataset);
    const auto output = required_array(cluster, size, rows.view().rows, "cluster");
    const ClusterOptions options{.clusters = clusters, .seed = seed};
    copy_to(output,
            coppice::cluster(forest->forest, rows.view(), options, on_threads(threads)).cluster);
  });
}

CoppiceStatus coppice_query(const CoppiceForest* forest, const CoppiceDataset* pool, size_t threads,
                            const char* strategy, double diversity, size_t* rows, double* scores,
                            size_t size) {
  return guarded([&] {
    const ConformedRows known = conformed_rows(forest, pool);
    if (size > known.view().rows) refuse_size("rows", size, known.view().rows);
    const auto chosen = required_array(rows, size, size, "rows");
    const auto worth = optional_array(scores, size, size, "scores");
    const QueryOptions options{.strategy = strategy_named(required_text(strategy, "strategy")),
                               .batch = size,
                               .diversity = diversity};
    const std::vector<QueriedRow> found =
        query(forest->predictor(), known.view(), options, on_threads(threads));
    for (std::size_t i = 0; i < found.size(); ++i) {
      chosen[i] = found[i].row;
      if (!worth.empty()) worth[i] = found[i].score;
    }
  });
}
