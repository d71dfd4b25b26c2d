#include "refine/gram.h"

#include <algorithm>
#include <cmath>

#include "base/worker_team.h"

namespace coppice {
namespace {

constexpr std::size_t kRowsPerPanel = 16;
constexpr std::size_t kRowsPerTask = 64;
constexpr std::size_t kMostUnknowns = 6000;  // 288 MB

double multiply_adds(const ConstantLeaves& leaves, double outputs) {
  const auto size = static_cast<double>(leaves.unknowns());
  const auto trees = static_cast<double>(leaves.trees());
  return static_cast<double>(leaves.rows()) * trees * trees / 2 + size * size * size / 6 +
         size * size * outputs;
}

// M = U'U in place of the upper triangle, by panels of rows: every entry takes its subtractions in
// the order of the rows above it, whatever the panels and the workers.
class UpperFactor {
 public:
  UpperFactor(std::vector<double>& upper, std::size_t size) : upper_(upper), size_(size) {}

  void factorise(std::size_t workers) {
    for (std::size_t first = 0; first < size_; first += kRowsPerPanel) {
      const std::size_t last = std::min(size_, first + kRowsPerPanel);
      for (std::size_t i = first; i < last; ++i) {
        subtract(i, first, i);
        const double pivot = std::sqrt(row(i)[i]);
        for (std::size_t j = i; j < size_; ++j) row(i)[j] /= pivot;
      }
      const std::size_t tasks = (size_ - last + kRowsPerTask - 1) / kRowsPerTask;
      for_each_task(tasks, tasks > 4 ? workers : 1, [&](std::size_t, std::size_t task) {
        const std::size_t start = last + task * kRowsPerTask;
        for (std::size_t i = start; i < std::min(size_, start + kRowsPerTask); ++i)
          subtract(i, first, last);
      });
    }
  }

  // w of an output-major block becomes (U'U)^-1 w.
  void solve(std::vector<double>& w, std::size_t stride) {
    const auto subtract_row = [&](std::size_t to, std::size_t from, double factor) {
      for (std::size_t k = 0; k < stride; ++k) w[to * stride + k] -= factor * w[from * stride + k];
    };
    const auto divide_row = [&](std::size_t i) {
      for (std::size_t k = 0; k < stride; ++k) w[i * stride + k] /= row(i)[i];
    };
    for (std::size_t i = 0; i < size_; ++i) {
      divide_row(i);
      for (std::size_t j = i + 1; j < size_; ++j) subtract_row(j, i, row(i)[j]);
    }
    for (std::size_t i = size_; i-- > 0;) {
      for (std::size_t j = i + 1; j < size_; ++j) subtract_row(i, j, row(i)[j]);
      divide_row(i);
    }
  }

 private:
  double* row(std::size_t i) { return upper_.data() + i * size_; }

  // Row i less the rows [first, last) of U, each by its entry in column i; four at a time.
  void subtract(std::size_t i, std::size_t first, std::size_t last) {
    double* const to = row(i);
    for (; first + 4 <= last; first += 4) {
      const double *a = row(first), *b = row(first + 1), *c = row(first + 2), *d = row(first + 3);
      const double x = a[i], y = b[i], z = c[i], t = d[i];
      for (std::size_t j = i; j < size_; ++j)
        to[j] = (((to[j] - x * a[j]) - y * b[j]) - z * c[j]) - t * d[j];
    }
    for (; first < last; ++first) {
      const double* const a = row(first);
      const double x = a[i];
      for (std::size_t j = i; j < size_; ++j) to[j] -= x * a[j];
    }
  }

  std::vector<double>& upper_;
  std::size_t size_;
};

}  // namespace

bool gram_is_cheaper(const ConstantLeaves& leaves, std::size_t outputs) {
  constexpr double kIterations = 60, kOutputsAtOnce = 3;
  const double lanes = std::max(1.0, static_cast<double>(stride_of(outputs)) / kOutputsAtOnce);
  const double gradients = kIterations * 2 * static_cast<double>(leaves.rows()) *
                           static_cast<double>(leaves.trees()) * lanes;
  return leaves.unknowns() <= kMostUnknowns &&
         multiply_adds(leaves, static_cast<double>(outputs)) < gradients;
}

LeafGram::LeafGram(const ConstantLeaves& leaves, std::size_t workers)
    : size_(leaves.unknowns()), upper_(size_ * size_) {
  const std::vector<std::uint32_t> by_row = leaves.leaves_by_row();
  const std::size_t trees = leaves.trees();
  for_each_task(trees, workers, [&](std::size_t, std::size_t tree) {
    for (std::size_t row = 0; row < leaves.rows(); ++row) {
      const std::uint32_t* const of_row = by_row.data() + row * trees;
      double* const out = upper_.data() + of_row[tree] * size_;
      const double weight = double{leaves.weight(row)};
      for (std::size_t other = tree; other < trees; ++other) out[of_row[other]] += weight;
    }
  });
}

void LeafGram::solve(double scale, const OutputBlock& b, OutputBlock& w,
                     std::size_t workers) const {
  std::vector<double> upper = upper_;
  for (double& value : upper) value *= scale;
  for (std::size_t i = 0; i < size_; ++i) upper[i * size_ + i] += 1;
  UpperFactor factor(upper, size_);
  factor.factorise(workers);
  std::vector<double> found(b.values.begin(), b.values.end());
  factor.solve(found, b.stride);
  for (std::size_t n = 0; n < found.size(); ++n) w.values[n] = static_cast<float>(found[n]);
}

}  // namespace coppice
