// Ctrl-C and SIGTERM as a request: the first sets a flag, the second ends the process at once.
#pragma once

namespace coppice {

void watch_signals();

// The signal that asked to stop, or 0. Safe to ask from any thread.
int stop_signal();

// "Ctrl-C" or "SIGTERM".
const char* stop_signal_name();

}  // namespace coppice
