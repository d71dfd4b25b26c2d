// The nodes of a layout, at the start of a cache line, on huge pages if there are many.
#pragma once

#include <cstddef>
#include <memory>

#include "base/huge_pages.h"

namespace coppice {

template <class Node>
class NodeMemory {
 public:
  // Nodes are not set to anything.
  void allocate(std::size_t nodes) {
    nodes_ = Owner(HugePages<Node>().allocate(nodes), Free{nodes});
  }

  Node* data() { return nodes_.get(); }
  const Node* data() const { return nodes_.get(); }
  std::size_t bytes() const { return nodes_.get_deleter().count * sizeof(Node); }

 private:
  struct Free {
    std::size_t count = 0;
    void operator()(Node* nodes) const { HugePages<Node>().deallocate(nodes, count); }
  };
  using Owner = std::unique_ptr<Node, Free>;

  Owner nodes_;
};

}  // namespace coppice
