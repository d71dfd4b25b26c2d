// What a leaf says of a row by itself: a mean per output and, for numbers, a variance.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/payload_layout.h"
#include "coppice/model.h"

namespace coppice {

inline PayloadLayout layout_of(const ForestInfo& info, std::size_t payload_size) {
  return PayloadLayout::of_size(info.payload_kind, outputs_of(info.payload_kind, info.schema),
                                payload_size);
}
inline PayloadLayout layout_of(const Forest& forest) {
  return layout_of(forest.info(), forest.arrays().payload_size);
}

inline std::size_t outputs_of(const Forest& forest) { return layout_of(forest).outputs(); }

// Reused from leaf to leaf.
struct LeafAnswer {
  std::vector<double> mean, variance;  // no variance of classes
};

namespace detail {

// mean_k = that of the leaf + coefficients . t and, if the payload knows, variance_k *= 1 + 1/n +
// |A t|^2 (Einfalt 2014, eq. 3.30). value_of(feature) is the row's value.
template <class ValueOf>
void read_linear_part(const PayloadLayout& layout, const float* payload, ValueOf&& value_of,
                      LeafAnswer& answer) {
  thread_local std::vector<double> terms;
  read_terms(layout, payload, std::forward<ValueOf>(value_of), terms);
  for (std::size_t k = 0; k < layout.outputs(); ++k)
    answer.mean[k] = linear_answer(layout, payload, k, terms);
  if (layout.kind() != PayloadKind::linear_gaussian) return;
  double leverage = double{payload[layout.inverse_weight()]};
  const float* factor = payload + layout.factor();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    double along = 0;
    for (std::size_t j = 0; j <= i; ++j) along += double{*factor++} * terms[j];
    leverage += along * along;
  }
  for (double& variance : answer.variance) variance *= 1 + leverage;
}

}  // namespace detail

// value_of(feature) is asked by linear payloads only.
template <class ValueOf>
void read_leaf(const PayloadLayout& layout, std::span<const float> payload, ValueOf&& value_of,
               LeafAnswer& answer) {
  const std::size_t outputs = layout.outputs();
  answer.mean.assign(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(outputs));
  answer.variance.clear();
  if (predicts_classes(layout.kind())) return;
  const auto variances = payload.subspan(outputs, outputs);
  answer.variance.assign(variances.begin(), variances.end());
  if (layout.linear())
    detail::read_linear_part(layout, payload.data(), std::forward<ValueOf>(value_of), answer);
}

}  // namespace coppice
