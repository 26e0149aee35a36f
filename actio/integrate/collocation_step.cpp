#include "actio/integrate/collocation_step.hpp"

#include <algorithm>
#include <cmath>

#include "actio/tableaux/quadrature.hpp"

namespace actio {

namespace {
constexpr std::size_t steps_of_a_long_run = 6'000;  // what a kernel saves in them is what it takes to make it
}

void fill_tables(collocation_kernel& kernel, const collocation_tableau<double>& tableau, double h) {
  const collocation_rows& rows = kernel.rows();
  const auto set_product = [&](std::size_t place, std::size_t remainder, double head, double tail) {
    kernel.table()[place] = h * head;
    kernel.table()[remainder] = std::fma(h, head, -(h * head)) + h * tail;
  };
  for (std::size_t lane = 0; lane < rows.lanes; ++lane) {
    const std::size_t i = std::min(lane, tableau.points - 1);
    for (std::size_t j = 0; j < tableau.points; ++j) {
      double& continued = kernel.table()[rows.continued_stage(j) + lane];
      for (std::size_t l = 0; l < tableau.points; ++l)
        continued += h * tableau.stages.head(i, l) * tableau.extension(l, j);
      set_product(rows.stage(j) + lane, rows.stage_remainder(j) + lane, tableau.stages.head(i, j),
                  tableau.stages.tail(i, j));
    }
    kernel.table()[rows.node() + lane] = tableau.node[i] * h;
    if (lane < tableau.points) {
      set_product(rows.weight() + lane, rows.weight_remainder() + lane, tableau.weights.head(0, i),
                  tableau.weights.tail(0, i));
    }
  }
}

collocation_step::collocation_step(collocation_code code, const step_context<double>& context)
    : remembering_step<double>(context),
      points_(code.points),
      n_(code.coordinates),
      code_(std::move(code)),
      context_(context),
      tableau_(make_gauss_collocation<double>(points_)),
      effort_(effort_of(code_.field)),
      at_start_(*compile<double>(code_.field), 1, context.space.parameters()) {
  kernel_ = make_collocation_kernel(code_, context.space.parameters(), effort_ != kernel_effort::small);
  fill_tables(*kernel_, tableau_, context.step);
  point_.assign(2 * n_ + 1, 0.0);
  rates_.assign(at_start_.stride() * code_.field.outputs.size(), 0.0);
  left_.assign(n_, 0.0);
}

collocation_step::~collocation_step() = default;

void collocation_step::parameters_changed() { kernel_->set_parameters(space().parameters()); }

step_workspace<double>& collocation_step::newton() {
  if (space().system().is_hamiltonian()) {
    if (!by_stages_) by_stages_ = std::make_unique<stage_newton_step<double>>(points_, context_);
    return *by_stages_;
  }
  if (!by_action_) {
    const galerkin_scheme scheme{points_, node_family::gauss, points_};
    by_action_ = std::make_unique<galerkin_step<double>>(scheme, context_);
  }
  return *by_action_;
}

// The rate of component c at node i when the last step's polynomial goes on.
double collocation_step::continued_rate(std::size_t c, std::size_t i) const {
  double sum = 0;
  for (std::size_t j = 0; j < points_; ++j) sum += tableau_.extension(i, j) * rate(c, j);
  return sum;
}

// Where the last step's polynomial leads, continued: z_k = h ∫_0^c_k Σ ℓ_j K_j at the control points of the discrete
// action.
void collocation_step::pass_guess_to_newton() {
  if (at_control_.empty()) {
    for (const double c : make_tableau<double>({points_, node_family::gauss, points_}).control) {
      at_control_.push_back(basis_integrals<double>(tableau_.node, tableau_.weights.head.data(), c));
    }
    z_.assign(points_ * n_, 0.0);
  }
  for (std::size_t k = 1; k <= points_; ++k) {
    for (std::size_t a = 0; a < n_; ++a) {
      double sum = 0;
      for (std::size_t j = 0; j < points_; ++j) sum += at_control_[k][j] * continued_rate(a, j);
      z_[(k - 1) * n_ + a] = context_.step * sum;
    }
  }
  newton();
  by_action_->set_guess(z_);
}

void collocation_step::pass_rates_to_newton() {
  std::vector<double> rates;
  for (std::size_t c = 0; c < 2 * n_; ++c) {
    for (std::size_t i = 0; i < points_; ++i) rates.push_back(rate(c, i));
  }
  newton();
  by_stages_->set_rates(rates);
}

// At the very start the guess is a motion at constant rates. False where these are not finite.
bool collocation_step::set_first_rates(const phase_state<double>& state) {
  std::copy_n(state.position.value.begin(), n_, point_.begin());
  std::copy_n(state.momentum.value.begin(), n_, point_.begin() + static_cast<std::ptrdiff_t>(n_));
  point_[2 * n_] = state.time;
  at_start_(point_.data(), rates_.data());
  const collocation_rows& rows = kernel_->rows();
  for (std::size_t c = 0; c < 2 * n_; ++c) {
    if (!std::isfinite(rates_[c])) return false;
    std::fill_n(&kernel_->work()[rows.rate(c)], rows.lanes, rates_[c]);
  }
  kernel_->work()[rows.missed()] = 1;
  return true;
}

// Where the run has become long enough to repay a kernel. When that is depends on nothing but the number of the step:
// the same run has the same bits.
void collocation_step::change_to_kernel() {
  std::unique_ptr<collocation_kernel> made = make_collocation_kernel(code_, context_.space.parameters(), false);
  fill_tables(*made, tableau_, context_.step);
  for (std::size_t c = 0; c <= 2 * n_; ++c) {
    for (std::size_t i = 0; i < made->rows().lanes; ++i) {
      made->work()[made->rows().rate(c) + i] = rate(c, std::min(i, points_ - 1));
    }
  }
  made->work()[made->rows().missed()] = kernel_->work()[kernel_->rows().missed()];
  kernel_ = std::move(made);
  effort_ = kernel_effort::small;
}

step_status collocation_step::advance(phase_state<double>& state) {
  if (effort_ == kernel_effort::large && state.index >= steps_of_a_long_run) change_to_kernel();
  const collocation_rows& rows = kernel_->rows();
  const std::span<double> numbers = kernel_->work();
  for (std::size_t a = 0; a < n_; ++a) {
    numbers[rows.start(a)] = state.position.value[a];
    numbers[rows.start(n_ + a)] = state.momentum.value[a];
    numbers[rows.remainder(a)] = state.position.remainder[a];
    numbers[rows.remainder(n_ + a)] = state.momentum.remainder[a];
  }
  numbers[rows.time()] = state.time;
  numbers[rows.iterations()] = numbers[rows.change()] = 0;
  last_by_newton_ = true;
  const bool has_guess = has_rates_ || set_first_rates(state);
  const stage_outcome found = has_guess ? kernel_->solve() : stage_outcome::not_finite;
  const int iterations = static_cast<int>(numbers[rows.iterations()]);
  if (found != stage_outcome::converged) {
    if (!space().system().is_hamiltonian()) {
      if (has_guess) pass_guess_to_newton();
    } else if (has_rates_) {
      pass_rates_to_newton();
    }
    has_rates_ = false;
    step_status status = newton().advance(state);
    status.iterations += iterations;
    status.by_newton = has_guess;
    return status;
  }
  for (std::size_t c = 0; c < 2 * n_; ++c) {
    compensated_vector<double>& component = c < n_ ? state.position : state.momentum;
    const std::size_t a = c < n_ ? c : c - n_;
    if (c < n_) left_[a] = component[a];
    component.add(a, numbers[rows.increment(c)]);
    component.add(a, numbers[rows.increment_remainder(c)]);
  }
  state.step_on(context_.step);
  has_rates_ = true;
  last_by_newton_ = false;
  return {step_code::ok, iterations, numbers[rows.change()]};
}

double collocation_step::work() const {
  if (last_by_newton_) return by_stages_ ? by_stages_->work() : by_action_->work();
  double sum = 0;
  for (std::size_t i = 0; i < points_; ++i) sum += tableau_.weights.head(0, i) * rate(2 * n_, i);
  return context_.step * sum;
}

// q_0 + h ∫_0^x Σ ℓ_j K_j.
void collocation_step::interpolate(const double& x, std::span<double> position) {
  if (last_by_newton_) return newton().interpolate(x, position);
  const std::vector<double> integral = basis_integrals<double>(tableau_.node, tableau_.weights.head.data(), x);
  for (std::size_t a = 0; a < n_; ++a) {
    double sum = 0;
    for (std::size_t j = 0; j < points_; ++j) sum += integral[j] * rate(a, j);
    position[a] = left_[a] + context_.step * sum;
  }
}

matrix<double> collocation_step::tangent_map(const phase_state<double>& state) { return newton().tangent_map(state); }

// First whether there are rates and how good the last guess was, then the rates, then what Newton's method remembers,
// if it was needed.
void collocation_step::remember(step_memory<double>& memory) {
  const collocation_rows& rows = kernel_->rows();
  memory.flag(has_rates_);
  memory.number(kernel_->work()[rows.missed()]);
  for (std::size_t c = 0; c <= 2 * n_; ++c) {
    const std::span<double> row = kernel_->work().subspan(rows.rate(c), rows.lanes);
    memory.numbers(row.first(points_));
    if (memory.reads()) std::ranges::fill(row.subspan(points_), row[points_ - 1]);
  }
  if (memory.reads() ? !memory.is_at_end() : by_stages_ || by_action_) memory.inner(newton());
}

}  // namespace actio
