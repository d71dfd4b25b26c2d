// OpenCV's random forest: does one job (JSON, see systems.py) and prints the result as JSON.
// compare_speed.py compiles it; it is no part of the build of coppice.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <opencv2/core.hpp>
#include <opencv2/ml.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::size_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stoull(line.substr(6)) * 1024;
  throw std::runtime_error("/proc/self/status: no line VmHWM");
}

std::size_t file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  return static_cast<std::size_t>(file.tellg());
}

// Two-dimensional little-endian float32 in C order.
cv::Mat read_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char start[10] = {};
  file.read(start, sizeof start);
  const auto low = static_cast<unsigned char>(start[8]),
             high = static_cast<unsigned char>(start[9]);
  std::string header(low + 256U * high, ' ');
  file.read(header.data(), static_cast<std::streamsize>(header.size()));
  int rows = 0, columns = 0;
  const std::size_t shape = header.find('(');
  const bool float32_in_c_order = header.find("<f4") != std::string::npos &&
                                  header.find("'fortran_order': False") != std::string::npos;
  if (!file || !float32_in_c_order || shape == std::string::npos ||
      std::sscanf(header.c_str() + shape, "(%d, %d)", &rows, &columns) != 2)
    throw std::runtime_error(path + ": not a table of float32 in C order");
  cv::Mat table(rows, columns, CV_32F);
  file.read(reinterpret_cast<char*>(table.data),
            static_cast<std::streamsize>(table.total() * sizeof(float)));
  if (!file) throw std::runtime_error(path + ": too short");
  return table;
}

struct Rows {
  cv::Mat x;
  cv::Mat y;  // classes as int
};

// REQUIRES: the target is the last column.
Rows read_rows(const Json& job, const char* part) {
  const cv::Mat table = read_npy(job.at(part).get<std::string>());
  const int features = table.cols - 1;
  if (job.at("target").get<int>() != table.cols)
    throw std::runtime_error("the target must be the last column");
  Rows rows{table.colRange(0, features).clone(), {}};
  table.col(features).convertTo(rows.y, CV_32S);
  return rows;
}

cv::Ptr<cv::ml::RTrees> new_forest(const Json& job) {
  cv::Ptr<cv::ml::RTrees> forest = cv::ml::RTrees::create();
  forest->setMaxDepth(job.at("max_depth").get<int>());
  forest->setMinSampleCount(job.value("min_leaf", 1));
  forest->setActiveVarCount(job.at("max_features").get<int>());
  forest->setTermCriteria({cv::TermCriteria::MAX_ITER, job.at("trees").get<int>(), 0});
  return forest;
}

double misclassified(const cv::ml::RTrees& forest, const Rows& rows) {
  cv::Mat answers;
  forest.predict(rows.x, answers);
  int wrong = 0;
  for (int row = 0; row < rows.y.rows; ++row)
    wrong += cvRound(answers.at<float>(row)) != rows.y.at<int>(row);
  return static_cast<double>(wrong) / rows.y.rows;
}

Json train(const Json& job) {
  const std::string model = job.at("model").get<std::string>();
  cv::setRNGSeed(job.at("seed").get<int>());
  cv::Ptr<cv::ml::RTrees> forest = new_forest(job);
  const Rows rows = read_rows(job, "train");
  const Clock::time_point start = Clock::now();
  forest->train(rows.x, cv::ml::ROW_SAMPLE, rows.y);
  const double seconds = seconds_since(start);
  const std::size_t peak = peak_bytes();
  forest->save(model);
  return {{"error", misclassified(*forest, read_rows(job, "test"))},
          {"seconds", seconds},
          {"peak_bytes", peak},
          {"model_bytes", file_bytes(model)}};
}

// The median time of one row, after a first pass over all.
double median_row_seconds(const cv::ml::RTrees& forest, const cv::Mat& rows) {
  std::vector<double> seconds;
  double sum = 0;
  for (int pass = 0; pass < 2; ++pass) {
    seconds.clear();
    for (int row = 0; row < rows.rows; ++row) {
      const cv::Mat single = rows.row(row);
      const Clock::time_point start = Clock::now();
      sum += static_cast<double>(forest.predict(single));
      seconds.push_back(seconds_since(start));
    }
  }
  if (sum < 0) throw std::runtime_error("a class is negative");
  std::nth_element(seconds.begin(), seconds.begin() + rows.rows / 2, seconds.end());
  return seconds[static_cast<std::size_t>(rows.rows / 2)];
}

Json answer_single_rows(const Json& job) {
  const std::string model = job.at("model").get<std::string>();
  const cv::Ptr<cv::ml::RTrees> forest = cv::ml::RTrees::load(model);
  const cv::Mat all = read_rows(job, "test").x;
  const cv::Mat rows = all.rowRange(0, std::min(all.rows, job.at("rows").get<int>()));
  return {{"seconds", median_row_seconds(*forest, rows)},
          {"peak_bytes", peak_bytes()},
          {"model_bytes", file_bytes(model)}};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw std::runtime_error("usage: peer_opencv JOB");
  const Json job = Json::parse(argv[1]);
  cv::setNumThreads(job.at("threads").get<int>());
  const bool training = job.at("action").get<std::string>() == "train";
  std::cout << (training ? train(job) : answer_single_rows(job)) << '\n';
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
