// Small dense linear algebra at any scalar.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace actio {

// Row-major matrix of numbers.
template <class S>
class matrix {
 public:
  matrix() = default;
  matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), data_(rows * columns, S(0)) {}
  static matrix identity(std::size_t size) {
    matrix m(size, size);
    for (std::size_t i = 0; i < size; ++i) m(i, i) = S(1);
    return m;
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  S& operator()(std::size_t i, std::size_t j) { return data_[i * columns_ + j]; }
  const S& operator()(std::size_t i, std::size_t j) const { return data_[i * columns_ + j]; }
  std::span<S> data() { return data_; }
  std::span<const S> data() const { return data_; }
  void set_zero() {
    for (S& x : data_) x = S(0);
  }

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<S> data_;
};

template <class S>
matrix<S> operator*(const matrix<S>& a, const matrix<S>& b);
template <class S>
matrix<S> transpose(const matrix<S>& a);

// LU factorisation with partial pivoting of a square matrix of fixed size; refactoring and solving allocate
// nothing in double.
template <class S>
class lu_factorisation {
 public:
  explicit lu_factorisation(std::size_t size);

  // Factorises a copy of `a`. Returns false when a pivot is zero or not finite.
  bool factorise(const matrix<S>& a);
  // x := A⁻¹ x.
  void solve_in_place(std::span<S> x) const;
  // Smallest pivot over largest pivot in absolute value: a cheap sign of singularity.
  S pivot_ratio() const;

 private:
  std::size_t size_;
  std::vector<S> factors_;                 // column-major: the inner loops of both sweeps run down columns
  std::vector<std::size_t> swapped_with_;  // row k was exchanged with this one
};

}  // namespace actio
