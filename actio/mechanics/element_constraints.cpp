#include "actio/mechanics/element_constraints.hpp"

#include <algorithm>

#include "actio/base/in_place.hpp"
#include "actio/expr/derivative.hpp"

namespace actio {

namespace {

enum array : std::uint32_t { value_array, time_array, curvature_array, rate_array, entry_array };

// d/dt with q' as it is and q'' left out, in the symbols of a family.
std::vector<std::pair<expr, expr>> rates_of(const element_family& family) {
  std::vector<std::pair<expr, expr>> result;
  for (std::size_t k = 0; k < family.slots(); ++k) result.emplace_back(family.positions[k], family.velocities[k]);
  result.emplace_back(time_symbol(), expr(1));
  return result;
}

}  // namespace

template <class S>
element_constraint_code<S>::element_constraint_code(const lagrangian_system& system)
    : size(system.constraints.size()), coordinates(system.size()), system_(system) {
  const element_symbols symbols(system);
  std::vector<element_term> terms;
  for (std::uint32_t c = 0; c < size; ++c) terms.push_back({system.constraints[c].value, c});
  families_ = families_of(terms, symbols);
  if (depends_on_time(system)) lagrangian_ = actio::families_of(system)->lagrangian;
  curvature = static_cast<std::uint32_t>(2 * size);
  rates = static_cast<std::uint32_t>(3 * size);
  rows = first_slope = 3 * size + (lagrangian_.empty() ? 0 : coordinates);
  for (const element_family& family : families_) {
    requests_[first].push_back({&family,
                                {{family.body, value_array, element_place::target},
                                 {derivative(family.body, time_symbol()), time_array, element_place::target}}});
    requests_[bends].push_back({&family, {}});
    requests_[motion].push_back({&family, {}});
    requests_[slopes].push_back({&family, {}});
  }
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const element_family& family = families_[f];
    const std::vector<expr> slope = gradient(family.body, family.positions);
    for (std::size_t k = 0; k < slope.size(); ++k) {
      if (slope[k].is_zero()) continue;
      for (std::size_t e = 0; e < family.elements; ++e) {
        jacobian.push_back({family.targets[e], family.coordinates[k][e], static_cast<std::uint32_t>(rows + e)});
      }
      list(requests_[first][f], slope[k]);
    }
  }
  first_bend = rows;
  for (std::size_t f = 0; f < families_.size(); ++f) request_bends(f);
  first_hidden = rows;
  for (std::size_t f = 0; f < families_.size(); ++f) request_motion(f);
  request_momentum_rates();
}

template <class S>
void element_constraint_code<S>::list(element_request& request, const expr& value) {
  std::vector<std::uint32_t>& listed = request.listed.emplace_back(request.family->elements);
  for (std::uint32_t& row : listed) row = static_cast<std::uint32_t>(rows++);
  request.outputs.push_back(
      {value, entry_array, element_place::listed, static_cast<std::uint32_t>(request.listed.size() - 1)});
}

template <class S>
void element_constraint_code<S>::request_bends(std::size_t f) {
  const element_family& family = families_[f];
  const std::vector<expr> slope = gradient(family.body, family.positions);
  for (std::size_t a = 0; a < slope.size(); ++a) {
    const std::vector<expr> row = gradient(slope[a], family.positions);
    for (std::size_t b = a; b < slope.size(); ++b) {
      if (row[b].is_zero()) continue;
      for (std::size_t e = 0; e < family.elements; ++e) {
        const std::uint32_t i = family.coordinates[a][e], j = family.coordinates[b][e];
        const auto output = static_cast<std::uint32_t>(rows + e);
        hessian.push_back({i, j, output});
        if (b != a) hessian.push_back({j, i, output});
        bent.push_back(family.targets[e]);
      }
      list(requests_[bends][f], row[b]);
    }
  }
}

template <class S>
void element_constraint_code<S>::request_motion(std::size_t f) {
  const element_family& family = families_[f];
  const auto moving = rates_of(family);
  const expr rate = total_derivative(family.body, moving);
  requests_[motion][f].outputs.push_back({total_derivative(rate, moving), curvature_array, element_place::target});
  const std::vector<expr> slope = gradient(rate, family.positions);
  for (std::size_t k = 0; k < slope.size(); ++k) {
    if (slope[k].is_zero()) continue;
    for (std::size_t e = 0; e < family.elements; ++e) {
      hidden.push_back({family.targets[e], family.coordinates[k][e], static_cast<std::uint32_t>(rows + e)});
    }
    list(requests_[slopes][f], slope[k]);
  }
}

template <class S>
void element_constraint_code<S>::request_momentum_rates() {
  if (lagrangian_.empty()) return;
  for (std::uint32_t i = 0; i < coordinates; ++i) momentum_rate.push_back({i, 0, rates + i});
  for (const element_family& family : lagrangian_) {
    if (!depends_on(family.body, time_symbol())) continue;
    element_request& request = requests_[motion].emplace_back(element_request{&family, {}});
    const std::vector<expr> momentum = gradient(family.body, family.velocities);
    for (std::uint32_t k = 0; k < momentum.size(); ++k) {
      request.outputs.push_back({derivative(momentum[k], time_symbol()), rate_array, element_place::slot, k});
    }
  }
}

template <class S>
void element_constraints<S>::clear(std::size_t from, std::size_t to, S* out) const {
  for (std::size_t k = from * points_; k < to * points_; ++k) in_place::set_zero(out[k]);
}

template <class S>
void element_constraints<S>::sum(typename code_type::part p, const S* in, S* out) {
  if (!sums_[p]) sums_[p].emplace(code_->code(p), points_, parameters_);
  const std::size_t m = code_->size, n = code_->coordinates;
  S* const arrays[] = {out, out + m * points_, out + code_->curvature * points_, out + code_->rates * points_, out};
  sums_[p]->add({in, in + n * points_, in + (2 * n + m) * points_, arrays});
}

template <class S>
void element_constraints<S>::first(const S* in, S* out) {
  clear(0, 2 * code_->size, out);
  clear(code_->first_slope, code_->first_bend, out);
  sum(code_type::first, in, out);
}

template <class S>
void element_constraints<S>::bends(const S* in, S* out) {
  clear(code_->first_bend, code_->first_hidden, out);
  sum(code_type::bends, in, out);
  const S* const multipliers = in + 2 * code_->coordinates * points_;
  for (std::size_t k = 0; k < code_->bent.size(); ++k) {
    S* const row = out + (code_->first_bend + k) * points_;
    const S* const lambda = multipliers + code_->bent[k] * points_;
    for (std::size_t l = 0; l < points_; ++l) in_place::multiply(row[l], row[l], lambda[l]);
  }
}

template <class S>
void element_constraints<S>::motion(const S* in, S* out) {
  clear(code_->curvature, code_->first_slope, out);
  sum(code_type::motion, in, out);
}

template <class S>
void element_constraints<S>::slopes(const S* in, S* out) {
  clear(code_->first_hidden, code_->rows, out);
  sum(code_type::slopes, in, out);
}

#define ACTIO_INSTANTIATE(S)                 \
  template class element_constraint_code<S>; \
  template class element_constraints<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
