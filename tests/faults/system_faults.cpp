// Definitions in the program hide those of shared libraries, also from other shared libraries.
#include "tests/faults/system_faults.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>

namespace coppice::test {
namespace {

// --- Calls of the system -------------------------------------------------------------------------

thread_local SystemFault fault;
thread_local std::size_t calls = 0;
thread_local bool armed = false;

bool fails(SystemCall call) {
  if (!armed || call != fault.call) return false;
  ++calls;
  return calls == fault.number || (fault.from_then_on && calls > fault.number);
}

template <class Function>
Function* system_call(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// What comes back from a call that fails or does only a part of its work.
template <class Result, class Part>
Result failed(Part do_one_byte) {
  if (fault.code == 0) return do_one_byte();
  errno = fault.code;
  return -1;
}

// --- Allocations ---------------------------------------------------------------------------------

std::atomic<std::size_t> allocations{0}, failing{0};
std::atomic<bool> failing_from_then_on{false};
std::atomic<std::ptrdiff_t> live{0};

void* allocated(std::size_t size, std::size_t alignment) {
  const std::size_t number = ++allocations, first = failing;
  if (first != 0 && (number == first || (failing_from_then_on && number > first))) return nullptr;
  const std::size_t whole = (size + alignment) / alignment * alignment;
  void* const block = alignment <= alignof(std::max_align_t) ? std::malloc(size > 0 ? size : 1)
                                                             : std::aligned_alloc(alignment, whole);
  if (block) ++live;
  return block;
}

void* allocated_or_thrown(std::size_t size, std::size_t alignment) {
  if (void* const block = allocated(size, alignment)) return block;
  throw std::bad_alloc();
}

void freed(void* block) {
  if (block) --live;
  std::free(block);
}

}  // namespace

FailingCalls::FailingCalls(const SystemFault& wanted) {
  fault = wanted;
  calls = 0;
  armed = true;
}
FailingCalls::~FailingCalls() { armed = false; }
bool FailingCalls::met() const { return calls >= fault.number; }

FailingAllocations::FailingAllocations(std::size_t number, bool from_then_on) {
  allocations = 0;
  failing_from_then_on = from_then_on;
  failing = number;
}
FailingAllocations::~FailingAllocations() { failing = 0; }
bool FailingAllocations::met() const { return allocations >= failing; }
std::size_t FailingAllocations::count() { return allocations; }

std::ptrdiff_t live_allocations() { return live; }

}  // namespace coppice::test

using namespace coppice::test;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  static auto* const real = system_call<int(const char*, int, ...)>("open");
  if (!fails(SystemCall::open)) return real(path, flags, mode);
  return failed<int>([&] { return real(path, flags, mode); });
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  static auto* const real = system_call<ssize_t(int, const void*, std::size_t)>("write");
  if (!fails(SystemCall::write)) return real(file, bytes, size);
  return failed<ssize_t>([&] { return real(file, bytes, size > 0 ? 1 : 0); });
}

ssize_t read(int file, void* bytes, std::size_t size) {
  static auto* const real = system_call<ssize_t(int, void*, std::size_t)>("read");
  if (!fails(SystemCall::read)) return real(file, bytes, size);
  return failed<ssize_t>([&] { return real(file, bytes, size > 0 ? 1 : 0); });
}

int fsync(int file) {
  static auto* const real = system_call<int(int)>("fsync");
  if (!fails(SystemCall::fsync)) return real(file);
  return failed<int>([&] { return real(file); });
}

int rename(const char* from, const char* to) noexcept {
  static auto* const real = system_call<int(const char*, const char*)>("rename");
  if (!fails(SystemCall::rename)) return real(from, to);
  return failed<int>([&] { return real(from, to); });
}

// The file is closed even if its last bytes are lost.
int close(int file) {
  static auto* const real = system_call<int(int)>("close");
  const int answer = real(file);
  if (!fails(SystemCall::close)) return answer;
  return failed<int>([&] { return answer; });
}
}

void* operator new(std::size_t size) {
  return allocated_or_thrown(size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocated_or_thrown(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocated(size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocated(size, alignof(std::max_align_t));
}
void operator delete(void* block) noexcept { freed(block); }
void operator delete[](void* block) noexcept { freed(block); }
void operator delete(void* block, std::size_t) noexcept { freed(block); }
void operator delete[](void* block, std::size_t) noexcept { freed(block); }
void operator delete(void* block, std::align_val_t) noexcept { freed(block); }
void operator delete[](void* block, std::align_val_t) noexcept { freed(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { freed(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { freed(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { freed(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { freed(block); }
