// Between C++ and C: every call of c_api.h runs inside guarded(), so that exceptions become a
// status and a sentence; arguments are checked by what is declared here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/c_api.h"

namespace coppice {

// REQUIRES: called from a catch clause. Keeps the sentence for coppice_last_error().
CoppiceStatus remember_current_exception() noexcept;
const char* remembered_sentence() noexcept;

template <class Body>
CoppiceStatus guarded(Body&& body) noexcept {
  try {
    body();
    return coppice_ok;
  } catch (...) {
    return remember_current_exception();
  }
}

[[noreturn]] void refuse_null(const char* argument);
[[noreturn]] void refuse_size(const char* argument, std::size_t size, std::size_t expected);

template <class T>
T& required(T* pointer, const char* argument) {
  if (pointer == nullptr) refuse_null(argument);
  return *pointer;
}

// The name of a file, in whatever bytes the system takes.
inline const char* required_path(const char* path) { return &required(path, "path"); }

// The output handle, set to NULL until there is one.
template <class Handle>
Handle*& required_output(Handle** output, const char* argument) {
  Handle*& handle = required(output, argument);
  handle = nullptr;
  return handle;
}

// An array of so many elements cannot exist if the product does not.
inline std::size_t product(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throw std::bad_alloc();
  return result;
}

// An array of exactly `expected` elements; NULL only if that is none.
template <class T>
std::span<T> required_array(T* values, std::size_t size, std::size_t expected,
                            const char* argument) {
  if (size != expected) refuse_size(argument, size, expected);
  if (values == nullptr && size > 0) refuse_null(argument);
  return {values, size};
}

// The same, or empty if the caller does not want it.
template <class T>
std::span<T> optional_array(T* values, std::size_t size, std::size_t expected,
                            const char* argument) {
  if (values == nullptr) return {};
  return required_array(values, size, expected, argument);
}

// Nothing if the caller does not want it.
template <class T>
void copy_to(std::span<T> to, const std::vector<T>& from, std::size_t first = 0) {
  if (!to.empty()) std::copy(from.begin(), from.end(), to.subspan(first).begin());
}

// Throws Error(invalid_option) for NULL and for what is not UTF-8.
std::string required_text(const char* text, const char* argument);

// Throws Error(invalid_option) above 1024: more threads are a mistake.
std::size_t checked_threads(std::size_t threads);

void check_struct_size(std::size_t size, const char* argument);

// What the caller's version of the struct holds; 0 beyond it.
template <class Struct>
Struct read_struct(const Struct* given, const char* argument) {
  check_struct_size(required(given, argument).struct_size, argument);
  Struct known{};
  std::memcpy(&known, given, std::min(given->struct_size, sizeof(Struct)));
  return known;
}

// Writes as much as the caller's version of the struct holds.
template <class Struct>
void write_struct(Struct known, Struct* given, const char* argument) {
  check_struct_size(required(given, argument).struct_size, argument);
  known.struct_size = given->struct_size;
  std::memcpy(given, &known, std::min(given->struct_size, sizeof(Struct)));
}

}  // namespace coppice
