// Memory for large arrays that are read in no order: on huge pages where the system has them, which
// spares most of the page walks.
#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace coppice {

template <class Element>
struct HugePages {
  using value_type = Element;

  HugePages() = default;
  template <class Other>
  HugePages(const HugePages<Other>&) {}

  Element* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(Element);
    void* const memory = ::operator new(bytes, alignment(bytes));
#if defined(__linux__)
    // Only a wish: where it is not granted, nothing else changes.
    if (bytes >= kHugePage) madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
    return static_cast<Element*>(memory);
  }
  void deallocate(Element* memory, std::size_t count) {
    ::operator delete(memory, alignment(count * sizeof(Element)));
  }

  // Numbers that nobody gives a value are not cleared: whoever makes room writes it all, and may do
  // so in several threads.
  template <class Made>
  void construct(Made* place) {
    ::new (static_cast<void*>(place)) Made;
  }
  template <class Made, class... Arguments>
  void construct(Made* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) Made(std::forward<Arguments>(arguments)...);
  }

  template <class Other>
  bool operator==(const HugePages<Other>&) const {
    return true;
  }

 private:
  static constexpr std::size_t kHugePage = std::size_t{1} << 21, kCacheLine = 64;
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= kHugePage ? kHugePage : kCacheLine};
  }
};

template <class Element>
using LargeVector = std::vector<Element, HugePages<Element>>;

}  // namespace coppice
