#include "actio/discrete/rattle_equations.hpp"

#include <algorithm>

#include "actio/base/largest.hpp"
#include "actio/mechanics/element_families.hpp"

namespace actio {

template <class S>
bool has_rattle_form(const phase_space<S>& space) {
  const lagrangian_system& system = space.system();
  const constraint_map<S>* const map = space.constraints();
  if (map == nullptr || !system.has_lagrangian() || system.applied_force || space.has_power()) return false;
  if (!system.is_quadratic_in_velocities()) return false;
  // A coordinate in many constraints joins them all.
  constexpr std::size_t most_joined = 8;
  std::vector<std::size_t> held(space.size(), 0);
  for (const constraint_entry& e : map->jacobian()) ++held[e.column];
  std::size_t pairs = 0;
  for (const std::size_t k : held) pairs += k * k;
  if (pairs > most_joined * map->jacobian().size()) return false;
  if (element_forces<S>(*space.code(), space.parameters()).depends_on_velocity()) return false;
  element_mass<S> mass(*space.code(), space.parameters());
  return mass.is_constant() && mass.is_diagonal() && !mass.has_offset() &&
         mass.factorise(S(0), std::vector<S>(space.size(), S(0)));
}

// Entries of A with a column in common, pair by pair, in the order of the entry of A_1 M⁻¹ A_0ᵀ that they belong to.
template <class S>
sparse_pattern rattle_equations<S>::pattern_of(const constraint_map<S>& map, std::vector<product>& products,
                                               std::vector<std::uint32_t>& products_end) {
  const std::span<const constraint_entry> entries = map.jacobian();
  std::vector<std::vector<std::uint32_t>> in_column(map.coordinates());
  for (std::uint32_t k = 0; k < entries.size(); ++k) in_column[entries[k].column].push_back(k);
  const auto place_of = [&](const product& p) {
    return std::uint64_t{entries[p.of_right].row} << 32 | entries[p.of_left].row;
  };
  for (const std::vector<std::uint32_t>& column : in_column) {
    for (const std::uint32_t i : column) {
      for (const std::uint32_t j : column) products.push_back({i, j});
    }
  }
  std::ranges::stable_sort(products, {}, place_of);
  sparse_pattern pattern;
  pattern.size = map.size();
  for (std::uint32_t c = 0; c < pattern.size; ++c) pattern.order.group.push_back(c);
  for (std::size_t k = 0; k < products.size(); ++k) {
    if (k > 0 && place_of(products[k]) == place_of(products[k - 1])) {
      ++products_end.back();
      continue;
    }
    pattern.add(entries[products[k].of_right].row, entries[products[k].of_left].row);
    products_end.push_back(static_cast<std::uint32_t>(k + 1));
  }
  return pattern;
}

template <class S>
rattle_equations<S>::rattle_equations(const phase_space<S>& space, const S& step)
    : map_(space.constraints()),
      size_(space.size()),
      step_(step),
      forces_(*space.code(), space.parameters()),
      mass_(*space.code(), space.parameters()),
      held_(map_->at(1, space.parameters())),
      end_(pattern_of(*map_, products_, products_end_)),
      left_slopes_(map_->jacobian().size(), S(0)),
      slopes_(left_slopes_),
      left_reach_(left_slopes_),
      reach_(left_slopes_),
      left_(size_, S(0)),
      rest_(left_),
      left_force_(left_),
      force_(left_),
      right_(left_),
      rounded_off_(left_),
      increment_(left_),
      half_(left_),
      kick_(left_),
      impulse_(left_),
      slip_(map_->size(), S(0)) {
  for (const constraint_entry& e : map_->jacobian()) places_.push_back({e.row, e.column});
}

template <class S>
void rattle_equations<S>::copy_slopes(std::span<S> slopes) const {
  const std::span<const constraint_entry> entries = map_->jacobian();
  for (std::size_t k = 0; k < slopes.size(); ++k) slopes[k] = *held_.entry(entries[k]);
}

template <class S>
void rattle_equations<S>::add_impulses(std::span<const S> slopes, std::span<const S> x, std::span<S> to) const {
  for (std::size_t k = 0; k < slopes.size(); ++k) to[places_[k].column] += slopes[k] * x[places_[k].row];
}

template <class S>
void rattle_equations<S>::find_reach(std::span<const S> slopes, std::span<S> reach) const {
  const std::span<const S> inverse = mass_.inverse_diagonal();
  for (std::size_t k = 0; k < slopes.size(); ++k) reach[k] = slopes[k] * inverse[places_[k].column];
}

template <class S>
void rattle_equations<S>::fill(const S& factor, std::span<const S> reach, sparse_equations<S>& K) {
  const std::span<S> entries = K.entries();
  std::size_t k = 0;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    S sum(0);
    for (; k < products_end_[e]; ++k) sum += slopes_[products_[k].of_right] * reach[products_[k].of_left];
    entries[e] = factor * sum;
  }
}

template <class S>
bool rattle_equations<S>::start(const S& t, const compensated_vector<S>& position,
                                const compensated_vector<S>& momentum) {
  position_ = &position;
  momentum_ = &momentum;
  time_ = t;
  if (!mass_.factorise(t, position.value)) return false;
  if (!knows_left_ || left_ != position.value) {
    std::ranges::copy(position.value, left_.begin());
    for (std::size_t a = 0; a < size_; ++a) *held_.position(a) = left_[a];
    *held_.time() = t;
    held_.evaluate_first();
    copy_slopes(left_slopes_);
    forces_(t, left_.data(), rest_.data(), left_force_.data());
    find_reach(left_slopes_, left_reach_);
    knows_left_ = true;
  }
  const S half = step_ / S(2);
  for (std::size_t a = 0; a < size_; ++a) half_[a] = half * left_force_[a];
  return true;
}

// As in constrained_action: what a control point loses by rounding is added to first order.
template <class S>
void rattle_equations<S>::evaluate(std::span<const S> multipliers, bool) {
  using std::abs;
  const std::span<const S> inverse = mass_.inverse_diagonal();
  std::ranges::copy(half_, impulse_.begin());
  add_impulses(left_slopes_, multipliers, impulse_);
  extent_ = S(0);
  for (std::size_t a = 0; a < size_; ++a) {
    const S z = step_ * (inverse[a] * (momentum_->value[a] + (momentum_->remainder[a] + impulse_[a])));
    const S dq = position_->remainder[a] + z, q = left_[a] + dq;
    const S part = q - left_[a];  // two-sum
    rounded_off_[a] = (left_[a] - (q - part)) + (dq - part);
    increment_[a] = z;
    right_[a] = q;
    extent_ = std::max<S>(extent_, abs(z));
    *held_.position(a) = q;
  }
  *held_.time() = time_ + step_;
  held_.evaluate_first();
  copy_slopes(slopes_);
}

template <class S>
void rattle_equations<S>::residual(std::span<S> r) {
  for (std::size_t c = 0; c < r.size(); ++c) r[c] = *held_.value(c);
  for (std::size_t k = 0; k < slopes_.size(); ++k) r[places_[k].row] += slopes_[k] * rounded_off_[places_[k].column];
}

template <class S>
double rattle_equations<S>::size_of(std::span<const S> update) {
  using std::abs;
  const std::span<const S> inverse = mass_.inverse_diagonal();
  std::ranges::fill(impulse_, S(0));
  add_impulses(left_slopes_, update, impulse_);
  S size(0);
  for (std::size_t a = 0; a < size_; ++a) {
    const S weight = abs(increment_[a]) + S(1e-3) * (abs(left_[a]) + extent_);
    const S moved = abs(S(step_ * (inverse[a] * impulse_[a])));
    raise_to(size, weight > S(0) ? S(moved / weight) : moved);
  }
  return to_double(size);
}

template <class S>
bool rattle_equations<S>::finish(std::span<const S> multipliers) {
  evaluate(multipliers, false);
  forces_(time_ + step_, right_.data(), rest_.data(), force_.data());
  const S half = step_ / S(2);
  for (std::size_t a = 0; a < size_; ++a) {
    kick_[a] = impulse_[a] + half * force_[a];
    impulse_[a] = momentum_->value[a] + (momentum_->remainder[a] + kick_[a]);
  }
  find_reach(slopes_, reach_);
  fill(S(1), reach_, end_);
  if (!end_.factorise()) return false;
  // Where constraints are nearly dependent A M⁻¹ Aᵀ loses digits that refinement finds again.
  const int most_solutions = end_.smallest_pivot() < S(0.125) ? 4 : 1;
  S before(0);
  for (int k = 0; k < most_solutions; ++k) {
    const auto [slip, rounding] = find_slip();
    if (k > 0 && (slip <= S(16) * rounding || S(2) * slip > before)) break;
    before = slip;
    end_.solve_in_place(slip_);
    add_impulses(slopes_, slip_, kick_);
    if (k + 1 < most_solutions) add_impulses(slopes_, slip_, impulse_);
  }
  return std::ranges::all_of(kick_, [](const S& x) { return is_finite(x); });
}

// slip_ := −A_1 M⁻¹ p with p in impulse_. Its largest component, and what rounding makes of it.
template <class S>
std::pair<S, S> rattle_equations<S>::find_slip() {
  using std::abs;
  std::ranges::fill(slip_, S(0));
  S largest(0);
  for (std::size_t k = 0; k < reach_.size(); ++k) {
    const S part = reach_[k] * impulse_[places_[k].column];
    slip_[places_[k].row] -= part;
    largest = std::max<S>(largest, abs(part));
  }
  return {largest_size<S>(slip_), S(epsilon<S>() * largest)};
}

template <class S>
void rattle_equations<S>::pass() {
  std::swap(left_slopes_, slopes_);
  std::swap(left_reach_, reach_);
  std::swap(left_force_, force_);
  std::swap(left_, right_);
}

#define ACTIO_INSTANTIATE(S)                               \
  template bool has_rattle_form<S>(const phase_space<S>&); \
  template class rattle_equations<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
