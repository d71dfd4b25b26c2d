// Panels of the gallery about manifold forests.
#pragma once

#include "draw/axes.h"
#include "gallery_table.h"

namespace coppice {

// Whether a panel shows what a manifold forest finds; its settings do not name the task.
bool is_manifold(PanelView);

void draw_manifold_panel(const GalleryPanel&, Axes&, const RunContext&);

}  // namespace coppice
