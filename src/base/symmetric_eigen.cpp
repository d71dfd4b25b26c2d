#include "base/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {
namespace {

constexpr int kMostSweeps = 50;

class Jacobi {
 public:
  Jacobi(std::span<const double> matrix, std::size_t size)
      : size_(size), matrix_(matrix.begin(), matrix.end()), vectors_(size * size) {
    for (std::size_t i = 0; i < size; ++i) vectors_[i * size + i] = 1;
  }

  void run() {
    double whole = 0;
    for (const double entry : matrix_) whole += entry * entry;
    for (int sweep = 0; sweep < kMostSweeps && off_diagonal() > 1e-28 * whole; ++sweep)
      for (std::size_t p = 0; p + 1 < size_; ++p)
        for (std::size_t q = p + 1; q < size_; ++q) rotate(p, q);
  }

  SymmetricEigen sorted() const {
    std::vector<std::size_t> order(size_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return matrix_[a * size_ + a] > matrix_[b * size_ + b];
    });
    SymmetricEigen result;
    for (const std::size_t k : order) {
      result.values.push_back(matrix_[k * size_ + k]);
      for (std::size_t i = 0; i < size_; ++i) result.vectors.push_back(vectors_[i * size_ + k]);
    }
    return result;
  }

 private:
  double off_diagonal() const {
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t j = 0; j < size_; ++j)
        if (i != j) sum += matrix_[i * size_ + j] * matrix_[i * size_ + j];
    return sum;
  }

  // Makes entry (p, q) zero.
  void rotate(std::size_t p, std::size_t q) {
    const double entry = matrix_[p * size_ + q];
    if (entry == 0) return;
    const double theta = (matrix_[q * size_ + q] - matrix_[p * size_ + p]) / (2 * entry);
    const double tangent =
        (theta < 0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double cosine = 1 / std::sqrt(tangent * tangent + 1), sine = tangent * cosine;
    const auto turn = [&](double& x, double& y) {
      const double old = x;
      x = cosine * old - sine * y;
      y = sine * old + cosine * y;
    };
    for (std::size_t i = 0; i < size_; ++i) turn(matrix_[i * size_ + p], matrix_[i * size_ + q]);
    for (std::size_t i = 0; i < size_; ++i) turn(matrix_[p * size_ + i], matrix_[q * size_ + i]);
    for (std::size_t i = 0; i < size_; ++i) turn(vectors_[i * size_ + p], vectors_[i * size_ + q]);
  }

  std::size_t size_;
  std::vector<double> matrix_, vectors_;
};

}  // namespace

SymmetricEigen symmetric_eigen(std::span<const double> matrix, std::size_t size) {
  Jacobi jacobi(matrix, size);
  jacobi.run();
  return jacobi.sorted();
}

}  // namespace coppice
