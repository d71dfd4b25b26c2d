#include "infer/compiled_forest.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/depth.h"

namespace coppice {
namespace {

// Measured; sizes around these change little.
constexpr std::size_t kSmallTree = std::size_t{64} << 10;
constexpr std::size_t kNearBytes = std::size_t{1} << 21;
constexpr std::size_t kFarBytes = std::size_t{4} << 20;
constexpr std::size_t kMostRows = 16384;
constexpr std::size_t kTogetherBytes = std::size_t{64} << 10;

// Small trees and their payloads are fetched again for every tile, which stays near; of large
// trees, each is fetched once for as many rows as possible.
std::size_t tile_rows(const Forest& forest, std::size_t forest_bytes) {
  const std::size_t row_bytes = forest.info().schema.features.size() * sizeof(std::uint32_t);
  const std::size_t tree_bytes = forest_bytes / forest.trees();
  const std::size_t rows = (tree_bytes <= kSmallTree ? kNearBytes : kFarBytes) / row_bytes;
  return std::clamp(rows, kRowsPerBlock, kMostRows) / KeyTile::kLanes * KeyTile::kLanes;
}

}  // namespace

std::string_view engine_name(Engine engine) {
  switch (engine) {
    case Engine::wide:
      return "wide";
    case Engine::packed:
      return "packed";
    case Engine::packed_avx2:
      return "packed-avx2";
    case Engine::coded_avx512:
      return "coded-avx512";
    case Engine::projected:
      return "projected";
  }
  return "";
}

std::vector<Engine> engines_for(const Forest& forest) {
  if (forest.arrays().projections.count() > 0) return {Engine::projected};
  std::vector<Engine> engines{Engine::wide};
  if (!fits_packed_nodes(forest)) return engines;
  engines.push_back(Engine::packed);
  if (processor_has_avx2()) engines.push_back(Engine::packed_avx2);
  if (CodedTrees::fit(forest))
    engines.insert(CodedTrees::pay(forest) ? engines.end() : engines.begin(), Engine::coded_avx512);
  return engines;
}

EngineChoice choose_engine(const Forest& forest) {
  const Engine engine = engines_for(forest).back();
  const ForestArrays& arrays = forest.arrays();
  if (engine == Engine::projected)
    return {engine,
            fmt::format("{} splits compare sums of several features", arrays.projections.count())};
  if (engine == Engine::wide)
    return {engine, fmt::format("{} features and the largest tree do not fit into nodes of 8 bytes",
                                forest.info().schema.features.size())};
  if (engine == Engine::coded_avx512)
    return {engine, fmt::format("the trees have {} levels at most, and AVX-512 takes a row through "
                                "16 of them at once",
                                max_depth(arrays))};
  const std::string fits = fmt::format("the {} nodes of a tree on average fit into 8 bytes each",
                                       (arrays.splits() + arrays.leaves()) / arrays.trees());
  if (engine == Engine::packed) return {engine, fits + ", and this processor has no AVX2"};
  if (!arrays.category_words.empty())
    return {engine, fits + ", and category sets are asked without branches"};
  return {engine, fits + ", and AVX2 answers the top of a tree for eight rows at once"};
}

CompiledForest::CompiledForest(const Forest& forest, Engine engine)
    : engine_(engine), trees_(forest.trees()) {
  for (const Feature& feature : forest.info().schema.features) features_.emplace_back(feature);
  if (engine == Engine::projected) {
    projected_.emplace(forest);
  } else if (engine == Engine::wide) {
    walker_ = Walker<WideNode>{lay_out<WideNode>(forest), portable_walks<WideNode>()};
  } else {
    walker_ = Walker<PackedNode>{lay_out<PackedNode>(forest), engine == Engine::packed
                                                                  ? portable_walks<PackedNode>()
                                                                  : avx2_walks<PackedNode>()};
  }
  if (engine == Engine::coded_avx512) coded_.emplace(forest);
  rows_per_tile_ = tile_rows(forest, bytes());
  trees_per_block_ =
      std::clamp<std::size_t>(kTogetherBytes * trees_ / bytes(), 1, kMostTreesPerBlock);
}

std::size_t CompiledForest::bytes() const {
  if (projected_) return projected_->bytes();
  return std::visit([](const auto& walker) { return walker.layout.bytes(); }, walker_) +
         (coded_ ? coded_->bytes() : 0);
}

void CompiledForest::Tile::load(const RowSource& source, std::size_t first, std::size_t count) {
  rows_ = count;
  if (forest_->projected_) {
    values_ = source.rows(first, count, copied_);
    return;
  }
  keys_.load(source, first, count);
  if (forest_->coded_) codes_.load(keys_, forest_->coded_->codes());
}

void CompiledForest::find_leaves(const Tile& tile, TreeRange trees, std::uint32_t* leaves) const {
  if (projected_)
    return projected_->find_leaves(tile.values_, tile.rows_, features_.size(), trees.first,
                                   trees.count, leaves);
  if (coded_) return coded_->find_leaves(tile.codes_, trees, leaves);
  std::visit(
      [&](const auto& walker) {
        for (std::size_t done = 0; done < trees.count; done += trees_per_block_) {
          const TreeRange some{trees.first + done, std::min(trees_per_block_, trees.count - done)};
          walker.walks.tile(walker.layout, some, tile.keys_, leaves + done * tile.rows_);
        }
      },
      walker_);
}

void CompiledForest::find_leaves(const RowKeys& row, std::size_t first,
                                 std::span<std::uint32_t> leaves) const {
  std::visit(
      [&](const auto& walker) {
        walker.walks.row(walker.layout, first, row.keys(), row.column_mask(), leaves);
      },
      walker_);
}

CompiledForest::RowKeys::RowKeys(const CompiledForest& forest, const RowSource& source,
                                 std::size_t row) {
  const std::size_t features = forest.features_.size();
  const std::uint32_t bits = feature_bits(features);
  const std::size_t plane = std::size_t{1} << bits;
  if (plane + features > std::size(few_)) many_.resize(plane + features);
  std::uint32_t* keys = many_.empty() ? few_ : many_.data();
  for (std::size_t f = 0; f < features; ++f) {
    float value;
    source.values(f, row, 1, &value);
    keys[f] = forest.features_[f](value);
    keys[plane + f] = keys[f] == kMissingRightKey ? kMissingLeftKey : keys[f];
  }
  column_mask_ = (1u << (bits + 1)) - 1;
}

}  // namespace coppice
