#include "coppice/query.h"

#include <algorithm>
#include <queue>

#include "coppice/error.h"
#include "coppice/metrics.h"
#include "data/row_selection.h"

namespace coppice {
namespace {

constexpr std::size_t kBlock = 1024;  // rows whose trees are asked one by one

void require(bool holds, const char* sentence) {
  if (!holds) throw Error(ErrorKind::invalid_option, sentence);
}

std::size_t most_probable(std::span<const float> shares) {
  return static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
}

// 1 - the distance between the two largest; with one class nothing is uncertain.
double closeness_of_best(std::span<const double> probabilities) {
  double best = 0, next = 0;
  for (const double p : probabilities) {
    next = std::max(next, std::min(best, p));
    best = std::max(best, p);
  }
  return probabilities.size() < 2 ? 0 : 1 - best + next;
}

double vote_entropy(std::span<const float> trees, std::size_t classes) {
  std::vector<double> shares(classes, 0);
  const std::size_t count = trees.size() / classes;
  for (std::size_t tree = 0; tree < count; ++tree)
    shares[most_probable(trees.subspan(tree * classes, classes))] += 1.0 / double(count);
  return entropy(shares);
}

double variance_between(std::span<const float> trees, std::size_t target, std::size_t targets) {
  const auto count = static_cast<double>(trees.size() / targets);
  double mean = 0, squares = 0;
  for (std::size_t n = target; n < trees.size(); n += targets) mean += double(trees[n]) / count;
  for (std::size_t n = target; n < trees.size(); n += targets) {
    const double distance = double(trees[n]) - mean;
    squares += distance * distance;
  }
  return squares / count;
}

// Calls use(row, what every tree says of it).
template <class Use>
void ask_trees(const Predictor& predictor, const DatasetView& pool, const RunContext& context,
               const Use& use) {
  for (std::size_t first = 0; first < pool.rows; first += kBlock) {
    const std::size_t count = std::min(kBlock, pool.rows - first);
    const std::vector<float> says =
        predictor.predict_per_tree(row_block(pool, first, count), context);
    const std::size_t width = says.size() / count;
    for (std::size_t row = 0; row < count; ++row)
      use(first + row, std::span(says).subspan(row * width, width));
  }
}

std::vector<double> class_uncertainties(const Predictor& predictor, const DatasetView& pool,
                                        QueryStrategy strategy, const RunContext& context) {
  std::vector<double> found(pool.rows);
  if (strategy == QueryStrategy::disagreement) {
    require(predictor.forest().info().payload_kind == PayloadKind::class_histogram,
            "disagreement counts the votes of the trees, but those of this model hold scores that "
            "mean something only when they are added up; try entropy or margin");
    const std::size_t classes = predictor.forest().info().schema.classes.size();
    ask_trees(predictor, pool, context, [&](std::size_t row, std::span<const float> trees) {
      found[row] = vote_entropy(trees, classes);
    });
    return found;
  }
  const Predictions says = predictor.predict(pool, context);
  for (std::size_t row = 0; row < pool.rows; ++row) {
    const auto probabilities = std::span(says.mean).subspan(row * says.outputs, says.outputs);
    found[row] = strategy == QueryStrategy::entropy ? entropy(probabilities)
                                                    : closeness_of_best(probabilities);
  }
  return found;
}

// Rows x targets.
std::vector<double> variances(const Predictor& predictor, const DatasetView& pool,
                              QueryStrategy strategy, const RunContext& context) {
  require(strategy != QueryStrategy::margin,
          "a margin is between classes, but this model predicts numbers; try entropy or "
          "disagreement");
  if (strategy == QueryStrategy::entropy) return predictor.predict(pool, context).variance;
  const std::size_t targets = predictor.forest().info().schema.targets.size();
  std::vector<double> found(pool.rows * targets);
  ask_trees(predictor, pool, context, [&](std::size_t row, std::span<const float> trees) {
    for (std::size_t k = 0; k < targets; ++k)
      found[row * targets + k] = variance_between(trees, k, targets);
  });
  return found;
}

std::vector<double> averaged(const std::vector<double>& variances, std::size_t rows) {
  const std::size_t targets = variances.size() / std::max<std::size_t>(rows, 1);
  std::vector<double> found(rows, 0);
  for (std::size_t k = 0; k < targets; ++k) {
    double mean = 0;
    for (std::size_t row = 0; row < rows; ++row)
      mean += variances[row * targets + k] / static_cast<double>(rows);
    for (std::size_t row = 0; mean > 0 && row < rows; ++row)
      found[row] += variances[row * targets + k] / mean / static_cast<double>(targets);
  }
  return found;
}

// Chosen one after the other. A score can only fall while rows are chosen, so that one that was
// computed earlier is a bound: only rows that come to the top are computed anew.
class GreedyChoice {
 public:
  GreedyChoice(const std::vector<double>& uncertainties, const LeafIds& ids, double diversity)
      : ids_(ids), diversity_(diversity) {
    std::vector<Candidate> all;
    for (std::size_t row = 0; row < uncertainties.size(); ++row)
      all.push_back({{row, uncertainties[row], uncertainties[row]}});
    waiting_ = decltype(waiting_)(Later{}, std::move(all));
  }

  std::vector<QueriedRow> take(std::size_t count) {
    std::vector<QueriedRow> chosen;
    while (chosen.size() < count && !waiting_.empty()) {
      Candidate best = waiting_.top();
      waiting_.pop();
      if (diversity_ <= 0 || best.compared == chosen.size()) {
        chosen.push_back(best.queried);
      } else {
        compare(best, chosen);
        waiting_.push(best);
      }
    }
    return chosen;
  }

 private:
  struct Candidate {
    QueriedRow queried;
    double nearest = 0;        // largest proximity
    std::size_t compared = 0;  // to so many chosen rows
  };
  struct Later {
    bool operator()(const Candidate& a, const Candidate& b) const {
      return a.queried.score != b.queried.score ? a.queried.score < b.queried.score
                                                : a.queried.row > b.queried.row;
    }
  };

  void compare(Candidate& candidate, const std::vector<QueriedRow>& chosen) const {
    for (; candidate.compared < chosen.size(); ++candidate.compared)
      candidate.nearest = std::max(candidate.nearest, proximity(ids_, candidate.queried.row,
                                                                chosen[candidate.compared].row));
    candidate.queried.score = candidate.queried.uncertainty * (1 - diversity_ * candidate.nearest);
  }

  const LeafIds& ids_;
  double diversity_;
  std::priority_queue<Candidate, std::vector<Candidate>, Later> waiting_;
};

}  // namespace

std::vector<double> uncertainties(const Predictor& predictor, const DatasetView& pool,
                                  QueryStrategy strategy, const RunContext& context) {
  if (predicts_classes(predictor.forest().info().payload_kind))
    return class_uncertainties(predictor, pool, strategy, context);
  return averaged(variances(predictor, pool, strategy, context), pool.rows);
}

std::vector<QueriedRow> query(const Predictor& predictor, const DatasetView& pool,
                              const QueryOptions& options, const RunContext& context) {
  require(options.batch >= 1, "batch is 0; at least one row is to be chosen");
  require(options.diversity >= 0 && options.diversity <= 1,
          "diversity must lie between 0 (none) and 1");
  const std::vector<double> found = uncertainties(predictor, pool, options.strategy, context);
  const LeafIds ids = options.diversity > 0 ? predictor.apply(pool, context) : LeafIds{};
  return GreedyChoice(found, ids, options.diversity).take(options.batch);
}

}  // namespace coppice
