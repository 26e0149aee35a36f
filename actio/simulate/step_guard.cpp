#include "actio/simulate/step_guard.hpp"

#include <algorithm>
#include <cmath>

#include "actio/base/spectrum.hpp"
#include "actio/base/symmetric.hpp"
#include "actio/integrate/stability.hpp"

namespace actio {

namespace {

constexpr std::size_t most_mapped = 100;  // coordinates whose whole map is looked at
constexpr double far_inside = 0.5;        // |λ|h for which no method that can be stable is not
constexpr double slow = 1e-6;             // growth a step that may be rounding, of a defective eigenvalue too
constexpr int most_halvings = 40, bisections = 12;

bool is_symmetric(const matrix<double>& a) {
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::abs(a(i, j) - a(j, i)) > 1e-12 * (std::abs(a(i, j)) + std::abs(a(j, i)))) return false;
    }
  }
  return true;
}

bool is_zero(const matrix<double>& a) {
  return std::ranges::all_of(a.data(), [](double x) { return x == 0; });
}

// The largest Re λ with (λ²M + λC + K) x = 0, or nothing.
std::optional<double> growth_rate(const oscillation_matrices& m) {
  const std::optional<matrix<double>> field = first_order_form(m);
  if (!field) return {};
  const auto all = eigenvalues(*field);
  if (all.empty()) return {};
  return std::ranges::max(all, {}, [](const auto& x) { return x.real(); }).real();
}

}  // namespace

std::optional<matrix<double>> first_order_form(const oscillation_matrices& m) {
  const std::size_t n = m.mass.rows();
  lu_factorisation<double> lu(n);
  if (!lu.factorise(m.mass)) return {};
  matrix<double> field(2 * n, 2 * n);
  std::vector<double> column(n);
  for (std::size_t j = 0; j < n; ++j) {
    field(j, n + j) = 1;
    for (const auto& [a, first] : {std::pair(&m.stiffness, j), std::pair(&m.damping, n + j)}) {
      for (std::size_t i = 0; i < n; ++i) column[i] = -(*a)(i, j);
      lu.solve_in_place(column);
      for (std::size_t i = 0; i < n; ++i) field(n + i, first) = column[i];
    }
  }
  return field;
}

step_guard::step_guard(oscillation_matrices matrices, lagrangian_system system, std::vector<double> parameters)
    : matrices_(std::move(matrices)), system_(std::move(system)), parameters_(std::move(parameters)) {
  const double by_stiffness = largest_eigenvalue_bound(matrices_.stiffness, matrices_.mass);
  const double by_damping = largest_eigenvalue_bound(matrices_.damping, matrices_.mass);
  bound_ = std::sqrt(by_stiffness) + by_damping;
  is_undamped_ = is_zero(matrices_.damping) && is_symmetric(matrices_.stiffness);
}

bool step_guard::is_judged_without_damping() const {
  return is_undamped_ || (found_->modes.empty() && matrices_.mass.rows() > most_mapped);
}

void step_guard::analyse() const {
  std::call_once(found_->once, [&] {
    if (is_undamped_) return;
    find_modes();
    if (!found_->modes.empty() || is_judged_without_damping()) return;
    found_->own_growth = growth_rate(matrices_).value_or(0);
    found_->space = std::make_unique<phase_space<double>>(system_, parameters_);
  });
}

// VᵀMV = 1 and VᵀKV diagonal; modes are common where VᵀCV is diagonal too.
void step_guard::find_modes() const {
  const std::size_t n = matrices_.mass.rows();
  if (!is_symmetric(matrices_.stiffness) || !is_symmetric(matrices_.damping)) return;
  const eigen_pairs<double> eigen = generalised_eigen(matrices_.stiffness, matrices_.mass);
  const matrix<double> damping = transpose(eigen.vectors) * (matrices_.damping * eigen.vectors);
  double largest = 0, outside = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double& which = i == j ? largest : outside;
      which = std::max(which, std::abs(damping(i, j)));
    }
  }
  if (outside > 1e-10 * largest) return;
  for (std::size_t i = 0; i < n; ++i) found_->modes.push_back({eigen.values[i], damping(i, i)});
}

// Beside x'' + γx' + ω²x = 0 itself, which grows as its own roots do.
bool step_guard::grows(const method& m, const mode& one, double step) const {
  const double w = one.squared_frequency * step * step, g = one.damping * step;
  if (std::sqrt(std::abs(w)) + std::abs(g) <= far_inside) return false;
  const auto response = damped_response_of(m, w, g);
  if (!response) return true;
  const double gap = g * g / 4 - w, own = std::max(0.0, -g / 2 + (gap > 0 ? std::sqrt(gap) : 0));
  if (own == 0) return response->excess > response->noise;
  return std::log(to_double(response->spectral_radius)) > 2 * own + slow;
}

bool step_guard::grows(const method& m, double step) const {
  if (bound_ * step <= far_inside) return false;
  if (!found_->modes.empty())
    return std::ranges::any_of(found_->modes, [&](const mode& one) { return grows(m, one, step); });
  const std::size_t n = matrices_.mass.rows();
  phase_state<double> rest;
  rest.position = rest.momentum = compensated_vector<double>(std::vector<double>(n, 0.0));
  matrix<double> map = m.make<double>(step_context<double>{.space = *found_->space, .step = step})->tangent_map(rest);
  if (map.rows() != 2 * n) return true;
  for (std::size_t i = 0; i < 2 * n; ++i) {  // positions and momenta in like units
    for (std::size_t j = 0; j < 2 * n; ++j) {
      const auto unit = [&](std::size_t k) {
        const double root = std::sqrt(matrices_.mass(k % n, k % n));
        return k < n ? root : step / root;
      };
      map(i, j) *= unit(i) / unit(j);
    }
  }
  if (!std::ranges::all_of(map.data(), [](double x) { return std::isfinite(x); })) return true;
  const auto all = eigenvalues(map);
  double radius = 0;
  for (const std::complex<double>& x : all) radius = std::max(radius, std::abs(x));
  return all.empty() || std::log(radius) > 2 * std::max(0.0, found_->own_growth * step) + slow;
}

// By halving until nothing grows, and from there up again. Nothing where no step helps.
std::optional<step_limit> step_guard::limit_of(const method& m, double step) const {
  double longest = step / 2, growing = step;
  for (int k = 0; grows(m, longest); ++k) {
    if (k == most_halvings) return {};
    growing = longest;
    longest /= 2;
  }
  for (int k = 0; k < bisections; ++k) {
    const double middle = (longest + growing) / 2;
    (grows(m, middle) ? growing : longest) = middle;
  }
  const std::string text = typed_below(longest);
  if (grows(m, std::stod(text))) return {};
  double fastest = 0;
  for (const mode& one : found_->modes) {
    if (one.squared_frequency > fastest && grows(m, one, step)) fastest = one.squared_frequency;
  }
  return step_limit{std::sqrt(fastest), std::sqrt(fastest) * longest, text};
}

std::optional<step_limit> step_guard::exceeded(const method& m, double step) const {
  if (!(bound_ * step > far_inside)) return {};
  analyse();
  if (is_judged_without_damping()) {
    matrix<double> stiffness = matrices_.stiffness;
    for (std::size_t i = 0; i < stiffness.rows(); ++i) {
      for (std::size_t j = 0; j < i; ++j) stiffness(i, j) = stiffness(j, i) = (stiffness(i, j) + stiffness(j, i)) / 2;
    }
    return exceeded_limit(matrices_.mass, stiffness, m, step);
  }
  if (!grows(m, step)) return {};
  return limit_of(m, step);
}

}  // namespace actio
