#include "actio/discrete/linear_schemes.hpp"

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"

namespace actio {

namespace {

// a·A + b·B
template <class S>
matrix<S> combined(const S& a, const matrix<S>& A, const S& b, const matrix<S>& B) {
  matrix<S> result(A.rows(), A.columns());
  for (std::size_t m = 0; m < A.data().size(); ++m) result.data()[m] = a * A.data()[m] + b * B.data()[m];
  return result;
}

// A⁻¹B; empty where A is singular.
template <class S>
matrix<S> solved(const matrix<S>& A, const matrix<S>& B) {
  lu_factorisation<S> lu(A.rows());
  if (!lu.factorise(A)) return {};
  matrix<S> result(B.rows(), B.columns());
  std::vector<S> column(B.rows());
  for (std::size_t j = 0; j < B.columns(); ++j) {
    for (std::size_t i = 0; i < B.rows(); ++i) column[i] = B(i, j);
    lu.solve_in_place(column);
    for (std::size_t i = 0; i < B.rows(); ++i) result(i, j) = column[i];
  }
  return result;
}

template <class S>
std::vector<S> product(const matrix<S>& A, std::span<const S> x) {
  std::vector<S> result(A.rows(), S(0));
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.columns(); ++j) result[i] += A(i, j) * x[j];
  }
  return result;
}

template <class S>
void set_block(matrix<S>& target, std::size_t block_row, std::size_t block_column, const S& factor,
               const matrix<S>& A) {
  const std::size_t n = A.rows();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) target(block_row * n + i, block_column * n + j) = factor * A(i, j);
  }
}

}  // namespace

template <class S>
scheme_blocks<S> newmark_blocks(const linear_system<S>& system, const S& h) {
  const matrix<S>&M = system.mass(), &K = system.stiffness();
  scheme_blocks<S> blocks{combined<S>(S(2) / h, M, S(0), K), combined<S>(S(0), M, h / S(2), K), system.load()};
  for (S& f : blocks.load) f *= h;
  return blocks;
}

// K L⁻¹ = K (M − (h²/8) K)⁻¹ M, whose last two factors are one solution.
template <class S>
scheme_blocks<S> simpson_blocks(const linear_system<S>& system, const S& h) {
  const matrix<S>&M = system.mass(), &K = system.stiffness();
  const matrix<S> reduced = combined<S>(S(1), M, -(h * h) / S(8), K);
  const matrix<S> L_inverse = solved(reduced, M);
  if (L_inverse.rows() == 0) return {};
  scheme_blocks<S> blocks{
      combined<S>(S(2) / h, M, -h / S(6), K), combined<S>(h / S(3), K * L_inverse, h / S(6), K), {}};
  matrix<S> f(system.size(), 1);
  for (std::size_t i = 0; i < system.size(); ++i) f(i, 0) = system.load()[i];
  const std::vector<S> through_middle = product<S>(K, solved(reduced, f).data());
  for (std::size_t i = 0; i < system.size(); ++i) {
    blocks.load.push_back(h * system.load()[i] + h * h * h / S(12) * through_middle[i]);
  }
  return blocks;
}

template <class S>
matrix_scheme<S> scheme_of(const scheme_blocks<S>& blocks) {
  const std::size_t n = blocks.X.rows();
  const matrix<S> one = matrix<S>::identity(n);
  matrix_scheme<S> scheme{matrix<S>(2 * n, 2 * n), matrix<S>(2 * n, 2 * n), std::vector<S>(2 * n, S(0))};
  set_block(scheme.A, 0, 0, S(1), one);
  set_block(scheme.A, 0, 1, S(-1), blocks.X);
  set_block(scheme.A, 1, 0, S(1), one);
  set_block(scheme.A, 1, 1, S(1), blocks.Y);
  set_block(scheme.B, 0, 0, S(-1), one);
  set_block(scheme.B, 0, 1, S(-1), blocks.X);
  set_block(scheme.B, 1, 0, S(1), one);
  set_block(scheme.B, 1, 1, S(-1), blocks.Y);
  for (std::size_t i = 0; i < n; ++i) scheme.c[n + i] = blocks.load[i];
  return scheme;
}

template <class S>
matrix_scheme<S> simpson_scheme_with_middle(const linear_system<S>& system, const S& h) {
  const std::size_t n = system.size();
  const matrix<S>&M = system.mass(), &K = system.stiffness(), one = matrix<S>::identity(n);
  const matrix<S> X = combined<S>(S(2) / h, M, -h / S(6), K);
  matrix<S> f(n, 1);
  for (std::size_t i = 0; i < n; ++i) f(i, 0) = system.load()[i];
  const matrix<S> accelerations = solved(M, f);
  matrix_scheme<S> scheme{matrix<S>(3 * n, 3 * n), matrix<S>(3 * n, 2 * n), std::vector<S>(3 * n, S(0))};
  set_block(scheme.A, 0, 0, S(1), combined<S>(S(1), one, -(h * h) / S(8), solved(M, K)));
  set_block(scheme.A, 0, 2, S(-1) / S(2), one);
  set_block(scheme.A, 1, 1, S(1), one);
  set_block(scheme.A, 1, 2, S(-1), X);
  set_block(scheme.A, 2, 0, S(2) * h / S(3), K);
  set_block(scheme.A, 2, 1, S(1), one);
  set_block(scheme.A, 2, 2, h / S(6), K);
  set_block(scheme.B, 0, 1, S(1) / S(2), one);
  set_block(scheme.B, 1, 0, S(-1), one);
  set_block(scheme.B, 1, 1, S(-1), X);
  set_block(scheme.B, 2, 0, S(1), one);
  set_block(scheme.B, 2, 1, -h / S(6), K);
  for (std::size_t i = 0; i < n; ++i) {
    scheme.c[i] = -(h * h) / S(8) * accelerations(i, 0);
    scheme.c[2 * n + i] = h * system.load()[i];
  }
  return scheme;
}

template <class S>
matrix<S> step_matrix(const matrix_scheme<S>& scheme) {
  return solved(scheme.A, scheme.B);
}

template <class S>
std::vector<S> advanced(const matrix_scheme<S>& scheme, std::span<const S> eta) {
  std::vector<S> right = product(scheme.B, eta);
  for (std::size_t i = 0; i < right.size(); ++i) right[i] += scheme.c[i];
  lu_factorisation<S> lu(right.size());
  if (!lu.factorise(scheme.A)) return {};
  lu.solve_in_place(right);
  return right;
}

template <class S>
conserved_form<S>::conserved_form(const scheme_blocks<S>& blocks)
    : xi_(solved(combined(S(1), blocks.X, S(1), blocks.Y), matrix<S>::identity(blocks.X.rows()))),
      zeta_(blocks.X * (xi_ * blocks.Y)) {}

template <class S>
S conserved_form<S>::operator()(std::span<const S> p, std::span<const S> q) const {
  const std::vector<S> xi_p = product(xi_, p), zeta_q = product(zeta_, q);
  S sum(0);
  for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] * xi_p[i] + q[i] * zeta_q[i];
  return sum / S(2);
}

#define ACTIO_INSTANTIATE(S)                                                                  \
  template scheme_blocks<S> newmark_blocks<S>(const linear_system<S>&, const S&);             \
  template scheme_blocks<S> simpson_blocks<S>(const linear_system<S>&, const S&);             \
  template matrix_scheme<S> scheme_of<S>(const scheme_blocks<S>&);                            \
  template matrix_scheme<S> simpson_scheme_with_middle<S>(const linear_system<S>&, const S&); \
  template matrix<S> step_matrix<S>(const matrix_scheme<S>&);                                 \
  template std::vector<S> advanced<S>(const matrix_scheme<S>&, std::span<const S>);           \
  template class conserved_form<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
