// See signal_stop.h. Only async-signal-safe calls in the handler.
#include "signal_stop.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

#include "command.h"

namespace coppice {
namespace {

std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void remember_signal(int signal) {
  if (received.exchange(signal) != 0) _exit(kSignalled + signal);
}

}  // namespace

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = remember_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int stop_signal() { return received.load(std::memory_order_relaxed); }

const char* stop_signal_name() { return stop_signal() == SIGTERM ? "SIGTERM" : "Ctrl-C"; }

}  // namespace coppice
