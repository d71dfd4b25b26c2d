// Setters and texts of the options that say what splits look at; option_table() lists them. A text
// is empty where the option has its default, so that models name only what was chosen.
#pragma once

#include <string>
#include <string_view>

#include "coppice/options.h"

namespace coppice {

void set_learners(FitOptions&, std::string_view);
std::string show_learners(const FitOptions&);
void set_projected_features(FitOptions&, std::string_view);
std::string show_projected_features(const FitOptions&);
void set_coefficients(FitOptions&, std::string_view);
std::string show_coefficients(const FitOptions&);
void set_candidates(FitOptions&, std::string_view);
std::string show_candidates(const FitOptions&);

}  // namespace coppice
