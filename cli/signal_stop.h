// Ctrl-C and SIGTERM as a request: the first sets a flag, the second ends the process at once.
#pragma once

#include <string>

namespace coppice {

void watch_signals();

// The signal that asked to stop, or 0. Safe to ask from any thread.
int stop_signal();

// What is printed when the process ends because it did not stop in time, depending on whether one
// of two files is there.
struct LastWords {
  std::string files[2], with_file, without;
};
// The process ends so many seconds after a signal, unless it has ended by then or is held.
void limit_stop(double seconds, LastWords);
// While it is held (true) the process does not end: a file is being written.
void hold_stop(bool held);

}  // namespace coppice
