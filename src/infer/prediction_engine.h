// From rows to answers with one engine: tiles of rows, batches of trees, votes. Answers depend on
// neither the engine nor the tiles nor the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/worker_team.h"
#include "coppice/model.h"
#include "coppice/predict.h"
#include "infer/compiled_forest.h"
#include "infer/row_blocks.h"
#include "infer/vote_counter.h"

namespace coppice {

class PredictionEngine {
 public:
  // Keeps a reference to the forest.
  explicit PredictionEngine(const Forest& forest)
      : PredictionEngine(forest, engines_for(forest).back()) {}
  // REQUIRES: the engine is one of engines_for(forest).
  PredictionEngine(const Forest& forest, Engine engine)
      : forest_(forest), compiled_(forest, engine), counter_(forest) {}

  const Forest& forest() const { return forest_; }
  const CompiledForest& compiled() const { return compiled_; }
  std::size_t features() const { return compiled_.feature_keys().size(); }

  Predictions predict(const RowSource&, std::size_t rows, const RunContext&) const;
  LeafIds find_leaf_ids(const RowSource&, std::size_t rows, const RunContext&) const;

  // Calls on_leaves(batch, first row) for all trees of a tile of rows in their order, then
  // on_rows(first, count). Tiles are shared out among threads.
  template <class OnLeaves, class OnRows>
  void for_each_tile(const RowSource&, std::size_t rows, const RunContext&, OnLeaves&&,
                     OnRows&&) const;

 private:
  static constexpr std::size_t kTreesPerBatch = 16;  // whose leaves are in memory at once

  template <class OnLeaves>
  void find_leaves(const CompiledForest::Tile&, std::vector<std::uint32_t>& leaves,
                   std::size_t first, OnLeaves&&) const;

  // for_each_tile for few rows: one by one, through many trees at a time, on this thread and, up to
  // 256 features, without memory from the heap.
  template <class OnLeaves, class OnRows>
  void for_each_row(const RowSource&, std::size_t rows, OnLeaves&&, OnRows&&) const;

  const Forest& forest_;
  CompiledForest compiled_;
  VoteCounter counter_;
};

template <class OnLeaves, class OnRows>
void PredictionEngine::for_each_tile(const RowSource& source, std::size_t rows,
                                     const RunContext& context, OnLeaves&& on_leaves,
                                     OnRows&& on_rows) const {
  const std::size_t workers = worker_count(context.threads);
  const std::size_t per_tile = balanced_tile(rows, workers, compiled_.rows_per_tile());
  const std::size_t tiles = (rows + per_tile - 1) / per_tile;
  struct Buffers {
    CompiledForest::Tile tile;
    std::vector<std::uint32_t> leaves = {};
  };
  std::vector<Buffers> buffers(std::min(workers, tiles), {CompiledForest::Tile(compiled_)});
  for_each_task(tiles, workers, [&](std::size_t worker, std::size_t task) {
    const std::size_t first = task * per_tile, count = std::min(per_tile, rows - first);
    auto& [tile, leaves] = buffers[worker];
    tile.load(source, first, count);
    find_leaves(tile, leaves, first, on_leaves);
    on_rows(first, count);
  });
}

template <class OnLeaves>
void PredictionEngine::find_leaves(const CompiledForest::Tile& tile,
                                   std::vector<std::uint32_t>& leaves, std::size_t first,
                                   OnLeaves&& on_leaves) const {
  const std::size_t trees = compiled_.trees(), rows = tile.rows();
  leaves.resize(kTreesPerBatch * rows);
  for (std::size_t tree = 0; tree < trees; tree += kTreesPerBatch) {
    const LeafBatch batch{leaves.data(), tree, std::min(kTreesPerBatch, trees - tree), rows};
    compiled_.find_leaves(tile, {tree, batch.trees}, batch.leaves);
    on_leaves(batch, first);
  }
}

}  // namespace coppice
