// The certificate of a trajectory as a text of kernels: the rules of certificate_meter for what is measured at every
// step. `out[k]` are the outputs of certificate_program at the state.
#pragma once

#include "actio/backend/kernel/gauss_shape.hpp"
#include "actio/backend/kernel/sums.hpp"

namespace actio::kernel {

template <class B>
class certificate_text {
 public:
  using N = typename B::number;
  using T = typename B::truth;
  using R = typename B::rows;

  // `rows` of the trajectory, with the layout given.
  certificate_text(const trajectory_rows& layout, const R& rows, bool has_power)
      : layout_(layout), rows_(rows), has_power_(has_power) {}

  // At the start; the lanes in which all is finite.
  template <class Outputs>
  T start(const Outputs& out) {
    const N change = energy_change(out), energy = change - out[first() + 3];
    rows_.put(layout_.initial_energy(), change);
    const N scale = absolute(out[first()]) + absolute(out[first() + 1]), size = absolute(energy);
    const N reference = select(size > scale * 1e-8, size, scale);
    rows_.put(layout_.reference(), select(reference > 0.0, reference, N(1.0)));
    rows_.put(layout_.kinetic(), absolute(out[first() + 2]));
    for (const std::size_t k : {layout_.energy_error(), layout_.work(), layout_.work() + 1}) rows_.put(k, N(0.0));
    T finite = energy - energy == 0.0;
    for (std::size_t k = 0; k < layout_.momenta; ++k) {
      const N momentum = out[first() + 4 + k];
      rows_.put(layout_.initial_momentum(k), momentum);
      rows_.put(layout_.momentum_error(k), N(0.0));
      finite = finite & (momentum - momentum == 0.0);
    }
    put_values(out);
    return finite;
  }

  // After a step in which forces did this work, in the lanes that moved; those in which all is finite.
  template <class Outputs>
  ACTIO_ALWAYS_INLINE T add(const Outputs& out, const N& work, const T& moved) {
    const N change = energy_change(out);
    N done = rows_[layout_.work()];
    if (has_power_) {
      const auto [sum, rest] = exact_sum(done, select(moved, work, N(0.0)) + rows_[layout_.work() + 1]);
      rows_.put(layout_.work(), sum);
      rows_.put(layout_.work() + 1, rest);
      done = sum;
      grow(layout_.reference(), larger(absolute(done), absolute(change - out[first() + 3])), moved);
    }
    const N error = absolute((change - rows_[layout_.initial_energy()]) - done);
    T finite = error - error == 0.0;
    grow(layout_.energy_error(), error, moved);
    grow(layout_.kinetic(), absolute(out[first() + 2]), moved);
    for (std::size_t k = 0; k < layout_.momenta; ++k) {
      const N miss = absolute(out[first() + 4 + k] - rows_[layout_.initial_momentum(k)]);
      finite = finite & (miss - miss == 0.0);
      grow(layout_.momentum_error(k), miss, moved);
    }
    put_values(out);
    return finite;
  }

 private:
  // Behind the velocities: p·q', L, its scale, its constant terms, then momenta and other values.
  std::size_t first() const { return layout_.coordinates; }
  template <class Outputs>
  N energy_change(const Outputs& out) const {
    return out[first()] - out[first() + 1];
  }
  ACTIO_ALWAYS_INLINE void grow(std::size_t row, const N& x, const T& where) {
    const N known = rows_[row];
    rows_.put(row, select(where & (x > known), x, known));
  }
  template <class Outputs>
  void put_values(const Outputs& out) {
    for (std::size_t k = 0; k < layout_.more; ++k) rows_.put(layout_.value(k), out[first() + 4 + layout_.momenta + k]);
  }

  trajectory_rows layout_;
  R rows_;
  bool has_power_;
};

}  // namespace actio::kernel
