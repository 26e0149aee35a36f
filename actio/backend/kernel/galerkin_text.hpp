// A step of a Galerkin method by Newton's method, written once for every machine: a template over a builder, and over
// newton_program as the equations of its step.
//
// Notation: z = (z_1, …, z_s) the increments of the position at the control points, δ Newton's update of them. They
// begin as those of earlier steps continued, by backward differences or by the last step's polynomial (see
// step_predictor), or as the motion at the velocity of the state. What an update leaves undone is about |δ|² times a
// curvature, which is measured: a step ends with the first update for which that is below rounding. Everything is a
// lane's own: data, prediction, convergence.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "actio/backend/kernel/known_values.hpp"
#include "actio/backend/kernel/newton_shape.hpp"
#include "actio/backend/kernel/sums.hpp"
#include "actio/backend/kernel/trajectory_text.hpp"

namespace actio::kernel {

template <class B>
class galerkin_text {
 public:
  using N = typename B::number;
  using T = typename B::truth;
  using R = typename B::rows;
  using I = typename B::index;
  using trajectory = moving_trajectory<B>;

  galerkin_text(B& b, const newton_tables& tables, const step_surroundings<B>& around)
      : b_(b),
        tables_(tables),
        at_{around.coordinates, tables.degree, around.varied},
        n_(at_.n),
        s_(at_.s),
        has_power_(around.has_power),
        iteration_(b, around.equations, around.fixed),
        velocity_(b, around.certificate, around.certificate_fixed),
        how_(exact_sines(around.equations, b.together())),
        start_(b.local(4 * n_)),
        z_(b.local(s_ * n_)),
        expected_(b.local(n_)),
        inverse_size_(b.local(n_)),
        largest_(b.local(newton_rules::differences + 1)) {}

  static std::size_t memory(const newton_tables& tables, std::size_t components) {
    return places(tables.degree * (components / 2)).count();
  }
  bool writes_all() const { return false; }

  // Moves the lanes that are wanted; those that were moved, and the work of forces.
  std::pair<T, N> step(const trajectory& at, const N& time, const T& wanted) {
    const auto moved = b_.make(b_.never());
    const auto work = b_.make(b_.one_number(0));
    const auto solve = [&] {
      begin(at, time, wanted);
      iterate(at, time, wanted, moved, work);
      finish(at, wanted, moved.get());
    };
    if (b_.is_alone()) b_.when_any(wanted, solve);
    else solve();
    return {moved.get(), work.get()};
  }

 private:
  // What a step remembers of so many unknowns.
  struct places {
    explicit places(std::size_t of) : unknowns(of) {}
    std::size_t unknowns;
    std::size_t difference(std::size_t i) const { return i * unknowns; }  // ∇^i z
    std::size_t continued() const { return difference(newton_rules::differences); }
    std::size_t known() const { return continued() + unknowns; }  // how many differences
    std::size_t order() const { return known() + 1; }             // of the prediction
    std::size_t continues() const { return known() + 2; }         // 1 where the polynomial predicts instead
    std::size_t curvature() const { return known() + 3; }
    std::size_t count() const { return known() + 4; }
  };
  places places_of_step() const { return places(s_ * n_); }

  template <class F>
  void over(std::size_t count, F&& f) {
    b_.each(count, false, f);
  }
  computed_values<B> computed() { return {b_, how_, true}; }
  void add_parameters(const trajectory& at, std::vector<N>& variables) {
    for (std::size_t k = 0; k < at_.varied; ++k) variables.push_back(at.parameters[k]);
  }

  // First guesses, sizes 1/(|q| + max |z|). Lanes that are not wanted look at the origin, where nothing is slow.
  void begin(const trajectory& at, const N& time, const T& wanted) {
    for (std::size_t c = 0; c < 2 * n_; ++c) {
      start_.put(c, select(wanted, at.state[c], N(0.0)));
      start_.put(2 * n_ + c, select(wanted, at.remainder[c], N(0.0)));
    }
    const places m = places_of_step();
    const T begins = wanted & !at.follows.get();
    b_.when_any(begins, [&] { forget(at, time, begins); });
    const N order = at.memory[m.order()];
    const T continues = at.memory[m.continues()] > 0.0;
    std::vector<T> counts;
    for (std::size_t i = 0; i < newton_rules::differences; ++i) counts.push_back(order >= static_cast<double>(i));
    over(s_ * n_, [&](const I& j) {
      N sum = b_.one_number(0);
      for (std::size_t i = newton_rules::differences; i-- > 0;) {
        sum = select(counts[i], sum + at.memory[j + m.difference(i)], sum);
      }
      z_.put(j, select(wanted, select(continues, at.memory[j + m.continued()], sum), N(0.0)));
    });
    over(n_, [&](const I& a) {
      N extent = absolute(z_[a]);
      for (std::size_t k = 1; k < s_; ++k) extent = larger(extent, absolute(z_[a + k * n_]));
      const N size = extent + absolute(start_[a]);
      inverse_size_.put(a, N(1.0) / select(size > 0.0, size, absolute(at.step)));
    });
  }
  // Nothing is known but the velocity.
  void forget(const trajectory& at, const N& time, const T& begins) {
    std::vector<N> place;
    for (std::size_t c = 0; c < 2 * n_; ++c) place.push_back(start_[c]);
    place.push_back(time);
    add_parameters(at, place);
    const std::vector<N> velocity = velocity_.evaluate(place, computed());
    const places m = places_of_step();
    const auto put = [&](std::size_t k, const N& x) { at.memory.put(k, select(begins, x, at.memory[k])); };
    for (std::size_t k = 0; k < s_; ++k) {
      for (std::size_t a = 0; a < n_; ++a) put(m.continued() + k * n_ + a, at.step * tables_.control[k] * velocity[a]);
    }
    put(m.known(), N(0.0));
    put(m.order(), N(0.0));
    put(m.continues(), N(1.0));
    put(m.curvature(), N(newton_rules::unknown));
  }

  void iterate(const trajectory& at, const N& time, const T& wanted, const typename B::truth_variable& moved,
               const typename B::variable& work) {
    using namespace newton_rules;
    const std::size_t known_curvature = places_of_step().curvature();
    const N one = b_.one_number(1), nothing = b_.one_number(0);
    const auto iterates = b_.make(wanted);
    const auto count = b_.make(nothing), previous = b_.make(one), curvature = b_.make(at.memory[known_curvature]);
    b_.repeat([&] {
      const T now = iterates.get(), is_first = count.get() == 0.0;
      const std::vector<N> out = iteration_.evaluate(variables(at, time), computed());
      N size = nothing, sum = nothing, undone = nothing;
      for (std::size_t a = 0; a < n_; ++a) {
        for (std::size_t k = 0; k < s_; ++k) {
          const N part = absolute(out[at_.update() + k * n_ + a]) * inverse_size_[a];
          size = larger(part, size);
          sum = sum + part;  // keeps NaN
        }
        // How far the momentum is from what the last iteration expected.
        const N increment = out[at_.increment() + a], extent = absolute(increment) + absolute(start_[n_ + a]);
        const N difference = absolute(increment - expected_[a]);
        undone = select(difference > undone * extent, difference / extent, undone);
      }
      const N before = previous.get(), old = curvature.get();
      // Where updates shrink slowly, a solution may not belong to the state: for the ordinary step (step_path.hpp).
      const N shrunken = select(is_first, N(largest_update), larger(before * shrinks, b_.one_number(far_above)));
      const T takes = now & (size <= shrunken) & (sum - sum == 0.0);
      const N left = larger(size, undone), seen = larger(left, b_.one_number(noise)) / (before * before);
      const N learned =
          select(left <= noise, select(old < seen, old, seen), select(old >= unknown, seen, larger(old, seen)));
      const N bend = select(takes & !is_first, learned, old);
      T ends = size <= rounding;
      ends = ends | ((!is_first) & (size <= std::sqrt(rounding)) & (size > before * stalls));
      // Work is that of the evaluation.
      if (!has_power_) ends = ends | ((size < last_update) & (bend * size * size <= rounding / 8));
      take(out, takes);
      if (has_power_) work.set(select(takes, out[at_.work()], work.get()));
      moved.set(moved.get() | (takes & ends));
      curvature.set(bend);
      previous.set(size);
      count.set(count.get() + 1.0);
      at.effort.set(at.effort.get() + select(now, one, nothing));
      iterates.set(takes & !ends & (count.get() < double(most_iterations)));
      return iterates.get();
    });
    at.memory.put(known_curvature, curvature.get() * doubting);
  }
  std::vector<N> variables(const trajectory& at, const N& time) {
    std::vector<N> result;
    for (const std::size_t first : {std::size_t{0}, 2 * n_, n_, 3 * n_}) {  // q and its remainder, p and its
      for (std::size_t a = 0; a < n_; ++a) result.push_back(start_[first + a]);
    }
    result.push_back(time);
    result.push_back(at.step);
    for (std::size_t j = 0; j < s_ * n_; ++j) result.push_back(z_[j]);
    add_parameters(at, result);
    return result;
  }
  void take(const std::vector<N>& out, const T& takes) {
    for (std::size_t j = 0; j < s_ * n_; ++j) {
      const N z = z_[j];
      z_.put(j, select(takes, z - out[at_.update() + j], z));
    }
    for (std::size_t a = 0; a < n_; ++a) {
      const N next = out[at_.increment() + a] + out[at_.increment_change() + a];
      expected_.put(a, select(takes, next, expected_[a]));
    }
  }

  // Adds the increments to the states of the lanes that moved, and remembers the solution.
  void finish(const trajectory& at, const T& wanted, const T& moved) {
    over(n_, [&](const I& a) {
      add(at, a, z_[a + (s_ - 1) * n_], moved);
      add(at, a + n_, expected_[a], moved);
    });
    remember(at);
    at.follows.set(moved | (at.follows.get() & !wanted));
  }
  void add(const trajectory& at, const I& c, const N& increment, const T& moved) {
    const N value = at.state[c], remainder = at.remainder[c];
    const auto [sum, rest] = exact_sum(value, increment + remainder);
    at.state.put(c, select(moved, sum, value));
    at.remainder.put(c, select(moved, rest, remainder));
  }
  // See step_predictor::record. Differences that are not known mean nothing.
  void remember(const trajectory& at) {
    constexpr std::size_t count = newton_rules::differences;
    const places m = places_of_step();
    const N nothing = b_.one_number(0);
    for (std::size_t i = 0; i <= count; ++i) largest_.put(i, nothing);
    for (std::size_t k = 0; k < s_; ++k) {
      over(n_, [&](const I& a) {
        const I j = a + k * n_;
        const N inverse = inverse_size_[a];
        N fresh = z_[j];
        const auto measure = [&](std::size_t i, const N& x) {
          largest_.put(i, larger(absolute(x) * inverse, largest_[i]));
        };
        measure(count, fresh - at.memory[j + m.continued()]);
        for (std::size_t i = 0; i < count; ++i) {
          const N next = fresh - at.memory[j + m.difference(i)];
          at.memory.put(j + m.difference(i), fresh);
          if (i > 0) measure(i, fresh);
          fresh = next;
        }
      });
    }
    const N known = at.memory[m.known()] + 1.0;
    N order = nothing, best = largest_[1];
    for (std::size_t i = 1; i + 1 < count; ++i) {
      const T is_better = (largest_[i + 1] < best) & (known > static_cast<double>(i + 1));
      order = select(is_better, N(static_cast<double>(i)), order);
      best = select(is_better, largest_[i + 1], best);
    }
    at.memory.put(m.known(), select(known > static_cast<double>(count), N(static_cast<double>(count)), known));
    at.memory.put(m.order(), order);
    at.memory.put(m.continues(), select((known < 2.0) | (largest_[count] < best), N(1.0), N(0.0)));
    over(n_, [&](const I& a) {
      for (std::size_t k = 0; k < s_; ++k) {
        N sum = z_[a] * tables_.continuation[k * s_];
        for (std::size_t l = 1; l < s_; ++l) sum = fma(z_[a + l * n_], tables_.continuation[k * s_ + l], sum);
        at.memory.put(a + (m.continued() + k * n_), sum);
      }
    });
  }

  B& b_;
  const newton_tables& tables_;
  newton_layout at_;
  std::size_t n_, s_;
  bool has_power_;
  flow_text<B> iteration_, velocity_;
  sine_code how_;
  R start_;  // q, p and their remainders
  R z_, expected_, inverse_size_;
  R largest_;  // ∇^i z, and behind them what the polynomial missed
};

}  // namespace actio::kernel
