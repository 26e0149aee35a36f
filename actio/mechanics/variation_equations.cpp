#include "actio/mechanics/variation_equations.hpp"

#include <algorithm>

#include "actio/expr/branches.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

namespace {

std::vector<expr> variables_of(const lagrangian_system& system) {
  std::vector<expr> variables(system.coordinates);
  const std::vector<expr> v = system.velocities();
  variables.insert(variables.end(), v.begin(), v.end());
  variables.push_back(time_symbol());
  return variables;
}

// L, the constraints, and the forces where there are any, in all their pieces. Jumps are those of L and the
// constraints: a force may jump as long as it does no work.
branched_expressions branched_parts(const lagrangian_system& system) {
  std::vector<expr> roots{system.lagrangian};
  for (const named_expr& g : system.constraints) roots.push_back(g.value);
  const std::size_t smooth = roots.size();
  if (system.is_forced()) roots.insert(roots.end(), system.forces.begin(), system.forces.end());
  const std::vector<expr> variables = variables_of(system);
  branched_expressions all = with_free_signs(roots, variables);
  if (all.jumps.empty()) return all;
  // Signs are numbered in the order of the roots: those of the first are the same without the others.
  all.jumps = with_free_signs(std::span(roots).first(smooth), variables).jumps;
  return all;
}

}  // namespace

template <class S>
variation_equations<S>::variation_equations(const lagrangian_system& system, std::span<const std::size_t> free,
                                            bool of_momenta)
    : n_(system.size()), m_(system.constraints.size()), of_momenta_(of_momenta) {
  const branched_expressions parts = branched_parts(system);
  std::vector<expr> outputs;
  for (std::size_t k = 0; k <= m_; ++k) add(outputs, system, parts.values[k]);
  for (const expr& jump : parts.jumps) add(outputs, system, jump);
  if (system.is_forced()) {
    equations_.push_back({no_place, outputs.size(), no_place});
    outputs.insert(outputs.end(), parts.values.begin() + static_cast<std::ptrdiff_t>(1 + m_), parts.values.end());
  }
  operations_ = topological_order(outputs).size();
  at_ = std::make_unique<random_points<S>>(system, outputs, parts.signs);
  if (m_ > 0) {
    std::vector<expr> held(parts.values.begin() + 1, parts.values.begin() + static_cast<std::ptrdiff_t>(1 + m_));
    for (std::size_t c = 0; c < m_; ++c) {
      const std::vector<expr> normal = gradient(held[c], system.coordinates);
      held.insert(held.end(), normal.begin(), normal.end());
    }
    operations_ += 8 * topological_order(held).size();
    on_constraints_ = std::make_unique<random_points<S>>(system, held, parts.signs);
  }
  if (!free.empty()) set_parameter_values(system, free);
}

template <class S>
void variation_equations<S>::add(std::vector<expr>& outputs, const lagrangian_system& system, const expr& unchanged) {
  const std::vector<expr> symbols = variables_of(system);
  const std::vector<expr> slopes = gradient(unchanged, std::span(symbols).first(2 * n_));
  equations_.push_back({outputs.size(), outputs.size() + 1, outputs.size() + 1 + n_});
  outputs.push_back(unchanged);
  outputs.insert(outputs.end(), slopes.begin(), slopes.end());
}

// The own values, and three times others. Parameters that follow from the free ones follow.
template <class S>
void variation_equations<S>::set_parameter_values(const lagrangian_system& system, std::span<const std::size_t> free) {
  constexpr int others = 3;
  parameters_.push_back(parameter_values<S>(system));
  std::mt19937_64 bits(11);
  for (int k = 0; k < others; ++k) {
    lagrangian_system changed = system;
    for (const std::size_t p : free) {
      const rational factor(static_cast<int>(bits() % 89) + 40, 64);
      const expr own = system.parameters[p].value;
      changed.parameters[p].value = parameters_.front()[p] == 0 ? expr(factor) : own * expr(factor);
    }
    try {
      parameters_.push_back(parameter_values<S>(changed));
    } catch (const input_error&) {  // not finite there
    }
  }
}

template <class S>
void variation_equations<S>::use_parameters(std::size_t set) {
  set_in_use_ = set;
  if (parameters_.empty()) return;
  const std::vector<S>& values = parameters_[set % parameters_.size()];
  at_->set_parameters(values);
  if (on_constraints_) on_constraints_->set_parameters(values);
}

template <class S>
void variation_equations<S>::set_size(const S& position, const S& velocity) {
  at_->set_size(position, velocity);
  if (on_constraints_) on_constraints_->set_size(position, velocity);
}

template <class S>
bool variation_equations<S>::draw(int tries) {
  const int most_starts = std::clamp(tries / 10, 2, 12);
  use_parameters(next_set_++);
  if (!on_constraints_) return at_->draw(tries) && look();
  for (int k = 0; k < most_starts; ++k) {
    if (!on_constraints_->draw(tries)) return false;
    if (reach_constraints(*on_constraints_, m_, n_) && at_->go_to(*on_constraints_)) return look();
  }
  return false;
}

template <class S>
bool variation_equations<S>::look() {
  here_.values.assign(at_->values().begin(), at_->values().end());
  here_.variables.clear();
  for (std::size_t k = 0; k <= 2 * n_; ++k) here_.variables.push_back(at_->variable(k));
  if (!of_momenta_ || equations_.front().by_velocity == no_place) return true;
  for (std::size_t i = 0; i < n_; ++i) {
    S& rate = here_.values[equations_.front().by_velocity + i];
    std::swap(rate, here_.variables[n_ + i]);
    rate = -rate;
  }
  return true;
}

template <class S>
std::span<const S> variation_equations<S>::by_position(const variation_sample<S>& at, std::size_t k) const {
  return std::span(at.values).subspan(equations_[k].by_position, n_);
}

template <class S>
std::span<const S> variation_equations<S>::by_velocity(const variation_sample<S>& at, std::size_t k) const {
  if (equations_[k].by_velocity == no_place) return {};
  return std::span(at.values).subspan(equations_[k].by_velocity, n_);
}

template <class S>
S variation_equations<S>::coefficient(const variation_sample<S>& at, std::size_t k, std::size_t i,
                                      std::size_t j) const {
  const S& slope = by_position(at, k)[i];
  if (j == n_) return slope;
  S sum = slope * at.variables[j];
  if (const auto by_rate = by_velocity(at, k); !by_rate.empty() && by_rate[i] != 0) {
    sum += by_rate[i] * at.variables[n_ + j];
  }
  return sum;
}

template <class S>
S variation_equations<S>::reference(const variation_sample<S>& at, std::size_t k) const {
  const equation& e = equations_[k];
  S sum = e.value == no_place ? S(0) : S(abs(at.values[e.value]));
  const auto by_place = by_position(at, k), by_rate = by_velocity(at, k);
  for (std::size_t i = 0; i < n_; ++i) {
    sum += abs(by_place[i] * at.variables[i]);
    if (!by_rate.empty()) sum += abs(by_rate[i] * at.variables[n_ + i]);
  }
  return sum;
}

template class variation_equations<quad>;
template class variation_equations<proof_real>;

}  // namespace actio
