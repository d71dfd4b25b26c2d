#include "refine/payload_regressors.h"

#include "infer/leaf_answer.h"

namespace coppice {

PayloadRegressors::PayloadRegressors(const Forest& forest, const DatasetView& data)
    : arrays_(forest.arrays()), layout_(layout_of(forest)), slot_(data.columns.size(), ~0u) {
  std::vector<std::uint32_t> used;
  for (std::size_t leaf = 0; leaf < arrays_.leaves(); ++leaf) {
    const float* const payload = arrays_.payload_of(leaf).data();
    std::uint32_t terms = 0;
    for (; terms < layout_.terms(); ++terms) {
      const float* const term = payload + layout_.term(terms);
      if (term[LinearTerm::power] <= 0) break;
      const auto feature = static_cast<std::uint32_t>(term[LinearTerm::feature]);
      if (slot_[feature] != ~0u) continue;
      slot_[feature] = static_cast<std::uint32_t>(used.size());
      used.push_back(feature);
    }
    terms_.push_back(terms);
  }
  width_ = used.size();
  values_.resize(data.rows * width_);
  for (std::size_t n = 0; n < width_; ++n)
    for (std::size_t row = 0; row < data.rows; ++row)
      values_[row * width_ + n] = data.columns[used[n]][row];
}

void PayloadRegressors::fill(std::size_t leaf, std::span<const std::uint32_t> rows,
                             float* values) const {
  const float* const payload = arrays_.payload_of(leaf).data();
  for (const std::uint32_t row : rows) {
    *values++ = 1;
    for (std::size_t n = 0; n < terms_[leaf]; ++n) {
      const float* const term = payload + layout_.term(n);
      const std::size_t slot = slot_[static_cast<std::size_t>(term[LinearTerm::feature])];
      *values++ = static_cast<float>(term_value(term, values_[row * width_ + slot]));
    }
  }
}

}  // namespace coppice
