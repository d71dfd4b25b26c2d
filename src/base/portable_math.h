// Elementary functions with the same bits on every machine: only + - * / and sqrt of IEEE doubles,
// within 2 units in the last place. The standard library's versions differ between systems.
#pragma once

#include "base/random_stream.h"

namespace coppice {

// Natural logarithm; -infinity at 0, NaN below.
double portable_log(double x);

// Exact for powers of two; increasing over whole numbers up to 2^40.
double portable_log2(double x);

// 0 and infinity beyond the range of doubles.
double portable_exp(double x);

// NaN unless |x| <= 10^6: the argument is reduced with the first 119 bits of pi / 2.
double portable_sin(double x);
double portable_cos(double x);

double portable_atan(double x);

// The share of a standard normal distribution below x, to within 10^-15; 0 and 1 beyond 8.
double normal_below(double x);

// Mean 0, variance 1. Takes a varying number of values from the stream.
double standard_normal(RandomStream&);

}  // namespace coppice
