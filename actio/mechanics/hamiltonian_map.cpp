#include "actio/mechanics/hamiltonian_map.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/expr/terms.hpp"

namespace actio {

namespace {

std::vector<expr> phase_variables(const lagrangian_system& system) {
  std::vector<expr> variables(system.coordinates);
  const std::vector<expr> momenta = system.momenta();
  variables.insert(variables.end(), momenta.begin(), momenta.end());
  return variables;
}

std::vector<expr> rates_of(const hamilton_equations& equations) {
  std::vector<expr> rates = equations.velocity;
  rates.insert(rates.end(), equations.force.begin(), equations.force.end());
  rates.push_back(equations.power);
  return rates;
}

}  // namespace

hamilton_equations hamilton_equations_of(const lagrangian_system& system) {
  const expr& H = *system.hamiltonian;
  hamilton_equations result{gradient(H, system.momenta()), gradient(H, system.coordinates),
                            derivative(H, time_symbol())};
  for (expr& f : result.force) f = -f;
  expr_map<expr> rates;
  for (std::size_t i = 0; i < system.size(); ++i) {
    rates.emplace(velocity_symbol(system.coordinates[i]), result.velocity[i]);
  }
  const std::vector<expr> applied = substitute(system.forces, rates);
  for (std::size_t i = 0; i < applied.size(); ++i) {
    if (applied[i].is_zero()) continue;
    result.force[i] += applied[i];
    result.power += applied[i] * result.velocity[i];
  }
  return result;
}

std::vector<hamilton_equations::slope> hamilton_equations::slopes(const lagrangian_system& system) const {
  const std::vector<expr> variables = phase_variables(system), rates = rates_of(*this);
  std::vector<slope> result;
  for (std::size_t row = 0; row < rates.size(); ++row) {
    const std::vector<expr> by = gradient(rates[row], variables);
    for (std::size_t column = 0; column < by.size(); ++column) {
      if (!by[column].is_zero()) result.push_back({{row, column}, by[column]});
    }
  }
  return result;
}

template <class S>
hamiltonian_map<S>::hamiltonian_map(const system_code& code) : size_(code.system().size()) {
  const lagrangian_system& system = code.system();
  const hamilton_equations equations = hamilton_equations_of(system);
  has_power_ = !equations.power.is_zero();
  std::vector<expr> variables = phase_variables(system), rates = rates_of(equations), slopes;
  for (const auto& [at, slope] : equations.slopes(system)) {
    if (at.row == 2 * size_) continue;
    slopes_.push_back(at);
    slopes.push_back(slope);
  }
  variables.push_back(time_symbol());
  rates.push_back(split_constant(*system.hamiltonian, variables).varying);
  const std::vector<expr> parameters = system.parameter_symbols();
  rates_ = compile<S>(lower(rates, parameters, variables));
  derivatives_ = compile<S>(lower(slopes, parameters, variables));
}

template <class S>
const hamiltonian_map<S>& hamiltonian_map_of(const system_code& code) {
  return *code.piece<hamiltonian_map<S>>(digits_of_constants<S>(), [&] { return hamiltonian_map<S>(code); });
}

template <class S>
hamiltonian_evaluation<S>::hamiltonian_evaluation(const hamiltonian_map<S>& map, const shared_parameters<S>& parameters)
    : size_(map.size_),
      slopes_(map.slopes_.size()),
      rates_(*map.rates_, 1, parameters),
      derivatives_(*map.derivatives_, 1, parameters) {
  stride_ = rates_.stride();
  ACTIO_ASSERT(derivatives_.stride() == stride_);
  in_.assign((2 * size_ + 1) * stride_, S(0));
  out_.assign((2 * size_ + 2) * stride_, S(0));
  slope_out_.assign(std::max<std::size_t>(1, slopes_) * stride_, S(0));
}

template <class S>
void hamiltonian_evaluation<S>::place(const S& t, std::span<const S> q, std::span<const S> p) {
  for (std::size_t i = 0; i < size_; ++i) {
    in_[i * stride_] = q[i];
    in_[(size_ + i) * stride_] = p[i];
  }
  in_[2 * size_ * stride_] = t;
}

template <class S>
bool hamiltonian_evaluation<S>::evaluate(const S& t, std::span<const S> q, std::span<const S> p) {
  place(t, q, p);
  rates_(in_.data(), out_.data());
  for (std::size_t c = 0; c < 2 * size_; ++c) {
    if (!is_finite(out_[c * stride_])) return false;
  }
  return true;
}

template <class S>
bool hamiltonian_evaluation<S>::evaluate_slopes(const S& t, std::span<const S> q, std::span<const S> p) {
  place(t, q, p);
  derivatives_(in_.data(), slope_out_.data());
  for (std::size_t k = 0; k < slopes_; ++k) {
    if (!is_finite(slope_out_[k * stride_])) return false;
  }
  return true;
}

#define ACTIO_INSTANTIATE(S)                                                    \
  template class hamiltonian_map<S>;                                            \
  template const hamiltonian_map<S>& hamiltonian_map_of<S>(const system_code&); \
  template class hamiltonian_evaluation<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
