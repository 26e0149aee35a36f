#include "actio/integrate/fused_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/tableaux/quadrature.hpp"

namespace actio {

namespace {

constexpr double rounding = 2 * std::numeric_limits<double>::epsilon();
constexpr double noise = 16 * rounding;  // of an update that rounding alone makes
constexpr int most_iterations = 12;      // beyond, the general step knows better
constexpr double doubting = 1.02;        // how much the curvature may grow in a step unseen
constexpr double unknown = 1e300;

}  // namespace

fused_step::fused_step(const galerkin_scheme& scheme, const compiled_function<double>& iteration,
                       const step_context<double>& context)
    : tableau_(make_tableau<double>(scheme)),
      layout_{context.space.size(), scheme.degree},
      step_(context.step),
      iteration_(iteration.evaluate_at(1)),
      stride_(iteration_->stride()),
      has_power_(context.space.jet().has_power()),
      general_(scheme, context),
      predictor_(layout_.n, polynomial_continuation(tableau_)),
      in_(layout_.variables() * stride_, 0.0),
      out_(layout_.outputs() * stride_, 0.0),
      weights_(layout_.n, 0.0),
      left_(layout_.n, 0.0),
      expected_(layout_.n, 0.0),
      z_(layout_.s * layout_.n, 0.0),
      curvature_(unknown) {
  ACTIO_ASSERT(stride_ == 1);
  std::vector<double> parameters = context.space.parameters();
  parameters.push_back(step_);
  iteration_->set_parameters(parameters);
}

double fused_step::update_size() const {
  double size = 0;
  for (std::size_t j = 0; j < z_.size(); ++j) {
    const double part = std::abs(out_[j]) / weights_[j % layout_.n];
    if (!(part <= size)) size = part;  // keeps NaN
  }
  return size;
}

// How far the momentum increment is from what the last iteration expected of it.
double fused_step::surprise() const {
  double largest = 0;
  for (std::size_t a = 0; a < layout_.n; ++a) {
    const double now = out_[layout_.increment() + a],
                 size = std::abs(now) + 1e-3 * std::abs(in_[layout_.momentum() + a]);
    const double difference = std::abs(now - expected_[a]);
    if (difference > largest * size) largest = difference / size;
  }
  return largest;
}

// What an update of size δ leaves undone is about |δ|² times the curvature. Above rounding it shows; where rounding
// hides it, the curvature is bounded.
void fused_step::learn_curvature(double left_undone, double update) {
  const double seen = std::max(left_undone, noise) / (update * update);
  if (left_undone <= noise) curvature_ = std::min(curvature_, seen);
  else curvature_ = curvature_ == unknown ? seen : std::max(curvature_, seen);
}

fused_step::solution fused_step::solve() {
  double* const z = &in_[layout_.unknowns()];
  for (std::size_t a = 0; a < layout_.n; ++a) {
    double extent = 0;
    for (std::size_t k = 0; k < layout_.s; ++k) extent = std::max(extent, std::abs(z[k * layout_.n + a]));
    const double size = extent + 1e-3 * std::abs(in_[a]);
    weights_[a] = size > 0 ? size : step_;
  }
  double previous = 0;
  for (int k = 1; k <= most_iterations; ++k) {
    (*iteration_)(in_.data(), out_.data());
    const double size = update_size();
    if (!(size <= 1e3)) return {false, k, size};
    if (k > 1) learn_curvature(std::max(size, surprise()), previous);
    for (std::size_t j = 0; j < z_.size(); ++j) z[j] -= out_[j];
    for (std::size_t a = 0; a < layout_.n; ++a) {
      expected_[a] = out_[layout_.increment() + a] + out_[layout_.increment_change() + a];
    }
    const bool below_rounding = size <= rounding;
    const bool stalled = k > 1 && size > 0.5 * previous && size <= std::sqrt(rounding);
    const bool next_is_below =
        !has_power_ && curvature_ >= 0 && size < 1e-4 && curvature_ * size * size <= rounding / 8;
    if (below_rounding || stalled || next_is_below) return {true, k, size};
    previous = size;
  }
  return {false, most_iterations, previous};
}

step_status fused_step::advance(phase_state<double>& state) {
  for (std::size_t a = 0; a < layout_.n; ++a) {
    in_[layout_.position() + a] = state.position.value[a];
    in_[layout_.position_remainder() + a] = state.position.remainder[a];
    in_[layout_.momentum() + a] = state.momentum.value[a];
    in_[layout_.momentum_remainder() + a] = state.momentum.remainder[a];
  }
  in_[layout_.time()] = state.time;
  const std::span<double> z(&in_[layout_.unknowns()], z_.size());
  solution found{false, 0, 0};
  if (!predictor_.empty()) {
    predictor_.predict(z);
    found = solve();
  }
  last_by_general_ = !found.converged;
  if (last_by_general_) {
    curvature_ = unknown;
    step_status status = general_.advance(state);
    status.iterations += found.iterations;
    if (!status) return status;
    std::copy(general_.unknowns().begin(), general_.unknowns().end(), z_.begin());
    for (std::size_t a = 0; a < layout_.n; ++a) weights_[a] = general_.weights()[a];
    predictor_.record(z_, weights_);
    return status;
  }
  curvature_ *= doubting;
  const std::size_t last = (layout_.s - 1) * layout_.n;
  for (std::size_t a = 0; a < layout_.n; ++a) {
    left_[a] = state.position[a];
    state.position.add(a, z[last + a]);
    state.momentum.add(a, expected_[a]);
  }
  std::copy(z.begin(), z.end(), z_.begin());
  predictor_.record(z_, weights_);
  ++state.index;
  state.time = state.origin + static_cast<double>(state.index) * step_;
  return {step_code::ok, found.iterations, found.update};
}

double fused_step::work() const { return last_by_general_ ? general_.work() : out_[layout_.work()]; }

void fused_step::interpolate(const double& fraction, std::span<double> position) {
  if (last_by_general_) return general_.interpolate(fraction, position);
  const basis_values<double> basis = lagrange_basis<double>(tableau_.control, fraction);
  for (std::size_t a = 0; a < layout_.n; ++a) {
    double sum = 0;
    for (std::size_t k = 1; k <= layout_.s; ++k) sum += basis.value[k] * z_[(k - 1) * layout_.n + a];
    position[a] = left_[a] + sum;
  }
}

// The curvature, how many numbers the predictor keeps, these, and what the general step keeps.
std::vector<double> fused_step::history() const {
  const std::vector<double> predicted = predictor_.save(), general = general_.history();
  std::vector<double> saved = {curvature_, static_cast<double>(predicted.size())};
  saved.insert(saved.end(), predicted.begin(), predicted.end());
  saved.insert(saved.end(), general.begin(), general.end());
  return saved;
}

void fused_step::restore_history(std::span<const double> saved) {
  if (saved.size() < 2 || !(saved[1] >= 0) || saved[1] > static_cast<double>(saved.size() - 2)) {
    throw snapshot_error("its memory of earlier steps does not fit");
  }
  const auto predicted = static_cast<std::size_t>(saved[1]);
  curvature_ = saved[0];
  predictor_.load(saved.subspan(2, predicted));
  general_.restore_history(saved.subspan(2 + predicted));
}

}  // namespace actio
