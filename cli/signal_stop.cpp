// See signal_stop.h. Only async-signal-safe calls in the handler.
#include "signal_stop.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "command.h"

namespace coppice {
namespace {

std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free);

// Set once, before the timer may run.
struct Limit {
  bool set = false;
  timer_t timer = {};
  itimerspec after = {}, again = {};
  LastWords words;
};
Limit& limit() {
  static Limit* const only = new Limit;  // outlives everything that a handler may interrupt
  return *only;
}
std::atomic<int> holds{0};

void write_to_standard_error(const std::string& text) {
  // Nothing can be done about a failure.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

extern "C" void remember_signal(int signal) {
  if (received.exchange(signal) != 0) _exit(kSignalled + signal);
  if (limit().set) timer_settime(limit().timer, 0, &limit().after, nullptr);
}

extern "C" void end_process(int) {
  if (holds > 0) {
    timer_settime(limit().timer, 0, &limit().again, nullptr);
    return;
  }
  const LastWords& words = limit().words;
  const bool any_file =
      ::access(words.files[0].c_str(), F_OK) == 0 || ::access(words.files[1].c_str(), F_OK) == 0;
  write_to_standard_error(any_file ? words.with_file : words.without);
  _exit(kSignalled + received.load());
}

itimerspec once_after(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const auto rest = static_cast<long>((seconds - static_cast<double>(whole)) * 1e9);
  return {.it_interval = {}, .it_value = {.tv_sec = whole, .tv_nsec = rest}};
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_signals() {
  handle(SIGINT, remember_signal);
  handle(SIGTERM, remember_signal);
}

void limit_stop(double seconds, LastWords words) {
  constexpr double kNextLook = 0.05;
  Limit& only = limit();
  handle(SIGALRM, end_process);
  only.words = std::move(words);
  only.after = once_after(seconds);
  only.again = once_after(kNextLook);
  sigevent alarm{};
  alarm.sigev_notify = SIGEV_SIGNAL;
  alarm.sigev_signo = SIGALRM;
  only.set = timer_create(CLOCK_MONOTONIC, &alarm, &only.timer) == 0;
}

void hold_stop(bool held) { holds += held ? 1 : -1; }

int stop_signal() { return received.load(std::memory_order_relaxed); }

}  // namespace coppice
