// A stretch of trajectories with their certificates: so many steps of a Gauss method, as a text of kernels.
#pragma once

#include "actio/backend/kernel/certificate_text.hpp"
#include "actio/backend/kernel/gauss_text.hpp"
#include "actio/backend/kernel/trajectory_code.hpp"

namespace actio::kernel {

// Steps `first` … `end` − 1 of the lanes whose rows these are; step 0 begins with what a start needs. Times are
// multiples of a lane's step. A lane that cannot be solved, or in which something is not finite, no longer lives.
template <class B, class Counter>
void write_trajectories(B& b, const trajectory_code& code, const machine_code::dataflow& field,
                        const machine_code::dataflow& certificate, const gauss_layout& layout,
                        const typename B::rows& rows, const Counter& first, const Counter& end,
                        const fixed_numbers<typename B::number>& fixed,
                        const fixed_numbers<typename B::number>& certificate_fixed) {
  using N = typename B::number;
  using T = typename B::truth;
  const trajectory_rows& r = code.rows;
  gauss_text<B> method(b, code.field, field, code.tables, r.varied, code.has_power, layout, had_before(field, fixed));
  certificate_text<B> meter(b, certificate, r, rows, code.has_power, had_before(certificate, certificate_fixed));
  const N h = rows[r.step()], steps = rows[r.steps()];
  const auto lives = b.make(rows[r.lives()] > 0.0);
  // A lane alone is a thread of a GPU, whose own memory is faster than that which others see.
  const std::size_t rates = r.components() * r.points;
  const typename B::rows own_rates = b.is_alone() ? b.local(rates) : rows.from(r.rate(0, 0));
  if (b.is_alone()) b.each(rates, layout.all, [&](const auto& k) { own_rates.put(k, rows[r.rate(0, 0) + k]); });
  const typename gauss_text<B>::trajectory at{
      rows.from(r.state(0)),           rows.from(r.remainder(0)), rows.from(r.parameter(0)), own_rates, h,
      b.make(rows[r.follows()] > 0.0), b.make(rows[r.effort()]),  rows[r.missing()]};
  b.when(b.is_zero(first), [&] { lives.set(lives.get() & meter.start(b.one_number(0))); });
  b.count(first, end, [&](const auto& k) {
    const N index = b.of_whole(k);
    const T wanted = lives.get() & (index < steps);
    const auto [moved, work] = method.step(at, index * h, wanted);
    const T finite = meter.add((index + 1.0) * h, work, moved);
    lives.set(lives.get() & !(wanted & !(moved & finite)));
  });
  if (b.is_alone()) b.each(rates, layout.all, [&](const auto& k) { rows.put(r.rate(0, 0) + k, own_rates[k]); });
  rows.put(r.lives(), select(lives.get(), N(1.0), N(0.0)));
  rows.put(r.follows(), select(at.follows.get(), N(1.0), N(0.0)));
  rows.put(r.effort(), at.effort.get());
}

}  // namespace actio::kernel
