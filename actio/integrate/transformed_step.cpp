#include "actio/integrate/transformed_step.hpp"

#include <algorithm>

#include "actio/mechanics/hamilton_program.hpp"
#include "actio/mechanics/hamiltonian_of.hpp"
#include "actio/mechanics/time_transformation.hpp"

namespace actio {

std::shared_ptr<const system_code> extended_code(const system_code& code) {
  using shared_code = std::shared_ptr<const system_code>;
  return *code.piece<shared_code>("in the extended phase space", [&] {
    auto extended = std::make_shared<const system_code>(extended_system(code.system()));
    share_field(code, *extended);
    return extended;
  });
}

bool is_transformed(const method& m, const lagrangian_system& system) {
  if (!system.time_scale || !m.scheme || m.scheme->quadrature != node_family::gauss) return false;
  if (m.scheme->points != m.scheme->degree) return false;  // no collocation
  return !system.is_forced() && hamiltonian_of(system).has_value();
}

template <class S>
transformed_step<S>::transformed_step(const method& m, const step_context<S>& context)
    : remembering_step<S>(context),
      n_(context.space.size()),
      step_(context.step),
      extended_(extended_code(*context.space.code()), context.space.parameters()),
      inner_(m.make<S>(step_context<S>{extended_, context.step})),
      method_(m),
      point_(context.space),
      place_(n_ + 1, S(0)) {
  inner_->remember_fresh();
}

template <class S>
bool transformed_step<S>::enter(const phase_state<S>& state) {
  if (!point_.measure(state.time, state.position.value, state.momentum.value, state.velocity)) return false;
  now_ = {};
  now_.position = state.position;
  now_.momentum = state.momentum;
  now_.position.value.push_back(state.time);
  now_.position.remainder.push_back(state.count == 0 ? state.origin_remainder : S(0));
  now_.momentum.value.push_back(-point_.energy());
  now_.momentum.remainder.push_back(S(0));
  inner_->forget();
  is_inside_ = true;
  return true;
}

template <class S>
step_status transformed_step<S>::advance(phase_state<S>& state) {
  if (!is_inside_ && !enter(state)) return {step_code::left_domain, 0, 0};
  const S energy = now_.momentum.value[n_], energy_remainder = now_.momentum.remainder[n_];
  const step_status status = inner_->advance(now_);
  if (!status) return status;
  const S time = now_.position[n_];
  length_ = time - state.time;
  using std::abs;
  const bool goes_on = (step_ > S(0)) == (length_ > S(0)) && abs(length_) > S(4) * epsilon<S>() * abs(time);
  if (!goes_on) {  // σ is not positive, or so small that time would stand still
    is_inside_ = false;
    return {step_code::left_domain, status.iterations, status.update};
  }
  if (end_ && (step_ > S(0) ? time >= *end_ : time <= *end_)) {
    is_inside_ = false;
    return advance_to_end(state);
  }
  work_ = (energy - now_.momentum.value[n_]) + (energy_remainder - now_.momentum.remainder[n_]);
  begin_ = state.time;
  is_plain_ = false;
  for (std::size_t i = 0; i < n_; ++i) {
    state.position.value[i] = now_.position.value[i];
    state.position.remainder[i] = now_.position.remainder[i];
    state.momentum.value[i] = now_.momentum.value[i];
    state.momentum.remainder[i] = now_.momentum.remainder[i];
  }
  state.begin_at(time);
  state.origin_remainder = now_.position.remainder[n_];
  ++state.index;
  return status;
}

template <class S>
step_status transformed_step<S>::advance_to_end(phase_state<S>& state) {
  const S length = *end_ - state.time;
  plain_ = method_.make<S>(step_context<S>{this->space(), length});
  phase_state<S> moving = state;
  moving.begin_count();
  const step_status status = plain_->advance(moving);
  if (!status) return status;
  moving.take_clock(state);
  moving.begin_at(*end_);
  ++moving.index;
  state = std::move(moving);
  is_plain_ = true;
  work_ = plain_->work();
  return status;
}

// The fraction of the step in τ at which the time is that of `fraction`, by bisection and secants.
template <class S>
void transformed_step<S>::interpolate(const S& fraction, std::span<S> position) {
  using std::abs;
  if (is_plain_) return plain_->interpolate(fraction, position);
  constexpr int most_trials = 60;
  const S wanted = begin_ + fraction * length_;
  S a(0), b(1), fa = -fraction * length_, fb = (S(1) - fraction) * length_, x = fraction;
  const auto place = [&](const S& at) {
    inner_->interpolate(at, place_);
    return S(place_[n_] - wanted);
  };
  for (int k = 0; k < most_trials; ++k) {
    const S f = place(x);
    if (abs(f) <= S(4) * epsilon<S>() * abs(wanted) || abs(S(b - a)) <= S(4) * epsilon<S>()) break;
    ((f > S(0)) == (fb > S(0)) ? b : a) = x;
    ((f > S(0)) == (fb > S(0)) ? fb : fa) = f;
    x = k % 3 == 2 || fa == fb ? S((a + b) / S(2)) : S(a - fa * (b - a) / (fb - fa));
  }
  std::copy_n(place_.begin(), n_, position.begin());
}

template <class S>
matrix<S> transformed_step<S>::extended_tangent_map(const phase_state<S>& state) {
  const bool was_inside = is_inside_;
  const phase_state<S> kept = now_;
  if (!is_inside_ && !enter(state)) return {};
  matrix<S> all = inner_->tangent_map(now_);
  is_inside_ = was_inside;
  now_ = kept;
  return all;
}

template <class S>
matrix<S> transformed_step<S>::tangent_map(const phase_state<S>& state) {
  const matrix<S> all = extended_tangent_map(state);
  if (all.rows() != 2 * n_ + 2) return {};
  matrix<S> result(2 * n_, 2 * n_);
  const auto place = [&](std::size_t k) { return k < n_ ? k : k + 1; };
  for (std::size_t i = 0; i < 2 * n_; ++i) {
    for (std::size_t j = 0; j < 2 * n_; ++j) result(i, j) = all(place(i), place(j));
  }
  return result;
}

template <class S>
void transformed_step<S>::parameters_changed() {
  inner_->parameters_changed();
  is_inside_ = false;
}

// Whether a motion is on its way, its extended state, and what the inner step remembers.
template <class S>
void transformed_step<S>::remember(step_memory<S>& memory) {
  memory.flag(is_inside_);
  if (!is_inside_) {
    if (memory.reads()) inner_->forget();
    return;
  }
  if (memory.reads()) now_ = {};
  for (auto* part : {&now_.position.value, &now_.position.remainder, &now_.momentum.value, &now_.momentum.remainder}) {
    part->resize(n_ + 1);
    memory.numbers(*part);
  }
  memory.inner(*inner_);
}

#define ACTIO_INSTANTIATE(S) template class transformed_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
