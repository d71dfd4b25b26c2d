// The figures of the gallery about densities. A paper's depth D counts levels of nodes:
// --max-depth is D - 1.
#include "gallery_table.h"

namespace coppice {
namespace {

using enum PanelView;

constexpr const char* kCriminisi = "Criminisi, Shotton, Konukoglu 2012, figure ";

// --- Data ----------------------------------------------------------------------------------------

constexpr ToyOptions kBlobs{.shape = ToyShape::blobs, .rows = 400, .classes = 4, .noise = 0.2};
constexpr ToyOptions kSpirals{
    .shape = ToyShape::spirals, .rows = 1500, .classes = 2, .noise = 0.03};
constexpr ToyOptions kLetterS{.shape = ToyShape::sideways_s, .rows = 1500, .noise = 0.03};

std::string forest_of(const std::string& size) { return "--task density " + size; }

// --- Figures -------------------------------------------------------------------------------------

GalleryFigure depth() {
  return {"criminisi-5.4",
          std::string(kCriminisi) + "5.4",
          "The depth of a density tree",
          "One tree, D = 3, 4 and 6.",
          "A tree is a Gaussian in every cell, cut off at its borders. Deep trees fit the noise of "
          "the points: small bumps.",
          3,
          {{"D = 3", joint, kBlobs, forest_of("--trees 1 --max-depth 2")},
           {"D = 4", joint, kBlobs, forest_of("--trees 1 --max-depth 3")},
           {"D = 6", joint, kBlobs, forest_of("--trees 1 --max-depth 5 --min-samples-leaf 5")}}};
}

GalleryFigure size() {
  return {"criminisi-5.5",
          std::string(kCriminisi) + "5.5",
          "The size of a density forest",
          "T = 1, 3 and 200; D = 4, and with all trees D = 6.",
          "More trees make the density smoother, even if they are deep.",
          4,
          {{"T = 1, D = 4", joint, kBlobs, forest_of("--trees 1 --max-depth 3")},
           {"T = 3, D = 4", joint, kBlobs, forest_of("--trees 3 --max-depth 3")},
           {"T = 200, D = 4", joint, kBlobs, forest_of("--trees 200 --max-depth 3")},
           {"T = 200, D = 6", joint, kBlobs,
            forest_of("--trees 200 --max-depth 5 --min-samples-leaf 5")}}};
}

GalleryFigure spiral() {
  return {"criminisi-5.6",
          std::string(kCriminisi) + "5.6",
          "A spiral",
          "T = 200, D = 2, 4 and 6, and the depth that out-of-bag rows prefer.",
          "Shallow trees are too smooth for it; the depth need not be given.",
          4,
          {{"D = 2", joint, kSpirals, forest_of("--trees 200 --max-depth 1")},
           {"D = 4", joint, kSpirals, forest_of("--trees 200 --max-depth 3")},
           {"D = 6", joint, kSpirals, forest_of("--trees 200 --max-depth 5")},
           {"chosen", joint, kSpirals, forest_of("--trees 200")}}};
}

GalleryFigure draws_figure() {
  return {"criminisi-5.10",
          std::string(kCriminisi) + "5.10",
          "Rows drawn from a density",
          "T = 200; 2,000 rows of each.",
          "The rows that were drawn look like those of training.",
          2,
          {{"density", joint, kSpirals, forest_of("--trees 200")},
           {"drawn", draws, kSpirals, forest_of("--trees 200")}}};
}

GalleryFigure letter() {
  return {"criminisi-5.11",
          std::string(kCriminisi) + "5.11",
          "A curve that is no function",
          "T = 100, D = 2, 4 and 6: density forests of x and y.",
          "x and y are treated alike, so that several y for one x are no trouble.",
          3,
          {{"D = 2", joint, kLetterS, forest_of("--trees 100 --max-depth 1")},
           {"D = 4", joint, kLetterS, forest_of("--trees 100 --max-depth 3")},
           {"D = 6", joint, kLetterS, forest_of("--trees 100 --max-depth 5")}}};
}

GalleryFigure conditional() {
  return {"criminisi-5.14",
          std::string(kCriminisi) + "5.14",
          "y given x, from the density of both",
          "T = 100; p(y | x) in the middle of the letter.",
          "Three modes, where regression has one mean.",
          2,
          {{"density", joint, kLetterS, forest_of("--trees 100")},
           {"p(y | x) in the middle", slice, kLetterS, forest_of("--trees 100")}}};
}

}  // namespace

std::vector<GalleryFigure> density_figures() {
  return {depth(), size(), spiral(), draws_figure(), letter(), conditional()};
}

}  // namespace coppice
