#include "actio/tableaux/quadrature.hpp"

#include <cmath>
#include <numbers>

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"
#include "actio/tableaux/wide_real.hpp"

namespace actio {

namespace {

// P_n and P'_n at x, by the three-term recurrence.
struct legendre_values {
  wide_real value, slope;
};

legendre_values legendre(std::size_t n, const wide_real& x) {
  wide_real before = 1, value = x;
  for (std::size_t k = 1; k < n; ++k) {
    const long degree = static_cast<long>(k);
    wide_real next = (wide_real(2 * degree + 1) * x * value - wide_real(degree) * before) / wide_real(degree + 1);
    before = value;
    value = next;
  }
  // (1 - x²) P'_n = n (P_{n-1} - x P_n)
  return {value, wide_real(static_cast<long>(n)) * (before - x * value) / (wide_real(1) - x * x)};
}

// Newton's method from a double guess; `correction(x)` is f(x)/f'(x). The last correction squares the error away.
template <class Correction>
wide_real newton_root(double guess, Correction correction) {
  const long small_enough = -(static_cast<long>(wide_real::bits()) / 2 + 16);
  wide_real x(guess);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const wide_real change = correction(x);
    x -= change;
    if (change.below_power_of_two(small_enough)) return x;
  }
  ACTIO_ASSERT(false);
  return x;
}

// The k-th largest root of P_n, k = 0, 1, …; the guess is Tricomi's.
wide_real gauss_root(std::size_t n, std::size_t k) {
  const double size = static_cast<double>(n);
  const double angle = std::numbers::pi * (static_cast<double>(k) + 0.75) / (size + 0.5);
  const double guess = (1 - (size - 1) / (8 * size * size * size)) * std::cos(angle);
  return newton_root(guess, [n](const wide_real& x) {
    const legendre_values p = legendre(n, x);
    return p.value / p.slope;
  });
}

// The k-th largest root of P'_m, k = 1, 2, …; P''_m comes from Legendre's equation, the guess from its asymptotics.
wide_real lobatto_root(std::size_t m, std::size_t k) {
  const double size = static_cast<double>(m), index = static_cast<double>(k) + 0.25;
  const double guess = std::cos((index * std::numbers::pi - 3 / (8 * std::numbers::pi * index)) / size);
  return newton_root(guess, [m](const wide_real& x) {
    const legendre_values p = legendre(m, x);
    const wide_real eigenvalue = static_cast<long>(m * (m + 1));
    return p.slope * (wide_real(1) - x * x) / (wide_real(2) * x * p.slope - eigenvalue * p.value);
  });
}

// Places the symmetric pair ±x of [-1, 1], x ≥ 0, at the k-th position from both ends of [0, 1].
void place_pair(quadrature_rule<wide_real>& rule, std::size_t k, const wide_real& x, const wide_real& weight) {
  const std::size_t mirror = rule.size() - 1 - k;
  rule.nodes[k] = (wide_real(1) - x) / wide_real(2);
  rule.nodes[mirror] = (wide_real(1) + x) / wide_real(2);
  rule.weights[k] = rule.weights[mirror] = weight;
}

quadrature_rule<wide_real> empty_rule(std::size_t n) { return {std::vector<wide_real>(n), std::vector<wide_real>(n)}; }

template <class S>
std::vector<S> rounded_all(const std::vector<wide_real>& values) {
  std::vector<S> result;
  result.reserve(values.size());
  for (const wide_real& value : values) result.push_back(rounded<S>(value));
  return result;
}

template <class S>
quadrature_rule<S> rounded_rule(const quadrature_rule<wide_real>& rule) {
  return {rounded_all<S>(rule.nodes), rounded_all<S>(rule.weights)};
}

}  // namespace

template <>
quadrature_rule<wide_real> gauss_rule<wide_real>(std::size_t n) {
  ACTIO_ASSERT(n >= 1);
  quadrature_rule<wide_real> rule = empty_rule(n);
  for (std::size_t k = 0; 2 * k < n; ++k) {
    const bool middle = 2 * k + 1 == n;
    const wide_real x = middle ? wide_real(0) : gauss_root(n, k);
    const wide_real slope = legendre(n, x).slope;
    place_pair(rule, k, x, wide_real(1) / ((wide_real(1) - x * x) * slope * slope));
  }
  return rule;
}

template <>
quadrature_rule<wide_real> lobatto_rule<wide_real>(std::size_t n) {
  ACTIO_ASSERT(n >= 2);
  quadrature_rule<wide_real> rule = empty_rule(n);
  const wide_real scale = static_cast<long>(n * (n - 1));
  place_pair(rule, 0, 1, wide_real(1) / scale);
  for (std::size_t k = 1; 2 * k < n; ++k) {
    const bool middle = 2 * k + 1 == n;
    const wide_real x = middle ? wide_real(0) : lobatto_root(n - 1, k);
    const wide_real value = legendre(n - 1, x).value;
    place_pair(rule, k, x, wide_real(1) / (scale * value * value));
  }
  return rule;
}

template <class S>
quadrature_rule<S> gauss_rule(std::size_t n) {
  const wide_scope<S> scope;
  return rounded_rule<S>(gauss_rule<wide_real>(n));
}

template <class S>
quadrature_rule<S> lobatto_rule(std::size_t n) {
  const wide_scope<S> scope;
  return rounded_rule<S>(lobatto_rule<wide_real>(n));
}

// φ_k(x) = Π_{j≠k} r_j with r_j = (x - x_j)/(x_k - x_j); φ_k'(x) = Σ_{m≠k} 1/(x_k - x_m) Π_{j≠k,m} r_j, whose products
// are those before m times those after m.
template <class S>
basis_values<S> lagrange_basis(const std::vector<S>& nodes, const S& x) {
  const std::size_t count = nodes.size();
  basis_values<S> basis{std::vector<S>(count), std::vector<S>(count)};
  std::vector<S> ratio(count), after(count + 1);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t j = 0; j < count; ++j) ratio[j] = j == k ? S(1) : S((x - nodes[j]) / (nodes[k] - nodes[j]));
    after[count] = S(1);
    for (std::size_t j = count; j-- > 0;) after[j] = after[j + 1] * ratio[j];
    S before = S(1), slope = S(0);
    for (std::size_t m = 0; m < count; ++m) {
      if (m != k) slope += before * after[m + 1] / (nodes[k] - nodes[m]);
      before *= ratio[m];
    }
    basis.value[k] = after[0];
    basis.slope[k] = slope;
  }
  return basis;
}

template <class S>
std::vector<S> basis_integrals(const std::vector<S>& nodes, std::span<const S> weights, const S& x) {
  std::vector<S> integral(nodes.size(), S(0));
  for (std::size_t m = 0; m < nodes.size(); ++m) {
    const basis_values<S> basis = lagrange_basis<S>(nodes, S(x * nodes[m]));
    for (std::size_t k = 0; k < nodes.size(); ++k) integral[k] += x * weights[m] * basis.value[k];
  }
  return integral;
}

template basis_values<wide_real> lagrange_basis(const std::vector<wide_real>&, const wide_real&);
#define ACTIO_INSTANTIATE(S)                                                \
  template quadrature_rule<S> gauss_rule<S>(std::size_t n);                 \
  template quadrature_rule<S> lobatto_rule<S>(std::size_t n);               \
  template basis_values<S> lagrange_basis(const std::vector<S>&, const S&); \
  template std::vector<S> basis_integrals(const std::vector<S>&, std::span<const S>, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
