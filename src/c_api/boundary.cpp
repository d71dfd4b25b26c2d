// Failures of one thread never touch the sentence of another.
#include "c_api/boundary.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "base/utf8.h"
#include "coppice/error.h"

namespace coppice {
namespace {

constexpr std::size_t kMostThreads = 1024;

struct Sentence {
  std::string text;
  const char* shown = "";
};
thread_local Sentence t_sentence;

CoppiceStatus status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_option:
      return coppice_invalid_option;
    case ErrorKind::invalid_data:
      return coppice_invalid_data;
    case ErrorKind::corrupt_model:
      return coppice_corrupt_model;
    case ErrorKind::io:
      return coppice_io;
    case ErrorKind::cancelled:
      return coppice_cancelled;
  }
  return coppice_internal;
}

CoppiceStatus remember_out_of_memory() noexcept {
  t_sentence.shown = "out of memory";
  return coppice_out_of_memory;
}

CoppiceStatus remember(CoppiceStatus status, const char* text) noexcept {
  try {
    t_sentence.text = text;
    t_sentence.shown = t_sentence.text.c_str();
    return status;
  } catch (...) {
    return remember_out_of_memory();
  }
}

}  // namespace

CoppiceStatus remember_current_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return remember(status_of(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return remember_out_of_memory();
  } catch (const std::length_error&) {
    return remember_out_of_memory();
  } catch (const std::exception& error) {
    return remember(coppice_internal, error.what());
  } catch (...) {
    return remember(coppice_internal, "an exception of unknown type");
  }
}

const char* remembered_sentence() noexcept { return t_sentence.shown; }

void refuse_null(const char* argument) {
  throw Error(ErrorKind::invalid_option, fmt::format("the argument '{}' is NULL", argument));
}

void refuse_size(const char* argument, std::size_t size, std::size_t expected) {
  throw Error(ErrorKind::invalid_option,
              fmt::format("'{}' has {} elements, but {} are expected", argument, size, expected));
}

std::string required_text(const char* text, const char* argument) {
  if (text == nullptr) refuse_null(argument);
  if (!is_utf8(text))
    throw Error(ErrorKind::invalid_option, fmt::format("a text of '{}' is not UTF-8", argument));
  return text;
}

std::size_t checked_threads(std::size_t threads) {
  if (threads <= kMostThreads) return threads;
  throw Error(
      ErrorKind::invalid_option,
      fmt::format("{} threads are more than the limit of {}; 0 asks for as many as the machine has",
                  threads, kMostThreads));
}

void check_struct_size(std::size_t size, const char* argument) {
  if (size > sizeof(size)) return;
  throw Error(
      ErrorKind::invalid_option,
      fmt::format("struct_size of '{}' is {}; set it to the sizeof of the struct", argument, size));
}

}  // namespace coppice
