#include "actio/simulate/jump_watch.hpp"

#include <algorithm>
#include <cmath>

#include "actio/expr/written_form.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

namespace {

constexpr std::size_t nodes = 5;
constexpr int cuts = 9, judged_from = 5;
constexpr double cut = 0.41421356;  // of what is left; a half would meet jumps at simple places, and halve them
constexpr double matters = 1e-9;    // of the scale of energies
constexpr double noise = 100;       // times the rounding of L
constexpr double beyond = 2;        // times what a change of the derivatives accounts for: a jump

template <class S>
std::shared_ptr<const lagrangian_jet<S>> without_forces(const phase_space<S>& space) {
  if (!space.system().is_forced()) return nullptr;
  lagrangian_system unforced = space.system();
  unforced.forces.clear();
  unforced.applied_force.reset();
  return std::make_shared<const lagrangian_jet<S>>(unforced);
}

// Sums, products, powers and functions without poles, branches or pieces in what varies.
bool is_entire(const element_family& family) {
  std::vector<expr> variables = family.positions;
  variables.insert(variables.end(), family.velocities.begin(), family.velocities.end());
  variables.push_back(time_symbol());
  return std::ranges::all_of(topological_order(std::span(&family.body, 1)), [&](const expr& e) {
    switch (e.op()) {
      case operation::number:
      case operation::pi:
      case operation::symbol:
      case operation::negate:
      case operation::exp:
      case operation::sin:
      case operation::cos:
      case operation::atan:
      case operation::sinh:
      case operation::cosh:
      case operation::tanh:
      case operation::add:
      case operation::subtract:
      case operation::multiply:
      case operation::expm1:
      case operation::erf: return true;
      case operation::divide: return !depends_on_any(e.operands()[1], variables);
      case operation::power: {
        const expr& exponent = e.operands()[1];
        return (exponent.is_number() && denominator(exponent.number()) == 1) || !depends_on_any(e, variables);
      }
      default: return !depends_on_any(e, variables);
    }
  });
}

}  // namespace

bool may_jump(const lagrangian_system& system) {
  if (!system.has_lagrangian()) return false;
  if (!is_made_of_elements(system) || !std::ranges::all_of(families_of(system)->lagrangian, is_entire)) return true;
  return system.recursions && !std::ranges::all_of(recursion_families(system).value, is_entire);
}

template <class S>
jump_watch<S>::jump_watch(const phase_space<S>& space)
    : rule_(gauss_rule<S>(nodes)),
      unforced_(without_forces(space)),
      slopes_((unforced_ ? *unforced_ : space.jet()).at(nodes, space.parameters())),
      values_((unforced_ ? *unforced_ : space.jet()).at(2, space.parameters())) {}

template <class S>
void jump_watch<S>::start(const phase_state<S>& state, const phase_point<S>& point) {
  now_ = {state.position.value, {point.velocity().begin(), point.velocity().end()}, point.energy_rounding()};
}

template <class S>
void jump_watch<S>::place(jet_evaluation<S>& jet, std::size_t point, const S& s) const {
  for (std::size_t i = 0; i < now_.q.size(); ++i) {
    jet.position(i)[point] = last_.q[i] + s * (now_.q[i] - last_.q[i]);
    jet.velocity(i)[point] = last_.v[i] + s * (now_.v[i] - last_.v[i]);
  }
  jet.time()[point] = time_;
}

template <class S>
S jump_watch<S>::slope_at(std::size_t point) const {
  S slope(0);
  for (std::size_t i = 0; i < now_.q.size(); ++i) {
    slope += slopes_.force(i)[point] * (now_.q[i] - last_.q[i]) + slopes_.momentum(i)[point] * (now_.v[i] - last_.v[i]);
  }
  return slope;
}

template <class S>
S jump_watch<S>::change_between(const S& s0, const S& s1) {
  place(values_, 0, s0);
  place(values_, 1, s1);
  values_.evaluate_value();
  return values_.lagrangian()[1] - values_.lagrangian()[0];
}

template <class S>
S jump_watch<S>::left_between(const S& s0, const S& s1) {
  for (std::size_t k = 0; k < nodes; ++k) place(slopes_, k, S(s0 + rule_.nodes[k] * (s1 - s0)));
  slopes_.evaluate_first();
  S left = change_between(s0, s1);
  for (std::size_t k = 0; k < nodes; ++k) left -= rule_.weights[k] * (s1 - s0) * slope_at(k);
  return left;
}

template <class S>
S jump_watch<S>::bend_between(const S& s0, const S& s1) {
  using std::abs;
  for (std::size_t k = 0; k < nodes; ++k) place(slopes_, k, k == 0 ? s0 : s1);
  slopes_.evaluate_first();
  return abs(slope_at(0) - slope_at(1)) * (s1 - s0);
}

template <class S>
void jump_watch<S>::look(const phase_state<S>& state, const phase_point<S>& point, const S& scale) {
  using std::abs;
  std::swap(last_, now_);
  start(state, point);
  if (found_) return;
  time_ = state.time;
  // Beside a jump rounding may make anything of L; hardly at both ends.
  const S rounding = last_.rounding < now_.rounding ? last_.rounding : now_.rounding;
  const S negligible = S(matters) * scale + S(noise) * epsilon<S>() * rounding;
  const S whole = abs(left_between(S(0), S(1)));
  if (!is_finite(whole) || whole <= negligible)
    return;  // a line may lead where there is no L, though the motion does not
  S s0(0), s1(1);
  for (int k = 0; k < cuts; ++k) {
    const S at = s0 + S(cut) * (s1 - s0), before = abs(left_between(s0, at)), behind = abs(left_between(at, s1));
    (before > behind ? s1 : s0) = at;
    const S left = before > behind ? before : behind;
    if (!is_finite(left) || left <= negligible) return;
    if (k < judged_from || left <= S(beyond) * bend_between(s0, s1)) continue;
    found_ = lagrangian_jump{to_double(state.time), to_double(left)};
    return;
  }
}

template <class S>
void jump_watch<S>::save(snapshot& to) const {
  to.put("jumps.position", now_.q);
  to.put("jumps.velocity", now_.v);
  to.put<S>("jumps.rounding", std::vector<S>{now_.rounding});
  to.put("jumps.found", found_ ? std::vector<double>{found_->time, found_->change} : std::vector<double>());
}

template <class S>
void jump_watch<S>::load(const snapshot& from) {
  now_ = {from.get<S>("jumps.position"), from.get<S>("jumps.velocity"), from.get<S>("jumps.rounding", 1)[0]};
  const std::vector<double> found = from.get<double>("jumps.found");
  if (now_.v.size() != now_.q.size() || (!found.empty() && found.size() != 2)) {
    throw snapshot_error("its record of jumps has another size");
  }
  if (!found.empty()) found_ = lagrangian_jump{found[0], found[1]};
}

#define ACTIO_INSTANTIATE(S) template class jump_watch<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
