// For tests: calls of the operating system and allocations that fail on demand. Linking
// system_faults.cpp puts these in the place of those of the system.
#pragma once

#include <cstddef>

namespace coppice::test {

enum class SystemCall { open, write, fsync, rename, close, read };
inline constexpr const char* kSystemCallNames[] = {"open",   "write", "fsync",
                                                   "rename", "close", "read"};

struct SystemFault {
  SystemCall call = SystemCall::open;
  std::size_t number = 1;     // which call of its kind fails; counts from 1
  int code = 0;               // errno; 0: no more than one byte is written or read
  bool from_then_on = false;  // or once
};

// Calls of this thread fail as asked, from construction to destruction.
class FailingCalls {
 public:
  explicit FailingCalls(const SystemFault&);
  FailingCalls(const FailingCalls&) = delete;
  FailingCalls& operator=(const FailingCalls&) = delete;
  ~FailingCalls();
  // Whether the program came as far as that call.
  bool met() const;
};

// Allocations of all threads with operator new are counted, from construction to destruction, and
// the one with this number fails, or all from that on.
class FailingAllocations {
 public:
  FailingAllocations(std::size_t number, bool from_then_on);
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  ~FailingAllocations();
  bool met() const;
  static std::size_t count();
};

// Blocks that have been allocated with operator new and not been freed.
std::ptrdiff_t live_allocations();

}  // namespace coppice::test
