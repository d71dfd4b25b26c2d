// Which row is in which leaf: the 0/1 matrix B, rows x leaves, of the binary affinity
// W = (1/T) B B' (Criminisi 2012, eq. 6.5 and 6.6). Products run through the leaf ids; neither B
// nor W is ever written down.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "affinity/affinity_operator.h"
#include "coppice/leaf_ids.h"

namespace coppice {

class LeafIncidence {
 public:
  // Leaves without a row are left out; the others keep their order. REQUIRES: a row and a tree.
  explicit LeafIncidence(const LeafIds&);

  std::size_t rows() const { return rows_; }
  std::size_t trees() const { return first_leaf_.size() - 1; }
  std::size_t leaves() const { return first_leaf_.back(); }
  // Of a tree, among all leaves().
  std::size_t first_leaf(std::size_t tree) const { return first_leaf_[tree]; }
  // Rows in every leaf.
  const std::vector<std::uint32_t>& sizes() const { return sizes_; }
  // d_i = sum over j of W_ij: the mean size of the leaves of a row.
  const std::vector<double>& degrees() const { return degrees_; }
  // Among all leaves().
  std::size_t leaf(std::size_t tree, std::size_t row) const {
    return first_leaf_[tree] +
           std::visit([&](const auto& ids) -> std::size_t { return ids[tree * rows_ + row]; },
                      ids_);
  }

  // Bytes that an incidence of so many rows and trees takes while it is made and used.
  static std::size_t bytes(std::size_t rows, std::size_t trees) { return rows * trees * 4; }

  // z = B w.
  void spread(const Panel& w, Panel& z, std::size_t workers) const;
  // y = B' z.
  void collect(const Panel& z, Panel& y, std::size_t workers) const;
  // y = B' diag(scale) B w without a panel of all rows.
  void fold(const Panel& w, std::span<const double> scale, Panel& y, std::size_t workers) const;

 private:
  struct RowRange {
    std::size_t first = 0, count = 0;
  };
  template <class Body>
  void for_each_range(Body&&) const;
  // `z` holds the rows of the range.
  void spread(const Panel& w, RowRange, double* z, std::size_t workers) const;
  void collect(const double* z, RowRange, Panel& y, std::size_t workers) const;

  std::size_t rows_ = 0;
  std::vector<std::size_t> first_leaf_;  // per tree, then the number of all leaves
  std::vector<std::uint32_t> sizes_;
  std::vector<double> degrees_;
  // Within the tree, tree after tree; narrow if no tree has more than 2^16 leaves.
  std::variant<std::vector<std::uint16_t>, std::vector<std::uint32_t>> ids_;
};

// S = D^-1/2 W D^-1/2 of eq. 6.7 (L = I - S). With A = D^-1/2 B / sqrt(T), S = A A'; where there
// are fewer leaves than rows the eigenvectors v of A' A are found instead, which has the same
// eigenvalues but 0, and A v / sqrt(eigenvalue) is that of S.
class BinaryAffinity final : public AffinityOperator {
 public:
  explicit BinaryAffinity(const LeafIncidence&);

  std::size_t size() const override { return by_leaves_ ? leaves_->leaves() : leaves_->rows(); }
  void apply(const Panel& x, Panel& y, std::size_t workers) const override;

  bool by_leaves() const { return by_leaves_; }
  // Eigenvectors of S from those that the operator has; unit length where `values` are above 0.
  Panel row_vectors(const Panel& found, std::span<const double> values, std::size_t workers) const;

 private:
  const LeafIncidence* leaves_;
  bool by_leaves_;
  std::vector<double> scale_;  // 1 / (T d_i) by leaves, else 1 / sqrt(T d_i)
};

}  // namespace coppice
