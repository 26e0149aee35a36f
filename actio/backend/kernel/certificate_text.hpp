// The certificate of a trajectory as a text of kernels: the rules of certificate_meter for what is measured at every
// step, see certificate_program for the outputs.
#pragma once

#include <vector>

#include "actio/backend/kernel/gauss_shape.hpp"
#include "actio/backend/kernel/known_values.hpp"
#include "actio/backend/kernel/sums.hpp"

namespace actio::kernel {

template <class B>
class certificate_text {
 public:
  using N = typename B::number;
  using T = typename B::truth;
  using R = typename B::rows;

  // `rows` of the trajectory, with the layout given.
  certificate_text(B& b, const machine_code::dataflow& flow, const trajectory_rows& layout, const R& rows,
                   bool has_power, const fixed_numbers<N>& fixed)
      : b_(b), layout_(layout), rows_(rows), has_power_(has_power), measure_(b, flow, fixed) {}

  // At the start; the lanes in which all is finite.
  T start(const N& time) {
    const measured at = measure(time);
    rows_.put(layout_.initial_energy(), at.change());
    const N scale = absolute(at.pv) + absolute(at.lagrangian), size = absolute(at.energy());
    const N reference = select(size > scale * 1e-8, size, scale);
    rows_.put(layout_.reference(), select(reference > 0.0, reference, N(1.0)));
    rows_.put(layout_.kinetic(), absolute(at.kinetic));
    for (const std::size_t k : {layout_.energy_error(), layout_.work(), layout_.work() + 1}) rows_.put(k, N(0.0));
    T finite = at.energy() - at.energy() == 0.0;
    for (std::size_t k = 0; k < layout_.momenta; ++k) {
      rows_.put(layout_.initial_momentum(k), at.momenta[k]);
      rows_.put(layout_.momentum_error(k), N(0.0));
      finite = finite & (at.momenta[k] - at.momenta[k] == 0.0);
    }
    put_values(at);
    return finite;
  }

  // After a step in which forces did this work, in the lanes that moved; those in which all is finite.
  T add(const N& time, const N& work, const T& moved) {
    const measured at = measure(time);
    N done = rows_[layout_.work()];
    if (has_power_) {
      const auto [sum, rest] = exact_sum(done, select(moved, work, N(0.0)) + rows_[layout_.work() + 1]);
      rows_.put(layout_.work(), sum);
      rows_.put(layout_.work() + 1, rest);
      done = sum;
      grow(layout_.reference(), larger(absolute(done), absolute(at.energy())), moved);
    }
    const N error = absolute((at.change() - rows_[layout_.initial_energy()]) - done);
    T finite = error - error == 0.0;
    grow(layout_.energy_error(), error, moved);
    grow(layout_.kinetic(), absolute(at.kinetic), moved);
    for (std::size_t k = 0; k < layout_.momenta; ++k) {
      const N miss = absolute(at.momenta[k] - rows_[layout_.initial_momentum(k)]);
      finite = finite & (miss - miss == 0.0);
      grow(layout_.momentum_error(k), miss, moved);
    }
    put_values(at);
    return finite;
  }

 private:
  struct measured {
    N pv, lagrangian, kinetic, terms;
    std::vector<N> momenta, more;
    N change() const { return pv - lagrangian; }
    N energy() const { return change() - terms; }
  };
  measured measure(const N& time) {
    const std::size_t n = layout_.coordinates;
    std::vector<N> at;
    for (std::size_t c = 0; c < 2 * n; ++c) at.push_back(rows_[layout_.state(c)]);
    at.push_back(time);
    for (std::size_t k = 0; k < layout_.varied; ++k) at.push_back(rows_[layout_.parameter(k)]);
    const std::vector<N> out = measure_.evaluate(at, computed_values<B>(b_, sine_code::inlined, true));
    const auto momenta = out.begin() + static_cast<std::ptrdiff_t>(n + 4);
    const auto more = momenta + static_cast<std::ptrdiff_t>(layout_.momenta);
    return {out[n], out[n + 1], out[n + 2], out[n + 3], {momenta, more}, {more, out.end()}};
  }
  void grow(std::size_t row, const N& x, const T& where) {
    const N known = rows_[row];
    rows_.put(row, select(where & (x > known), x, known));
  }
  void put_values(const measured& at) {
    for (std::size_t k = 0; k < at.more.size(); ++k) rows_.put(layout_.value(k), at.more[k]);
  }

  B& b_;
  const trajectory_rows& layout_;
  R rows_;
  bool has_power_;
  flow_text<B> measure_;
};

}  // namespace actio::kernel
