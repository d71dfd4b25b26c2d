#include "density/lattice.h"

namespace coppice {

ShiftedLattice::ShiftedLattice(std::size_t dimensions, std::uint64_t seed)
    : shifts_(kShifts * dimensions) {
  const auto is_prime = [](std::uint32_t n) {
    for (std::uint32_t factor = 2; factor * factor <= n; ++factor)
      if (n % factor == 0) return false;
    return true;
  };
  for (std::uint32_t n = 2; generator_.size() < dimensions; ++n)
    if (is_prime(n)) {
      const double root = std::sqrt(static_cast<double>(n));
      generator_.push_back(root - std::floor(root));
    }
  RandomStream random(seed);
  for (double& shift : shifts_) shift = random.uniform();
}

Mass ShiftedLattice::summarise(std::span<const double> sums, double points) {
  double mean = 0, squares = 0;
  for (const double sum : sums) mean += sum / points / kShifts;
  for (const double sum : sums) squares += (sum / points - mean) * (sum / points - mean);
  return {mean, std::sqrt(squares / (kShifts * (kShifts - 1)))};
}

}  // namespace coppice
