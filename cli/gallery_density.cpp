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
constexpr ToyOptions kRings{.shape = ToyShape::rings, .rows = 1500, .classes = 2, .noise = 0.05};
constexpr ToyOptions kMoons{.shape = ToyShape::moons, .rows = 1500, .noise = 0.08};
constexpr ToyOptions kArms{.shape = ToyShape::arms, .rows = 2000, .classes = 4, .noise = 0.04};
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

GalleryFigure shapes() {
  return {"criminisi-5.7",
          std::string(kCriminisi) + "5.7",
          "Densities of other shapes",
          "T = 200; depth chosen by out-of-bag rows. Rows above, densities below.",
          "Every shape is followed closely, whatever it is. doc/density.md has the errors beside "
          "those of kernels and mixtures.",
          3,
          {{"clouds", rows, kBlobs},
           {"spirals", rows, kSpirals},
           {"rings", rows, kRings},
           {"density", joint, kBlobs, forest_of("--trees 200")},
           {"density", joint, kSpirals, forest_of("--trees 200")},
           {"density", joint, kRings, forest_of("--trees 200")}}};
}

GalleryFigure mixtures() {
  return {
      "criminisi-5.8",
      std::string(kCriminisi) + "5.8",
      "One mixture or the mean of many",
      "One tree is a mixture of Gaussians: few with D = 4, more with D = 7; T = 200.",
      "More Gaussians in one mixture are still blobs. The mean of many mixtures, whose Gaussians "
      "lie elsewhere, is smooth.",
      3,
      {{"T = 1, D = 4", joint, kSpirals, forest_of("--trees 1 --max-depth 3")},
       {"T = 1, D = 7", joint, kSpirals, forest_of("--trees 1 --max-depth 6")},
       {"T = 200", joint, kSpirals, forest_of("--trees 200")}}};
}

GalleryFigure drawing() {
  return {
      "criminisi-5.9",
      std::string(kCriminisi) + "5.9",
      "How rows are drawn",
      "T = 1, 10 and 200; 2,000 rows of each: a tree, a leaf of it by its share, a point of its "
      "Gaussian within its cell.",
      "Rows of few trees fill the middle, where cells are coarse. Those of many follow the spirals "
      "to their ends.",
      3,
      {{"T = 1", draws, kSpirals, forest_of("--trees 1 --max-depth 5")},
       {"T = 10", draws, kSpirals, forest_of("--trees 10 --max-depth 5")},
       {"T = 200", draws, kSpirals, forest_of("--trees 200")}}};
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

GalleryFigure one_tree_conditional() {
  return {
      "criminisi-5.12",
      std::string(kCriminisi) + "5.12 and 5.13",
      "A conditional of one tree",
      "T = 1, D = 5: the density of x and y, and p(y | x) along the line x = 0.5; T = 100.",
      "The line runs through several cells, and a piece of a Gaussian comes from each: jumps at "
      "their borders. The mean of many trees has none.",
      3,
      {{"T = 1, D = 5", joint, kLetterS, forest_of("--trees 1 --max-depth 4 --split axis")},
       {"T = 1: p(y | x = 0.5)",
        slice,
        kLetterS,
        forest_of("--trees 1 --max-depth 4 --split axis"),
        0,
        {},
        0.5},
       {"T = 100: p(y | x = 0.5)", slice, kLetterS, forest_of("--trees 100"), 0, {}, 0.5}}};
}

GalleryFigure five_conditionals() {
  const std::string forest = forest_of("--trees 100");
  return {"criminisi-5.16",
          std::string(kCriminisi) + "5.15 and 5.16",
          "y given x at five places",
          "T = 100; p(y | x) from the left end of the letter to the right one. coppice condition "
          "--rows draws from it: nodes that ask about y are left at random, by the shares of what "
          "is known.",
          "One mode at the ends, three in the middle.",
          3,
          {{"density", joint, kLetterS, forest},
           {"x = 0.05", slice, kLetterS, forest, 0, {}, 0.05},
           {"x = 0.35", slice, kLetterS, forest, 0, {}, 0.35},
           {"x = 0.5", slice, kLetterS, forest, 0, {}, 0.5},
           {"x = 0.65", slice, kLetterS, forest, 0, {}, 0.65},
           {"x = 0.95", slice, kLetterS, forest, 0, {}, 0.95}}};
}

GalleryFigure known_truth() {
  return {"criminisi-5.17",
          std::string(kCriminisi) + "5.17",
          "Depth and error",
          "T = 100, D = 3, 4, 5 and 6, and the depth that out-of-bag rows prefer: moons whose true "
          "density is even along each bow.",
          "Shallow trees fill the space between the bows, deep ones make even bows spotted. "
          "bench/compare_density.py measures the errors.",
          3,
          {{"rows", rows, kMoons},
           {"D = 3", joint, kMoons, forest_of("--trees 100 --max-depth 2")},
           {"D = 4", joint, kMoons, forest_of("--trees 100 --max-depth 3")},
           {"D = 5", joint, kMoons, forest_of("--trees 100 --max-depth 4")},
           {"D = 6", joint, kMoons, forest_of("--trees 100 --max-depth 5")},
           {"chosen", joint, kMoons, forest_of("--trees 100")}}};
}

GalleryFigure weak_learners() {
  return {"criminisi-5.18",
          std::string(kCriminisi) + "5.18",
          "Richer splits",
          "T = 100: four arms; splits that look at one feature, and slanted ones, which are the "
          "default of two features.",
          "Boxes leave traces of both axes, above all where the arms come close; slanted cells "
          "follow the arms.",
          3,
          {{"rows", rows, kArms},
           {"one feature", joint, kArms, forest_of("--trees 100 --split axis")},
           {"slanted", joint, kArms, forest_of("--trees 100")}}};
}

}  // namespace

std::vector<GalleryFigure> density_figures() {
  return {depth(),
          size(),
          spiral(),
          shapes(),
          mixtures(),
          drawing(),
          draws_figure(),
          letter(),
          one_tree_conditional(),
          conditional(),
          five_conditionals(),
          known_truth(),
          weak_learners()};
}

}  // namespace coppice
