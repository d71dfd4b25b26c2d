// Adds payloads to sums, row by row: what several trees say of a row meets in registers. Every sum
// gets its numbers in the order of the trees.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/wide_loops.h"

namespace coppice {

// Payloads as rows that begin with a number per output and, if there are squares, a variance each.
// rows[tree * count + row] says which payload row a tree has for a row.
struct DenseVotes {
  const float* payload;
  std::size_t stride;
  std::size_t outputs;
  const std::uint32_t* rows;
  std::size_t count, trees;
};

// So many doubles side by side, in vectors of four, two and one.
template <std::size_t size>
class DoublesAbreast {
 public:
  template <class Number>
  [[gnu::always_inline]] explicit DoublesAbreast(const Number* from) {
#pragma GCC unroll 4
    for (std::size_t q = 0; q < size / 4; ++q, from += 4)  // one instruction each
      fours_[q] = Four{double{from[0]}, double{from[1]}, double{from[2]}, double{from[3]}};
    if constexpr (size & 2) two_ = Two{double{from[0]}, double{from[1]}};
    if constexpr (size & 1) one_ = from[size & 2];
  }
  [[gnu::always_inline]] void store(double* to) const {
#pragma GCC unroll 4
    for (std::size_t q = 0; q < size / 4; ++q) put(fours_[q], to + 4 * q);
    if constexpr (size & 2) put(two_, to + size / 4 * 4);
    if constexpr (size & 1) to[size - 1] = one_;
  }
  [[gnu::always_inline]] void operator+=(const DoublesAbreast& other) {
#pragma GCC unroll 4
    for (std::size_t q = 0; q < size / 4; ++q) fours_[q] += other.fours_[q];
    if constexpr (size & 2) two_ += other.two_;
    if constexpr (size & 1) one_ += other.one_;
  }
  [[gnu::always_inline]] void square() {
#pragma GCC unroll 4
    for (std::size_t q = 0; q < size / 4; ++q) fours_[q] *= fours_[q];
    if constexpr (size & 2) two_ *= two_;
    if constexpr (size & 1) one_ *= one_;
  }

 private:
  typedef double Four __attribute__((vector_size(32)));
  typedef double Two __attribute__((vector_size(16)));

  template <class Vector>
  [[gnu::always_inline]] static void put(const Vector& vector, double* to) {
    __builtin_memcpy(to, &vector, sizeof(vector));
  }

  Four fours_[size / 4 > 0 ? size / 4 : 1];
  Two two_;
  double one_;
};

// `outputs` is 0 if the compiler does not know their number.
template <std::size_t outputs, bool squared>
struct AddDense {
  [[gnu::always_inline]] static void run(const DenseVotes* given, double* sums, double* squares) {
    const DenseVotes votes = *given;
    const std::size_t size = outputs > 0 ? outputs : votes.outputs;
    const std::size_t ahead = kPayloadsAhead / votes.trees;
    for (std::size_t row = 0; row < votes.count; ++row, sums += size) {
      fetch(votes, std::min(row + ahead, votes.count - 1));
      add_row(votes, row, sums, squares);
      if constexpr (squared) squares += size;
    }
  }

 private:
  static constexpr std::size_t kPayloadsAhead = 128;

  // Payloads lie anywhere: those of rows to come are fetched meanwhile.
  [[gnu::always_inline]] static void fetch(const DenseVotes& votes, std::size_t row) {
    for (std::size_t tree = 0; tree < votes.trees; ++tree) {
      const float* const next = payload_of(votes, tree, row);
      __builtin_prefetch(next);
      __builtin_prefetch(next + votes.stride - 1);
    }
  }
  [[gnu::always_inline]] static const float* payload_of(const DenseVotes& votes, std::size_t tree,
                                                        std::size_t row) {
    return votes.payload + std::size_t{votes.rows[tree * votes.count + row]} * votes.stride;
  }

  [[gnu::always_inline]] static void add_row(const DenseVotes& votes, std::size_t row, double* sums,
                                             double* squares) {
    if constexpr (outputs > 0) {
      DoublesAbreast<outputs> sum(sums);
      DoublesAbreast<outputs> square(squared ? squares : sums);
      for (std::size_t tree = 0; tree < votes.trees; ++tree) {
        const float* const payload = payload_of(votes, tree, row);
        DoublesAbreast<outputs> mean(payload);
        sum += mean;
        if constexpr (squared) {
          mean.square();
          mean += DoublesAbreast<outputs>(payload + outputs);
          square += mean;
        }
      }
      sum.store(sums);
      if constexpr (squared) square.store(squares);
    } else {
      for (std::size_t tree = 0; tree < votes.trees; ++tree) {
        const float* const payload = payload_of(votes, tree, row);
        for (std::size_t k = 0; k < votes.outputs; ++k) {
          const double mean = static_cast<double>(payload[k]);
          sums[k] += mean;
          if constexpr (squared)
            squares[k] += mean * mean + static_cast<double>(payload[votes.outputs + k]);
        }
      }
    }
  }
};

// squares: nullptr if there are none.
inline void add_dense(const DenseVotes& votes, double* sums, double* squares) {
  static constexpr std::size_t kUnrolled = 16;
  using Add = void (*)(const DenseVotes*, double*, double*);
  constexpr auto loops = []<std::size_t... n>(std::index_sequence<n...>) {
    return std::array<std::array<Add, sizeof...(n)>, 2>{
        {{run_loop<AddDense<n, false>, const DenseVotes*, double*, double*>...},
         {run_loop<AddDense<n, true>, const DenseVotes*, double*, double*>...}}};
  }
  (std::make_index_sequence<kUnrolled + 1>());
  loops[squares != nullptr][votes.outputs <= kUnrolled ? votes.outputs : 0](&votes, sums, squares);
}

}  // namespace coppice
