// Puts the categories of a node into an order along which contiguous splits are good ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

// Orders groups by the projection of their means on the main axis of these means, weighted by
// samples. With one target or two classes this is the order by mean, which contains the best of all
// subsets (Fisher 1958; Breiman et al. 1984, 4.2); with more it is the principal-component
// heuristic of Coppersmith, Hong and Hosking (1999). Ties go to the lower group.
class CategoryOrder {
 public:
  // means: groups x size, row-major; overwritten.
  std::span<const std::uint32_t> along_main_axis(std::span<double> means, std::size_t size,
                                                 std::span<const std::uint32_t> samples);

 private:
  void centre(std::span<double> means, std::size_t size, std::span<const std::uint32_t> samples);
  void find_main_axis(std::span<const double> means, std::span<const std::uint32_t> samples);

  std::vector<double> axis_, next_axis_, keys_;
  std::vector<std::uint32_t> order_;
};

}  // namespace coppice
