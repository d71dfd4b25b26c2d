#include "split/responses.h"

#include "split/value_reads.h"

namespace coppice {
std::span<const float> Responses::of(const CodedColumns& columns, const Projection& projection,
                                     std::span<const SampleId> rows) {
  sums_.assign(rows.size(), 0);
  factors_.resize(rows.size());
  responses_.resize(rows.size());
  const ValueReads reads(columns, rows.size());
  for (const Term& term : projection.terms) {
    const CodedColumn& column = columns.column(term.feature);
    if (column.kind == FeatureKind::categorical) {
      const std::span words = std::span(projection.category_words).subspan(term.first_word);
      for (std::size_t i = 0; i < rows.size(); ++i)
        factors_[i] = membership(column.raw[rows[i]], column.known, words);
    } else {
      const Strided<float> values = reads.of(term.feature);
      const float centre = columns.centre(term.feature);
      for (std::size_t i = 0; i < rows.size(); ++i) factors_[i] = centred(values[rows[i]], centre);
    }
    if (term.partner != Term::kNoPartner) {
      const Strided<float> values = reads.of(term.partner);
      const float centre = columns.centre(term.partner);
      for (std::size_t i = 0; i < rows.size(); ++i) factors_[i] *= centred(values[rows[i]], centre);
    }
    const float coefficient = term.coefficient;
    for (std::size_t i = 0; i < rows.size(); ++i) sums_[i] += coefficient * factors_[i];
  }
  for (std::size_t i = 0; i < rows.size(); ++i) responses_[i] = static_cast<float>(sums_[i]);
  return responses_;
}

std::span<const float> Responses::compared(const CodedColumns& columns, const Projection& proposal,
                                           std::span<const SampleId> rows) {
  if (!proposal.axis_aligned()) return of(columns, proposal, rows);
  if (columns.column(proposal.feature).kind == FeatureKind::categorical) return {};
  const Strided<float> values = ValueReads(columns, rows.size()).of(proposal.feature);
  responses_.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) responses_[i] = values[rows[i]];
  return responses_;
}

}  // namespace coppice
