// The figures of the gallery about learning from few labels. Depths as in
// gallery_classification.cpp.
#include "gallery_table.h"

namespace coppice {
namespace {

using enum PanelView;

constexpr const char* kCriminisi = "Criminisi, Shotton, Konukoglu 2012, figure ";

constexpr ToyOptions kMoons{.shape = ToyShape::moons, .rows = 400, .noise = 0.08, .labels = 4};
constexpr ToyOptions kNoisyMoons{.shape = ToyShape::moons, .rows = 400, .noise = 0.16, .labels = 4};
constexpr ToyOptions kMoreLabels{
    .shape = ToyShape::moons, .rows = 400, .noise = 0.08, .labels = 12};
constexpr ToyOptions kClouds{
    .shape = ToyShape::blobs, .rows = 400, .classes = 4, .noise = 0.2, .labels = 4};
constexpr ToyOptions kArms{
    .shape = ToyShape::arms, .rows = 1000, .classes = 4, .noise = 0.02, .labels = 4};
constexpr ToyOptions kArmsOfEight{
    .shape = ToyShape::arms, .rows = 1000, .classes = 4, .noise = 0.02, .labels = 8};

std::string few_labels(const std::string& size) { return "--task semi-supervised " + size; }

GalleryFigure transduction() {
  const std::string forest = few_labels("--trees 100 --max-depth 6");
  return {"criminisi-7.2",
          std::string(kCriminisi) + "7.2",
          "Labels travel from leaf to leaf",
          "Two moons, four labels; D = 7.",
          "Every tree cuts the rows into other leaves and carries the labels (with a border) along "
          "the moons. Far from the labels trees differ: the forest is undecided there.",
          3,
          {{"rows, four of them labelled", rows, kMoons},
           {"tree 1", labels, kMoons, forest, 1},
           {"tree 2", labels, kMoons, forest, 2},
           {"tree 3", labels, kMoons, forest, 3},
           {"all trees", labels, kMoons, forest},
           {"cells of tree 1", cells, kMoons, forest, 1}}};
}

GalleryFigure induction() {
  return {"criminisi-7.3",
          std::string(kCriminisi) + "7.3",
          "From rows to all points",
          "As before, T = 1, 10 and 100.",
          "Counting the labels in the leaves classifies points that were never rows. The border "
          "follows the gap between the moons, where a forest that sees the four labels only would "
          "draw a straight line. More trees make it smooth.",
          3,
          {{"T = 1", posterior, kMoons, few_labels("--trees 1 --max-depth 6")},
           {"T = 10", posterior, kMoons, few_labels("--trees 10 --max-depth 6")},
           {"T = 100", posterior, kMoons, few_labels("--trees 100 --max-depth 6")}}};
}

GalleryFigure more_labels() {
  const std::string forest = few_labels("--trees 100 --max-depth 6");
  return {
      "criminisi-7.4",
      std::string(kCriminisi) + "7.4",
      "More labels",
      "Four and twelve labels; posterior and entropy.",
      "With more labels the forest is undecided in a smaller region only. Where it is undecided "
      "is where a label is worth most: coppice query asks there.",
      2,
      {{"four labels", posterior, kMoons, forest},
       {"its entropy", entropy, kMoons, forest},
       {"twelve labels", posterior, kMoreLabels, forest},
       {"its entropy", entropy, kMoreLabels, forest}}};
}

GalleryFigure noise() {
  const std::string forest = few_labels("--trees 100 --max-depth 6");
  return {"criminisi-7.5",
          std::string(kCriminisi) + "7.5",
          "Noise",
          "Four labels; rows with little and with more noise.",
          "The border lies where few rows are. With noise the posterior is less sure, which a "
          "transductive support vector machine cannot say.",
          2,
          {{"little noise", posterior, kMoons, forest},
           {"its entropy", entropy, kMoons, forest},
           {"more noise", posterior, kNoisyMoons, forest},
           {"its entropy", entropy, kNoisyMoons, forest}}};
}

GalleryFigure several_classes() {
  const std::string forest = few_labels("--trees 100 --max-depth 6");
  return {"criminisi-7.6",
          std::string(kCriminisi) + "7.6",
          "Several classes",
          "Four clouds, a label each.",
          "One label per cloud is enough for all rows of it.",
          3,
          {{"rows, four of them labelled", rows, kClouds},
           {"tree 1", labels, kClouds, forest, 1},
           {"all trees", posterior, kClouds, forest}}};
}

GalleryFigure depth() {
  const std::string shallow = few_labels("--trees 100 --max-depth 5");
  const std::string deep = few_labels("--trees 100 --max-depth 9");
  return {"criminisi-7.7",
          std::string(kCriminisi) + "7.7",
          "The depth of the trees",
          "Four arms, one label each above, two each below; D = 6 and D = 10.",
          "Large leaves reach across the gaps between the arms. Deep trees with two labels per arm "
          "are the best.",
          3,
          {{"four labels", rows, kArms},
           {"D = 6", posterior, kArms, shallow},
           {"D = 10", posterior, kArms, deep},
           {"eight labels", rows, kArmsOfEight},
           {"D = 6", posterior, kArmsOfEight, shallow},
           {"D = 10", posterior, kArmsOfEight, deep}}};
}

}  // namespace

std::vector<GalleryFigure> few_label_figures() {
  return {transduction(), induction(), more_labels(), noise(), several_classes(), depth()};
}

}  // namespace coppice
