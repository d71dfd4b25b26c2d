// The figures of the gallery about classification. A paper's depth D counts levels of nodes:
// --max-depth is D - 1. Its rho, the candidate splits of a node, is here --random-thresholds times
// --max-features.
#include "gallery_table.h"

namespace coppice {
namespace {

using enum PanelView;

constexpr const char* kCriminisi = "Criminisi, Shotton, Konukoglu 2012, figure ";
constexpr const char* kKim = "Kim, lecture on randomised decision forests, ";

// --- Data ----------------------------------------------------------------------------------------

constexpr ToyOptions kTwoClouds{.shape = ToyShape::corners, .rows = 100, .noise = 0.22};
constexpr ToyOptions kFourClouds{
    .shape = ToyShape::corners, .rows = 120, .classes = 4, .noise = 0.12};
constexpr ToyOptions kDiamond{.shape = ToyShape::blobs, .rows = 120, .classes = 4, .noise = 0.12};
constexpr ToyOptions kTwoArms{.shape = ToyShape::spirals, .rows = 200, .noise = 0.02};
constexpr ToyOptions kFourArms{
    .shape = ToyShape::spirals, .rows = 400, .classes = 4, .noise = 0.02};
constexpr ToyOptions kNoisyArms{
    .shape = ToyShape::spirals, .rows = 400, .classes = 4, .noise = 0.1};
constexpr ToyOptions kThreeArms{
    .shape = ToyShape::spirals, .rows = 150, .classes = 3, .noise = 0.04};
constexpr ToyOptions kPairs{.shape = ToyShape::pairs, .rows = 240, .classes = 4, .noise = 0.25};
constexpr ToyOptions kCleanPairs{
    .shape = ToyShape::pairs, .rows = 120, .classes = 4, .noise = 0.06};
constexpr ToyOptions kBars{.shape = ToyShape::bars, .rows = 60, .noise = 0};
constexpr double kMiddleOfBars = 0.3;

// --- Figures -------------------------------------------------------------------------------------

// Randomised node optimisation (Criminisi 2.3.6): all rows in every tree, few random candidates.
std::string randomised(const std::string& size, const std::string& candidates) {
  return size + " --criterion entropy --bagging none " + candidates;
}

GalleryFigure forest_size() {
  const std::string stump = randomised("--max-depth 1", "--random-thresholds 50");
  return {"criminisi-3.3",
          std::string(kCriminisi) + "3.3",
          "The size of the forest",
          "D = 2, axis-aligned splits, T = 1, 8 and 200.",
          "Every tree separates the rows perfectly, each at another place. One tree is as sure far "
          "away from the rows as among them; many trees together become less sure with the "
          "distance. With 8 trees the posterior is made of boxes.",
          3,
          {{"training rows", rows, kTwoClouds},
           {"tree 1", cells, kTwoClouds, "--trees 8 " + stump, 1},
           {"tree 2", cells, kTwoClouds, "--trees 8 " + stump, 2},
           {"T = 1", posterior, kTwoClouds, "--trees 1 " + stump},
           {"T = 8", posterior, kTwoClouds, "--trees 8 " + stump},
           {"T = 200", posterior, kTwoClouds, "--trees 200 " + stump}}};
}

GalleryFigure classes_and_noise() {
  const std::string forest =
      randomised("--trees 200 --max-depth 6", "--random-thresholds 5 --max-features all");
  return {"criminisi-3.4",
          std::string(kCriminisi) + "3.4",
          "Several classes and noise",
          "The paper: T = 200, D = 6, conic splits. Here: axis-aligned splits and D = 7.",
          "The same model takes two classes and four. Between the arms and away from the rows the "
          "colours fade and the entropy is high; with noisier rows it is higher everywhere.",
          3,
          {{"two classes: posterior", posterior, kTwoArms, forest},
           {"four classes: posterior", posterior, kFourArms, forest},
           {"four noisy classes: posterior", posterior, kNoisyArms, forest},
           {"entropy", entropy, kTwoArms, forest},
           {"entropy", entropy, kFourArms, forest},
           {"entropy", entropy, kNoisyArms, forest}}};
}

GalleryFigure depth_and_labels() {
  const std::string candidates = "--random-thresholds 10 --max-features all";
  return {"criminisi-3.5",
          std::string(kCriminisi) + "3.5",
          "The depth of the trees",
          "The paper: T = 200, conic splits, D up to 15. Here: axis-aligned splits.",
          "Shallow trees are washed out, deep ones sure of themselves; D = 15 cuts stripes for "
          "single rows, which is overfitting. The border in the wide gap stays in its "
          "middle.",
          4,
          {{"training rows", rows, kPairs},
           {"D = 3", posterior, kPairs, randomised("--trees 200 --max-depth 2", candidates)},
           {"D = 6", posterior, kPairs, randomised("--trees 200 --max-depth 5", candidates)},
           {"D = 15", posterior, kPairs, randomised("--trees 200 --max-depth 14", candidates)}}};
}

GalleryFigure weak_learner_far_away() {
  const std::string forest =
      randomised("--trees 200 --max-depth 2", "--random-thresholds 25 --max-features all");
  return {"criminisi-3.6",
          std::string(kCriminisi) + "3.6",
          "The weak learner: far away from the rows",
          "T = 200, D = 3.",
          "Axis-aligned splits are overconfident in the corners of the picture, and lines beyond "
          "the rows; with conics the forest becomes less sure with the distance.",
          4,
          {{"training rows", rows, kFourClouds},
           {"axis-aligned", posterior, kFourClouds, forest},
           {"lines", posterior, kFourClouds, forest + " --split oblique --candidates 20"},
           {"conics", posterior, kFourClouds, forest + " --split conic --candidates 20"}}};
}

GalleryFigure weak_learner(const std::string& number, const std::string& heading,
                           const std::string& candidates, const std::string& look_for) {
  const auto forest = [&](const char* size) { return randomised(size, candidates); };
  return {
      "criminisi-" + number,
      kCriminisi + number,
      heading,
      "T = 400, D = 5 and 13.",
      look_for,
      3,
      {{"axis-aligned, D = 5", posterior, kFourArms, forest("--trees 400 --max-depth 4")},
       {"lines, D = 5", posterior, kFourArms, forest("--trees 400 --max-depth 4 --split oblique")},
       {"conics, D = 5", posterior, kFourArms, forest("--trees 400 --max-depth 4 --split conic")},
       {"axis-aligned, D = 13", posterior, kFourArms, forest("--trees 400 --max-depth 12")},
       {"lines, D = 13", posterior, kFourArms,
        forest("--trees 400 --max-depth 12 --split oblique")},
       {"conics, D = 13", posterior, kFourArms,
        forest("--trees 400 --max-depth 12 --split conic")}}};
}

std::string vertical(const std::string& trees, const std::string& candidates) {
  return randomised("--trees " + trees + " --max-depth 1", candidates + " --max-features all");
}

GalleryFigure maximum_margin() {
  const std::string forest = vertical("500", "--random-thresholds 250");
  return {"criminisi-3.9",
          std::string(kCriminisi) + "3.9",
          "Maximum margin",
          "rho = 500, D = 2, T = 500.",
          "All of the uncertainty lies inside the gap. There the posterior is a straight ramp, and "
          "the classes are even (black) in its middle (green): the forest has maximised the "
          "margin, though no single tree does.",
          3,
          {{"training rows", rows, kBars},
           {"posterior", boundary, kBars, forest, 0, kMiddleOfBars},
           {"along x2 = 0.5", section, kBars, forest, 0, kMiddleOfBars}}};
}

GalleryFigure margin_and_randomness() {
  const std::string little = vertical("400", "--random-thresholds 25"),
                    more = vertical("400", "--random-thresholds 3"),
                    most = vertical("400", "--random-thresholds 1");
  return {"criminisi-3.10",
          std::string(kCriminisi) + "3.10",
          "Maximum margin and randomness",
          "rho = 50, 5 (here 6) and 2, D = 2, T = 400.",
          "More randomness spreads the posterior beyond the gap, and the line where the classes "
          "are even (black) leaves the middle of the gap (green): single rows matter less.",
          3,
          {{"rho = 50", boundary, kBars, little, 0, kMiddleOfBars},
           {"rho = 6", boundary, kBars, more, 0, kMiddleOfBars},
           {"rho = 2", boundary, kBars, most, 0, kMiddleOfBars},
           {"rho = 50", section, kBars, little, 0, kMiddleOfBars},
           {"rho = 6", section, kBars, more, 0, kMiddleOfBars},
           {"rho = 2", section, kBars, most, 0, kMiddleOfBars}}};
}

GalleryFigure margin_and_weak_learner() {
  return {"criminisi-3.11",
          std::string(kCriminisi) + "3.11",
          "Maximum margin and the weak learner",
          "rho = 50, D = 2, T = 500.",
          "Stumps on both axes make a border (black) of straight parts along the axes; the grey "
          "corners belong to no class.",
          2,
          {{"training rows", rows, kTwoClouds},
           {"axis-aligned", boundary, kTwoClouds, vertical("500", "--random-thresholds 25")}}};
}

GalleryFigure margin_of_classes() {
  const std::string forest =
      randomised("--trees 400 --max-depth 2", "--random-thresholds 25 --max-features all");
  return {"criminisi-3.12",
          std::string(kCriminisi) + "3.12",
          "Maximum margin of four classes",
          "rho = 50, D = 3, T = 400.",
          "Grey bands of high entropy run half-way between neighbouring classes.",
          2,
          {{"training rows", rows, kFourClouds},
           {"axis-aligned", boundary, kFourClouds, forest},
           {"lines", boundary, kFourClouds, forest + " --split oblique --candidates 20"},
           {"conics", boundary, kFourClouds, forest + " --split conic --candidates 20"}}};
}

GalleryFigure bagging() {
  const std::string nodes = vertical("400", "--random-thresholds 250");
  const std::string bags =
      "--trees 400 --max-depth 1 --criterion entropy --max-samples 0.5 --random-thresholds 250 "
      "--max-features all";
  return {"criminisi-3.13",
          std::string(kCriminisi) + "3.13",
          "Maximum margin: bagging or randomised nodes",
          "rho = 500, D = 2, T = 400; bags of half the rows, drawn with replacement.",
          "Bagging makes the posterior smoother: some trees do not see the rows at the gap, so "
          "that the uncertainty reaches beyond it and the border (black) may leave its middle "
          "(green).",
          2,
          {{"randomised nodes", boundary, kBars, nodes, 0, kMiddleOfBars},
           {"bagging", boundary, kBars, bags, 0, kMiddleOfBars},
           {"randomised nodes", section, kBars, nodes, 0, kMiddleOfBars},
           {"bagging", section, kBars, bags, 0, kMiddleOfBars}}};
}

GalleryFigure against_boosting() {
  const std::string forest =
      randomised("--trees 200 --max-depth 1", "--random-thresholds 20 --max-features all");
  return {"criminisi-3.14",
          std::string(kCriminisi) + "3.14",
          "Forests of stumps",
          "D = 2, T = 200, axis-aligned splits. The paper compares with boosting; this is its "
          "forest.",
          "The output is smooth; uncertainty is high between the classes and away from them.",
          2,
          {{"experiment 1", posterior, kTwoClouds, forest},
           {"experiment 2", posterior, kBars, forest}}};
}

GalleryFigure against_support_vectors() {
  const std::string forest =
      randomised("--trees 200 --max-depth 2", "--random-thresholds 25 --max-features all");
  return {"criminisi-3.15",
          std::string(kCriminisi) + "3.15",
          "Four classes, three arrangements",
          "D = 3, T = 200; conic splits in the paper, axis-aligned here. The paper compares with "
          "support vector machines; this is its forest.",
          "The bands between the classes say how surely they are told apart. The diamond is hard "
          "for axis-aligned splits, and their confidence does not fall with the distance.",
          3,
          {{"corners", posterior, kFourClouds, forest},
           {"diamond", posterior, kDiamond, forest},
           {"pairs", posterior, kCleanPairs, forest}}};
}

GalleryFigure extremely_randomised() {
  return {"criminisi-8.1",
          std::string(kCriminisi) + "8.1",
          "Extremely randomised trees",
          "T = 200, D = 13; conic splits in the paper, axis-aligned here. rho = 1,000 and 1.",
          "Without any optimisation of the nodes the posterior is paler and smoother; training is "
          "faster.",
          3,
          {{"training rows", rows, kFourArms},
           {"rho = 1,000", posterior, kFourArms,
            randomised("--trees 200 --max-depth 12", "--random-thresholds 500 --max-features all")},
           {"rho = 1", posterior, kFourArms,
            randomised("--trees 200 --max-depth 12", "--random-thresholds 1 --max-features 1")}}};
}

GalleryPanel spiral_panel(const std::string& title, const std::string& size) {
  return {title, posterior, kThreeArms,
          size + " --criterion entropy --random-thresholds 3 --max-samples 0.632"};
}

GalleryFigure spiral_trees() {
  return {"kim-trees",
          std::string(kKim) + "toy spiral",
          "The number of trees",
          "Three classes, D = 5, rho = 3, information gain, bags of 63.2 % of the rows; T = 1, 3, "
          "5, 10 and 20.",
          "One tree is a patchwork of boxes; more trees average them into a smooth posterior. Five "
          "levels are too few for the inner arms: see the next figure.",
          5,
          {spiral_panel("T = 1", "--trees 1 --max-depth 4"),
           spiral_panel("T = 3", "--trees 3 --max-depth 4"),
           spiral_panel("T = 5", "--trees 5 --max-depth 4"),
           spiral_panel("T = 10", "--trees 10 --max-depth 4"),
           spiral_panel("T = 20", "--trees 20 --max-depth 4")}};
}

GalleryFigure spiral_depths() {
  return {"kim-depths",
          std::string(kKim) + "toy spiral",
          "The depth of the trees",
          "Three classes, T = 20, rho = 3, information gain, bags of 63.2 % of the rows; D = 2, 5, "
          "7 and 11.",
          "Stumps cannot follow the arms; deeper trees do, and become sure of them.",
          4,
          {spiral_panel("D = 2", "--trees 20 --max-depth 1"),
           spiral_panel("D = 5", "--trees 20 --max-depth 4"),
           spiral_panel("D = 7", "--trees 20 --max-depth 6"),
           spiral_panel("D = 11", "--trees 20 --max-depth 10")}};
}

}  // namespace

std::vector<GalleryFigure> classification_figures() {
  return {
      forest_size(),
      classes_and_noise(),
      depth_and_labels(),
      weak_learner_far_away(),
      weak_learner("3.7", "The weak learner and the depth",
                   "--random-thresholds 250 --max-features all",
                   "Deeper trees are surer. Axis-aligned splits separate the arms, but leave "
                   "blocks where the arms should bend. rho = 500."),
      weak_learner("3.8", "More randomness", "--random-thresholds 5 --max-features 1",
                   "The same with rho = 5: paler, above all with shallow trees, and rounder."),
      maximum_margin(),
      margin_and_randomness(),
      margin_and_weak_learner(),
      margin_of_classes(),
      bagging(),
      against_boosting(),
      against_support_vectors(),
      extremely_randomised(),
      spiral_trees(),
      spiral_depths(),
  };
}

}  // namespace coppice
