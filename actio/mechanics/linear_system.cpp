#include "actio/mechanics/linear_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/backend/evaluate.hpp"
#include "actio/backend/interpreter/interpreter.hpp"
#include "actio/base/symmetric.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

namespace {

template <class S>
void check_square(const matrix<S>& a, std::string_view which, const entry_place& place) {
  if (a.rows() == a.columns() && a.rows() > 0) return;
  throw input_error("matrix-not-square",
                    fmt::format("the {} matrix is not square: it is {} × {}", which, a.rows(), a.columns()),
                    place(which, 0, 0), "give as many entries in each row as there are rows");
}

template <class S>
void check_entries(const matrix<S>& a, std::string_view which, const entry_place& place) {
  using std::abs;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) {
      if (is_finite(a(i, j))) continue;
      throw input_error(
          "matrix-not-finite",
          fmt::format("the entry ({}, {}) of the {} matrix is {}", i + 1, j + 1, which, to_brief(a(i, j))),
          place(which, i, j), "every entry must be a finite number");
    }
  }
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const S tolerance = S(16) * epsilon<S>() * S(abs(a(i, j)) + abs(a(j, i)));
      if (abs(S(a(i, j) - a(j, i))) <= tolerance) continue;
      const bool differ_early = to_brief(a(j, i), 6) != to_brief(a(i, j), 6);
      const auto shown = [&](const S& x) { return differ_early ? to_brief(x, 6) : to_digits(x); };
      throw input_error("matrix-not-symmetric",
                        fmt::format("the {} matrix is not symmetric: its entry ({}, {}) is {}, but ({}, {}) is {}",
                                    which, j + 1, i + 1, shown(a(j, i)), i + 1, j + 1, shown(a(i, j))),
                        place(which, i, j), "make the two equal");
    }
  }
}

// "-1 along (1, -0.5)": the smallest eigenvalue and its vector, the largest component of it made one.
template <class S>
std::string smallest_eigenvalue(const matrix<S>& a, const std::string& value_or_nothing = "") {
  using std::abs;
  constexpr std::size_t most_shown = 12;
  const eigen_pairs<S> eigen = symmetric_eigen(a);
  std::size_t largest = 0;
  for (std::size_t i = 1; i < a.rows(); ++i) {
    if (abs(eigen.vectors(i, 0)) > S(abs(eigen.vectors(largest, 0))) * S(1 + 1e-9)) largest = i;
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(a.rows(), most_shown); ++i) {
    const S part = eigen.vectors(i, 0) / eigen.vectors(largest, 0);
    const bool is_zero = abs(part) < S(1e-9);
    text += fmt::format("{}{}", i ? ", " : "", is_zero ? "0" : to_brief(part));
  }
  if (a.rows() > most_shown) text += ", …";
  return fmt::format("{} along ({})", value_or_nothing.empty() ? to_brief(eigen.values[0], 4) : value_or_nothing, text);
}

// Stiffness matrices come from programs that compute in double, whatever the numbers of the run: a free structure is
// singular to that rounding.
template <class S>
bool is_negative(const matrix<S>& stiffness) {
  return definiteness_of(stiffness, epsilon<double>()) == definiteness::indefinite;
}

template <class S>
void check_signs(const matrix<S>& mass, const matrix<S>& stiffness, const entry_place& place) {
  switch (definiteness_of(mass)) {
    case definiteness::positive: break;
    case definiteness::semidefinite:
      throw input_error(
          "mass-singular",
          fmt::format("the mass matrix is singular: it has the eigenvalue {}", smallest_eigenvalue(mass, "0")),
          place("mass", 0, 0), "give that motion a mass, or describe the system with fewer coordinates");
    case definiteness::indefinite:
      throw input_error(
          "mass-not-positive",
          fmt::format("the mass matrix is not positive definite: it has the eigenvalue {}", smallest_eigenvalue(mass)),
          place("mass", 0, 0), "kinetic energy must be positive: look for a wrong sign or entry");
  }
  if (!is_negative(stiffness)) return;
  throw input_error("stiffness-negative",
                    fmt::format("the stiffness matrix has the negative eigenvalue {}", smallest_eigenvalue(stiffness)),
                    place("stiffness", 0, 0),
                    "look for a wrong sign; a system that is unstable by itself can be given as a lagrangian");
}

// Derivatives of an L that is linear.
class constant_derivatives {
 public:
  explicit constant_derivatives(const lagrangian_system& system)
      : velocities_(system.velocities()), variables_(system.coordinates) {
    variables_.insert(variables_.end(), velocities_.begin(), velocities_.end());
  }

  // Fills mass, stiffness and what L contains of first order, which may depend on the time; false where L is not
  // linear.
  bool find(const lagrangian_system& system) {
    if (!is_polynomial(system.lagrangian, variables_, 2)) return false;
    const auto is_constant = [&](const expr& e) { return this->is_constant(e); };
    const std::vector<expr> L_q = gradient(system.lagrangian, system.coordinates);
    const std::vector<expr> L_v = gradient(system.lagrangian, velocities_);
    const std::size_t n = system.size();
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<expr> by_q = gradient(L_q[i], std::span(system.coordinates).subspan(i));
      if (!std::ranges::all_of(by_q, is_constant)) return false;
      stiffness.insert(stiffness.end(), by_q.begin(), by_q.end());
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<expr> by_v = gradient(L_v[i], std::span(velocities_).subspan(i));
      if (!std::ranges::all_of(by_v, is_constant)) return false;
      mass.insert(mass.end(), by_v.begin(), by_v.end());
      const std::vector<expr> coupling = gradient(L_v[i], system.coordinates);
      if (!std::ranges::all_of(coupling, [](const expr& e) { return e.is_zero(); })) return false;
    }
    expr_map<expr> at_rest;
    for (const expr& q : system.coordinates) at_rest.emplace(q, expr(0));
    for (const expr& v : velocities_) at_rest.emplace(v, expr(0));
    load = substitute(L_q, at_rest);
    momentum = substitute(L_v, at_rest);
    return true;
  }

  // ∂F/∂q and ∂F/∂v of the forces row by row, into force_q and force_v; false where they are not constant.
  bool find_forces(const lagrangian_system& system) {
    for (const expr& force : system.forces) {
      if (!is_polynomial(force, variables_, 1)) return false;
      for (const auto& [symbols, slopes] : {std::pair(std::span<const expr>(system.coordinates), &force_q),
                                            std::pair(std::span<const expr>(velocities_), &force_v)}) {
        const std::vector<expr> row = gradient(force, symbols);
        if (!std::ranges::all_of(row, [&](const expr& e) { return is_constant(e); })) return false;
        slopes->insert(slopes->end(), row.begin(), row.end());
      }
    }
    return true;
  }

  std::vector<expr> mass, stiffness, load, momentum;  // matrices: upper triangles, row by row
  std::vector<expr> force_q, force_v;                 // whole matrices

 private:
  bool is_constant(const expr& e) const { return !depends_on_any(e, variables_) && !depends_on(e, time_symbol()); }
  std::vector<expr> velocities_, variables_;
};

// The numbers in which entries are computed: in double with more digits than they are kept with.
template <class S>
using entry_number = std::conditional_t<std::same_as<S, double>, quad, S>;

// Momentum at rest, stiffness, mass and load of a linear system as one function of its parameters.
template <class T>
struct matrix_code {
  std::shared_ptr<const compiled_function<T>> entries;

  explicit matrix_code(const constant_derivatives& d, const lagrangian_system& system) {
    std::vector<expr> all;
    for (const auto* part : {&d.momentum, &d.stiffness, &d.mass, &d.load}) {
      all.insert(all.end(), part->begin(), part->end());
    }
    entries = interpret<T>(lower(all, {}, system.parameter_symbols()));
  }
};

// Nothing where the system is not linear as it is written.
template <class T>
std::optional<matrix_code<T>> matrix_code_of(const lagrangian_system& system) {
  if (!system.has_lagrangian() || system.is_forced() || system.is_time_dependent() || !system.constraints.empty())
    return {};
  constant_derivatives derivatives(system);
  if (!derivatives.find(system)) return {};
  return matrix_code<T>(derivatives, system);
}

// Values of some entries, and what S cannot hold of them.
template <class S>
struct entry_values {
  std::vector<S> value, remainder;

  void add(const entry_number<S>& exact) {
    if constexpr (std::same_as<S, double>) {
      value.push_back(to_double(exact));
      remainder.push_back(is_finite(value.back()) ? to_double(quad(exact - quad(value.back()))) : 0.0);
    } else {
      value.push_back(exact);
      remainder.push_back(S(0));
    }
  }
};

template <class S>
matrix<S> from_upper_triangle(std::size_t n, std::span<const S> values, const S& factor) {
  matrix<S> a(n, n);
  std::size_t at = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j, ++at) {
      if (values[at] != S(0)) a(i, j) = a(j, i) = factor * values[at];  // no negative zeros
    }
  }
  return a;
}

template <class S>
bool all_finite(std::span<const S> values) {
  return std::ranges::all_of(values, [](const S& x) { return is_finite(x); });
}

}  // namespace

template <class S>
void check_matrices(const matrix<S>& mass, const matrix<S>& stiffness, const std::vector<S>& load,
                    const entry_place& place) {
  check_square(mass, "mass", place);
  check_square(stiffness, "stiffness", place);
  if (stiffness.rows() != mass.rows()) {
    throw input_error("matrix-sizes-differ",
                      fmt::format("the stiffness matrix is {0} × {0}, but the mass matrix is {1} × {1}",
                                  stiffness.rows(), mass.rows()),
                      place("stiffness", 0, 0), "both need one row and one column for each coordinate");
  }
  if (!load.empty() && load.size() != mass.rows()) {
    throw input_error(
        "matrix-sizes-differ",
        fmt::format("the load has {0} entries, but the mass matrix is {1} × {1}", load.size(), mass.rows()),
        place("load", 0, 0), "give one entry for each coordinate");
  }
  check_entries(mass, "mass", place);
  check_entries(stiffness, "stiffness", place);
  for (std::size_t i = 0; i < load.size(); ++i) {
    if (is_finite(load[i])) continue;
    throw input_error("matrix-not-finite", fmt::format("the entry {} of the load is {}", i + 1, to_brief(load[i])),
                      place("load", i, 0), "every entry must be a finite number");
  }
  check_signs(mass, stiffness, place);
}

template <class S>
linear_system<S>::linear_system(matrix<S> mass, matrix<S> stiffness, std::vector<S> load)
    : mass_(std::move(mass)), stiffness_(std::move(stiffness)), load_(std::move(load)) {
  check_matrices(mass_, stiffness_, load_, [](auto&&...) { return source_place{}; });
  for (matrix<S>* a : {&mass_, &stiffness_}) {  // to the last bit
    for (std::size_t i = 0; i < a->rows(); ++i) {
      for (std::size_t j = 0; j < i; ++j) (*a)(i, j) = (*a)(j, i);
    }
  }
  if (load_.empty()) load_.assign(size(), S(0));
}

template <class S>
bool linear_system<S>::has_load() const {
  return std::ranges::any_of(load_, [](const S& f) { return f != S(0); });
}

template <class S>
S rigid_threshold(std::size_t size, const S& largest_squared_frequency) {
  return S(64) * S(static_cast<double>(size)) * epsilon<S>() * largest_squared_frequency;
}

template <class S>
std::vector<S> linear_system<S>::squared_frequencies() const {
  std::vector<S> values = generalised_eigen(stiffness_, mass_).values;
  const S threshold = rigid_threshold(size(), values.back());
  for (S& x : values) {
    if (x <= threshold) x = S(0);
  }
  return values;
}

template <class S>
std::optional<linear_system<S>> linear_system_of(const phase_space<S>& space) {
  using T = entry_number<S>;
  if (is_made_of_elements(space.system())) return {};
  const auto code = space.code()->template piece<std::optional<matrix_code<T>>>(
      digits_of_constants<S>(), [&] { return matrix_code_of<T>(space.system()); });
  if (!*code) return {};
  const std::size_t n = space.size(), triangle = n * (n + 1) / 2;
  const auto at_parameters = (*code)->entries->evaluate_at(1);
  at_parameters->set_parameters({});
  const std::size_t stride = at_parameters->stride();
  std::vector<T> in(std::max<std::size_t>(1, space.parameters().size() * stride), T(0));
  std::vector<T> out((*code)->entries->outputs() * stride, T(0));
  for (std::size_t k = 0; k < space.parameters().size(); ++k) in[k * stride] = T(space.parameters()[k]);
  (*at_parameters)(in.data(), out.data());
  std::size_t read = 0;
  const auto next = [&](std::size_t count) {
    entry_values<S> values;
    for (std::size_t k = 0; k < count; ++k) values.add(out[read++ * stride]);
    return values;
  };
  const entry_values<S> momentum = next(n), stiffness = next(triangle), mass = next(triangle), load = next(n);
  if (!std::ranges::all_of(momentum.value, [](const S& p) { return p == S(0); })) return {};
  if (!all_finite<S>(stiffness.value) || !all_finite<S>(mass.value) || !all_finite<S>(load.value)) return {};
  linear_system<S> result;
  result.load_ = load.value;
  result.mass_ = from_upper_triangle<S>(n, mass.value, S(1));
  result.stiffness_ = from_upper_triangle<S>(n, stiffness.value, S(-1));
  if (std::ranges::any_of(stiffness.remainder, [](const S& x) { return x != S(0); })) {
    result.remainder_ = from_upper_triangle<S>(n, stiffness.remainder, S(-1));
  }
  if (definiteness_of(result.mass_) != definiteness::positive) return {};
  if (is_negative(result.stiffness_)) return {};
  return result;
}

template <class S>
linear_system<S> still_linear(const phase_space<S>& space) {
  if (auto linear = linear_system_of(space)) return std::move(*linear);
  throw input_error("parameters-unsuited",
                    fmt::format("with these parameters '{}' has no stiffness that holds it, and the steps of linear "
                                "systems are not for it",
                                space.system().name),
                    space.system().lagrangian_place, "make an integrator with these parameters");
}

std::optional<oscillation_matrices> oscillation_matrices_of(const lagrangian_system& system,
                                                            std::span<const double> parameters) {
  if (!system.has_lagrangian() || system.applied_force || !system.constraints.empty()) return {};
  if (is_made_of_elements(system)) return {};
  constant_derivatives derivatives(system);
  if (!derivatives.find(system)) return {};
  const bool forces_are_linear = derivatives.find_forces(system);
  const std::vector<expr> symbols = system.parameter_symbols();
  const auto numbers = [&](std::span<const expr> entries) { return evaluate<double>(entries, symbols, parameters); };
  const std::size_t n = system.size();
  oscillation_matrices result{.mass = from_upper_triangle<double>(n, numbers(derivatives.mass), 1),
                              .damping = matrix<double>(n, n),
                              .stiffness = from_upper_triangle<double>(n, numbers(derivatives.stiffness), -1),
                              .has_all_forces = forces_are_linear};
  if (forces_are_linear && !system.forces.empty()) {
    const std::vector<double> by_q = numbers(derivatives.force_q), by_v = numbers(derivatives.force_v);
    for (std::size_t k = 0; k < n * n; ++k) {
      result.stiffness.data()[k] -= by_q[k];
      result.damping.data()[k] -= by_v[k];
    }
  }
  for (const matrix<double>* a : {&result.mass, &result.damping, &result.stiffness}) {
    if (!all_finite<double>(a->data())) return {};
  }
  if (definiteness_of(result.mass) != definiteness::positive) return {};
  return result;
}

namespace {

template <class S>
void check_values(const lagrangian_system& system) {
  const linear_form& form = *system.linear;
  const std::vector<expr> symbols = system.parameter_symbols();
  const std::vector<S> parameters = parameter_values<S>(system);
  const auto values = [&](const std::vector<named_expr>& entries) {
    std::vector<expr> es;
    for (const named_expr& e : entries) es.push_back(e.value);
    return evaluate<S>(es, symbols, parameters);
  };
  const auto to_matrix = [&](const std::vector<std::vector<named_expr>>& rows) {
    matrix<S> a(rows.size(), rows.size());
    std::vector<named_expr> all;
    for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
    std::ranges::copy(values(all), a.data().begin());
    return a;
  };
  std::vector<named_expr> load = form.load;  // of one that varies nothing is checked
  for (named_expr& f : load) {
    if (depends_on(f.value, time_symbol())) f.value = 0;
  }
  check_matrices<S>(to_matrix(form.mass), to_matrix(form.stiffness), values(load),
                    [&](std::string_view which, std::size_t i, std::size_t j) {
                      if (which == "load") return form.load[i].place;
                      return (which == "mass" ? form.mass : form.stiffness)[i][j].place;
                    });
  if (form.damping.empty()) return;
  const matrix<S> damping = to_matrix(form.damping);
  for (std::size_t i = 0; i < damping.rows(); ++i) {
    for (std::size_t j = 0; j < damping.columns(); ++j) {
      if (is_finite(damping(i, j))) continue;
      throw input_error(
          "matrix-not-finite",
          fmt::format("the entry ({}, {}) of the damping matrix is {}", i + 1, j + 1, to_brief(damping(i, j))),
          form.damping[i][j].place, "every entry must be a finite number");
    }
  }
}

}  // namespace

void check_linear_form(const lagrangian_system& system) {
  constexpr std::size_t most_in_quad = 64;
  if (!system.linear) return;
  if (system.size() <= most_in_quad) check_values<quad>(system);
  else check_values<double>(system);
}

#define ACTIO_INSTANTIATE(S)                                                           \
  template class linear_system<S>;                                                     \
  template std::optional<linear_system<S>> linear_system_of<S>(const phase_space<S>&); \
  template linear_system<S> still_linear<S>(const phase_space<S>&);                    \
  template S rigid_threshold<S>(std::size_t, const S&);                                \
  template void check_matrices<S>(const matrix<S>&, const matrix<S>&, const std::vector<S>&, const entry_place&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
