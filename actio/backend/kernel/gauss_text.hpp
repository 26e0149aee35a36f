// A step of a Gauss method on Hamilton's equations, written once for every machine: a template over a builder.
//
// Notation: y = (q, p) at the left end, Z_i = h Σ_j a_ij K_j, K_i = f(t + τ_i h, y + Z_i). At first the field is
// evaluated at one node after the other, where the rates at those before lead. Then an iteration takes p' at all nodes,
// from it new momenta, with these velocities q' + M⁻¹ δp, and from those new positions: twice as fast as taking all
// rates at once, for the price of a product.
//
// Lanes go together. One that is ready before others stays where it is: what is computed there again has the same bits,
// so that every lane ends with what it would have alone. What a step keeps is little, because a thread of a GPU has
// little: rates, stages and M⁻¹ at the nodes.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/kernel/gauss_shape.hpp"
#include "actio/backend/kernel/known_values.hpp"
#include "actio/backend/kernel/sums.hpp"
#include "actio/backend/kernel/trajectory_text.hpp"

namespace actio::kernel {

// What is written out instead of being repeated by the machine; `all`: also what is rarely needed, so that no row is
// ever asked for by a place that the machine finds, and rows can be registers.
struct gauss_layout {
  bool nodes = false, components = true, all = false;
};

template <class B>
class gauss_text {
 public:
  using N = typename B::number;
  using T = typename B::truth;
  using R = typename B::rows;
  using I = typename B::index;

  using trajectory = moving_trajectory<B>;  // which remembers the rates of the last step

  gauss_text(B& b, const gauss_tables& tables, const step_surroundings<B>& around)
      : b_(b),
        tables_(tables),
        n_(around.coordinates),
        s_(tables.points),
        c_(2 * n_),
        varied_(around.varied),
        has_power_(around.has_power),
        layout_(layout_for(around.equations)),
        field_(b, around.equations, around.fixed),
        nodes_(b.table(tables.nodes)),
        following_(b.table(tables.following)),
        beginning_(b.table(tables.beginning)),
        start_(b.local(c_)),
        ends_(b.local(2 * c_)),
        inverse_size_(b.local(c_)),
        stages_(b.local(c_ * s_)),
        put_aside_(b.local(c_ * s_)),
        change_(b.local(n_ * s_)),
        inverse_mass_(b.local(std::max<std::size_t>(1, tables_.inverse_mass.size() * s_))),
        power_(b.local(s_)),
        kept_(rows_for_kept(std::max<std::size_t>(1, rows_to_keep(around.equations) * s_))) {}

  static std::size_t memory(const gauss_tables& tables, std::size_t components) { return components * tables.points; }
  bool writes_all() const { return layout_.all; }

  // Moves the lanes that are wanted; those that were moved, and the work of forces.
  std::pair<T, N> step(const trajectory& at, const N& time, const T& wanted) {
    const auto moved = b_.make(b_.never());
    const auto work = b_.make(b_.one_number(0));
    if (b_.is_alone()) b_.when_any(wanted, [&] { try_step(at, time, wanted, moved, work); });
    else try_step(at, time, wanted, moved, work);
    return {moved.get(), work.get()};
  }

 private:
  // Rows of this many components and nodes are not written out: they would not stay in registers anyway. A thread has
  // registers for rows if no row is asked for by a place that is found while it runs.
  gauss_layout layout_for(const dataflow& field) const {
    constexpr std::size_t most_rows = 40, most_values = 800;
    const bool nodes = c_ * s_ <= most_rows && field.values.size() * s_ <= most_values,
               components = c_ * s_ * s_ <= 512;
    return {.nodes = nodes, .components = components, .all = b_.is_alone() && nodes && components};
  }

  // What is read once an iteration stands in memory where the registers of a thread do not hold all that it needs.
  R rows_for_kept(std::size_t count) {
    constexpr std::size_t most_in_registers = 127;  // 255 registers of 32 bits
    const std::size_t others = 2 * c_ * s_ + tables_.inverse_mass.size() * s_ + 2 * c_;
    return others + count > most_in_registers ? b_.local_memory(count) : b_.local(count);
  }

  void try_step(const trajectory& at, const N& time, const T& wanted, const typename B::truth_variable& moved,
                const typename B::variable& work) {
    const auto trying = b_.make(wanted), retrying = b_.make(b_.never());
    b_.repeat([&] {
      const T now = trying.get();
      const auto alive = b_.make(now);
      predict(at, time, now);
      iterate(at, time, alive);
      const T solved = finish(at, now & alive.get(), work);
      if (!b_.is_alone()) b_.when_any(retrying.get(), [&] { copy_rates(put_aside_, at.memory, !now); });
      moved.set(moved.get() | solved);
      // A guess may be so far off that nothing converges from there: once more from the simplest one.
      const T again = now & !solved & at.follows.get();
      at.follows.set(solved | (at.follows.get() & !again));
      if (!b_.is_alone()) b_.when_any(again, [&] { copy_rates(at.memory, put_aside_, !b_.never()); });
      trying.set(again);
      retrying.set(again);
      return again;
    });
  }

  template <class F>
  void over_components(std::size_t first, std::size_t last, F&& f) {
    b_.each(last - first, layout_.components, [&](const I& c) { f(c + first); });
  }
  template <class F>
  void over_nodes(F&& f) {
    b_.each(s_, layout_.nodes, f);
  }
  template <class F>
  void over_inverse_mass(F&& f) {
    for (std::size_t k = 0; k < tables_.inverse_mass.size(); ++k) {
      const auto [r, c] = tables_.inverse_mass[k];
      f(k, r, c);
      if (r != c) f(k, c, r);
    }
  }

  // What lanes that are solved have, while others try once more.
  void copy_rates(const R& from, const R& to, const T& lanes) {
    b_.each(c_ * s_, false, [&](const I& k) { to.put(k, select(lanes, from[k], to[k])); });
  }

  // The field at one node after the other. The rates of the last step are replaced one by one; a lane without a last
  // step begins with those at its state. Lanes that are not wanted look at the origin, where nothing is slow.
  void predict(const trajectory& at, const N& time, const T& wanted) {
    over_components(0, c_, [&](const I& c) { start_.put(c, select(wanted, at.state[c], N(0.0))); });
    const T begins = wanted & !at.follows.get();
    b_.when_any(begins, [&] {
      const std::vector<N> rates = field_.evaluate(arguments(at, time, start()), computed());
      for (std::size_t c = 0; c < c_; ++c) {
        for (std::size_t i = 0; i < s_; ++i) {
          at.memory.put(c * s_ + i, select(begins, rates[c], at.memory[c * s_ + i]));
        }
      }
    });
    over_nodes([&](const I& i) {
      continue_to(at, i, following_, nullptr);
      b_.when_any(begins, [&] { continue_to(at, i, beginning_, &begins); });
      evaluate(at, time, i);
    });
    // 1/(|y| + max |Z|), 0 where that is infinite.
    over_components(0, c_, [&](const I& c) {
      N extent = absolute(stages_[c * s_]);
      for (std::size_t i = 1; i < s_; ++i) extent = larger(extent, absolute(stages_[c * s_ + i]));
      const N size = absolute(start_[c]) + extent;
      inverse_size_.put(c, select(size > 0.0, N(1.0) / size, N(0.0)));
    });
  }
  // Z_i by the polynomial through rates that are known, in all lanes or in some.
  void continue_to(const trajectory& at, const I& i, const typename B::constants& table, const T* only) {
    over_components(0, c_, [&](const I& c) {
      N total = at.memory[c * s_] * table[i * s_];
      for (std::size_t j = 1; j < s_; ++j) total = fma(at.memory[c * s_ + j], table[i * s_ + j], total);
      const N stage = at.step * total;
      stages_.put(c * s_ + i, only ? select(*only, stage, stages_[c * s_ + i]) : stage);
    });
  }

  std::vector<N> start() {
    std::vector<N> place;
    for (std::size_t c = 0; c < c_; ++c) place.push_back(start_[c]);
    return place;
  }
  std::vector<N> arguments(const trajectory& at, const N& time, std::vector<N> place) {
    place.push_back(time);
    for (std::size_t k = 0; k < varied_; ++k) place.push_back(at.parameters[k]);
    return place;
  }
  computed_values<B> computed() { return {b_, sine_code::inlined, true}; }
  // The field at node i, and what is kept of it.
  void evaluate(const trajectory& at, const N& time, const I& i) {
    put_outputs(at, i, field_.evaluate(arguments_at(at, time, i), kept_values<B>(b_, kept_.from(i), s_)), nullptr);
  }
  // The field at all nodes, from what was kept; as it is in lanes that have strayed too far from there.
  void evaluate_near(const trajectory& at, const N& time, const T& alive) {
    const auto strayed = b_.make(b_.never());
    over_nodes([&](const I& i) {
      T far = strayed.get();
      put_outputs(at, i, field_.evaluate(arguments_at(at, time, i), corrected_values<B>(kept_.from(i), s_, far)),
                  nullptr);
      strayed.set(far);
    });
    const T anew = strayed.get() & alive;
    b_.when_any(anew, [&] {
      b_.each(s_, layout_.all,
              [&](const I& i) { put_outputs(at, i, field_.evaluate(arguments_at(at, time, i), computed()), &anew); });
    });
  }
  std::vector<N> arguments_at(const trajectory& at, const N& time, const I& i) {
    std::vector<N> place = start();
    for (std::size_t c = 0; c < c_; ++c) place[c] = place[c] + stages_[i + c * s_];
    return arguments(at, fma(at.step, nodes_[i], time), std::move(place));
  }
  void put_outputs(const trajectory& at, const I& i, const std::vector<N>& outputs, const T* only) {
    const auto put = [&](const R& rows, const I& k, const N& x) { rows.put(k, only ? select(*only, x, rows[k]) : x); };
    for (std::size_t c = 0; c < c_; ++c) put(at.memory, i + c * s_, outputs[c]);
    if (has_power_) put(power_, i, outputs[c_]);
    for (std::size_t k = 0; k < tables_.inverse_mass.size(); ++k) put(inverse_mass_, i + k * s_, outputs[c_ + 1 + k]);
  }

  // New stages of components first … first + n − 1, except in lanes that stay; those of momenta leave their change. The
  // largest change relative to its component joins `largest`. NaN may be lost here: finish() looks for it. Two
  // components go through the coefficients side by side: loads are what this would wait for.
  void sum_stages(const trajectory& at, std::size_t first, const T& stays, const typename B::variable& largest) {
    const std::size_t together = layout_.components ? std::min<std::size_t>(2, n_) : 1, blocks = n_ / together;
    const auto sum = [&](const I& begin, std::size_t count) {
      std::vector<std::vector<N>> K(count);
      std::vector<N> most(count, b_.one_number(0));
      for (std::size_t d = 0; d < count; ++d) {
        for (std::size_t j = 0; j < s_; ++j) K[d].push_back(at.memory[(begin + (first + d)) * s_ + j]);
      }
      for (std::size_t i = 0; i < s_; ++i) {
        std::vector<N> total;
        for (std::size_t d = 0; d < count; ++d) total.push_back(K[d][0] * tables_.stages[i * s_]);
        for (std::size_t j = 1; j < s_; ++j) {
          for (std::size_t d = 0; d < count; ++d) total[d] = fma(K[d][j], tables_.stages[i * s_ + j], total[d]);
        }
        for (std::size_t d = 0; d < count; ++d) {
          const I k = (begin + (first + d)) * s_ + i;
          const N old = stages_[k], stage = b_.is_alone() ? at.step * total[d] : select(stays, old, at.step * total[d]),
                  change = stage - old;
          most[d] = larger(absolute(change), most[d]);
          if (first == n_ && !tables_.inverse_mass.empty()) change_.put((begin + d) * s_ + i, change);
          stages_.put(k, stage);
        }
      }
      for (std::size_t d = 0; d < count; ++d) {
        largest.set(larger(most[d] * inverse_size_[begin + (first + d)], largest.get()));
      }
    };
    b_.each(blocks, layout_.components, [&](const I& k) { sum(k * together, together); });
    if (blocks * together < n_) sum(blocks * together, n_ - blocks * together);
  }
  // Velocities with the new momenta.
  void move_velocities(const trajectory& at) {
    if (tables_.inverse_mass.empty()) return;
    over_nodes([&](const I& i) {
      std::vector<N> moved, velocity;
      for (std::size_t a = 0; a < n_; ++a) {
        moved.push_back(change_[i + a * s_]);
        velocity.push_back(at.memory[i + a * s_]);
      }
      over_inverse_mass([&](std::size_t k, std::size_t r, std::size_t c) {
        velocity[r] = fma(inverse_mass_[i + k * s_], moved[c], velocity[r]);
      });
      for (std::size_t a = 0; a < n_; ++a) at.memory.put(i + a * s_, velocity[a]);
    });
  }

  // It is worth going on while numbers are finite, changes shrink after a while, and iterations are not too many.
  T has_hope(const N& change, const N& previous, const N& count) {
    const T shrinks = (change < previous) | (change <= stage_rules::stall_limit);
    return (change <= stage_rules::lost) & (count < double(stage_rules::most_iterations)) &
           ((count <= double(stage_rules::patience)) | shrinks);
  }

  // By the rules of stage_rules::is_done, which decide whether the next evaluation is a lane's last one: it evaluates
  // where the lane then stays.
  void iterate(const trajectory& at, const N& time, const typename B::truth_variable& alive) {
    using namespace stage_rules;
    const N nothing = b_.one_number(0), least = b_.one_number(tiny), one = b_.one_number(1);
    const auto frozen = b_.make(!alive.get()), settled = b_.make(b_.never()), was_fast = b_.make(b_.never());
    const auto previous = b_.make(one), count = b_.make(one), rate = b_.make(nothing), missing = b_.make(one),
               last_rate = b_.make(nothing), last_series = b_.make(nothing);
    b_.repeat([&] {
      const T stayed = b_.is_alone() ? b_.never() : frozen.get();
      at.effort.set(at.effort.get() + select(stayed, nothing, one));
      const auto largest = b_.make(nothing);
      sum_stages(at, n_, stayed, largest);
      move_velocities(at);
      sum_stages(at, 0, stayed, largest);
      const N change = largest.get(), before = previous.get(), old_rate = rate.get();
      // Once changes are rounding, the series goes on as it was.
      const T unsettled = !settled.get(), is_first = count.get() == 1.0;
      const T is_clean = ((change > clean) | is_first) & unsettled;
      const N now_rate = select(is_first, nothing, change / larger(before, least));
      const N now_series =
          now_rate * fma(now_rate, N(2.0), one);  // above r/(1 − r) up to r = 1/2, beyond which none counts
      const N slower = select(is_clean, larger(last_rate.get(), now_rate), old_rate);
      const N left = select(is_clean, change * larger(last_series.get(), now_series), missing.get() * old_rate);
      const T fast_once = was_fast.get() | (unsettled & (!is_first) & (now_rate < fast));
      const T converges = (!is_first) & (slower < slow) & (left * slower <= at.missing);
      const T stalls = is_clean & fast_once & (now_rate >= slow) & (change <= stall_limit);
      const T gives_up = !(stayed | settled.get() | has_hope(change, before, count.get()));
      alive.set(alive.get() & !gives_up);
      frozen.set(stayed | ((change == 0.0) & unsettled) | converges | stalls | gives_up);
      settled.set(settled.get() | ((!is_clean) & (slower < slow)));
      rate.set(slower);
      missing.set(left);
      last_rate.set(select(unsettled, now_rate, last_rate.get()));
      last_series.set(select(unsettled, now_series, last_series.get()));
      was_fast.set(fast_once);
      previous.set(change);
      count.set(count.get() + 1.0);
      evaluate_near(at, time, alive.get());
      return !frozen.get();
    });
  }

  // Σ_j b_j K_j as a sum of two numbers. Starting from a number that is much larger than all terms, sums are multiples
  // of its last place and differences of successive ones exact: what each term lost to that grid is summed apart.
  std::pair<N, N> weighted_sum(const std::vector<N>& K) {
    N size = absolute(K[0]);
    for (std::size_t j = 1; j < s_; ++j) size = larger(size, absolute(K[j]));
    const N grid = b_.leading_power(size) * 48.0;
    N total = grid, rest = b_.one_number(0);
    for (std::size_t j = 0; j < s_; ++j) {
      const N next = fma(K[j], tables_.weights[j], total);
      const N lost = fma(K[j], tables_.weights[j], -(next - total));
      rest = rest + fma(K[j], tables_.weight_remainders[j], lost);
      total = next;
    }
    return {total - grid, rest};
  }

  // Adds h Σ b_i K_i to the states of the lanes that are solved, which are returned.
  T finish(const trajectory& at, const T& alive, const typename B::variable& work) {
    const auto solved = b_.make(alive);
    over_components(0, c_, [&](const I& c) {
      std::vector<N> K;
      for (std::size_t j = 0; j < s_; ++j) K.push_back(at.memory[c * s_ + j]);
      const auto [sum, rest] = weighted_sum(K);
      const N increment = at.step * sum, low = fma(at.step, rest, fma(at.step, sum, -increment));
      const auto [first, lost] = exact_sum(at.state[c], increment + at.remainder[c]);
      const auto [value, remainder] = exact_sum(first, low + lost);
      ends_.put(c, value);
      ends_.put(c + c_, remainder);
      solved.set(solved.get() & (value - value == 0.0));
    });
    const T moved = solved.get();
    over_components(0, c_, [&](const I& c) {
      at.state.put(c, select(moved, ends_[c], at.state[c]));
      at.remainder.put(c, select(moved, ends_[c + c_], at.remainder[c]));
    });
    if (has_power_) {
      N total = power_[0] * tables_.weights[0];
      for (std::size_t j = 1; j < s_; ++j) total = fma(power_[j], tables_.weights[j], total);
      work.set(select(moved, at.step * total, work.get()));
    }
    return moved;
  }

  B& b_;
  const gauss_tables& tables_;
  std::size_t n_, s_, c_, varied_;
  bool has_power_;
  gauss_layout layout_;
  flow_text<B> field_;
  typename B::constants nodes_, following_, beginning_;
  R start_, ends_, inverse_size_, stages_, put_aside_, change_, inverse_mass_, power_, kept_;
};

}  // namespace actio::kernel
