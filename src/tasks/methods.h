// What makes a forest an alternating, boosted or dynamic one: a loss between stages.
#pragma once

#include "coppice/options.h"
#include "data/fixed_point.h"
#include "tasks/task.h"

namespace coppice {

// Replaces those parts of a plain forest's task that the method does otherwise. Borrows data and
// weights.
void bind_method(const FitOptions&, const DatasetView&, const FixedPointWeights&, Task&);

// The trees grow one level at a time, all of them together.
bool grows_by_levels(const MethodChoice&);

// The share of a tree's correction that boosting takes.
double boosting_rate(const BoostedTrees&, const TaskChoice&);

// What is wrong with the method, or with other options for it; one sentence per problem.
std::vector<std::string> method_problems(const FitOptions&);

}  // namespace coppice
