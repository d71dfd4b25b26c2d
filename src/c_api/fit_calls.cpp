// The calls of c_api.h that train, and those that answer without a handle.
#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "coppice/embedding.h"
#include "coppice/fit.h"
#include "coppice/version.h"
#include "data/place.h"
#include "tasks/option_table.h"

namespace coppice {
namespace {

// set_option() knows what to say of an unknown name.
void refuse_option(const std::string& name) {
  FitOptions scratch;
  set_option(scratch, name, {});
}

// Else columns could not be told apart when the forest meets other data.
void check_names(const Schema& schema) {
  std::vector<std::string_view> names;
  for (const Feature& feature : schema.features) names.push_back(feature.name);
  std::sort(names.begin(), names.end());
  const auto twin = std::adjacent_find(names.begin(), names.end());
  if (twin != names.end())
    throw Error(ErrorKind::invalid_data, "two features are named " + quoted(*twin));
}

bool asks_for_manifold(const CoppiceOptions* given) {
  std::string_view task;
  if (given != nullptr)
    for (const auto& [name, value] : given->named_values)
      if (name == "task") task = value;
  return task == "manifold";
}

FitOptions fit_options(const DatasetView& data, const CoppiceOptions* given) {
  FitOptions options;
  if (data.schema->classes.empty()) options.task = Regression{};
  if (given == nullptr) return options;
  auto values = given->named_values;
  if (asks_for_manifold(given)) {
    options = manifold_options(data.rows, data.columns.size());
    std::erase_if(values, [](const auto& value) { return value.first == "task"; });
  }
  set_options(options, values);
  return options;
}

FitResult trained(const Dataset& data, const CoppiceOptions* given, const RunContext& context) {
  if (!asks_for_manifold(given)) return fit(data.view(), fit_options(data.view(), given), context);
  const Dataset directed = manifold_dataset(data.view(), context);
  return fit(directed.view(), fit_options(directed.view(), given), context);
}

// Lets the caller watch and stop one training. Must outlive the context that it makes.
class Supervision {
 public:
  explicit Supervision(const CoppiceRun& run) : run_(run) {}

  RunContext context() {
    RunContext context{.threads = checked_threads(run_.threads)};
    if (run_.progress != nullptr)
      context.progress = [this](const Progress& progress) { tell(progress); };
    context.cancelled = [this] { return stopped(); };
    return context;
  }

 private:
  void tell(const Progress& progress) {
    if (!refused_ && run_.progress(run_.user, progress.done, progress.total) != 0) refused_ = true;
  }
  bool stopped() const {
    return refused_ || (run_.stop != nullptr && __atomic_load_n(run_.stop, __ATOMIC_RELAXED) != 0);
  }

  CoppiceRun run_;
  std::atomic<bool> refused_{false};
};

CoppiceReport summary(const FitReport& report) {
  const auto& oob = report.out_of_bag;
  return {.struct_size = 0,
          .seconds = report.seconds,
          .trees = report.trees,
          .nodes = report.nodes,
          .leaves = report.leaves,
          .max_depth = report.max_depth,
          .oob_error = oob ? oob->error : std::numeric_limits<double>::quiet_NaN(),
          .oob_rows = oob ? oob->rows_covered : 0,
          .cancelled = report.cancelled};
}

}  // namespace
}  // namespace coppice

using namespace coppice;

const char* coppice_version(void) { return kVersion; }
const char* coppice_last_error(void) { return remembered_sentence(); }

CoppiceStatus coppice_options_new(CoppiceOptions** options) {
  return guarded([&] { required_output(options, "options") = new CoppiceOptions; });
}

CoppiceStatus coppice_options_set(CoppiceOptions* options, const char* name, const char* value) {
  return guarded([&] {
    CoppiceOptions& given = required(options, "options");
    std::string option = required_text(name, "name");
    if (find_option(option) == nullptr) refuse_option(option);
    given.named_values.emplace_back(std::move(option), required_text(value, "value"));
  });
}

void coppice_options_free(CoppiceOptions* options) { delete options; }

CoppiceStatus coppice_fit(const CoppiceDataset* dataset, const CoppiceOptions* options,
                          const CoppiceRun* run, CoppiceReport* report, CoppiceForest** forest) {
  return guarded([&] {
    CoppiceForest*& output = required_output(forest, "forest");
    const Dataset& data = required(dataset, "dataset").data;
    check_names(data.schema);
    if (report != nullptr) check_struct_size(report->struct_size, "report");
    Supervision supervision(run != nullptr ? read_struct(run, "run") : CoppiceRun{});
    FitResult result = trained(data, options, supervision.context());
    auto handle = std::make_unique<CoppiceForest>(std::move(result.forest));
    if (report != nullptr) write_struct(summary(result.report), report, "report");
    handle->out_of_bag = std::move(result.report.out_of_bag);
    output = handle.release();
  });
}
