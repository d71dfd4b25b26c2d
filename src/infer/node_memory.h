// An array for nodes that are visited in no order: it begins on a huge page where the system has
// them, which spares most of the page walks.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace coppice {

template <class Node>
class NodeMemory {
 public:
  // Nodes are not set to anything.
  void allocate(std::size_t nodes) {
    const std::size_t bytes = nodes * sizeof(Node);
    const bool huge = bytes >= kHugePage;
    nodes_ = Owner(static_cast<Node*>(::operator new(bytes, alignment(huge))), Free{huge});
#if defined(__linux__)
    // Only a wish: where it is not granted, nothing else changes.
    if (huge) madvise(nodes_.get(), bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
    count_ = nodes;
  }

  Node* data() { return nodes_.get(); }
  const Node* data() const { return nodes_.get(); }
  std::size_t bytes() const { return count_ * sizeof(Node); }

 private:
  static constexpr std::size_t kHugePage = std::size_t{1} << 21, kCacheLine = 64;
  static std::align_val_t alignment(bool huge) {
    return std::align_val_t{huge ? kHugePage : kCacheLine};
  }
  struct Free {
    bool huge = false;
    void operator()(Node* nodes) const { ::operator delete(nodes, alignment(huge)); }
  };
  using Owner = std::unique_ptr<Node, Free>;

  Owner nodes_;
  std::size_t count_ = 0;
};

}  // namespace coppice
