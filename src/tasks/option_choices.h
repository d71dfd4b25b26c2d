// Setters and texts of the options that are more than a number; option_table() lists them.
#pragma once

#include <string>
#include <string_view>

#include "coppice/options.h"

namespace coppice {

void set_task(FitOptions&, std::string_view);
std::string show_task(const FitOptions&);
void set_criterion(FitOptions&, std::string_view);
std::string show_criterion(const FitOptions&);
void set_criterion_order(FitOptions&, std::string_view);
std::string show_criterion_order(const FitOptions&);
void set_kappa(FitOptions&, std::string_view);
std::string show_kappa(const FitOptions&);
void set_class_weight(FitOptions&, std::string_view);
std::string show_class_weight(const FitOptions&);

void set_threshold(FitOptions&, std::string_view);
std::string show_threshold(const FitOptions&);
void set_bins(FitOptions&, std::string_view);
void set_exact_rows(FitOptions&, std::string_view);
std::string show_bins(const FitOptions&);
std::string show_exact_rows(const FitOptions&);
void set_random_thresholds(FitOptions&, std::string_view);
std::string show_random_thresholds(const FitOptions&);
void set_max_features(FitOptions&, std::string_view);
std::string show_max_features(const FitOptions&);

void set_min_impurity_decrease(FitOptions&, std::string_view);
void set_growth_order(FitOptions&, std::string_view);
std::string show_growth_order(const FitOptions&);

void set_bagging(FitOptions&, std::string_view);
std::string show_bagging(const FitOptions&);
void set_max_samples(FitOptions&, std::string_view);

void set_importance(FitOptions&, std::string_view);
std::string show_importance(const FitOptions&);

}  // namespace coppice
