#include "split/direction_learner.h"

#include <algorithm>
#include <cmath>

#include "base/cholesky.h"
#include "base/symmetric_eigen.h"

namespace coppice {
namespace {

constexpr std::size_t kMostRows = 2048;  // directions of a larger node are found on so many draws
constexpr double kRidge = 1e-4;          // of the mean scatter: dependent features do no harm
constexpr double kLeastShare = 1e-6;     // of the largest eigenvalue, below which nothing is found

}  // namespace

DirectionLearner::DirectionLearner(TermSource source, const CodedColumns& columns,
                                   const FeatureScales& scales, const DatasetView& targets,
                                   Directions directions, std::size_t features,
                                   std::size_t candidates)
    : source_(std::move(source)),
      columns_(columns),
      scales_(scales),
      data_(targets),
      directions_(directions),
      per_draw_(features),
      candidates_(candidates) {}

void DirectionLearner::begin(std::span<const SampleId> rows, RandomStream random) {
  rows_ = rows;
  node_ = random;
  draws_ = 0;
  found_.clear();
  proposed_ = 0;
}

bool DirectionLearner::propose(Projection& projection) {
  for (std::size_t tries = 0; proposed_ == found_.size(); ++tries) {
    if (tries == 1 + source_.features().size()) return false;
    draw_directions();
  }
  projection = frame_;
  for (std::size_t t = 0; t < projection.terms.size(); ++t)
    projection.terms[t].coefficient *= static_cast<float>(found_[proposed_][t]);
  ++proposed_;
  return true;
}

void DirectionLearner::draw_directions() {
  RandomStream random = node_.child(draws_++);
  found_.clear();
  proposed_ = 0;
  frame_.clear();
  for (const std::uint32_t feature : source_.draw(per_draw_, random))
    source_.add(frame_, feature, 1 / double{scales_.spread[feature]}, random);
  load(random);
  sum_scatter();
  if (directions_ == Directions::principal) {
    find_principal();
  } else {
    sum_explained();
    find_canonical();
  }
}

// A bootstrap sample of the node, so that two nodes of the same rows differ; what is missing counts
// as the centre.
void DirectionLearner::load(RandomStream& random) {
  const std::size_t count = std::min(rows_.size(), kMostRows), width = frame_.terms.size();
  sample_.resize(count);
  for (SampleId& row : sample_) row = rows_[random.below(static_cast<std::uint32_t>(rows_.size()))];
  values_.resize(count * width);
  for (std::size_t t = 0; t < width; ++t) {
    const Term& term = frame_.terms[t];
    const CodedColumn& column = columns_.column(term.feature);
    const std::span words = std::span(frame_.category_words).subspan(term.first_word);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const float value = column.raw[sample_[i]];
      const double u = column.kind == FeatureKind::categorical
                           ? membership(value, column.known, words)
                           : centred(value, scales_.centre[term.feature]);
      const double scaled = std::isfinite(u) ? u * double{term.coefficient} : 0;
      values_[i * width + t] = scaled;
      sum += scaled;
    }
    const double mean = sum / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) values_[i * width + t] -= mean;
  }
}

void DirectionLearner::sum_scatter() {
  const std::size_t width = frame_.terms.size();
  scatter_.assign(width * width, 0);
  for (std::size_t i = 0; i < sample_.size(); ++i)
    for (std::size_t a = 0; a < width; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        scatter_[a * width + b] += values_[i * width + a] * values_[i * width + b];
  for (std::size_t a = 0; a < width; ++a)
    for (std::size_t b = a + 1; b < width; ++b) scatter_[a * width + b] = scatter_[b * width + a];
}

void DirectionLearner::sum_explained() {
  explained_.assign(scatter_.size(), 0);
  if (data_.labels.empty()) {
    sum_correlations();
  } else {
    sum_class_means();
  }
}

// Between the classes: sum of n_c m_c m_c', m_c the mean of class c.
void DirectionLearner::sum_class_means() {
  const std::size_t width = frame_.terms.size(), classes = data_.schema->classes.size();
  std::vector<double> sums(classes * width), counts(classes);
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const std::uint32_t label = data_.labels[sample_[i]];
    counts[label] += 1;
    for (std::size_t a = 0; a < width; ++a) sums[label * width + a] += values_[i * width + a];
  }
  for (std::size_t c = 0; c < classes; ++c)
    for (std::size_t a = 0; counts[c] > 0 && a < width; ++a)
      for (std::size_t b = 0; b < width; ++b)
        explained_[a * width + b] += sums[c * width + a] * sums[c * width + b] / counts[c];
}

double DirectionLearner::target(std::size_t row, std::size_t output) const {
  return data_.targets[row * data_.schema->targets.size() + output];
}

// Of each target by itself: s s' / y'y with s = sum of y x.
void DirectionLearner::sum_correlations() {
  const std::size_t width = frame_.terms.size(), outputs = data_.schema->targets.size();
  for (std::size_t k = 0; k < outputs; ++k) {
    double mean = 0, squares = 0;
    for (const SampleId row : sample_) mean += target(row, k);
    mean /= static_cast<double>(sample_.size());
    std::vector<double> sums(width);
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      const double y = target(sample_[i], k) - mean;
      squares += y * y;
      for (std::size_t a = 0; a < width; ++a) sums[a] += y * values_[i * width + a];
    }
    for (std::size_t a = 0; squares > 0 && a < width; ++a)
      for (std::size_t b = 0; b < width; ++b)
        explained_[a * width + b] += sums[a] * sums[b] / squares;
  }
}

void DirectionLearner::find_principal() {
  const std::size_t width = frame_.terms.size();
  const SymmetricEigen eigen = symmetric_eigen(scatter_, width);
  for (std::size_t k = 0; k < width; ++k)
    if (eigen.values[k] > kLeastShare * eigen.values[0])
      found_.emplace_back(eigen.vectors.begin() + static_cast<std::ptrdiff_t>(k * width),
                          eigen.vectors.begin() + static_cast<std::ptrdiff_t>((k + 1) * width));
}

// w with explained w = lambda scatter w: with scatter = L L', the eigenvectors v of
// L^-1 explained L^-T give w = L^-T v.
void DirectionLearner::find_canonical() {
  const std::size_t width = frame_.terms.size();
  double trace = 0;
  for (std::size_t a = 0; a < width; ++a) trace += scatter_[a * width + a];
  if (!(trace > 0)) return;
  std::vector<double> triangle(width * (width + 1) / 2);
  for (std::size_t a = 0; a < width; ++a) {
    for (std::size_t b = 0; b <= a; ++b) triangle[triangle_index(a, b)] = scatter_[a * width + b];
    triangle[triangle_index(a, a)] += kRidge * trace / static_cast<double>(width);
  }
  if (!factorise(triangle, width, 1e-12)) return;
  const std::vector<double> inverse = inverse_of_factor(triangle, width);
  std::vector<double> half(width * width), whitened(width * width);
  for (std::size_t a = 0; a < width; ++a)
    for (std::size_t b = 0; b < width; ++b)
      for (std::size_t k = 0; k <= a; ++k)
        half[a * width + b] += inverse[triangle_index(a, k)] * explained_[k * width + b];
  for (std::size_t a = 0; a < width; ++a)
    for (std::size_t b = 0; b < width; ++b)
      for (std::size_t k = 0; k <= b; ++k)
        whitened[a * width + b] += half[a * width + k] * inverse[triangle_index(b, k)];
  const SymmetricEigen eigen = symmetric_eigen(whitened, width);
  for (std::size_t k = 0; k < width; ++k) {
    if (!(eigen.values[k] > kLeastShare * eigen.values[0])) break;
    std::vector<double> direction(width);
    for (std::size_t a = 0; a < width; ++a)
      for (std::size_t b = a; b < width; ++b)
        direction[a] += inverse[triangle_index(b, a)] * eigen.vectors[k * width + b];
    double size = 0;
    for (const double entry : direction) size += entry * entry;
    for (double& entry : direction) entry /= std::sqrt(size);
    found_.push_back(std::move(direction));
  }
}

}  // namespace coppice
