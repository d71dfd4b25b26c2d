// See tree_plot.h.
#include "draw/tree_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "draw/axes.h"
#include "draw/node_summary.h"
#include "draw/plane_plot.h"
#include "infer/votes.h"
#include "model/describe.h"
#include "model/walk.h"

namespace coppice {
namespace {

constexpr double kNodeWidth = 138, kNodeHeight = 56, kSlot = 150, kLevel = 92;
constexpr double kMargin = 18, kTitleRoom = 44, kTextSize = 12, kSmallSize = 11;

// A split, a leaf, or a split whose subtree is summed up.
struct Node {
  enum class Kind { split, leaf, cut } kind = Kind::leaf;
  std::size_t number = 0;  // split or leaf of the tree
  std::size_t depth = 0;
  int parent = -1;
  double slot = 0;  // from the left, in widths of a node
  bool on_path = false;
};

class Layout {
 public:
  Layout(const TreePlot& plot, const NodeSummaries& summaries)
      : plot_(plot), summaries_(summaries), arrays_(plot.predictor.forest().arrays()) {
    if (!plot.row.empty()) path_ = plot.predictor.decision_path(plot.row, plot.tree);
    const bool stump = arrays_.first_split[plot.tree] == arrays_.first_split[plot.tree + 1];
    place({stump ? Node::Kind::leaf : Node::Kind::split});
  }

  std::vector<Node> nodes;
  std::size_t slots = 0, depth = 0;

 private:
  // Returns the number of the node; children follow their parent.
  std::size_t place(Node node) {
    if (node.kind == Node::Kind::split && node.depth == plot_.depth) node.kind = Node::Kind::cut;
    depth = std::max(depth, node.depth);
    node.on_path = passes(node);
    const std::size_t self = nodes.size();
    nodes.push_back(node);
    if (node.kind != Node::Kind::split) {
      nodes[self].slot = static_cast<double>(slots++);
      return self;
    }
    const Split split = arrays_.split(plot_.tree, node.number);
    const std::size_t first = summaries_.first_leaf[node.number];
    const std::size_t left =
        split.right == node.number + 1 ? leaf(first, self) : inner(node.number + 1, self);
    const std::size_t right = split.right_is_leaf ? leaf(first + split.right - node.number, self)
                                                  : inner(split.right, self);
    nodes[self].slot = (nodes[left].slot + nodes[right].slot) / 2;
    return self;
  }

  std::size_t leaf(std::size_t number, std::size_t parent) {
    return place({Node::Kind::leaf, number, nodes[parent].depth + 1, static_cast<int>(parent)});
  }
  std::size_t inner(std::size_t number, std::size_t parent) {
    return place({Node::Kind::split, number, nodes[parent].depth + 1, static_cast<int>(parent)});
  }

  bool passes(const Node& node) const {
    if (plot_.row.empty()) return false;
    if (node.kind == Node::Kind::leaf) return node.number == path_.leaf;
    return std::count(path_.splits.begin(), path_.splits.end(), node.number) > 0;
  }

  const TreePlot& plot_;
  const NodeSummaries& summaries_;
  const ForestArrays& arrays_;
  Predictor::Path path_;
};

class TreePainter {
 public:
  explicit TreePainter(const TreePlot& plot)
      : plot_(plot),
        forest_(plot.predictor.forest()),
        summaries_(summarize(forest_, plot.tree)),
        layout_(plot, summaries_) {
    const bool classes = classifier();
    keys_ = classes ? class_keys(forest_.info().schema) : std::vector<Key>{};
    const double width = std::max(2.0, double(layout_.slots)) * kSlot + 2 * kMargin;
    legend_ = legend_height(keys_, width - 2 * kMargin);
    drawing_ = {width,
                kTitleRoom + double(layout_.depth) * kLevel + kNodeHeight + kMargin + legend_,
                plot.title,
                {}};
    find_means();
  }

  Drawing painted() && {
    drawing_.text({drawing_.width / 2, 24},
                  fitted(plot_.title, 15 * 1.1, drawing_.width - 2 * kMargin),
                  {15, kInk, Align::centre, true});
    for (const Node& node : layout_.nodes) edge(node);
    for (const Node& node : layout_.nodes) paint(node);
    draw_legend(drawing_,
                {kMargin, drawing_.height - legend_ - 6, drawing_.width - 2 * kMargin, legend_},
                keys_);
    return std::move(drawing_);
  }

 private:
  bool classifier() const { return predicts_classes(forest_.info().payload_kind); }

  Box box(const Node& node) const {
    const double inset =
        (drawing_.width - 2 * kMargin - std::max(1.0, double(layout_.slots)) * kSlot) / 2;
    return {kMargin + inset + node.slot * kSlot + (kSlot - kNodeWidth) / 2,
            kTitleRoom + double(node.depth) * kLevel, kNodeWidth, kNodeHeight};
  }

  double support(const Node& node) const {
    if (node.kind != Node::Kind::leaf) return summaries_.support[node.number];
    return static_cast<double>(
        forest_.arrays().support[forest_.arrays().first_leaf(plot_.tree) + node.number]);
  }

  std::vector<double> payload(const Node& node) const {
    std::vector<double> values;
    if (node.kind != Node::Kind::leaf) {
      const double* const summary = summaries_.of(node.number);
      values.assign(summary, summary + summaries_.size);
    } else {
      const auto of_leaf =
          forest_.arrays().payload_of(forest_.arrays().first_leaf(plot_.tree) + node.number);
      values.assign(of_leaf.begin(),
                    of_leaf.begin() + static_cast<std::ptrdiff_t>(summaries_.size));
    }
    if (forest_.info().payload_kind == PayloadKind::class_scores) take_softmax(values);
    return values;
  }

  void find_means() {
    if (classifier()) return;
    std::vector<double> ends;
    for (const Node& node : layout_.nodes) {
      const std::vector<double> values = payload(node);
      const double deviation = std::sqrt(std::max(0.0, values[values.size() / 2]));
      ends.push_back(values[0] - deviation);
      ends.push_back(values[0] + deviation);
    }
    means_ = range_of(std::span<const double>(ends));
  }

  void edge(const Node& node) {
    if (node.parent < 0) return;
    const Node& parent = layout_.nodes[static_cast<std::size_t>(node.parent)];
    const Box from = box(parent), to = box(node);
    const Spot start{from.centre().x, from.bottom()}, end{to.centre().x, to.top};
    const bool marked = node.on_path && parent.on_path;
    drawing_.add(LineShape{{start, end}, {marked ? kRed : kGrey, marked ? 3.5 : 1.3}});
    if (node.parent != 0) return;
    const bool left = end.x < start.x;
    drawing_.text({(start.x + end.x) / 2 + (left ? -8 : 8), (start.y + end.y) / 2 - 3},
                  left ? "yes" : "no", {kSmallSize, kInk, left ? Align::right : Align::left});
  }

  std::string heading(const Node& node) const {
    if (node.kind == Node::Kind::split) return short_sentence(node.number);
    if (node.kind == Node::Kind::leaf) return fmt::format("leaf {}", node.number);
    return fmt::format(".. {} leaves", summaries_.leaves[node.number]);
  }

  // Four digits, and nothing about missing values: a picture is read, not calculated with.
  std::string short_sentence(std::size_t number) const {
    const Split split = forest_.arrays().split(plot_.tree, number);
    if (split.kind == Split::Kind::numeric) {
      return fmt::format("{} < {:.4g}", forest_.info().schema.features[split.feature].name,
                         split.threshold);
    }
    const std::string sentence = split_sentence(forest_, plot_.tree, number);
    return sentence.substr(0, sentence.rfind(" or missing"));
  }

  std::string detail(const Node& node) const {
    std::string text = fmt::format("n = {:.6g}", support(node));
    if (node.kind != Node::Kind::split || !node.on_path) return text;
    const Split split = forest_.arrays().split(plot_.tree, node.number);
    const Schema& schema = forest_.info().schema;
    if (split.kind == Split::Kind::projection) {
      const float response = response_of(forest_.arrays(), schema, split.feature,
                                         [&](std::uint32_t feature) { return plot_.row[feature]; });
      return text + (std::isnan(response) ? std::string(", row: missing")
                                          : fmt::format(", row: {:.4g}", response));
    }
    const Feature& feature = schema.features[split.feature];
    const float value = plot_.row[split.feature];
    if (std::isnan(value)) return text + ", row: missing";
    if (feature.kind == FeatureKind::numeric) return text + fmt::format(", row: {:.4g}", value);
    return text + ", row: " + feature.categories[static_cast<std::size_t>(value)];
  }

  void paint(const Node& node) {
    const Box place = box(node);
    const double x = place.centre().x, room = place.width - 10;
    drawing_.add(BoxShape{place, kWhite,
                          Stroke{node.on_path ? kRed : kInk, node.on_path ? 2.5 : 1, 1,
                                 node.kind == Node::Kind::cut}});
    drawing_.text({x, place.top + 16}, fitted(heading(node), kTextSize, room),
                  {kTextSize, kInk, Align::centre});
    drawing_.text({x, place.top + 31}, fitted(detail(node), kSmallSize, room),
                  {kSmallSize, mixed(kInk, kWhite, 0.2), Align::centre});
    const Box bar{place.left + 6, place.top + 38, place.width - 12, 11};
    if (classifier()) {
      class_bar(payload(node), bar);
    } else {
      mean_bar(payload(node), bar);
    }
  }

  void class_bar(const std::vector<double>& shares, const Box& bar) {
    double left = bar.left;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const double width = std::max(0.0, shares[k]) * bar.width;
      if (width > 0.05) {
        drawing_.add(BoxShape{{left, bar.top, width, bar.height}, class_colour(k), {}});
      }
      left += width;
    }
    drawing_.add(BoxShape{bar, {}, Stroke{kInk, 0.7}});
  }

  // A point with whiskers of one deviation, on the range of the nodes, and the mean in figures.
  void mean_bar(const std::vector<double>& values, const Box& bar) {
    const std::string words = fmt::format("{:.4g}", values[0]);
    const double wide = text_room(words, kSmallSize) + 6;
    const Scale scale{means_, bar.left + 3, bar.right() - wide - 3};
    const double y = bar.centre().y;
    const double deviation = std::sqrt(std::max(0.0, values[values.size() / 2]));
    drawing_.add(LineShape{{{scale.first, y}, {scale.last, y}}, {kPale, 1.5}});
    drawing_.add(LineShape{{{scale(values[0] - deviation), y}, {scale(values[0] + deviation), y}},
                           {kBlue, 3, 0.5}});
    drawing_.add(DiscShape{{scale(values[0]), y}, 3.5, kBlue, {}});
    drawing_.text({bar.right(), y + 4}, words, {kSmallSize, kInk, Align::right});
  }

  const TreePlot& plot_;
  const Forest& forest_;
  NodeSummaries summaries_;
  Layout layout_;
  std::vector<Key> keys_;
  double legend_ = 0;
  Range means_;
  Drawing drawing_;
};

}  // namespace

Drawing tree_drawing(const TreePlot& plot) { return TreePainter(plot).painted(); }

}  // namespace coppice
