#include "actio/base/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/base/error.hpp"

namespace actio {

namespace {

using number = std::complex<double>;

// Zeros below the first subdiagonal, by reflections from both sides.
void reduce_to_hessenberg(matrix<double>& a) {
  const std::size_t n = a.rows();
  std::vector<double> u(n);
  for (std::size_t k = 0; k + 2 < n; ++k) {
    double length = 0;
    for (std::size_t i = k + 1; i < n; ++i) length = std::hypot(length, a(i, k));
    if (length == 0) continue;
    for (std::size_t i = k + 1; i < n; ++i) u[i] = a(i, k) / length;
    u[k + 1] += u[k + 1] < 0 ? -1 : 1;
    const double factor = 1 / std::abs(u[k + 1]);  // 2 / |u|²
    for (std::size_t j = k; j < n; ++j) {
      double sum = 0;
      for (std::size_t i = k + 1; i < n; ++i) sum += u[i] * a(i, j);
      for (std::size_t i = k + 1; i < n; ++i) a(i, j) -= factor * sum * u[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = k + 1; j < n; ++j) sum += a(i, j) * u[j];
      for (std::size_t j = k + 1; j < n; ++j) a(i, j) -= factor * sum * u[j];
    }
  }
}

// The eigenvalue of the last two rows and columns of the block that is nearer to its last entry (Wilkinson's shift).
number shift_of(const matrix<number>& h, std::size_t end) {
  const number a = h(end - 2, end - 2), d = h(end - 1, end - 1), product = h(end - 2, end - 1) * h(end - 1, end - 2);
  const number half = (a - d) / 2.0, root = std::sqrt(half * half + product);
  const number farther = std::abs(half + root) > std::abs(half - root) ? half + root : half - root;
  return farther == 0.0 ? d : d - product / farther;
}

// One QR iteration of rows and columns first … end − 1: H − σ = QR becomes RQ + σ.
void iterate(matrix<number>& h, std::size_t first, std::size_t end, const number& shift, std::vector<number>& turns) {
  for (std::size_t k = first; k < end; ++k) h(k, k) -= shift;
  for (std::size_t k = first; k + 1 < end; ++k) {
    const double length = std::hypot(std::abs(h(k, k)), std::abs(h(k + 1, k)));
    const number c = length == 0 ? number(1) : h(k, k) / length, s = length == 0 ? number(0) : h(k + 1, k) / length;
    turns[2 * k] = c;
    turns[2 * k + 1] = s;
    for (std::size_t j = k; j < end; ++j) {
      const number x = h(k, j), y = h(k + 1, j);
      h(k, j) = std::conj(c) * x + std::conj(s) * y;
      h(k + 1, j) = c * y - s * x;
    }
  }
  for (std::size_t k = first; k + 1 < end; ++k) {
    const number c = turns[2 * k], s = turns[2 * k + 1];
    for (std::size_t i = first; i < std::min(k + 2, end); ++i) {
      const number x = h(i, k), y = h(i, k + 1);
      h(i, k) = x * c + y * s;
      h(i, k + 1) = y * std::conj(c) - x * std::conj(s);
    }
  }
  for (std::size_t k = first; k < end; ++k) h(k, k) += shift;
}

}  // namespace

std::vector<std::complex<double>> eigenvalues(const matrix<double>& given) {
  constexpr int most_iterations = 60;  // for one eigenvalue
  ACTIO_ASSERT(given.rows() == given.columns());
  const std::size_t n = given.rows();
  matrix<double> reduced = given;
  reduce_to_hessenberg(reduced);
  matrix<number> h(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i == 0 ? 0 : i - 1; j < n; ++j) h(i, j) = reduced(i, j);
  }
  std::vector<number> found, turns(2 * n);
  std::size_t end = n;
  int tried = 0;
  while (end > 0) {
    std::size_t first = end - 1;  // of the last block that does not split
    while (first > 0) {
      const double beside = std::abs(h(first, first)) + std::abs(h(first - 1, first - 1));
      if (std::abs(h(first, first - 1)) <= std::numeric_limits<double>::epsilon() * beside) break;
      --first;
    }
    if (first + 1 == end) {
      --end;
      found.push_back(h(end, end));
      tried = 0;
      continue;
    }
    if (++tried > most_iterations) return {};
    // Now and then a shift that breaks cycles.
    const bool is_stuck = tried % 12 == 0;
    iterate(h, first, end, is_stuck ? h(end - 1, end - 1) + std::abs(h(end - 1, end - 2)) : shift_of(h, end), turns);
  }
  return found;
}

}  // namespace actio
