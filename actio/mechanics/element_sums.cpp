#include "actio/mechanics/element_sums.hpp"

#include <algorithm>
#include <atomic>

#include "actio/backend/element_kernel.hpp"
#include "actio/base/aligned.hpp"
#include "actio/base/compensated.hpp"
#include "actio/base/cpu_clones.hpp"
#include "actio/base/parallel.hpp"
#include "actio/base/row_operations.hpp"

namespace actio {

namespace {

constexpr std::size_t block_points = 512;  // evaluated at a time; their numbers stay near the processor
constexpr std::size_t most_shift = 64;     // of two rows that are added to a third one together

enum class input_kind : std::uint8_t { position, velocity, value, time };
struct element_input {
  input_kind kind;
  std::size_t number;  // slot or value
};

// A sum into row `number`… of an array from one output of the program.
struct placed_output {
  std::size_t output;
  element_output to;
};

// One request as a program.
struct element_unit {
  element_request request;
  std::shared_ptr<const program> code;
  std::vector<element_input> inputs;
  std::vector<std::size_t> parameters;  // of the system, that the program has
  std::vector<placed_output> outputs;
  std::size_t program_outputs = 0;
};

element_unit unit_of(element_request request, const expr_map<std::size_t>& parameters) {
  element_unit unit{std::move(request), nullptr, {}, {}, {}, 0};
  const element_family& family = *unit.request.family;
  std::vector<expr> values;
  for (element_output& o : unit.request.outputs) {
    if (o.value.is_zero()) continue;
    const bool is_negative = o.value.op() == operation::negate;
    const expr value = is_negative ? o.value.operands()[0] : o.value;
    const auto known = std::ranges::find(values, value);
    element_output placed = o;
    placed.subtract = o.subtract != is_negative;
    unit.outputs.push_back({static_cast<std::size_t>(known - values.begin()), std::move(placed)});
    if (known == values.end()) values.push_back(value);
  }
  unit.program_outputs = values.size();
  const std::vector<expr> used = symbols_in(values);
  std::vector<expr> variables, shared;
  const auto take = [&](const std::vector<expr>& symbols, input_kind kind) {
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      if (std::ranges::find(used, symbols[k]) == used.end()) continue;
      variables.push_back(symbols[k]);
      unit.inputs.push_back({kind, k});
    }
  };
  take(family.positions, input_kind::position);
  take(family.velocities, input_kind::velocity);
  take(family.symbols, input_kind::value);
  take({time_symbol()}, input_kind::time);
  for (const expr& s : used) {
    if (const auto found = parameters.find(s); found != parameters.end()) {
      shared.push_back(s);
      unit.parameters.push_back(found->second);
    }
  }
  unit.code = std::make_shared<const program>(lower(values, shared, variables));
  return unit;
}

}  // namespace

template <class S>
class element_code {
 public:
  std::vector<element_unit> units;
};

template <class S>
std::shared_ptr<const element_code<S>> compile_elements(std::vector<element_request> requests,
                                                        const lagrangian_system& system) {
  expr_map<std::size_t> parameters;
  for (std::size_t k = 0; k < system.parameters.size(); ++k) {
    parameters.emplace(expr::symbol(system.parameters[k].name), k);
  }
  auto code = std::make_shared<element_code<S>>();
  for (element_request& request : requests) {
    element_unit unit = unit_of(std::move(request), parameters);
    if (!unit.outputs.empty()) code->units.push_back(std::move(unit));
  }
  return code;
}

namespace {

// Elements of a run.
struct element_block {
  const element_run* run;
  std::size_t first, count;
};

// What evaluates blocks of a family, with room for the outputs of some.
template <class S>
struct element_worker {
  using outputs = std::vector<aligned_vector<S>>;

  element_worker(const element_unit& unit, std::size_t points, std::size_t block)
      : kernel(make_element_kernel<S>(unit.code, unit.request.family->elements * points)),
        in(unit.inputs.size()),
        tail_in(unit.inputs.size()),
        to(unit.program_outputs),
        own(unit.inputs.size()),
        tail(unit.inputs.size(), aligned_vector<S>(element_lanes, S(0))),
        out(unit.program_outputs, aligned_vector<S>(most_shift + block * points + element_lanes, S(0))) {}

  // Whole vectors where they stand, the last one once more over points that it shares with the one
  // before; fewer points than that in rows that repeat the last one.
  ACTIO_ALWAYS_INLINE void evaluate(std::size_t count, outputs& into) {
    const std::size_t whole_vectors = count / element_lanes * element_lanes;
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = into[k].data() + most_shift;
    if (whole_vectors > 0) kernel->run(in.data(), to.data(), whole_vectors);
    if (whole_vectors == count) return;
    const std::size_t first = whole_vectors > 0 ? count - element_lanes : 0;
    for (std::size_t k = 0; k < in.size(); ++k) {
      if (whole_vectors > 0) {
        tail_in[k] = in[k] + first;
        continue;
      }
      std::copy_n(in[k], count, tail[k].begin());
      std::fill(tail[k].begin() + static_cast<std::ptrdiff_t>(count), tail[k].end(), tail[k][count - 1]);
      tail_in[k] = tail[k].data();
    }
    for (S*& row : to) row += first;
    kernel->run(tail_in.data(), to.data(), element_lanes);
  }

  std::unique_ptr<element_kernel<S>> kernel;
  std::vector<const S*> in, tail_in;
  std::vector<S*> to;
  std::vector<aligned_vector<S>> own, tail;
  outputs out;
  std::vector<outputs> outs;             // of a group of blocks, where threads share them
  const element_run* resting = nullptr;  // run whose rows at rest are in their places
};

// Threads that so many points are worth.
template <class S>
unsigned threads_for(std::size_t points) {
  constexpr std::size_t points_of_a_thread = 1 << 17;
  if (is_mpfr<S> || points < 2 * points_of_a_thread) return 1;
  return static_cast<unsigned>(std::min<std::size_t>(threads_at_hand(), points / points_of_a_thread));
}

}  // namespace

template <class S>
struct element_sums<S>::part {
  using worker = element_worker<S>;

  part(const element_unit& of, std::size_t points)
      : unit(of),
        family(*of.request.family),
        points(points),
        block(std::min(std::max<std::size_t>(1, block_points / points), std::max<std::size_t>(family.elements, 1))),
        values(of.inputs.size()),
        main(of, points, block),
        whole(of.outputs.size()) {
    make_room(main);
  }

  void bind(const shared_parameters<S>& parameters) {
    shared.clear();
    for (const std::size_t k : unit.parameters) shared.push_back(parameters[k]);
    main.kernel->set_parameters(shared);
    for (const auto& w : others) w->kernel->set_parameters(shared);
    for (std::size_t k = 0; k < unit.inputs.size(); ++k) {
      if (unit.inputs[k].kind != input_kind::value) continue;
      const element_values& column = family.values[unit.inputs[k].number];
      if (column.parameters.empty() && !values[k].empty()) continue;  // these do not change
      values[k].resize(family.elements, S(0));
      for (std::size_t e = 0; e < family.elements; ++e) {
        if (!column.whole.empty()) values[k][e] = S(static_cast<double>(column.whole[e]));
        else if (column.numbers.empty()) values[k][e] = parameters[column.parameters[e]];
        else values[k][e] = from_rational<S>(column.numbers[e].number());
      }
    }
  }

  void add(const element_arrays<S>& at) {
    begin(at);
    if (const unsigned threads = threads_for<S>(family.elements * points); threads > 1) add_in_threads(threads, at);
    else each_block([&](const element_block& b) { add(*b.run, b.first, b.count, at); });
    end(at);
  }

  void begin(const element_arrays<S>& at) {
    for (std::size_t o = 0; o < whole.size(); ++o) {
      if (unit.outputs[o].to.place == element_place::whole) whole[o].assign(points, compensated<S>());
    }
    begin(main, at);
    for (const auto& w : others) begin(*w, at);
  }
  // At most `block` elements of a run.
  void add(const element_run& run, std::size_t first, std::size_t count, const element_arrays<S>& at) {
    evaluate(main, {&run, first, count}, main.out, at);
    scatter({&run, first, count}, main.out, at);
  }
  void end(const element_arrays<S>& at) {
    for (std::size_t o = 0; o < unit.outputs.size(); ++o) {
      if (unit.outputs[o].to.place != element_place::whole) continue;
      for (std::size_t l = 0; l < points; ++l) {
        S& sum = at.sums[unit.outputs[o].to.array][l];
        sum = unit.outputs[o].to.subtract ? S(sum - whole[o][l].value) : S(sum + whole[o][l].value);
      }
    }
  }

  const element_unit& unit;
  const element_family& family;

 private:
  void make_room(worker& w) const {
    for (std::size_t k = 0; k < unit.inputs.size(); ++k) {
      if (is_copied(k)) w.own[k].assign(block * points + element_lanes, S(0));
    }
  }

  template <class Use>
  void each_block(Use&& use) const {
    for (const element_run& run : family.runs) {
      for (std::size_t e = 0; e < run.count; e += block) use({&run, run.first + e, std::min(block, run.count - e)});
    }
  }

  // Groups of blocks are evaluated by whoever is free, and added in their order: sums do not depend on threads.
  void add_in_threads(unsigned threads, const element_arrays<S>& at) {
    constexpr std::size_t group = 16;
    if (blocks.empty()) each_block([&](const element_block& b) { blocks.push_back(b); });
    while (others.size() + 1 < threads) {
      worker& w = *others.emplace_back(std::make_unique<worker>(unit, points, block));
      make_room(w);
      w.kernel->set_parameters(shared);
      begin(w, at);
    }
    main.outs.resize(group, main.out);
    for (const auto& w : others) w->outs.resize(group, w->out);
    std::atomic<std::size_t> next{0}, turn{0};
    in_parallel(threads, threads, [&](std::size_t k) {
      worker& w = k == 0 ? main : *others[k - 1];
      for (std::size_t first; (first = next.fetch_add(group)) < blocks.size();) {
        const std::size_t count = std::min(group, blocks.size() - first);
        for (std::size_t b = 0; b < count; ++b) evaluate(w, blocks[first + b], w.outs[b], at);
        for (std::size_t now; (now = turn.load(std::memory_order_acquire)) != first;) turn.wait(now);
        for (std::size_t b = 0; b < count; ++b) scatter(blocks[first + b], w.outs[b], at);
        turn.store(first + group, std::memory_order_release);
        turn.notify_all();
      }
    });
  }

  void begin(worker& w, const element_arrays<S>& at) const {
    for (std::size_t k = 0; k < unit.inputs.size(); ++k) {
      if (unit.inputs[k].kind == input_kind::time) repeat(at.time, w.own[k], block);
    }
    w.resting = nullptr;
  }

  ACTIO_ALWAYS_INLINE void evaluate(worker& w, const element_block& b, typename worker::outputs& out,
                                    const element_arrays<S>& at) const {
    if (b.run != w.resting) {
      if (b.run->even) fill_resting(w, *b.run, at);
      w.resting = b.run;
    }
    gather(w, *b.run, b.first, b.count, at);
    w.evaluate(b.count * points, out);
  }

  // Inputs that may need room of their own: where tables are uneven, rows at rest, values at several points, times.
  bool is_copied(std::size_t k) const {
    const element_input& input = unit.inputs[k];
    if (input.kind == input_kind::value) return points > 1;
    if (input.kind == input_kind::time) return true;
    return std::ranges::any_of(family.runs,
                               [&](const element_run& run) { return !run.even || run.moves[input.number] == 0; });
  }

  void repeat(const S* pattern, aligned_vector<S>& into, std::size_t count) const {
    if (points == 1) return std::fill_n(into.begin(), count, *pattern), void();
    for (std::size_t e = 0; e < count; ++e) std::copy_n(pattern, points, &into[e * points]);
  }

  static const S* rows_of(const element_input& input, const element_arrays<S>& at) {
    return input.kind == input_kind::position ? at.position : at.velocity;
  }
  bool is_variable(std::size_t k) const {
    return unit.inputs[k].kind == input_kind::position || unit.inputs[k].kind == input_kind::velocity;
  }

  void fill_resting(worker& w, const element_run& run, const element_arrays<S>& at) const {
    for (std::size_t k = 0; k < unit.inputs.size(); ++k) {
      const std::size_t slot = unit.inputs[k].number;
      if (!is_variable(k) || run.moves[slot] != 0) continue;
      const S* const row = rows_of(unit.inputs[k], at) + family.coordinates[slot][run.first] * points;
      repeat(row, w.own[k], std::min(block, run.count));
    }
  }

  ACTIO_ALWAYS_INLINE void gather(worker& w, const element_run& run, std::size_t first, std::size_t count,
                                  const element_arrays<S>& at) const {
    std::vector<const S*>& in = w.in;
    std::vector<aligned_vector<S>>& own = w.own;
    for (std::size_t k = 0; k < unit.inputs.size(); ++k) {
      const element_input& input = unit.inputs[k];
      if (input.kind == input_kind::time) {
        in[k] = own[k].data();
      } else if (input.kind == input_kind::value) {
        in[k] = points == 1 ? &values[k][first] : own[k].data();
        for (std::size_t e = 0; e < count && points > 1; ++e) {
          std::fill_n(&own[k][e * points], points, values[k][first + e]);
        }
      } else if (run.even) {
        in[k] = run.moves[input.number] == 0 ? own[k].data()
                                             : rows_of(input, at) + family.coordinates[input.number][first] * points;
      } else {
        const S* const rows = rows_of(input, at);
        const std::uint32_t* const table = &family.coordinates[input.number][first];
        S* to_row = own[k].data();
        if (points == 1) {
          for (std::size_t e = 0; e < count; ++e) to_row[e] = rows[table[e]];
        } else {
          for (std::size_t e = 0; e < count; ++e) std::copy_n(rows + table[e] * points, points, to_row + e * points);
        }
        in[k] = to_row;
      }
    }
  }

  static void put_row(bool subtract, std::size_t count, const S* from, S* into) {
    subtract ? subtract_row<S>(count, from, into) : add_row<S>(count, from, into);
  }

  // Sums over elements, one a point.
  void add_up(bool subtract, std::size_t count, const S* from, S* into) {
    if (points == 1) {
      const S sum = sum_of_row<S>(count, from);
      *into = subtract ? S(*into - sum) : S(*into + sum);
      return;
    }
    for (std::size_t e = 0; e < count; ++e) put_row(subtract, points, from + e * points, into);
  }

  // Where output o of an even run goes to, if it goes to one row of its own an element.
  S* moving_row(const element_run& run, std::size_t o, std::size_t first, const element_arrays<S>& at) const {
    const element_output& place = unit.outputs[o].to;
    if (!run.even || place.place != element_place::slot || run.moves[place.number] != 1) return nullptr;
    return at.sums[place.array] + family.coordinates[place.number][first];
  }

  // Outputs of neighbouring slots are added to their rows together: `o` and a later one that begins at most
  // `most_shift` rows beside it, whose number it gives; zeros stand before the outputs.
  std::size_t put_with_neighbour(const element_block& b, const typename worker::outputs& out, std::size_t o,
                                 const element_arrays<S>& at) {
    const auto& [in_run, first, count] = b;
    const element_run& run = *in_run;
    S* const into = moving_row(run, o, first, at);
    if (into == nullptr || points > 1) return 0;
    for (std::size_t other = o + 1; other < unit.outputs.size(); ++other) {
      S* const beside = moving_row(run, other, first, at);
      if (beside == nullptr || unit.outputs[o].to.array != unit.outputs[other].to.array || is_put[other] != 0) continue;
      const std::ptrdiff_t shift = beside - into;
      const auto apart = static_cast<std::size_t>(std::abs(shift));
      if (apart > most_shift || apart > count) continue;
      const std::size_t low = shift >= 0 ? o : other, high = shift >= 0 ? other : o;
      const auto sign = [&](std::size_t which) { return unit.outputs[which].to.subtract ? -1.0 : 1.0; };
      const auto row = [&](std::size_t which) { return out[unit.outputs[which].output].data() + most_shift; };
      S* const begin = std::min(into, beside);
      add_rows<S>(count, sign(low), row(low), sign(high), row(high) - apart, begin);
      put_row(unit.outputs[high].to.subtract, apart, row(high) + (count - apart), begin + count);
      return other;
    }
    return 0;
  }

  ACTIO_ALWAYS_INLINE void scatter(const element_block& b, const typename worker::outputs& out,
                                   const element_arrays<S>& at) {
    const auto& [in_run, first, count] = b;
    const element_run& run = *in_run;
    is_put.assign(unit.outputs.size(), 0);
    for (std::size_t o = 0; o < unit.outputs.size(); ++o) {
      if (is_put[o] != 0) continue;
      if (const std::size_t other = put_with_neighbour(b, out, o, at); other != 0) {
        is_put[other] = 1;
        continue;
      }
      const element_output& place = unit.outputs[o].to;
      const S* const from = out[unit.outputs[o].output].data() + most_shift;
      S* const rows = at.sums[place.array];
      const std::uint32_t* table = nullptr;
      std::size_t column = 0;
      switch (place.place) {
        case element_place::whole: add_to_whole(o, count, from); continue;
        case element_place::slot:
          table = &family.coordinates[place.number][first];
          column = place.number;
          break;
        case element_place::target:
          table = &family.targets[first];
          column = family.slots();
          break;
        case element_place::listed: table = &unit.request.listed[place.number][first]; break;
      }
      if (run.even && place.place != element_place::listed) {
        S* const into = rows + *table * points;
        run.moves[column] == 1 ? put_row(place.subtract, count * points, from, into)
                               : add_up(place.subtract, count, from, into);
      } else if (points == 1) {
        if (place.subtract) {
          for (std::size_t e = 0; e < count; ++e) rows[table[e]] -= from[e];
        } else {
          for (std::size_t e = 0; e < count; ++e) rows[table[e]] += from[e];
        }
      } else {
        for (std::size_t e = 0; e < count; ++e) {
          S* const into = rows + table[e] * points;
          const S* const one = from + e * points;
          for (std::size_t l = 0; l < points; ++l) into[l] = place.subtract ? S(into[l] - one[l]) : S(into[l] + one[l]);
        }
      }
    }
  }

  void add_to_whole(std::size_t o, std::size_t count, const S* from) {
    if (points == 1) return whole[o][0].add(sum_of_row<S>(count, from));
    for (std::size_t e = 0; e < count; ++e) {
      for (std::size_t l = 0; l < points; ++l) whole[o][l].add(from[e * points + l]);
    }
  }

  std::size_t points, block;  // block: elements at a time
  std::vector<S> shared;      // parameters
  std::vector<aligned_vector<S>> values;
  worker main;
  std::vector<std::unique_ptr<worker>> others;  // of further threads
  std::vector<element_block> blocks;            // made when threads first share them
  std::vector<std::vector<compensated<S>>> whole;
  std::vector<std::uint8_t> is_put;  // outputs, while they are added
};

template <class S>
element_sums<S>::element_sums(std::shared_ptr<const element_code<S>> code, std::size_t points,
                              shared_parameters<S> parameters)
    : points_(points), code_(std::move(code)), parameters_(std::move(parameters)), revision_(parameters_.revision()) {
  for (const element_unit& unit : code_->units) {
    parts_.push_back(std::make_unique<part>(unit, points));
    parts_.back()->bind(parameters_);
  }
}
template <class S>
element_sums<S>::~element_sums() = default;
template <class S>
element_sums<S>::element_sums(element_sums&&) noexcept = default;

template <class S>
void element_sums<S>::take_parameters() {
  if (revision_ == parameters_.revision()) return;
  for (const auto& p : parts_) p->bind(parameters_);
  revision_ = parameters_.revision();
}

template <class S>
void element_sums<S>::add(const element_arrays<S>& at) {
  take_parameters();
  for (const auto& p : parts_) p->add(at);
}

template <class S>
bool element_sums<S>::sweep(const element_arrays<S>& at, std::span<const sweep_move> order, sweep_visitor& visitor) {
  take_parameters();
  for (const auto& p : parts_) p->begin(at);
  for (const sweep_move& move : order) {
    switch (move.action) {
      case sweep_action::open:
        if (!visitor.open(move.first, move.count)) return false;
        break;
      case sweep_action::add: {
        part& p = *parts_[move.family];
        p.add(p.family.runs[move.run], move.first, move.count, at);
        break;
      }
      case sweep_action::close:
        if (!visitor.close(move.first, move.count)) return false;
        break;
    }
  }
  for (const auto& p : parts_) p->end(at);
  return true;
}

template <class S>
std::vector<sweep_move> sweep_order_of(const element_code<S>& code, std::size_t coordinates) {
  std::vector<const element_family*> families;
  for (const element_unit& unit : code.units) families.push_back(unit.request.family);
  return sweep_order(families, coordinates, block_points);
}

#define ACTIO_INSTANTIATE(S)                                                                        \
  template class element_code<S>;                                                                   \
  template class element_sums<S>;                                                                   \
  template std::shared_ptr<const element_code<S>> compile_elements<S>(std::vector<element_request>, \
                                                                      const lagrangian_system&);    \
  template std::vector<sweep_move> sweep_order_of<S>(const element_code<S>&, std::size_t);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
