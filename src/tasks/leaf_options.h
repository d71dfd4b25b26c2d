// Setters and texts of the options about leaves and ensembles; option_table() lists them.
#pragma once

#include <string>
#include <string_view>

#include "coppice/options.h"

namespace coppice {

void set_leaf(FitOptions&, std::string_view);
std::string show_leaf(const FitOptions&);
void set_leaf_prior(FitOptions&, std::string_view);
std::string show_leaf_prior(const FitOptions&);
void set_leaf_regressors(FitOptions&, std::string_view);
std::string show_leaf_regressors(const FitOptions&);
void set_leaf_degree(FitOptions&, std::string_view);
std::string show_leaf_degree(const FitOptions&);
void set_leaf_ridge(FitOptions&, std::string_view);
std::string show_leaf_ridge(const FitOptions&);
void set_leaf_points(FitOptions&, std::string_view);
std::string show_leaf_points(const FitOptions&);

void set_ensemble(FitOptions&, std::string_view);
std::string show_ensemble(const FitOptions&);

// Throws Error(invalid_option) beginning with "--ensemble:".
Ensemble ensemble_value(std::string_view);

}  // namespace coppice
