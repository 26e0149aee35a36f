// A stretch of trajectories with their certificates: so many steps of a method, as a text of kernels.
#pragma once

#include "actio/backend/kernel/certificate_text.hpp"
#include "actio/backend/kernel/known_values.hpp"
#include "actio/backend/kernel/trajectory_code.hpp"

namespace actio::kernel {

// What the text of a step is written for: the equations of its method and the certificate's program, with their fixed
// numbers. The latter's first outputs are the velocities at (q, p, t, parameters of the lane).
template <class B>
struct step_surroundings {
  explicit step_surroundings(const stretch<B>& steps)
      : coordinates(steps.code.rows.coordinates),
        equations(steps.equations),
        certificate(steps.certificate),
        fixed(had_before(steps.equations, steps.fixed)),
        certificate_fixed(had_before(steps.certificate, steps.certificate_fixed)),
        varied(steps.code.rows.varied),
        has_power(steps.code.has_power) {}

  std::size_t coordinates;
  const dataflow &equations, &certificate;
  fixed_numbers<typename B::number> fixed, certificate_fixed;
  std::size_t varied;  // parameters of a lane's own
  bool has_power;
};

// Times are multiples of a lane's step. A lane that cannot be solved, or in which something is not finite, no longer
// lives.
template <class B, class Step>
void write_trajectories(B& b, Step& method, const stretch<B>& steps) {
  using N = typename B::number;
  using T = typename B::truth;
  const trajectory_rows& r = steps.code.rows;
  const typename B::rows& rows = steps.rows;
  flow_text<B> certificate(b, steps.certificate, had_before(steps.certificate, steps.certificate_fixed));
  certificate_text<B> meter(r, rows, steps.code.has_power);
  const auto measured = [&](const N& time) {
    std::vector<N> at;
    for (std::size_t c = 0; c < r.components(); ++c) at.push_back(rows[r.state(c)]);
    at.push_back(time);
    for (std::size_t k = 0; k < r.varied; ++k) at.push_back(rows[r.parameter(k)]);
    return certificate.evaluate(at, computed_values<B>(b, sine_code::inlined, true));
  };
  const N h = rows[r.step()], wanted_steps = rows[r.steps()];
  const auto lives = b.make(rows[r.lives()] > 0.0);
  // A lane alone is a thread of a GPU, whose own memory is faster than that which others see.
  const typename B::rows memory =
      b.is_alone() ? b.local(std::max<std::size_t>(1, r.remembered)) : rows.from(r.memory(0));
  const auto over_memory = [&](auto&& f) { b.each(r.remembered, method.writes_all(), f); };
  if (b.is_alone()) over_memory([&](const auto& k) { memory.put(k, rows[r.memory(0) + k]); });
  const moving_trajectory<B> at{
      rows.from(r.state(0)),           rows.from(r.remainder(0)), rows.from(r.parameter(0)), memory, h,
      b.make(rows[r.follows()] > 0.0), b.make(rows[r.effort()]),  rows[r.missing()]};
  b.when(b.is_zero(steps.first), [&] { lives.set(lives.get() & meter.start(measured(b.one_number(0)))); });
  b.count(steps.first, steps.end, [&](const auto& k) {
    const N index = b.of_whole(k);
    const T wanted = lives.get() & (index < wanted_steps);
    const auto [moved, work] = method.step(at, index * h, wanted);
    const T finite = meter.add(measured((index + 1.0) * h), work, moved);
    lives.set(lives.get() & !(wanted & !(moved & finite)));
  });
  if (b.is_alone()) over_memory([&](const auto& k) { rows.put(r.memory(0) + k, memory[k]); });
  rows.put(r.lives(), select(lives.get(), N(1.0), N(0.0)));
  rows.put(r.follows(), select(at.follows.get(), N(1.0), N(0.0)));
  rows.put(r.effort(), at.effort.get());
}

}  // namespace actio::kernel
