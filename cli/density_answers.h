// What predict and evaluate say of a density.
#pragma once

#include <string>

#include "command.h"
#include "coppice/dataset.h"
#include "coppice/model.h"
#include "csv_writer.h"
#include "json_output.h"

namespace coppice {

// Log densities of rows: log_density, and with `anomaly` also -log_density and the share of
// training rows that are less unusual.
void write_log_densities(const Forest&, const DatasetView&, bool anomaly, const RunContext&,
                         TableWriter&);

// The mean log-likelihood of rows and its standard error, weighted if rows have weights.
struct LikelihoodSummary {
  double mean = 0, error = 0, least = 0;
  double unusual_share = -1;  // of rows that are more unusual than 99 % of training; -1: not known
};
LikelihoodSummary summarise_likelihood(const Forest&, const DatasetView&, const RunContext&);
std::string likelihood_text(const LikelihoodSummary&);
Json likelihood_json(const LikelihoodSummary&);

}  // namespace coppice
