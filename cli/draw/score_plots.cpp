// See score_plots.h.
#include "draw/score_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {
namespace {

constexpr std::size_t kBins = 10;

void label_cell(Axes& axes, const Spot& centre, std::size_t count, const Colour& background) {
  if (count == 0) return;
  constexpr double size = 11;
  axes.drawing().text({centre.x, centre.y + 4}, std::to_string(count),
                      {size, readable_on(background), Align::centre});
}

std::vector<double> rows_per_class(const ClassMetrics& metrics, std::size_t count) {
  std::vector<double> rows(count, 0);
  for (std::size_t n = 0; n < count * count; ++n) {
    rows[n / count] += static_cast<double>(metrics.confusion[n]);
  }
  return rows;
}

std::vector<Tick> class_ticks(const std::vector<std::string>& classes, double width, bool down) {
  constexpr std::size_t most = 40;
  const std::size_t every = (classes.size() + most - 1) / most;
  std::vector<Tick> ticks;
  for (std::size_t k = 0; k < classes.size(); k += every) {
    const double place = static_cast<double>(down ? classes.size() - 1 - k : k) + 0.5;
    ticks.push_back({place, fitted(classes[k], 11, width)});
  }
  return ticks;
}

}  // namespace

Calibration calibration(const Predictions& answers, std::span<const std::uint32_t> labels) {
  Calibration made;
  made.bins.resize(kBins);
  for (std::size_t row = 0; row < answers.rows; ++row) {
    const double confidence = answers.mean[row * answers.outputs + answers.labels[row]];
    const auto bin = std::min(kBins - 1, static_cast<std::size_t>(confidence * kBins));
    made.bins[bin].rows += 1;
    made.bins[bin].confidence += confidence;
    made.bins[bin].accuracy += answers.labels[row] == labels[row] ? 1 : 0;
  }
  for (Calibration::Bin& bin : made.bins) {
    if (bin.rows == 0) continue;
    made.error += std::abs(bin.accuracy - bin.confidence) / static_cast<double>(answers.rows);
    bin.confidence /= static_cast<double>(bin.rows);
    bin.accuracy /= static_cast<double>(bin.rows);
  }
  return made;
}

void draw_calibration(const Calibration& made, Axes& axes) {
  axes.make_square();
  axes.set_ranges({0, 1}, {0, 1});
  std::size_t all = 0;
  for (const auto& bin : made.bins) all += bin.rows;
  for (std::size_t n = 0; n < kBins; ++n) {
    const double share = static_cast<double>(made.bins[n].rows) / static_cast<double>(all);
    const Spot low = axes.at(double(n) / kBins, 0), high = axes.at(double(n + 1) / kBins, share);
    axes.drawing().add(
        BoxShape{{low.x + 1, high.y, high.x - low.x - 2, low.y - high.y}, kPale, {}});
  }
  axes.curve({{0, 0}, {1, 1}}, {kGrey, 1.5, 1, true});
  std::vector<Spot> line;
  for (const auto& bin : made.bins) {
    if (bin.rows > 0) line.push_back({bin.confidence, bin.accuracy});
  }
  axes.curve(line, {kBlue, 2});
  for (const Spot& spot : line) axes.disc(spot.x, spot.y, 4, kBlue);
  axes.finish();
}

void draw_confusion(const ClassMetrics& metrics, const std::vector<std::string>& classes,
                    Axes& axes) {
  axes.make_square();
  const std::size_t count = classes.size();
  const auto side = static_cast<double>(count);
  axes.set_ranges({0, side}, {0, side});
  const double cell = axes.area().width / side;
  const std::vector<double> rows = rows_per_class(metrics, count);
  const auto colour = [&](std::size_t truth, std::size_t answer) {
    const auto here = static_cast<double>(metrics.confusion[truth * count + answer]);
    return mixed(kWhite, answer == truth ? kBlue : kRed,
                 std::sqrt(here / std::max(1.0, rows[truth])));
  };
  const auto pixels = static_cast<std::size_t>(std::lround(axes.area().width));
  Picture cells(pixels, pixels, kWhite);
  for (std::size_t n = 0; n < pixels * pixels; ++n) {
    const std::size_t x = n % pixels, y = n / pixels;
    cells.at(x, y) = colour(y * count / pixels, x * count / pixels);
  }
  axes.image(std::move(cells));
  constexpr double least_cell = 18;  // that has room for a number
  for (std::size_t n = 0; cell >= least_cell && n < count * count; ++n) {
    const std::size_t truth = n / count, answer = n % count;
    const Spot corner = axes.at(double(answer), side - double(truth));
    const Box box{corner.x, corner.y, cell, cell};
    axes.drawing().add(BoxShape{box, {}, Stroke{kPale, 0.5}});
    label_cell(axes, box.centre(), metrics.confusion[n], colour(truth, answer));
  }
  axes.finish(class_ticks(classes, std::max(cell - 2, 14.0), false),
              class_ticks(classes, 36, true));
}

void draw_predicted(const PredictedPlot& plot, Axes& axes) {
  axes.make_square();
  std::vector<double> all(plot.truth.begin(), plot.truth.end());
  all.insert(all.end(), plot.predicted.begin(), plot.predicted.end());
  const Range range = range_of(std::span<const double>(all), 0.04);
  axes.set_ranges(range, range);
  axes.curve({{range.low, range.low}, {range.high, range.high}}, {kInk, 1.5, 0.8, true});
  const double opacity = plot.truth.size() > 500 ? 0.35 : 0.7;
  for (std::size_t row = 0; row < plot.truth.size(); row += drawn_step(plot.truth.size())) {
    axes.disc(plot.truth[row], plot.predicted[row], 2.4, kBlue, opacity);
  }
  axes.finish();
}

Drawing importance_drawing(const ImportancePlot& plot) {
  std::vector<std::size_t> order(plot.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return plot.values[a] > plot.values[b]; });
  order.resize(std::min(order.size(), plot.most));
  constexpr double row_height = 22, width = 640, names = 180, numbers = 70, top = 62;
  Drawing drawing{width, top + row_height * double(order.size()) + 18, plot.title, {}};
  drawing.text({width / 2, 24}, plot.title, {15, kInk, Align::centre, true});
  drawing.text({width / 2, 43}, plot.note, {12, mixed(kInk, kWhite, 0.25), Align::centre});
  double low = 0, high = 0;
  for (const std::size_t n : order) {
    low = std::min(low, plot.values[n]);
    high = std::max(high, plot.values[n]);
  }
  const Scale scale{{low, high > low ? high : low + 1}, names + 12, width - numbers};
  for (std::size_t place = 0; place < order.size(); ++place) {
    const double value = plot.values[order[place]], y = top + row_height * double(place);
    const double from = std::min(scale(0), scale(value)), to = std::max(scale(0), scale(value));
    drawing.text({names, y + 15}, fitted(plot.names[order[place]], 13, names - 12),
                 {12, kInk, Align::right});
    drawing.add(BoxShape{{from, y + 3, to - from, row_height - 6}, value < 0 ? kRed : kBlue, {}});
    drawing.text({to + 6, y + 15}, fmt::format("{:.4g}", value), {11});
  }
  drawing.add(LineShape{{{scale(0), top}, {scale(0), drawing.height - 14}}, {kInk, 1}});
  return drawing;
}

}  // namespace coppice
