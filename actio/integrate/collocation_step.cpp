#include "actio/integrate/collocation_step.hpp"

#include <algorithm>
#include <cmath>

#include "actio/base/cpu_clones.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {

namespace {

constexpr double floor_of_changes = 0x1p-56;  // of the size of a component: what is left undone must not add up
constexpr double stall_limit = 4e5;           // in floors: an update that no longer shrinks is rounding below it
constexpr double nearly_known = 1e-6;
constexpr int most_iterations = 50;
constexpr int patience = 12;  // iterations before a growing change means that there is no contraction

template <std::size_t Lanes>
struct lanes_of {
  typedef double type __attribute__((vector_size(sizeof(double) * Lanes), may_alias, aligned(sizeof(double))));
};

// target[row] = factor · Σ_j column_j · values[row][j], and where points lie there: argument[row] = start[row] +
// ((remainder[row] + small[row]) + target[row]). What is small must not be rounded to the grid of the target: it would
// be lost every time. Rows of lanes are `stride` numbers apart.
struct stage_sums {
  std::size_t rows, points, stride;
  const double *columns, *values, *small;
  const double *start, *remainder, *inverse_weight;  // a number a row
  double factor;
  double *target, *argument;
};

// In lanes first … first + Lanes − 1. Returns the sum of squares of weighted changes.
template <std::size_t Lanes>
ACTIO_ALWAYS_INLINE double combine_lanes(const stage_sums& s, std::size_t first) {
  using vector = typename lanes_of<Lanes>::type;
  const auto at = [](const double* lanes) -> const vector& { return *reinterpret_cast<const vector*>(lanes); };
  const double* columns = s.columns + first;
  vector squares{};
  for (std::size_t r = 0; r < s.rows; ++r) {
    vector even{}, odd{};  // two sums hide the latency of one
    const double* k = s.values + r * s.stride;
    std::size_t j = 0;
    for (; j + 1 < s.points; j += 2) {
      even += at(columns + j * s.stride) * k[j];
      odd += at(columns + (j + 1) * s.stride) * k[j + 1];
    }
    if (j < s.points) even += at(columns + j * s.stride) * k[j];
    vector& z = *reinterpret_cast<vector*>(s.target + r * s.stride + first);
    const vector next = s.factor * (even + odd);
    const vector change = (next - z) * s.inverse_weight[r];
    squares += change * change;
    z = next;
    *reinterpret_cast<vector*>(s.argument + r * s.stride + first) =
        s.start[r] + ((s.remainder[r] + at(s.small + r * s.stride + first)) + next);
  }
  double sum = 0;
  for (std::size_t l = 0; l < Lanes; ++l) sum += squares[l];
  return sum;
}

double combine_1(const stage_sums& s, std::size_t first) {
  double squares = 0;
  for (std::size_t r = 0; r < s.rows; ++r) {
    double sum = 0;
    for (std::size_t j = 0; j < s.points; ++j) sum += s.columns[j * s.stride + first] * s.values[r * s.stride + j];
    double& z = s.target[r * s.stride + first];
    const double next = s.factor * sum;
    const double change = (next - z) * s.inverse_weight[r];
    squares += change * change;
    z = next;
    s.argument[r * s.stride + first] = s.start[r] + ((s.remainder[r] + s.small[r * s.stride + first]) + next);
  }
  return squares;
}
ACTIO_CPU_CLONES double combine_2(const stage_sums& s, std::size_t first) { return combine_lanes<2>(s, first); }
ACTIO_CPU_CLONES double combine_4(const stage_sums& s, std::size_t first) { return combine_lanes<4>(s, first); }
ACTIO_CPU_CLONES double combine_8(const stage_sums& s, std::size_t first) { return combine_lanes<8>(s, first); }

// All lanes: full vectors, then what is left. Returns the weighted size of all changes.
double combine(const stage_sums& s) {
  double squares = 0;
  for (std::size_t first = 0; first < s.stride;) {
    const std::size_t left = s.stride - first, lanes = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
    squares += lanes == 8   ? combine_8(s, first)
               : lanes == 4 ? combine_4(s, first)
               : lanes == 2 ? combine_2(s, first)
                            : combine_1(s, first);
    first += lanes;
  }
  return std::sqrt(squares);
}

// Column j of m in the lanes of row j; lanes beyond its rows are zero.
std::vector<double> in_lanes(const matrix<double>& m, std::size_t stride) {
  std::vector<double> columns(m.columns() * stride, 0.0);
  for (std::size_t j = 0; j < m.columns(); ++j) {
    for (std::size_t i = 0; i < m.rows(); ++i) columns[j * stride + i] = m(i, j);
  }
  return columns;
}

}  // namespace

collocation_step::collocation_step(std::size_t points, const compiled_function<double>& field,
                                   const step_context<double>& context)
    : points_(points),
      n_(context.space.size()),
      context_(context),
      tableau_(make_gauss_collocation<double>(points)),
      field_(field.evaluate_at(points)) {
  field_->set_parameters(context.space.parameters());
  stride_ = field_->stride();
  columns_ = in_lanes(tableau_.stages.head, stride_);
  tails_ = in_lanes(tableau_.stages.tail, stride_);
  extension_ = in_lanes(tableau_.extension, stride_);
  start_.assign(2 * n_, 0.0);
  remainder_ = inverse_weight_ = start_;
  in_.assign((2 * n_ + 1) * stride_, 0.0);
  rates_.assign((2 * n_ + 1) * stride_, 0.0);
  increments_.assign(2 * n_ * stride_, 0.0);
  small_ = zero_ = increments_;
  left_.assign(n_, 0.0);
  guessed_ = rates_;
}

collocation_step::~collocation_step() = default;

galerkin_step<double>& collocation_step::newton() {
  if (!newton_) {
    newton_ = std::make_unique<galerkin_step<double>>(galerkin_scheme{points_, node_family::gauss, points_}, context_);
  }
  return *newton_;
}

// Where the guessed stages lead: z_k = h ∫_0^c_k Σ ℓ_j K_j at the control points of the discrete action.
void collocation_step::pass_guess_to_newton() {
  if (at_control_.empty()) {
    for (const double c : make_tableau<double>({points_, node_family::gauss, points_}).control) {
      at_control_.push_back(basis_integrals(c));
    }
    z_.assign(points_ * n_, 0.0);
  }
  for (std::size_t k = 1; k <= points_; ++k) {
    for (std::size_t a = 0; a < n_; ++a) {
      double sum = 0;
      for (std::size_t j = 0; j < points_; ++j) sum += at_control_[k][j] * guessed_[a * stride_ + j];
      z_[(k - 1) * n_ + a] = context_.step * sum;
    }
  }
  newton().set_guess(z_);
}

// ∫_0^x ℓ_j for every j; the nodes integrate these polynomials exactly.
std::vector<double> collocation_step::basis_integrals(double x) const {
  std::vector<double> integral(points_, 0.0);
  for (std::size_t m = 0; m < points_; ++m) {
    const basis_values<double> basis = lagrange_basis<double>(tableau_.node, x * tableau_.node[m]);
    for (std::size_t j = 0; j < points_; ++j) integral[j] += x * tableau_.weights.head(0, m) * basis.value[j];
  }
  return integral;
}

// The stages of the last step's polynomial, continued; at the very start those of a motion at constant rates.
bool collocation_step::guess(const phase_state<double>& state) {
  if (has_rates_) {
    std::swap(rates_, guessed_);
    combine({.rows = 2 * n_,
             .points = points_,
             .stride = stride_,
             .columns = extension_.data(),
             .values = guessed_.data(),
             .small = zero_.data(),
             .start = zero_.data(),
             .remainder = zero_.data(),
             .inverse_weight = zero_.data(),
             .factor = 1.0,
             .target = rates_.data(),
             .argument = in_.data()});
    return true;
  }
  for (std::size_t c = 0; c < 2 * n_; ++c) std::fill_n(&in_[c * stride_], stride_, start_[c]);
  std::fill_n(&in_[2 * n_ * stride_], stride_, state.time);
  (*field_)(in_.data(), rates_.data());
  return std::isfinite(rates_[0]);
}

collocation_step::iteration_result collocation_step::iterate(const phase_state<double>& state) {
  const double h = context_.step;
  stage_sums stages{.rows = 2 * n_,
                    .points = points_,
                    .stride = stride_,
                    .columns = tails_.data(),
                    .values = rates_.data(),
                    .small = zero_.data(),
                    .start = start_.data(),
                    .remainder = remainder_.data(),
                    .inverse_weight = zero_.data(),
                    .factor = h,
                    .target = small_.data(),
                    .argument = in_.data()};
  // What the remainders of the coefficients add: from the guess, and once more when the stages are nearly known.
  stage_sums remainders = stages;
  combine(remainders);
  stages.columns = columns_.data();
  stages.small = small_.data();
  stages.target = increments_.data();
  combine(stages);
  for (std::size_t i = 0; i < stride_; ++i) {
    in_[2 * n_ * stride_ + i] = state.time + tableau_.node[std::min(i, points_ - 1)] * h;
  }
  for (std::size_t c = 0; c < 2 * n_; ++c) {
    double extent = 0;
    for (std::size_t i = 0; i < points_; ++i) extent = std::max(extent, std::abs(increments_[c * stride_ + i]));
    const double size = extent + 1e-3 * std::abs(start_[c]);
    inverse_weight_[c] = size > 0 ? 1 / size : 0;
  }
  stages.inverse_weight = inverse_weight_.data();
  double previous = 0;
  bool has_remainders = false;
  for (int k = 1; k <= most_iterations; ++k) {
    (*field_)(in_.data(), rates_.data());
    if (!has_remainders && k > 1 && previous <= nearly_known) {
      combine(remainders);
      has_remainders = true;
    }
    const double change = combine(stages);
    if (!(change <= 1e10)) return {outcome::not_finite, k, change};
    if (has_remainders && change <= floor_of_changes) return {outcome::converged, k, change};
    if (has_remainders) {
      const double contraction = change / previous;
      // What is still missing is a geometric series.
      if (contraction < 0.5 && change * contraction / (1 - contraction) <= floor_of_changes) {
        return {outcome::converged, k, change};
      }
      if (contraction >= 0.5 && change <= stall_limit * floor_of_changes) {
        return {outcome::converged, k, change};  // nothing but rounding is left
      }
    }
    if (k > patience && change >= previous) return {outcome::slow, k, change};
    previous = change;
  }
  return {outcome::slow, most_iterations, previous};
}

step_status collocation_step::advance(phase_state<double>& state) {
  for (std::size_t a = 0; a < n_; ++a) {
    start_[a] = state.position.value[a];
    start_[n_ + a] = state.momentum.value[a];
    remainder_[a] = state.position.remainder[a];
    remainder_[n_ + a] = state.momentum.remainder[a];
  }
  last_by_newton_ = true;
  const bool has_guess = guess(state);
  if (has_guess) guessed_ = rates_;
  const iteration_result found = has_guess ? iterate(state) : iteration_result{outcome::not_finite, 0, 0};
  if (found.what != outcome::converged) {
    if (has_guess) pass_guess_to_newton();
    has_rates_ = false;
    step_status status = newton().advance(state);
    status.iterations += found.iterations;
    return status;
  }
  const double h = context_.step;
  for (std::size_t c = 0; c < 2 * n_; ++c) {
    // Sums in double round with a bias here, which is small and always the same: over millions of steps energy drifts.
    long double sum = 0;
    for (std::size_t i = 0; i < points_; ++i) {
      const long double rate = rates_[c * stride_ + i];
      sum += tableau_.weights.head(0, i) * rate + tableau_.weights.tail(0, i) * rate;
    }
    const long double increment = h * sum;
    const auto rounded = static_cast<double>(increment);
    compensated_vector<double>& component = c < n_ ? state.position : state.momentum;
    const std::size_t a = c < n_ ? c : c - n_;
    if (c < n_) left_[a] = component[a];
    component.add(a, rounded);
    component.add(a, static_cast<double>(increment - rounded));
  }
  ++state.index;
  state.time = state.origin + static_cast<double>(state.index) * h;
  has_rates_ = true;
  last_by_newton_ = false;
  return {step_code::ok, found.iterations, found.change};
}

double collocation_step::work() const {
  if (last_by_newton_) return newton_->work();
  double sum = 0;
  for (std::size_t i = 0; i < points_; ++i) sum += tableau_.weights.head(0, i) * rates_[2 * n_ * stride_ + i];
  return context_.step * sum;
}

// q_0 + h ∫_0^x Σ ℓ_j K_j.
void collocation_step::interpolate(const double& x, std::span<double> position) {
  if (last_by_newton_) return newton_->interpolate(x, position);
  const std::vector<double> integral = basis_integrals(x);
  for (std::size_t a = 0; a < n_; ++a) {
    double sum = 0;
    for (std::size_t j = 0; j < points_; ++j) sum += integral[j] * rates_[a * stride_ + j];
    position[a] = left_[a] + context_.step * sum;
  }
}

matrix<double> collocation_step::tangent_map(const phase_state<double>& state) { return newton().tangent_map(state); }

// First whether there are rates, then the rates, then what Newton's method remembers, if it was needed.
std::vector<double> collocation_step::history() const {
  std::vector<double> saved(1, has_rates_ ? 1.0 : 0.0);
  saved.insert(saved.end(), rates_.begin(), rates_.end());
  if (newton_) {
    const std::vector<double> more = newton_->history();
    saved.insert(saved.end(), more.begin(), more.end());
  }
  return saved;
}

void collocation_step::restore_history(std::span<const double> saved) {
  if (saved.size() < 1 + rates_.size()) throw snapshot_error("its stages do not fit");
  has_rates_ = saved[0] != 0;
  std::copy_n(saved.begin() + 1, rates_.size(), rates_.begin());
  if (saved.size() > 1 + rates_.size()) newton().restore_history(saved.subspan(1 + rates_.size()));
}

}  // namespace actio
