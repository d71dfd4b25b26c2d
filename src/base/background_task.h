// Work beside that of the caller, one piece at a time. Whoever owns it lives for one call of the
// library, as worker_team.h says of all threads.
#pragma once

#include <atomic>
#include <thread>
#include <utility>

namespace coppice {

class BackgroundTask {
 public:
  // Once it is false, all that the work did can be seen.
  bool busy() const { return busy_.load(std::memory_order_acquire); }

  // REQUIRES: not busy; the work throws nothing. Throws std::system_error if there is no thread.
  template <class Work>
  void start(Work work) {
    wait();
    busy_ = true;
    try {
      thread_ = std::jthread([this, work = std::move(work)] {
        work();
        busy_.store(false, std::memory_order_release);
      });
    } catch (...) {
      busy_ = false;
      throw;
    }
  }

  void wait() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> busy_ = false;
  std::jthread thread_;
};

}  // namespace coppice
