#include "leaf/additive_linear.h"

#include <algorithm>
#include <cmath>

namespace coppice {

AdditiveLinearLeaf::AdditiveLinearLeaf(const DatasetView& data, const FixedPointTargets& residuals,
                                       const FixedPointWeights& weights, const AdditiveRule& rule,
                                       const LinearLeafRule& linear, const StandardScale& scale)
    : fit_(data, residuals.outputs(), linear),
      column_of_(data.columns.size()),
      residuals_(residuals),
      weights_(weights),
      rule_(rule),
      scale_(scale) {
  const NumericTable& table = fit_.table();
  for (std::size_t c = 0; c < table.columns(); ++c) column_of_[table.feature(c)] = c;
}

void AdditiveLinearLeaf::answer(SampleId row, std::span<const float> payload,
                                std::span<double> answers) const {
  thread_local std::vector<double> terms;
  const float* const values = fit_.table().row(row);
  const auto value_of = [&](std::uint32_t feature) { return values[column_of_[feature]]; };
  read_terms(fit_.layout(), payload.data(), value_of, terms);
  for (std::size_t k = 0; k < answers.size(); ++k)
    answers[k] = linear_answer(fit_.layout(), payload.data(), k, terms);
}

// Row by row; 0 without a payload.
std::vector<double> AdditiveLinearLeaf::answers(std::span<const SampleId> rows,
                                                std::span<const float> payload) const {
  const std::size_t outputs = residuals_.outputs();
  std::vector<double> all(rows.size() * outputs);
  if (payload.empty()) return all;
  for (std::size_t i = 0; i < rows.size(); ++i)
    answer(rows[i], payload, std::span(all).subspan(i * outputs, outputs));
  return all;
}

void AdditiveLinearLeaf::add_vote(SampleId row, std::span<const float> payload, float scale,
                                  std::span<float> sums) const {
  thread_local std::vector<double> said;
  said.resize(sums.size());
  answer(row, payload, said);
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += scale * static_cast<float>(said[k]);
}

void AdditiveLinearLeaf::weigh_by_residual(LeafRows& leaf) const {
  if (rule_.correction == Correction::mean) return;
  // Below, a residual weighs no more: all of the weight would go to rows that are hit by chance.
  constexpr double kLeast = 0.01;
  const double bend = rule_.correction == Correction::huber ? rule_.delta : kLeast;
  double total = 0;
  for (std::size_t i = 0; i < leaf.rows.size(); ++i) {
    double squares = 0;
    for (std::size_t k = 0; k < residuals_.outputs(); ++k)
      squares += residual(leaf.rows[i], k) * residual(leaf.rows[i], k);
    leaf.weights[i] *= bend / std::max(bend, std::sqrt(squares));
    total += leaf.weights[i];
  }
  for (double& weight : leaf.weights) weight *= leaf.count() / total;
}

float AdditiveLinearLeaf::fit(const NodeSamples& samples, std::span<const float> inherited,
                              std::span<float> payload) const {
  const double rate = inherited.empty() ? rule_.first_rate : rule_.rate;
  const LeafRows leaf(samples, weights_);
  LeafRows weighed = leaf;
  weigh_by_residual(weighed);
  const std::size_t outputs = residuals_.outputs();
  const std::vector<double> centres(outputs), before = answers(leaf.rows, inherited);
  fit_.fit(weighed, centres,
           [&](std::size_t i, std::size_t k) {
             return before[i * outputs + k] + rate * residual(leaf.rows[i], k);
           },
           payload);
  write_variances(leaf, before, rate, payload);
  return static_cast<float>(leaf.support);
}

// Of the residuals about the whole correction, of which the leaf has taken a share.
void AdditiveLinearLeaf::write_variances(const LeafRows& leaf, std::span<const double> before,
                                         double rate, std::span<float> payload) const {
  const PayloadLayout& layout = fit_.layout();
  const std::size_t outputs = layout.outputs();
  std::size_t terms = 0;
  while (terms < layout.terms() && payload[layout.term(terms) + LinearTerm::power] > 0) ++terms;
  const double freedom = leaf.count() - 1 - static_cast<double>(terms);
  const std::vector<double> after = answers(leaf.rows, payload);
  for (std::size_t k = 0; k < outputs; ++k) {
    double squares = 0;
    for (std::size_t i = 0; i < leaf.rows.size(); ++i) {
      const double correction = (after[i * outputs + k] - before[i * outputs + k]) / rate;
      const double rest = residual(leaf.rows[i], k) - correction;
      squares += leaf.weights[i] * rest * rest;
    }
    payload[outputs + k] = freedom > 0 ? static_cast<float>(squares / freedom) : 0;
  }
}

void AdditiveLinearLeaf::finish(std::size_t, std::span<float> payload) const {
  const PayloadLayout& layout = fit_.layout();
  for (std::size_t k = 0; k < layout.outputs(); ++k) {
    const double deviation = scale_.deviation[k];
    const auto scaled = [](float value, double factor) {
      return static_cast<float>(double{value} * factor);
    };
    payload[k] = static_cast<float>(scale_.centre[k] + double{payload[k]} * deviation);
    float& variance = payload[layout.outputs() + k];
    variance = scaled(variance, deviation * deviation);
    for (float& coefficient : payload.subspan(layout.coefficients(k), layout.terms()))
      coefficient = scaled(coefficient, deviation);
  }
}

}  // namespace coppice
