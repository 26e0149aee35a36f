// The stages of one Gauss step, written once for every machine: a template over a builder that has the nodes of a step
// side by side in rows, and over what evaluates the field at all of them.
//
// Notation: y = (q, p) at the left end, Z_i = h Σ_j a_ij K_j, K_i = f(t + τ_i h, y + Z_i). An iteration takes p' at all
// nodes, from it new momenta, with these new velocities q' = v + M⁻¹ δp, and from those new positions: twice as fast as
// taking all rates at once, for the price of a product. Iterations with rough sines come first, then some with exact
// ones, to the last of which, the reference, everything after it refers: y + Z = base + small, where small follows the
// differences of the rates from those of the reference. Where the field's slopes are known, the last iterations are
// linear. Where stages stray too far from a reference, another one is taken.
//
// Beside what every builder has (number_builder.hpp), this one has rows: row, with the operations of numbers and with
// numbers in all places; rows_in_memory; and the members used below. A field is evaluated at the rows `at` (q, p, t):
// roughly, exactly, or near the place that it was last told to refer to, from which the rows `moves` lead to `at`. Then
// it gives its outputs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/kernel/contraction_text.hpp"
#include "actio/backend/kernel/sums.hpp"

namespace actio::kernel {

template <class B, class F>
class stage_text {
 public:
  using Row = typename B::row;
  using Rows = typename B::rows_in_memory;
  using Numbers = typename B::rows;
  using N = typename B::number;
  using T = typename B::truth;
  using I = typename B::index;

  // `table` and `work` are laid out as collocation_rows says. Components are written out, or left to loops.
  stage_text(B& b, F& field, const collocation_code& code, const collocation_rows& layout, const Numbers& table,
             const Numbers& work, bool written_out)
      : b_(b),
        field_(field),
        code_(code),
        layout_(layout),
        table_(table),
        work_(work),
        written_out_(written_out),
        n_(code.coordinates),
        c_(2 * n_),
        inverse_mass_is_diagonal_(is_diagonal(code)),
        moving_(code.has_cyclic_time ? n_ - 1 : n_),
        moved_(n_),
        at_(field.at()),
        moves_(field.moves()),
        rates_(b.local_rows(c_ + 1)),
        looked_(b.local_rows(c_)),
        start_(b.local_rows(c_)),
        remainder_(b.local_rows(c_)),
        Z_(b.local_rows(c_)),
        last_(b.local_rows(c_)),
        known_(b.local_rows(c_)),
        base_(b.local_rows(c_)),
        low_(b.local_rows(c_)),
        base_move_(b.local_rows(c_)),
        velocity_(b.local_rows(n_)),
        slopes_(b.local_rows(n_)),
        omega_(b.local_rows(1)),
        inverse_size_(b.local_rows(c_)),
        grid_(b.local_rows(c_)),
        change_(b.make(b.one_number(0))),
        first_change_(b.make(b.one_number(0))),
        count_(b.make(b.one_number(0))),
        outcome_(b.make(b.one_number(0))),
        alive_(b.make(b.never())) {}

  // Solves for the stages; puts rates and increments into `work` and gives a stage_outcome.
  N solve() {
    begin();
    find_roughly();
    const auto strays = b_.make(alive_.get());  // from where it began
    b_.repeat([&] {
      b_.when_any(strays.get(), [&] {
        strays.set(b_.never());
        find_exactly();
        b_.when_any(alive_.get(), [&] {
          refer();
          if (code_.has_slopes()) go_on_linearly(strays);
          else go_on(strays);
        });
      });
      return strays.get() & alive_.get();
    });
    b_.when_any(alive_.get(), [&] { finish(); });
    work_.put(layout_.iterations(), count_.get());
    work_.put(layout_.change(), change_.get());
    return outcome_.get();
  }

 private:
  static bool is_diagonal(const collocation_code& code) {
    std::size_t a = 0;
    for (const auto& [i, j] : code.inverse_mass) {
      if (i != a || j != a) return false;
      ++a;
    }
    return a == code.coordinates;
  }

  template <class G>
  void over(std::size_t first, std::size_t count, G&& g) {
    b_.each(count, written_out_, [&](const I& k) { g(k + first); });
  }
  // What a field needs that is written out anyway.
  template <class G>
  void for_field(std::size_t first, std::size_t count, G&& g) {
    b_.each(count, written_out_ || field_.is_written_out(), [&](const I& k) { g(k + first); });
  }
  // Positions or momenta that are solved for. A cyclic t is summed up at the end alone, and its momentum is constant.
  template <class G>
  void over_half(std::size_t first, G&& g) {
    over(first, moving_, g);
  }
  // Σ_i h b_i K_i as a sum of two numbers, where K are these rates and small differences from them, as accurate_sum
  // does: rounding would make energy drift.
  std::pair<N, N> weighted_sum(const Row& grid, const Row& rates, const Row& differences) {
    const Row weight = b_.row_at(table_, layout_.weight());
    const Row on_grid = fma(weight, rates, grid) - grid, lost_of_product = fma(weight, rates, -on_grid);
    const Row of_rates = fma(b_.row_at(table_, layout_.weight_remainder()), rates, lost_of_product);
    return {b_.total(on_grid), b_.total(fma(weight, differences, of_rates))};
  }

  // The last step's polynomial continued, and sizes |y| + max |Z| of components.
  void begin() {
    change_.set(b_.one_number(1));
    first_change_.set(b_.one_number(1));
    count_.set(b_.one_number(0));
    outcome_.set(b_.one_number(static_cast<double>(stage_outcome::converged)));
    alive_.set(b_.always());
    const auto column = b_.columns(table_, layout_.continued_stage(0), layout_);
    over(0, c_, [&](const I& c) {
      const Row guess = b_.sum(column, b_.nodes_in(work_, c * layout_.lanes));
      const N y = work_[c + layout_.start(0)], size = absolute(y) + b_.largest(absolute(guess));
      Z_.put(c, guess);
      start_.put(c, b_.spread(y));
      remainder_.put(c, b_.spread(work_[c + layout_.remainder(0)]));
      // Components that are too small have too few digits for a relative change.
      const N inverse = select(size > stage_rules::smallest_measured, N(1.0) / size, N(0.0));
      inverse_size_.put(c, b_.spread(inverse));
      grid_.put(c, b_.spread(b_.leading_power(size) * 48.0));  // 1.5 times a power of two, some times larger
    });
    at_.put(c_, b_.spread(work_[layout_.time()]) + b_.row_at(table_, layout_.node()));
    moves_.put(c_, b_.row_of(0));
  }

  // Whether there is still hope after an iteration; where there is none, the outcome says why.
  T has_hope(const N& change, const N& previous, const T& too_large) {
    using namespace stage_rules;
    const auto code = [&](stage_outcome o) { return b_.one_number(static_cast<double>(o)); };
    const N count = count_.get();
    const T grows = (count > double(patience)) & (change >= previous) & (change > stall_limit);
    const T is_slow = grows | (count >= double(most_iterations)), is_lost = !(change <= lost);
    const T ends = too_large | is_lost | is_slow;
    b_.when_rarely(ends, [&] {
      const N reason = select(is_lost, code(stage_outcome::not_finite), code(stage_outcome::slow));
      outcome_.set(select(too_large, code(stage_outcome::argument_too_large), reason));
      alive_.set(b_.never());
    });
    return !ends;
  }
  // The same behind an iteration away from references.
  T goes_on(const N& previous) {
    const N change = change_.get();
    first_change_.set(select(count_.get() == 1.0, change, first_change_.get()));
    return has_hope(change, previous, field_.too_large());
  }

  void look_at_stages() {
    for_field(0, c_, [&](const I& c) { at_.put(c, start_[c] + Z_[c]); });
  }
  // Whether to go on is decided by the change of the iteration before, which is known by then.
  void find_roughly() {
    if (!field_.has_sines()) return;
    b_.when_any(work_[layout_.missed()] > stage_rules::nearly_known, [&] {
      b_.repeat([&] {
        const N previous = change_.get();
        look_at_stages();
        field_.rough();
        take(false);
        return goes_on(previous) & !(previous <= stage_rules::roughly_known);
      });
    });
  }
  void find_exactly() {
    b_.repeat([&] {
      const N previous = change_.get();
      look_at_stages();
      for_field(0, c_, [&](const I& c) { looked_.put(c, at_[c]); });
      field_.exact();
      take(false);
      return goes_on(previous) & !(change_.get() <= stage_rules::nearly_known);
    });
    work_.put(layout_.missed(), first_change_.get());
  }

  // The rates of the last iteration become the reference, and what they lead to is summed with the remainders of the
  // coefficients.
  void refer() {
    const auto column = b_.columns(table_, layout_.stage(0), layout_),
               remainder = b_.columns(table_, layout_.stage_remainder(0), layout_);
    const auto lead = [&](const I& c) {
      const auto [sum, rest] = b_.accurate_sum(grid_[c], column, remainder, b_.nodes(rates_, c));
      const auto [place, lost] = exact_sum(start_[c], sum);
      const Row base = start_[c] + Z_[c], beside_base = (place - base) + lost;
      low_.put(c, beside_base + (remainder_[c] + rest));
      base_move_.put(c, base - looked_[c]);
    };
    over_half(0, lead);
    over_half(n_, lead);
    for (const std::size_t c : {n_ - 1, c_ - 1}) {
      if (moving_ == n_) continue;
      low_.put(c, b_.row_of(0));
      base_move_.put(c, b_.row_of(0));
    }
    over(0, c_, [&](const I& c) {
      base_.put(c, start_[c] + Z_[c]);
      known_.put(c, rates_[c]);
      Z_.put(c, b_.row_of(0));  // looks at base: need not wait for low
    });
    for (std::size_t a = 0; a < n_ && code_.is_scaled; ++a) velocity_.put(a, known_[a]);
    field_.refer();
  }

  // `inside` where the field is known near the reference, or Z whole again where the stages have strayed.
  template <class G>
  void look_near(const typename B::truth_variable& strays, G&& inside) {
    for_field(0, c_, [&](const I& c) {
      at_.put(c, base_[c] + Z_[c]);
      moves_.put(c, base_move_[c] + Z_[c]);
    });
    field_.near();
    const T is_near = field_.is_near();
    b_.when_any(is_near, inside);
    b_.when_rarely(!is_near, [&] {
      over(0, c_, [&](const I& c) { Z_.put(c, (base_[c] - start_[c]) + Z_[c]); });
      count_.set(count_.get() + 1.0);
      strays.set(b_.always());
    });
  }

  // Iterations near a reference until nothing is missing, or until the stages have strayed from it. That an iteration
  // is the last one is decided behind the one before: nothing waits for that.
  void go_on(const typename B::truth_variable& strays) {
    const auto is_last = b_.make(b_.never()), continues = b_.make(b_.never());
    contraction_text<B> contraction(b_);
    b_.repeat([&] {
      const N previous = change_.get();
      continues.set(b_.never());
      look_near(strays, [&] {
        take(true);
        const N change = change_.get();
        const T hope = has_hope(change, previous, b_.never()), was_last = is_last.get();
        const T is_done = contraction.is_done(change, previous);
        is_last.set(contraction.ends_next());
        continues.set(hope & !(was_last | is_done));
      });
      return continues.get();
    });
  }

  // The same while squares of changes matter, then an iteration that computes the field's slopes, then linear ones.
  void go_on_linearly(const typename B::truth_variable& strays) {
    const auto will_be_linear = [](const N& change) { return change <= stage_rules::linear; };
    const N expected = change_.get() * stage_rules::usual_rate;
    const auto continues = b_.make(b_.never());
    const auto turns = b_.make(will_be_linear(expected)),
               turns_next = b_.make(will_be_linear(expected * stage_rules::usual_rate));
    const auto rate = b_.make(b_.one_number(0));
    b_.repeat([&] {
      b_.when_any(!turns.get(), [&] {
        b_.repeat([&] {
          const N previous = change_.get();
          continues.set(b_.never());
          look_near(strays, [&] {
            take(true);
            const N change = change_.get(), now = ratio(change, previous);
            continues.set(has_hope(change, previous, b_.never()) & !turns_next.get());
            // Expected after the next iteration: decided there, nothing waits for it.
            turns_next.set(will_be_linear(change * (now * now)));
            rate.set(now);
          });
          return continues.get();
        });
      });
      continues.set(b_.never());
      turns.set(b_.never());
      turns_next.set(b_.never());
      b_.when_any(alive_.get() & !strays.get(), [&] {
        // Linear moves begin where the field is looked at, which rounding has moved: that it were elsewhere would make
        // energy drift.
        for (std::size_t c = 0; c < c_; ++c) last_.put(c, (base_[c] + Z_[c]) - base_[c]);
        for (std::size_t c = 0; c < c_; ++c) Z_.put(c, last_[c]);
        const N previous = change_.get();
        look_near(strays, [&] {
          take(true);
          const N change = change_.get();
          const T hope = has_hope(change, previous, b_.never()), is_linear = will_be_linear(change);
          b_.when_any(hope & is_linear, [&] { iterate_linearly(change, larger(ratio(change, previous), rate.get())); });
          continues.set(hope & !is_linear);
        });
      });
      return continues.get();
    });
  }

  // How many linear iterations it takes follows from the slower one of the last two contractions, as stage_rules say;
  // that they were enough is checked at the end.
  void iterate_linearly(const N& change, const N& slower) {
    using namespace stage_rules;
    const N rate = select(slower < slow, slower, b_.one_number(slow)), series = rate / (N(1.0) - rate);
    for (std::size_t c = 0; c < c_; ++c) last_.put(c, Z_[c] - last_[c]);  // from here on the last move
    const auto left = b_.make(iterations_for(change * series, rate));
    b_.repeat([&] {
      b_.repeat([&] {
        add_linear_iteration();
        count_.set(count_.get() + 1.0);
        left.set(left.get() - 1.0);
        return left.get() > 0.0;
      });
      Row largest = weighted(last_[n_], n_);
      for (std::size_t k = 1; k < c_; ++k)
        largest = b_.larger_size(largest, weighted(last_[(n_ + k) % c_], (n_ + k) % c_));
      const N now = b_.largest(largest);
      change_.set(now);
      left.set(b_.one_number(1));
      const T is_done = now * series <= 2 * floor_of_missing,
              gives_up = (count_.get() >= double(most_iterations)) & !is_done;
      b_.when_rarely(gives_up, [&] {
        outcome_.set(b_.one_number(static_cast<double>(stage_outcome::slow)));
        alive_.set(b_.never());
      });
      return !(is_done | gives_up);
    });
  }

  // Where the last move of the stages moves them, and what that adds to the rates.
  void add_linear_iteration() {
    std::vector<Row> rates(c_ + 1);
    std::vector<bool> changes(c_ + 1, false);
    const auto add = [&](std::size_t row, const Row& slope, const Row& by) {
      rates[row] = changes[row] ? fma(slope, by, rates[row]) : slope * by;
      changes[row] = true;
    };
    for (const bool by_position : {false, true}) {  // positions are known last
      for (std::size_t k = 0; k < code_.slopes.size(); ++k) {
        const auto [row, column] = code_.slopes[k];
        if ((column < n_) == by_position) add(row, field_.output(code_.first_slope() + k), last_[column]);
      }
    }
    const auto column = b_.columns(table_, layout_.stage(0), layout_);
    const auto sum = [&](std::size_t c) {
      if (changes[c]) rates_.put(c, rates_[c] + rates[c]);
      if (changes[c]) omega_.put(0, rates[c]);
      last_.put(c, changes[c] ? b_.sum(column, b_.nodes(omega_, 0)) : b_.row_of(0));
    };
    for (std::size_t a = n_; a < c_; ++a) sum(a);
    over_inverse_mass([&](std::size_t i, std::size_t j, const Row& entry) { add(i, entry, last_[n_ + j]); });
    for (std::size_t a = 0; a < n_; ++a) sum(a);
    if (changes[c_]) rates_.put(c_, rates_[c_] + rates[c_]);
  }

  // Iterations until what is missing is below the floor, by logarithms to a tenth.
  N iterations_for(const N& missing, const N& rate) {
    const auto logarithm = [&](const N& x) { return b_.rough_logarithm(larger(x, b_.one_number(stage_rules::tiny))); };
    return -floor((logarithm(missing) - b_.rough_logarithm(b_.one_number(stage_rules::floor_of_missing))) /
                  logarithm(rate));
  }
  N ratio(const N& change, const N& previous) { return change / larger(previous, b_.one_number(stage_rules::tiny)); }

  Row weighted(const Row& move, const I& c) { return absolute(move * inverse_size_[c]); }

  // Where rates lead: first momenta, then velocities with these, then positions; beside the reference, or not.
  // Velocities q' + M⁻¹ (new − old) are summed in two parts, the first of which does not wait for the new momenta.
  void take(bool beside) {
    const auto rate = [&](const I& c) { return beside ? field_.output(c) - known_[c] : field_.output(c); };
    for (std::size_t a = 0; a < n_ && code_.is_scaled && !beside; ++a) {
      velocity_.put(a, field_.output(a));
      slopes_.put(a, field_.output(code_.first_slope() + a));
    }
    move_velocities(rate, [](const Row& entry) { return -entry; });
    for_field(n_, n_, [&](const I& c) { rates_.put(c, rate(c)); });
    rates_.put(c_, field_.output(c_));
    const auto largest = b_.make_row(b_.row_of(0));
    sum_stages(n_, beside, largest);
    move_velocities([&](const I& a) { return rates_[a]; }, [](const Row& entry) { return entry; });
    sum_stages(0, beside, largest);
    change_.set(b_.largest(largest.get()));
    count_.set(count_.get() + 1.0);
  }

  // Rates of positions from these by M⁻¹ times the stages of momenta, with a sign.
  template <class Rate, class Sign>
  void move_velocities(const Rate& rate, const Sign& sign) {
    if (inverse_mass_is_diagonal_) {
      for_field(0, n_, [&](const I& a) { rates_.put(a, fma(sign(field_.output(a + (c_ + 1))), Z_[a + n_], rate(a))); });
      return;
    }
    for (std::size_t a = 0; a < n_; ++a) moved_[a] = rate(a);
    over_inverse_mass(
        [&](std::size_t i, std::size_t j, const Row& entry) { moved_[i] = fma(sign(entry), Z_[n_ + j], moved_[i]); });
    for (std::size_t a = 0; a < n_; ++a) rates_.put(a, moved_[a]);
  }
  template <class G>
  void over_inverse_mass(G&& g) {
    for (std::size_t k = 0; k < code_.inverse_mass.size(); ++k) {
      const auto [i, j] = code_.inverse_mass[k];
      const Row entry = field_.output(c_ + 1 + k);
      g(i, j, entry);
      if (i != j) g(j, i, entry);
    }
  }

  // Momenta or positions that the rates lead to; `largest` grows with their changes.
  void sum_stages(std::size_t first, bool beside, const typename B::row_variable& largest) {
    const auto column = b_.columns(table_, layout_.stage(0), layout_);
    const auto measure = [&](const I& c, const Row& move) {
      largest.set(b_.larger_size(largest.get(), weighted(move, c)));
    };
    over_half(first, [&](const I& c) {
      const Row last = Z_[c];
      const Row next = beside ? b_.sum(column, b_.nodes(rates_, c), low_[c]) : b_.sum(column, b_.nodes(rates_, c));
      Z_.put(c, next);
      if (code_.is_scaled) last_.put(c, last);
      else measure(c, next - last);
    });
    if (!code_.is_scaled) return;
    if (first == n_) follow_scale(first, velocity_, slopes_);
    else follow_scale(first, slopes_, velocity_);
    over_half(first, [&](const I& c) { measure(c, Z_[c] - last_[c]); });
  }

  // In a scaled time p' moves by −c ω with ω = q'·δp, and q' by q' ω with ω = c·δq; stages by hA of that, with c and q'
  // taken out of the sums: what is missing is of the second order.
  void follow_scale(std::size_t first, const Rows& by, const Rows& moved) {
    const bool of_momenta = first == n_;
    Row omega = b_.row_of(0);
    for (std::size_t a = 0; a < moving_; ++a) omega = fma(by[a], Z_[first + a] - last_[first + a], omega);
    omega_.put(0, of_momenta ? -omega : omega);
    const Row summed = b_.sum(b_.columns(table_, layout_.stage(0), layout_), b_.nodes(omega_, 0));
    for (std::size_t a = 0; a < (of_momenta ? moving_ : n_); ++a) {
      rates_.put(first + a, fma(moved[a], omega_[0], rates_[first + a]));
      if (a < moving_) Z_.put(first + a, fma(moved[a], summed, Z_[first + a]));
    }
  }

  void finish() {
    over(0, c_, [&](const I& c) {
      const Row known = known_[c], differences = rates_[c];
      b_.put_row(work_, c * layout_.lanes, known + differences);
      const auto [sum, rest] = weighted_sum(grid_[c], known, differences);
      work_.put(c + layout_.increment(0), sum);
      work_.put(c + layout_.increment_remainder(0), rest);
    });
    b_.put_row(work_, layout_.rate(c_), rates_[c_]);
  }

  B& b_;
  F& field_;
  const collocation_code& code_;
  const collocation_rows& layout_;
  Numbers table_, work_;
  bool written_out_;
  std::size_t n_, c_;
  bool inverse_mass_is_diagonal_;
  std::size_t moving_;
  std::vector<Row> moved_;  // velocities
  Rows at_, moves_;         // of the field
  // Of a component: rates (beside a reference: differences from those there), where they were last looked at exactly, y
  // and what rounding took of it, Z (beside a reference: small) and that of the iteration before.
  Rows rates_, looked_, start_, remainder_, Z_, last_;
  // The rates of the reference, where they lead (base + low), and how far base is from where they were evaluated.
  Rows known_, base_, low_, base_move_;
  Rows velocity_, slopes_, omega_;  // q', c and ω in a scaled time
  Rows inverse_size_, grid_;
  typename B::variable change_, first_change_, count_, outcome_;
  typename B::truth_variable alive_;
};

}  // namespace actio::kernel
