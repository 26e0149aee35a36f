#include "actio/integrate/extrapolation_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "actio/backend/blocks.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/mechanics/separability.hpp"
#include "actio/program/program_builder.hpp"

namespace actio {

namespace {

using value = program_builder::value;

// f(y, t), behind it the power where the system has an energy; nothing where it cannot be written down.
std::optional<program> field_program(const system_code& code) {
  const lagrangian_system& system = code.system();
  if (system.is_first_order()) {
    std::vector<expr> variables(system.coordinates);
    variables.push_back(time_symbol());
    return lower(system.equations, system.parameter_symbols(), variables);
  }
  const std::optional<field_code>& field = hamilton_program(code);
  return field ? std::optional(field->field) : std::nullopt;
}

// A part of either rule for increments z over y: variables are y, z and the work, before (midpoint rule: the same a
// part earlier), t and lengths a, b, c.
class part_builder {
 public:
  part_builder(const program& field, std::size_t size, std::size_t variables)
      : build_(field.parameters, variables), field_(field), size_(size) {}

  // before + a f(y + z).
  program midpoint() {
    const std::size_t before = 2 * size_ + 1, time = before + size_ + 1;
    const std::vector<value> f = field_at(start_to_now(), build_.variable(time));
    std::vector<value> next;
    for (std::size_t i = 0; i <= size_; ++i) {
      next.push_back(build_.add(build_.variable(before + i), build_.multiply(build_.variable(time + 1), f[i])));
    }
    return build_.finish(next);
  }

  // p ← p + a F(q), q ← q + b M⁻¹ p, and a times the power where the momentum is p + c F(q).
  program leapfrog() {
    const std::size_t n = size_ / 2;
    const value t = build_.variable(2 * size_ + 1), a = build_.variable(2 * size_ + 2),
                b = build_.variable(2 * size_ + 3), c = build_.variable(2 * size_ + 4);
    std::vector<value> y = start_to_now(), next(size_ + 1), middle = y, kicked = y;
    const std::vector<value> rates = field_at(y, t);
    for (std::size_t i = 0; i < n; ++i) {
      next[n + i] = build_.add(now(n + i), build_.multiply(a, rates[n + i]));
      kicked[n + i] = build_.add(build_.variable(n + i), next[n + i]);
      middle[n + i] = build_.add(y[n + i], build_.multiply(c, rates[n + i]));
    }
    const std::vector<value> velocity = field_at(kicked, t);
    for (std::size_t i = 0; i < n; ++i) next[i] = build_.add(now(i), build_.multiply(b, velocity[i]));
    next[size_] = build_.add(now(size_), build_.multiply(a, field_at(middle, t)[size_]));
    return build_.finish(next);
  }

 private:
  value now(std::size_t i) const { return build_.variable(size_ + i); }
  std::vector<value> start_to_now() {
    std::vector<value> y;
    for (std::size_t i = 0; i < size_; ++i) y.push_back(build_.add(build_.variable(i), now(i)));
    return y;
  }
  std::vector<value> field_at(std::vector<value> y, value t) {
    y.push_back(t);
    std::vector<value> rates = build_.include(field_, y);
    if (rates.size() == size_) rates.push_back(build_.number(0));
    return rates;
  }

  program_builder build_;
  const program& field_;
  std::size_t size_;
};

bool reads(const program& p, std::size_t variable) {
  const auto place = static_cast<std::uint32_t>(p.parameters + variable);
  return std::ranges::any_of(p.body, [&](const instruction& i) { return i.left == place || i.right == place; });
}

struct part_code {
  std::optional<program> part;
  bool leapfrog = false;
};

// Made once a system.
const part_code& part_code_of(const system_code& code) {
  return *code.piece<part_code>("extrapolation", [&]() -> part_code {
    const std::optional<program> field = field_program(code);
    if (!field) return {};
    const lagrangian_system& system = code.system();
    const std::size_t size = system.is_first_order() ? system.size() : 2 * system.size();
    if (!system.is_first_order() && !find_coupling(system)) {
      return {part_builder(*field, size, 2 * size + 5).leapfrog(), true};
    }
    return {part_builder(*field, size, 3 * size + 4).midpoint(), false};
  });
}

}  // namespace

template <class S>
std::unique_ptr<vector_field<S>> first_order_form(const phase_space<S>& space) {
  return space.has_energy() ? hamilton_field<S>(space) : equation_field<S>(space);
}

template <class S>
extrapolation_rows<S>::extrapolation_rows(const phase_space<S>& space, std::size_t most_rows)
    : size_(space.size() + space.momentum_size()) {
  const part_code& code = part_code_of(*space.code());
  leapfrog_ = code.leapfrog;
  std::size_t variables = time() + (leapfrog_ ? 4 : 2);
  if (code.part) {
    if constexpr (std::same_as<S, double>) lanes_ = widest_lanes;
    const auto function = space.code()->template piece<std::shared_ptr<const compiled_function<S>>>(
        "extrapolation " + digits_of_constants<S>(), [&] { return compile<S>(*code.part); });
    program_.emplace(**function, lanes_, space.parameters());
    stride_ = program_->stride();
    reads_time_ = reads(*code.part, time());
  } else {
    field_ = first_order_form<S>(space);
    argument_.assign(size_, S(0));
    rate_ = argument_;
  }
  in_.assign(variables * stride_, S(0));
  out_.assign((size_ + 1) * stride_, S(0));
  rows_.assign(most_rows * (size_ + 1), S(0));
  part_.assign(lanes_, S(0));
  done_.assign(lanes_, 0);
  for (std::size_t count = 0; count <= most_rows; ++count) plans_.push_back(plan_for(count));
}

// The longest rows first, each in the lane that has least to do.
template <class S>
typename extrapolation_rows<S>::plan extrapolation_rows<S>::plan_for(std::size_t count) const {
  plan p;
  std::vector<std::size_t> load(lanes_, 0);
  for (std::size_t row = count; row-- > 0;) {
    const auto lane = static_cast<std::size_t>(std::ranges::min_element(load) - load.begin());
    add_row(p, row, lane, load[lane]);
    load[lane] += parts(row) + (leapfrog_ ? 1 : 0);
  }
  p.calls = *std::ranges::max_element(load);
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    if (load[lane] < p.calls) p.events.push_back({load[lane], lane, 0, turn::rest});
  }
  std::ranges::stable_sort(p.events, [](const event& a, const event& b) {
    return std::pair(a.call, a.what != turn::finish) < std::pair(b.call, b.what != turn::finish);
  });
  return p;
}

template <class S>
void extrapolation_rows<S>::add_row(plan& p, std::size_t row, std::size_t lane, std::size_t begin) const {
  const std::size_t n = parts(row);
  p.events.push_back({begin, lane, row, turn::start});
  if (n > 1) p.events.push_back({begin + 1, lane, row, turn::go_on});
  if (leapfrog_) p.events.push_back({begin + n, lane, row, turn::end});
  p.events.push_back({begin + n + (leapfrog_ ? 1 : 0), lane, row, turn::finish});
}

template <class S>
void extrapolation_rows<S>::take_turn(const event& e, const S& length) {
  S &a = in(time() + 1, e.lane), &h = part_[e.lane];
  const auto set = [&](const S& kick, const S& drift, const S& middle) {
    a = kick;
    in(time() + 2, e.lane) = drift;
    in(time() + 3, e.lane) = middle;
  };
  switch (e.what) {
    case turn::finish:
      for (std::size_t i = 0; i <= size_; ++i) rows_[e.row * (size_ + 1) + i] = in(now() + i, e.lane);
      return;
    case turn::rest:
    case turn::start:
      h = e.what == turn::rest ? S(0) : S(length / S(static_cast<double>(parts(e.row))));
      if (e.call > 0) {
        for (std::size_t i = now(); i < time(); ++i) in(i, e.lane) = S(0);
      }
      done_[e.lane] = 0;
      if (leapfrog_) set(h / 2, h, S(0));
      else a = h;
      return;
    case turn::go_on:
      if (leapfrog_) set(h, h, h / 2);
      else a = 2 * h;
      return;
    case turn::end: set(h / 2, S(0), h / 2); return;
  }
}

template <class S>
void extrapolation_rows<S>::compute(const S& t, std::span<const S> y, const S& length, std::size_t count,
                                    std::span<const S> branch) {
  const plan& p = plans_[count];
  begin_ = t;
  branch_ended_ = false;
  for (std::size_t i = 0; i < size_; ++i) std::fill_n(&in(i, 0), stride_, y[i]);
  std::fill(in_.begin() + static_cast<std::ptrdiff_t>(now() * stride_), in_.end(), S(0));
  if (!reads_time_) std::fill_n(&in(time(), 0), stride_, t);
  auto next = p.events.begin();
  for (std::size_t c = 0;; ++c) {
    for (; next != p.events.end() && next->call == c; ++next) take_turn(*next, length);
    if (c == p.calls) return;
    call(branch);
  }
}

// One part in every lane: z moves on, and what it was becomes what was before.
template <class S>
void extrapolation_rows<S>::call(std::span<const S> branch) {
  if (reads_time_) {
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      in(time(), lane) = begin_ + S(static_cast<double>(done_[lane]++)) * part_[lane];
    }
  }
  if (program_) (*program_)(in_.data(), out_.data());
  else evaluate_field(branch);
  const std::size_t count = (size_ + 1) * stride_;
  if (!leapfrog_) std::copy_n(&in(now(), 0), count, &in(before(), 0));
  std::copy_n(out_.begin(), count, &in(now(), 0));
}

// The midpoint rule in one lane, by evaluations of f.
template <class S>
void extrapolation_rows<S>::evaluate_field(std::span<const S> branch) {
  if (done_[0] == 1) field_->set_branch(branch);  // the first part of a row
  for (std::size_t i = 0; i < size_; ++i) argument_[i] = in(i, 0) + in(now() + i, 0);
  S power(0);
  const bool found = field_->evaluate(in(time(), 0), argument_, rate_, power);
  if (!found) branch_ended_ = branch_ended_ || field_->branch_ended();
  const S& a = in(time() + 1, 0);
  for (std::size_t i = 0; i <= size_; ++i) {
    const S& rate = i < size_ ? rate_[i] : power;
    out_[i] = found ? S(in(before() + i, 0) + a * rate) : S(std::numeric_limits<double>::quiet_NaN());
  }
}

#define ACTIO_INSTANTIATE(S)            \
  template class extrapolation_rows<S>; \
  template std::unique_ptr<vector_field<S>> first_order_form<S>(const phase_space<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
