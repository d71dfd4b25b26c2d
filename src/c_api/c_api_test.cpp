// The C interface against the C++ one, which it must repeat to the bit.
#include "coppice/c_api.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "c_api/test_handles.h"
#include "coppice/coppice.h"

namespace coppice {
namespace {

// --- Equal to C++ --------------------------------------------------------------------------------

TEST(CApi, NamesTheVersion) { EXPECT_STREQ(coppice_version(), kVersion); }

TEST(CApi, TrainsTheForestThatCppTrains) {
  for (const ToyShape shape : {ToyShape::spirals, ToyShape::friedman1}) {
    const Toy toy(shape);
    const FitResult expected = fit(toy.data.view(), toy.chosen);
    const TestFile ours("c.coppice", ""), theirs("cpp.coppice", "");
    EXPECT_OK(coppice_forest_save(toy.forest.get(), ours.path().c_str()));
    // The target of labels is always named "label", as that of the toy data is.
    expected.forest.save(theirs.path());
    EXPECT_EQ(bytes_of(ours.path()), bytes_of(theirs.path()));
    EXPECT_EQ(toy.report.trees, 12u);
    EXPECT_EQ(toy.report.nodes, expected.report.nodes);
    EXPECT_EQ(toy.report.leaves, expected.report.leaves);
    EXPECT_EQ(toy.report.max_depth, expected.report.max_depth);
    EXPECT_EQ(toy.report.oob_error, expected.report.out_of_bag->error);
    EXPECT_EQ(toy.report.oob_rows, expected.report.out_of_bag->rows_covered);
    EXPECT_EQ(toy.report.cancelled, 0);
  }
}

// One tree, one leaf: scores 0 and log 3 are probabilities 1/4 and 3/4.
TEST(CApi, ForestsOfClassScoresClassify) {
  ForestStorage storage;
  storage.first_split = {0, 0};
  storage.payload = {0, 1.0986123f};
  storage.support = {1};
  storage.payload_size = 2;
  ForestInfo info;
  info.schema = {{{"x", FeatureKind::numeric}}, {"y"}, {"no", "yes"}};
  info.payload_kind = PayloadKind::class_scores;
  info.ensemble = Ensemble::sum;
  const TestFile file("scores.coppice", "");
  Forest(std::move(storage), std::move(info)).save(file.path());
  CoppiceForest* loaded = nullptr;
  EXPECT_OK(coppice_forest_load(file.path().c_str(), &loaded));
  const ForestHandle forest(loaded);
  auto facts = sized<CoppiceForestFacts>();
  EXPECT_OK(coppice_forest_facts(forest.get(), &facts));
  EXPECT_EQ(facts.outputs, 2u);
  EXPECT_EQ(facts.payload, coppice_class_histogram);
  const float row = 0;
  const CoppiceMatrix rows{&row, 1, 1, 1, 1};
  std::uint32_t label = 0;
  double probabilities[2];
  auto answers = label_answers(&label, 1);
  answers.mean = probabilities;
  answers.mean_size = 2;
  EXPECT_OK(coppice_predict(forest.get(), &rows, 1, &answers));
  EXPECT_EQ(label, 1u);
  EXPECT_NEAR(probabilities[0], 0.25, 1e-7);
  EXPECT_NEAR(probabilities[1], 0.75, 1e-7);
}

TEST(CApi, PredictsWhatCppPredicts) {
  const Toy toy(ToyShape::friedman1);
  const FitResult cpp = fit(toy.data.view(), toy.chosen);
  const Predictor predictor(cpp.forest);
  const Predictions expected = predictor.predict(toy.data.view());
  std::vector<double> mean(toy.data.rows), variance(toy.data.rows);
  auto answers = sized<CoppicePredictions>();
  answers.mean = mean.data();
  answers.mean_size = mean.size();
  answers.variance = variance.data();
  answers.variance_size = variance.size();
  EXPECT_OK(coppice_predict_dataset(toy.forest.get(), toy.dataset.get(), 2, &answers));
  EXPECT_EQ(mean, expected.mean);
  EXPECT_EQ(variance, expected.variance);

  std::vector<float> per_tree(toy.data.rows * 12);
  EXPECT_OK(coppice_predict_per_tree(toy.forest.get(), toy.dataset.get(), 1, per_tree.data(),
                                     per_tree.size()));
  EXPECT_EQ(per_tree, predictor.predict_per_tree(toy.data.view()));
  std::vector<std::uint32_t> leaves(toy.data.rows * 12);
  EXPECT_OK(coppice_apply(toy.forest.get(), toy.dataset.get(), 1, leaves.data(), leaves.size()));
  const LeafIds ids = predictor.apply(toy.data.view());
  for (std::size_t row = 0; row < toy.data.rows; ++row)
    for (std::size_t tree = 0; tree < 12; ++tree)
      ASSERT_EQ(leaves[row * 12 + tree], ids.leaf(tree, row));
}

TEST(CApi, DistributionsAreThoseOfCpp) {
  const Toy toy(ToyShape::friedman1);
  const std::vector<double> levels{0.1, 0.5}, values{10, 15, 20};
  const std::size_t rows = toy.data.rows;
  std::vector<double> quantiles(rows * 2), density(rows * 3), mode(rows);
  auto wanted = sized<CoppiceDistributions>();
  wanted.levels = levels.data();
  wanted.levels_size = levels.size();
  wanted.quantiles = quantiles.data();
  wanted.quantiles_size = quantiles.size();
  wanted.density_at = values.data();
  wanted.density_at_size = values.size();
  wanted.density = density.data();
  wanted.density_size = density.size();
  wanted.mode = mode.data();
  wanted.mode_size = mode.size();
  const auto ask = [&] {
    return coppice_predict_distributions(toy.forest.get(), toy.dataset.get(), 2, &wanted);
  };
  EXPECT_OK(ask());
  const FitResult fitted = fit(toy.data.view(), toy.chosen);
  const Distributions expected = Predictor(fitted.forest).distributions(
      toy.data.view(), {.quantiles = levels, .density_at = values, .mode = true});
  EXPECT_EQ(quantiles, expected.quantiles);
  EXPECT_EQ(density, expected.density);
  EXPECT_EQ(mode, expected.mode);

  wanted.interval = 0.9;
  EXPECT_REFUSED(ask(), coppice_invalid_option, "calibration");
  wanted.interval = 0;
  wanted.lower = mode.data();
  EXPECT_REFUSED(ask(), coppice_invalid_option, "interval");
  wanted.lower = nullptr;
  wanted.mode_size = 1;
  EXPECT_REFUSED(ask(), coppice_invalid_option, "mode");
}

// Every layout of the same rows gives the same answers, also across the blocks of large batches.
TEST(CApi, AnswersDoNotDependOnStrides) {
  const Toy toy(ToyShape::spirals);
  const Dataset batch = generate({.shape = ToyShape::spirals, .rows = 70'000, .seed = 5});
  const std::size_t rows = batch.rows;
  const std::vector<float> values = row_major(batch);
  std::vector<float> columns = batch.columns[0], padded(rows * 5, -1), backwards(rows * 2);
  columns.insert(columns.end(), batch.columns[1].begin(), batch.columns[1].end());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t f = 0; f < 2; ++f) {
      padded[row * 5 + 2 * f] = batch.columns[f][row];
      backwards[(rows - 1 - row) * 2 + (1 - f)] = batch.columns[f][row];
    }
  const auto stride = static_cast<std::ptrdiff_t>(rows);
  const CoppiceMatrix layouts[] = {{values.data(), rows, 2, 2, 1},
                                   {columns.data(), rows, 2, 1, stride},
                                   {padded.data(), rows, 2, 5, 2},
                                   {&backwards.back(), rows, 2, -2, -1}};
  std::vector<std::uint32_t> first;
  for (const CoppiceMatrix& layout : layouts) {
    std::vector<std::uint32_t> labels(rows, 77);
    CoppicePredictions answers = label_answers(labels.data(), rows);
    EXPECT_OK(coppice_predict(toy.forest.get(), &layout, 0, &answers));
    if (first.empty()) first = labels;
    EXPECT_EQ(labels, first);
  }
  CoppiceDataset* dataset = nullptr;
  EXPECT_OK(coppice_dataset_of_rows(toy.forest.get(), &layouts[2], &dataset));
  const DatasetHandle owner(dataset);
  std::vector<std::uint32_t> labels(rows, 77);
  CoppicePredictions answers = label_answers(labels.data(), rows);
  EXPECT_OK(coppice_predict_dataset(toy.forest.get(), dataset, 0, &answers));
  EXPECT_EQ(labels, first);
}

TEST(CApi, ForestsSurviveFiles) {
  const Toy toy(ToyShape::blobs);
  const TestFile binary("a.coppice", ""), text("a.json", ""), again("b.coppice", "");
  EXPECT_OK(coppice_forest_save(toy.forest.get(), binary.path().c_str()));
  CoppiceForest* loaded = nullptr;
  EXPECT_OK(coppice_forest_load(binary.path().c_str(), &loaded));
  const ForestHandle first(loaded);
  EXPECT_OK(coppice_forest_save_json(loaded, text.path().c_str()));
  EXPECT_OK(coppice_forest_load_json(text.path().c_str(), &loaded));
  const ForestHandle second(loaded);
  EXPECT_OK(coppice_forest_save(loaded, again.path().c_str()));
  EXPECT_EQ(bytes_of(binary.path()), bytes_of(again.path()));
}

TEST(CApi, ForestsDescribeThemselves) {
  const Toy toy(ToyShape::blobs);
  auto facts = sized<CoppiceForestFacts>();
  EXPECT_OK(coppice_forest_facts(toy.forest.get(), &facts));
  EXPECT_EQ(facts.trees, 12u);
  EXPECT_EQ(facts.features, 2u);
  EXPECT_EQ(facts.outputs, 2u);
  EXPECT_EQ(facts.leaves, facts.splits + 12);
  EXPECT_EQ(facts.payload, coppice_class_histogram);
  const char* name = nullptr;
  EXPECT_OK(coppice_forest_feature(toy.forest.get(), 1, &name));
  EXPECT_STREQ(name, "x2");
  EXPECT_OK(coppice_forest_output(toy.forest.get(), 1, &name));
  EXPECT_STREQ(name, "b");
  EXPECT_OK(coppice_forest_fact(toy.forest.get(), "max-depth", &name));
  EXPECT_STREQ(name, "6");
  EXPECT_OK(coppice_forest_fact(toy.forest.get(), "rows", &name));
  EXPECT_STREQ(name, "300");
  std::vector<float> importances(2);
  EXPECT_OK(coppice_forest_importances(toy.forest.get(), "impurity", importances.data(), 2));
  EXPECT_NEAR(importances[0] + importances[1], 1, 1e-5);
  EXPECT_REFUSED(coppice_forest_importances(toy.forest.get(), "permutation", importances.data(), 2),
                 coppice_invalid_option, "it has 'impurity'");
  EXPECT_REFUSED(coppice_forest_feature(toy.forest.get(), 2, &name), coppice_invalid_option,
                 "there is no feature 2");
  EXPECT_REFUSED(coppice_forest_fact(toy.forest.get(), "weather", &name), coppice_invalid_option,
                 "'weather'");
}

TEST(CApi, OutOfBagEstimatesAreThoseOfTheReport) {
  const Toy toy(ToyShape::spirals);
  std::vector<double> mean(toy.data.rows * 2);
  std::vector<std::uint32_t> votes(toy.data.rows);
  EXPECT_OK(coppice_forest_out_of_bag(toy.forest.get(), mean.data(), mean.size(), votes.data(),
                                      votes.size()));
  std::size_t wrong = 0, covered = 0;
  for (std::size_t row = 0; row < toy.data.rows; ++row) {
    if (votes[row] == 0) continue;
    ++covered;
    wrong += (mean[2 * row + 1] > mean[2 * row]) != (toy.data.labels[row] == 1);
  }
  EXPECT_EQ(covered, toy.report.oob_rows);
  EXPECT_DOUBLE_EQ(static_cast<double>(wrong) / static_cast<double>(covered), toy.report.oob_error);
}

// --- Categories and names ------------------------------------------------------------------------

// Ripe fruit is red or yellow; the codes of the caller are neither sorted nor complete.
DatasetHandle fruit(const std::vector<std::int32_t>& codes, const std::vector<const char*>& names,
                    bool labelled) {
  DatasetHandle dataset = new_dataset(codes.size());
  EXPECT_OK(coppice_dataset_add_categories(dataset.get(), "colour", codes.data(), codes.size(),
                                           names.data(), names.size()));
  const std::vector<float> size(codes.size(), 1.0f);
  const CoppiceMatrix column{size.data(), size.size(), 1, 1, 0};
  const char* const size_name = "size";
  EXPECT_OK(coppice_dataset_add_columns(dataset.get(), &column, &size_name));
  if (!labelled) return dataset;
  std::vector<std::uint32_t> ripe;
  ripe.reserve(codes.size());
  for (const std::int32_t code : codes)
    ripe.push_back(code >= 0 && std::string(names[static_cast<std::size_t>(code)]) != "green");
  EXPECT_OK(coppice_dataset_set_labels(dataset.get(), ripe.data(), ripe.size(), nullptr, 2));
  return dataset;
}

TEST(CApi, CategoriesAreMatchedByName) {
  std::vector<std::int32_t> codes;
  codes.reserve(120);
  for (int i = 0; i < 120; ++i) codes.push_back(i % 3);
  const DatasetHandle training = fruit(codes, {"yellow", "green", "red"}, true);
  const OptionsHandle options = options_of({{"trees", "5"}, {"max-features", "all"}});
  const ForestHandle forest = fit(training.get(), options.get());

  std::size_t categories = 0;
  const char* name = nullptr;
  EXPECT_OK(coppice_forest_categories(forest.get(), 0, &categories));
  EXPECT_EQ(categories, 3u);
  EXPECT_OK(coppice_forest_category(forest.get(), 0, 0, &name));
  EXPECT_STREQ(name, "green");
  EXPECT_OK(coppice_forest_categories(forest.get(), 1, &categories));
  EXPECT_EQ(categories, 0u);

  const DatasetHandle other = fruit({0, 1, 2, 3, -1}, {"red", "blue", "green", "yellow"}, false);
  std::vector<std::uint32_t> labels(5, 9);
  CoppicePredictions answers = label_answers(labels.data(), 5);
  EXPECT_OK(coppice_predict_dataset(forest.get(), other.get(), 1, &answers));
  EXPECT_EQ(labels[0], 1u);
  EXPECT_EQ(labels[2], 0u);
  EXPECT_EQ(labels[3], 1u);
  EXPECT_EQ(answers.unseen_categories, 1u);
  EXPECT_EQ(labels[1], labels[4]);  // an unseen category is a missing one

  const std::vector<float> rows = {0, 1, 1, 1, 2, 1, 17, 1, -3, 1};  // codes of the forest
  const CoppiceMatrix matrix = packed(rows, 2);
  EXPECT_OK(coppice_predict(forest.get(), &matrix, 1, &answers));
  EXPECT_EQ(labels, (std::vector<std::uint32_t>{0, 1, 1, labels[3], labels[3]}));
}

TEST(CApi, ReadsFilesForTrainingAndForAForest) {
  std::string text = "colour,size,ripe,w\n";
  for (int i = 0; i < 40; ++i) text += i % 2 == 0 ? "red,1,yes,1\n" : "green,2,no,2\n";
  const TestFile file("fruit.csv", text), rows("rows.csv", "size;colour\n1;red\n2;green\n");
  const CoppiceSetting settings[] = {{"target", "ripe"}, {"weights", "w"}};
  CoppiceDataset* dataset = nullptr;
  ASSERT_EQ(coppice_dataset_read(file.path().c_str(), settings, 2, nullptr, &dataset), coppice_ok)
      << coppice_last_error();
  const DatasetHandle training(dataset);
  auto facts = sized<CoppiceDatasetFacts>();
  EXPECT_OK(coppice_dataset_facts(dataset, &facts));
  EXPECT_EQ(facts.rows, 40u);
  EXPECT_EQ(facts.features, 2u);
  EXPECT_EQ(facts.classes, 2u);
  const ForestHandle forest = fit(dataset, nullptr);

  const CoppiceSetting delimiter{"delimiter", ";"};
  EXPECT_OK(coppice_dataset_read(rows.path().c_str(), &delimiter, 1, forest.get(), &dataset));
  const DatasetHandle batch(dataset);
  std::uint32_t labels[2] = {9, 9};
  CoppicePredictions answers = label_answers(labels, 2);
  EXPECT_OK(coppice_predict_dataset(forest.get(), batch.get(), 1, &answers));
  EXPECT_EQ(labels[0], 1u);  // classes in order: no, yes
  EXPECT_EQ(labels[1], 0u);

  const CoppiceSetting misspelt{"wieghts", "w"};
  EXPECT_REFUSED(coppice_dataset_read(file.path().c_str(), &misspelt, 1, nullptr, &dataset),
                 coppice_invalid_option, "did you mean 'weights'?");
  EXPECT_EQ(dataset, nullptr);
  EXPECT_REFUSED(coppice_dataset_read(rows.path().c_str(), settings, 1, forest.get(), &dataset),
                 coppice_invalid_option, "follows from the forest");
  EXPECT_REFUSED(coppice_dataset_read("absent.csv", nullptr, 0, nullptr, &dataset), coppice_io,
                 "absent.csv");
}

// --- Running -------------------------------------------------------------------------------------

TEST(CApi, TheCallbackStopsTheTraining) {
  const Toy toy(ToyShape::spirals);
  struct Watch {
    std::size_t calls = 0, total = 0;
  } watch;
  const auto progress = [](void* user, std::size_t done, std::size_t total) -> int {
    auto& seen = *static_cast<Watch*>(user);
    ++seen.calls;
    seen.total = total;
    return done >= 3;
  };
  const CoppiceRun run{.struct_size = sizeof(CoppiceRun),
                       .threads = 1,
                       .progress = progress,
                       .user = &watch,
                       .stop = nullptr};
  auto report = sized<CoppiceReport>();
  CoppiceForest* forest = nullptr;
  EXPECT_OK(coppice_fit(toy.dataset.get(), toy.options.get(), &run, &report, &forest));
  const ForestHandle owner(forest);
  EXPECT_EQ(watch.calls, 3u);
  EXPECT_EQ(watch.total, 12u);
  EXPECT_EQ(report.trees, 3u);
  EXPECT_EQ(report.cancelled, 1);
}

TEST(CApi, TheFlagStopsTheTraining) {
  const Toy toy(ToyShape::spirals);
  const int stop = 1;
  const CoppiceRun run{.struct_size = sizeof(CoppiceRun),
                       .threads = 2,
                       .progress = nullptr,
                       .user = nullptr,
                       .stop = &stop};
  CoppiceForest* forest = toy.forest.get();
  EXPECT_REFUSED(coppice_fit(toy.dataset.get(), nullptr, &run, nullptr, &forest), coppice_cancelled,
                 "stopped");
  EXPECT_EQ(forest, nullptr);
}

TEST(CApi, ManyThreadsShareAForest) {
  const Toy toy(ToyShape::spirals);
  const std::vector<float> values = row_major(toy.data);
  const CoppiceMatrix matrix = packed(values, 2);
  std::vector<std::vector<double>> means(4, std::vector<double>(toy.data.rows * 2));
  std::vector<std::string> sentences(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 4; ++i)
      threads.emplace_back([&, i] {
        auto answers = sized<CoppicePredictions>();
        answers.mean = means[i].data();
        answers.mean_size = means[i].size();
        EXPECT_OK(coppice_predict(toy.forest.get(), &matrix, 1, &answers));
        const char* name = nullptr;
        EXPECT_EQ(coppice_forest_feature(toy.forest.get(), 100 + i, &name), coppice_invalid_option);
        sentences[i] = coppice_last_error();
      });
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(means[i], means[0]);
    EXPECT_NE(sentences[i].find(std::to_string(100 + i)), std::string::npos) << sentences[i];
  }
}

}  // namespace
}  // namespace coppice
