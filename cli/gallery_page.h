// Figures of the gallery as drawings, and the page that shows them.
#pragma once

#include <string>
#include <vector>

#include "coppice/options.h"
#include "draw/drawing.h"
#include "gallery_table.h"

namespace coppice {

// Generates, trains and draws every panel.
Drawing figure_drawing(const GalleryFigure&, const RunContext&);

// The commands that do the same, panel by panel; data are generated once.
std::vector<std::string> figure_commands(const GalleryFigure&);

// One page with everything inside; `pictures` are SVG, one per figure.
std::string gallery_page(const std::vector<GalleryFigure>&,
                         const std::vector<std::string>& pictures);

}  // namespace coppice
