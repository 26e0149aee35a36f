#include "actio/simulate/fastest_oscillation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/element_forces.hpp"
#include "actio/mechanics/element_mass.hpp"

namespace actio {

namespace {

std::vector<expr> both(std::vector<expr> a, const std::vector<expr>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Of degree two, with constant second derivatives, none of them mixed.
bool is_plain_quadratic(const element_family& family) {
  if (!is_polynomial(family.body, both(family.positions, family.velocities), 2)) return false;
  const std::vector<expr> by_q = gradient(family.body, family.positions);
  for (const expr& slope : by_q) {
    if (depends_on_any(slope, family.velocities)) return false;
    for (const expr& second : gradient(slope, family.positions)) {
      if (depends_on(second, time_symbol())) return false;
    }
  }
  return true;
}

// The largest eigenvalue of a symmetric tridiagonal matrix, by bisection.
double largest_of_tridiagonal(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  double low = -std::numeric_limits<double>::infinity(), high = low;
  for (std::size_t k = 0; k < diagonal.size(); ++k) {
    const double reach = (k > 0 ? beside[k - 1] : 0) + (k + 1 < diagonal.size() ? beside[k] : 0);
    low = std::max(low, diagonal[k]);
    high = std::max(high, diagonal[k] + reach);
  }
  const auto is_above_all = [&](double x) {  // x − T is positive definite
    double pivot = 1;
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      pivot = x - diagonal[k] - (k > 0 ? beside[k - 1] * beside[k - 1] / pivot : 0);
      if (!(pivot > 0)) return false;
    }
    return true;
  };
  for (int k = 0; k < 80 && high - low > 1e-15 * std::abs(high); ++k) {
    const double middle = low + (high - low) / 2;
    (is_above_all(middle) ? high : low) = middle;
  }
  return high;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

struct stiffness_operator::parts {
  parts(const system_code& of, std::vector<double> values)
      : code(of),
        parameters(std::move(values)),
        n(of.system().size()),
        forces(of, parameters),
        mass(of, parameters),
        rest(n, 0.0),
        force_at_rest(n, 0.0) {
    const double time = 0;
    forces(time, rest.data(), rest.data(), force_at_rest.data());
  }

  // K x = G(0) − G(x).
  void apply(const std::vector<double>& x, std::vector<double>& to) {
    forces(0.0, x.data(), rest.data(), to.data());
    for (std::size_t i = 0; i < n; ++i) to[i] = force_at_rest[i] - to[i];
  }

  const system_code& code;
  shared_parameters<double> parameters;
  std::size_t n;
  element_forces<double> forces;
  element_mass<double> mass;
  std::vector<double> rest, force_at_rest;
};

stiffness_operator::stiffness_operator(std::unique_ptr<parts> made) : parts_(std::move(made)) {}
stiffness_operator::stiffness_operator(stiffness_operator&&) noexcept = default;
stiffness_operator::~stiffness_operator() = default;

std::optional<stiffness_operator> stiffness_operator::of(const system_code& code, std::vector<double> parameters) {
  const lagrangian_system& system = code.system();
  if (!is_made_of_elements(system) || system.recursions) return std::nullopt;
  if (system.is_constrained() || system.is_forced()) return std::nullopt;
  if (!std::ranges::all_of(families_of(code).lagrangian, is_plain_quadratic)) return std::nullopt;
  auto made = std::make_unique<parts>(code, std::move(parameters));
  if (!made->mass.is_constant() || !made->mass.factorise(0.0, made->rest)) return std::nullopt;
  return stiffness_operator(std::move(made));
}

double stiffness_operator::bound() {
  if (!parts_->mass.is_diagonal()) return std::numeric_limits<double>::infinity();
  std::vector<element_request> requests;
  for (const element_family& family : families_of(parts_->code).lagrangian) {
    element_request request{&family, {}};
    const std::vector<expr> by_q = gradient(family.body, family.positions);
    for (std::uint32_t a = 0; a < family.slots(); ++a) {
      for (const expr& second : gradient(by_q[a], family.positions)) {
        request.outputs.push_back({abs(second), 0, element_place::slot, a});
      }
    }
    requests.push_back(std::move(request));
  }
  std::vector<double> rows(parts_->n, 0.0);
  element_sums<double> sums(compile_elements<double>(std::move(requests), parts_->code.system()), 1,
                            parts_->parameters);
  const double time = 0;
  double* const arrays[] = {rows.data()};
  sums.add({parts_->rest.data(), parts_->rest.data(), &time, arrays});
  double largest = 0;
  for (std::size_t i = 0; i < parts_->n; ++i) {
    const double ratio = rows[i] * parts_->mass.inverse_diagonal()[i];
    if (!(ratio >= 0)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, ratio);
  }
  return largest;
}

// In the scalar product of M: z = M w is carried beside w, so that only M⁻¹ is needed.
std::optional<double> stiffness_operator::largest_eigenvalue() {
  constexpr std::size_t most_products = 300, between_looks = 10;
  constexpr double settled = 1e-11;
  const std::size_t n = parts_->n;
  std::vector<double> w(n), z(n), v(n, 0.0), u(n, 0.0), u_before(n, 0.0), product(n);
  std::uint64_t bits = 1;
  for (double& x : z) {  // any start that has a part of every mode
    bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
    x = static_cast<double>(bits >> 40) * 0x1p-24 - 0.5;
  }
  std::vector<double> diagonal, beside;
  double found = 0;
  for (std::size_t k = 0; k < std::min(n, most_products); ++k) {
    w = z;
    parts_->mass.solve_in_place(w);
    const double square = dot(w, z);
    if (!(square >= 0)) return std::nullopt;
    const double length = std::sqrt(square);
    if (k > 0 && length <= 1e-14 * std::abs(found)) break;  // nothing new
    if (length == 0) return std::nullopt;
    if (k > 0) beside.push_back(length);
    u_before.swap(u);
    for (std::size_t i = 0; i < n; ++i) {
      v[i] = w[i] / length;
      u[i] = z[i] / length;
    }
    parts_->apply(v, product);
    diagonal.push_back(dot(v, product));
    if (!std::isfinite(diagonal.back())) return std::nullopt;
    const double before = k > 0 ? length : 0;
    for (std::size_t i = 0; i < n; ++i) z[i] = product[i] - diagonal.back() * u[i] - before * u_before[i];
    if (k % between_looks != between_looks - 1 && k + 1 < n) continue;
    const double now = largest_of_tridiagonal(diagonal, beside);
    if (std::abs(now - found) <= settled * std::abs(now)) return now;
    found = now;
  }
  return largest_of_tridiagonal(diagonal, beside);
}

}  // namespace actio
