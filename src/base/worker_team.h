// The only threads of the library beside BackgroundTask's. They live for one call: nothing runs in
// the background, so a process may fork between calls.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace coppice {

// 0 asks for as many workers as the machine has cores.
inline std::size_t worker_count(std::size_t asked) {
  return asked > 0 ? asked : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

// Runs body(worker, task) for every task in [0, count), worker in [0, workers); tasks must be
// independent of each other. Tasks start in order. The first exception thrown by a task is rethrown
// here once every worker has stopped.
template <class Body>
void for_each_task(std::size_t count, std::size_t workers, Body&& body) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  auto work = [&](std::size_t worker) {
    try {
      for (std::size_t task; (task = next.fetch_add(1)) < count;) body(worker, task);
    } catch (...) {
      next = count;
      std::scoped_lock lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t w = 1; w < workers && w < count; ++w) helpers.emplace_back(work, w);
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace coppice
