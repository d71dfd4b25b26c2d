#include "density/gaussian_table.h"

#include "base/cholesky.h"
#include "base/portable_math.h"

namespace coppice {
namespace {

constexpr double kLogOfTwoPi = 1.8378770664093453;

}  // namespace

std::vector<double> covariance_of(const PayloadLayout& layout, std::span<const float> payload) {
  std::vector<double> triangle;
  for (std::size_t k = 0; k < layout.outputs(); ++k)
    for (std::size_t j = 0; j <= k; ++j)
      triangle.push_back(double{payload[layout.covariance(j, k)]});
  return triangle;
}

GaussianTable::GaussianTable(const PayloadLayout& layout, std::span<const float> payload_rows)
    : layout_(layout) {
  numbers_.reserve(payload_rows.size() / layout.size() * stride());
  for (std::size_t at = 0; at < payload_rows.size(); at += layout.size())
    add(payload_rows.subspan(at, layout.size()));
}

void GaussianTable::add(std::span<const float> payload) {
  const std::size_t features = layout_.outputs();
  std::vector<double> triangle = covariance_of(layout_, payload);
  factorise(triangle, features, 0);
  double constant = -kLogOfTwoPi / 2 * static_cast<double>(features);
  for (std::size_t k = 0; k < features; ++k)
    constant -= portable_log(triangle[triangle_index(k, k)]);
  numbers_.push_back(constant);
  for (std::size_t k = 0; k < features; ++k) numbers_.push_back(double{payload[k]});
  const std::vector<double> inverse = inverse_of_factor(triangle, features);
  numbers_.insert(numbers_.end(), inverse.begin(), inverse.end());
}

}  // namespace coppice
