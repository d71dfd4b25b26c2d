// coppice condition: what a density says of some features, given others.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/worker_team.h"
#include "command.h"
#include "coppice/density.h"
#include "coppice/error.h"
#include "csv_writer.h"
#include "data/number_text.h"
#include "drawn_rows.h"
#include "model_files.h"
#include "suggestion.h"
#include "terminal.h"

namespace coppice {
namespace {

class ConditionCommand final : public Command {
 public:
  const char* name() const override { return "condition"; }
  const char* summary() const override { return "features given others, by a density"; }
  const char* examples() const override {
    return "  coppice condition galaxies.coppice --known mass=2.5,redshift=0.1\n"
           "  coppice condition galaxies.coppice --known mass=2.5 --curve age -o curve.csv\n"
           "  coppice condition galaxies.coppice --known mass=2.5 --sample 100 -o drawn.csv\n"
           "  coppice condition galaxies.coppice --curve mass      (its marginal density)\n";
  }
  void declare(CLI::App&) override;
  int run(const SharedArguments&) override;

 private:
  std::vector<float> known_row(const Schema&) const;
  int print_summary(const Conditional&, const Schema&, const SharedArguments&) const;
  int write_curve(const Conditional&, const Schema&, const SharedArguments&) const;
  int write_sample(const Conditional&, const Schema&, const SharedArguments&) const;

  std::string model_, output_, curve_;
  std::vector<std::string> known_;
  std::size_t points_ = 201, rows_ = 0;
  std::uint64_t seed_ = 1;
};

void ConditionCommand::declare(CLI::App& app) {
  app.add_option("MODEL", model_, "what train --task density wrote")->type_name("")->required();
  app.add_option("--known", known_, "features that are known, such as mass=2.5,redshift=0.1")
      ->type_name("NAME=VALUE,...")
      ->delimiter(',');
  CLI::Option* const curve =
      app.add_option("--curve", curve_, "the density of this feature, value by value");
  curve->type_name("NAME")->group("Output");
  app.add_option("--points", points_, "values of --curve (201)")
      ->type_name("N")
      ->check(CLI::Range(3, 1'000'000).description(""))
      ->group("Output");
  app.add_option("--sample", rows_, "draw so many rows given what is known")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000'000).description(""))
      ->excludes(curve)
      ->group("Output");
  app.add_option("--seed", seed_, "of --sample (1)")->type_name("N")->group("Output");
  app.add_option("--output,-o", output_, "a .csv or .npy file; default: standard output as CSV")
      ->type_name("FILE")
      ->group("Output");
}

std::uint32_t feature_named(const Schema& schema, const std::string& name) {
  std::vector<std::string> names;
  for (const Feature& feature : schema.features) names.push_back(feature.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Error(ErrorKind::invalid_option,
                fmt::format("the model has no feature '{}'{}", name, suggestion(name, names)));
  return static_cast<std::uint32_t>(found - names.begin());
}

std::vector<float> ConditionCommand::known_row(const Schema& schema) const {
  std::vector<float> row(schema.features.size(), kMissing);
  for (const std::string& given : known_) {
    const std::size_t sign = given.rfind('=');
    const auto value = parse_number<float>(sign == std::string::npos ? "" : given.substr(sign + 1));
    if (value.status != NumberStatus::number || !std::isfinite(value.value))
      throw Error(ErrorKind::invalid_option,
                  fmt::format("--known: '{}' is not a feature and its value; try --known "
                              "{}=1",
                              given, schema.features[0].name));
    row[feature_named(schema, given.substr(0, sign))] = value.value;
  }
  return row;
}

struct Curve {
  std::vector<double> at, density;
};
Curve curve_of(const Conditional& found, std::uint32_t feature, std::size_t points) {
  Curve curve;
  const Conditional::Range range = found.range(feature);
  for (std::size_t i = 0; i < points; ++i)
    curve.at.push_back(range.lower + (range.upper - range.lower) * static_cast<double>(i) /
                                         static_cast<double>(points - 1));
  curve.density = found.density(feature, curve.at);
  return curve;
}

// Modes of every unknown feature; features are looked at by several threads at once.
std::vector<std::vector<Mode>> modes_of_all(const Conditional& found, std::size_t points,
                                            const SharedArguments& shared) {
  const std::size_t count = found.unknown().size();
  std::vector<std::vector<Mode>> modes(count);
  ProgressBar bar("features", shared.talkative());
  std::mutex telling;
  std::size_t done = 0;
  for_each_task(count, worker_count(shared.context().threads), [&](std::size_t, std::size_t k) {
    const Curve curve = curve_of(found, found.unknown()[k], points);
    modes[k] = find_modes(curve.at, curve.density);
    const std::lock_guard lock(telling);
    bar.update(++done, count);
  });
  return modes;
}

int ConditionCommand::print_summary(const Conditional& found, const Schema& schema,
                                    const SharedArguments& shared) const {
  constexpr std::size_t kShown = 4;
  const Conditional::Moments moments = found.moments();
  const std::vector<std::vector<Mode>> modes_of = modes_of_all(found, points_, shared);
  TextTable table("lrrl");
  table.add({"feature", "mean", "deviation", "modes"});
  Json features = Json::object();
  for (std::size_t k = 0; k < found.unknown().size(); ++k) {
    const std::uint32_t f = found.unknown()[k];
    const std::vector<Mode>& modes = modes_of[k];
    std::string text;
    Json places = Json::array();
    for (std::size_t m = 0; m < modes.size(); ++m) {
      places.push_back({{"value", modes[m].value}, {"density", modes[m].density}});
      if (m < kShown) text += fmt::format("{}{:.4g}", m > 0 ? ", " : "", modes[m].value);
    }
    if (modes.size() > kShown) text += ", ...";
    const double deviation = std::sqrt(moments.variance[k]);
    table.add({schema.features[f].name, fmt::format("{:.5g}", moments.mean[k]),
               fmt::format("{:.4g}", deviation), text});
    features[schema.features[f].name] = {
        {"mean", moments.mean[k]}, {"deviation", deviation}, {"modes", std::move(places)}};
  }
  if (shared.json) {
    print_json({{"log_density_of_known", found.log_known()}, {"features", std::move(features)}});
  } else {
    print_text(fmt::format("log density of what is known: {:.6g}\n{}",
                           known_.empty() ? 0.0 : found.log_known(), table.text()));
  }
  return kSuccess;
}

int ConditionCommand::write_curve(const Conditional& found, const Schema& schema,
                                  const SharedArguments& shared) const {
  const std::uint32_t feature = feature_named(schema, curve_);
  const auto& unknown = found.unknown();
  if (std::find(unknown.begin(), unknown.end(), feature) == unknown.end())
    throw Error(ErrorKind::invalid_option,
                fmt::format("--curve: '{}' is known; name a feature that is not", curve_));
  const Curve curve = curve_of(found, feature, points_);
  Json table;
  const auto writer = table_writer(output_, points_, shared.json ? &table : nullptr);
  writer->header(std::vector<std::string>{curve_, "density"});
  for (std::size_t i = 0; i < curve.at.size(); ++i)
    writer->row(std::vector<Cell>{curve.at[i], curve.density[i]});
  writer->finish();
  if (shared.json && output_.empty()) print_json({{"curve", std::move(table)}});
  return kSuccess;
}

int ConditionCommand::write_sample(const Conditional& found, const Schema& schema,
                                   const SharedArguments& shared) const {
  Json table;
  const auto writer = table_writer(output_, rows_, shared.json ? &table : nullptr);
  write_rows(schema, found.sample(rows_, seed_), *writer);
  if (shared.json && output_.empty()) print_json({{"sample", std::move(table)}});
  return kSuccess;
}

int ConditionCommand::run(const SharedArguments& shared) {
  if (!output_.empty()) require_writable(output_);
  const Forest forest = load_model(model_);
  const Schema& schema = forest.info().schema;
  const DensityModel model(forest);
  const std::vector<float> row = known_row(schema);
  if (std::none_of(row.begin(), row.end(), [](float value) { return std::isnan(value); }))
    throw Error(ErrorKind::invalid_option,
                "--known: every feature is known; coppice predict gives its density");
  const Conditional found = model.condition(row);
  if (!std::isfinite(found.log_known()))
    throw Error(ErrorKind::invalid_option,
                "--known: the density is 0 there, so nothing can be said of the other features");
  if (!curve_.empty()) return write_curve(found, schema, shared);
  return rows_ > 0 ? write_sample(found, schema, shared) : print_summary(found, schema, shared);
}

}  // namespace

std::unique_ptr<Command> condition_command() { return std::make_unique<ConditionCommand>(); }

}  // namespace coppice
