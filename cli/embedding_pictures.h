// Pictures of mappings that `coppice embed --save-mapping` wrote.
#pragma once

#include <string>

#include "coppice/model.h"
#include "draw/drawing.h"
#include "plot_kinds.h"

namespace coppice {

// Why the forest is no mapping; empty if it is one.
std::string mapping_only(const Forest&);

Drawing embedding_picture(const PlotRequest&);
Drawing eigenvalue_picture(const PlotRequest&);

}  // namespace coppice
