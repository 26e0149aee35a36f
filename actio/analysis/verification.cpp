#include "actio/analysis/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>

#include "actio/analysis/scaled_verification.hpp"
#include "actio/base/interruption.hpp"
#include "actio/base/largest.hpp"
#include "actio/base/parallel.hpp"
#include "actio/base/saddle_point.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

template <class S>
S symplectic_defect(const matrix<S>& tangent) {
  using std::abs;
  const std::size_t n = tangent.rows() / 2;
  if (n == 0) return S(not_a_number);
  S worst(0);
  for (std::size_t i = 0; i < 2 * n; ++i) {
    for (std::size_t j = 0; j < 2 * n; ++j) {
      S entry(0);
      for (std::size_t k = 0; k < n; ++k) {
        entry += tangent(k, i) * tangent(n + k, j) - tangent(n + k, i) * tangent(k, j);
      }
      if (j == i + n) entry -= S(1);
      if (i == j + n) entry += S(1);
      raise_to(worst, S(abs(entry)));
    }
  }
  return worst;
}

template <class S>
matrix<S> constrained_directions(const phase_space<S>& space, const phase_state<S>& state) {
  const std::size_t n = space.size(), m = space.constraint_count();
  const constraint_map<S>& map = *space.constraints();
  phase_point<S> point(space);
  std::vector<S> velocity(n, S(0)), column(n + m);
  if (!point.velocity_at(state.time, state.position.value, state.momentum.value, velocity, state.velocity)) {
    return {};
  }
  const matrix<S> projection = point.projection_jacobian();  // onto A v = 0, at a fixed position
  constraint_evaluation<S> held = map.at(1, space.parameters());
  for (std::size_t i = 0; i < n; ++i) *held.position(i) = state.position[i];
  *held.time() = state.time;
  held.evaluate_first();
  saddle_point_solver<S> nearest(n + m);  // dq with A dq = 0
  for (std::size_t i = 0; i < n; ++i) nearest.add(i, i, S(1));
  for (const constraint_entry& e : map.jacobian()) {
    nearest.add(n + e.row, e.column, *held.entry(e));
    nearest.add(e.column, n + e.row, *held.entry(e));
  }
  if (projection.rows() == 0 || !nearest.factorise()) return {};
  matrix<S> directions = matrix<S>::identity(2 * n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n + m; ++i) column[i] = S(i == j ? 1 : 0);
    nearest.solve_in_place(column);
    for (std::size_t i = 0; i < n; ++i) directions(i, j) = column[i];
  }
  return projection * directions;
}

template <class S>
S symplectic_defect(const matrix<S>& tangent, const matrix<S>& directions) {
  using std::abs;
  const std::size_t n = tangent.rows() / 2;
  if (n == 0 || directions.rows() == 0) return S(not_a_number);
  const matrix<S> image = tangent * directions;
  const auto area = [n](const matrix<S>& vectors, std::size_t i, std::size_t j) {
    S sum(0);
    for (std::size_t k = 0; k < n; ++k) sum += vectors(k, i) * vectors(n + k, j) - vectors(n + k, i) * vectors(k, j);
    return sum;
  };
  S worst(0);
  for (std::size_t i = 0; i < directions.columns(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      raise_to(worst, S(abs(area(image, i, j) - area(directions, i, j))));
    }
  }
  return worst;
}

namespace {

constexpr double order_time = 1.0;      // length of the runs that measure orders
constexpr double step_in_double = 0.1;  // of all other measurements

// A unit of time may change the relative error of the energy by so many h^order, or by rounding.
constexpr double largest_drift = 1e-2;

double log2_of(const multi& x) {  // without underflow
  return std::log2(static_cast<double>(x * ldexp(multi(1), 400))) - 400;
}

// (q, p) at the end of each of `samples` equal parts of [0, order_time].
using samples = std::vector<std::vector<multi>>;

template <class S>
samples trajectory(const model& system, const std::string& method, std::size_t steps, std::size_t parts) {
  const integrator<S> flow(system.system, {.method = method, .step = S(order_time) / S(static_cast<double>(steps))});
  phase_state<S> state = flow.at_start(system);
  const auto workspace = flow.make_workspace();
  samples result;
  while (state.index < steps) {
    pass_interruption_point();
    if (!workspace->advance(state)) return {};
    if (state.index % (steps / parts) != 0) continue;
    result.emplace_back(state.position.value.begin(), state.position.value.end());
    result.back().insert(result.back().end(), state.momentum.value.begin(), state.momentum.value.end());
  }
  return result;
}

double distance(const samples& a, const samples& b) {
  multi worst(0);
  if (a.size() != b.size() || a.empty()) return not_a_number;
  for (std::size_t k = 0; k < a.size(); ++k) {
    multi sum(0);
    for (std::size_t i = 0; i < a[k].size(); ++i) sum += (a[k][i] - b[k][i]) * (a[k][i] - b[k][i]);
    raise_to(worst, multi(sqrt(sum)));
  }
  return log2_of(worst);
}

// The same by a method that chooses its steps.
samples chosen_trajectory(const model& system, const std::string& method, double accuracy, std::size_t parts) {
  const integrator<double> flow(system.system, {.method = method, .accuracy = accuracy});
  phase_state<double> state = flow.at_start(system);
  const auto workspace = flow.make_workspace();
  samples result;
  for (std::size_t k = 1; k <= parts; ++k) {
    const double end = order_time * static_cast<double>(k) / static_cast<double>(parts);
    workspace->end_at(end);
    while (state.time < end) {
      if (!workspace->advance(state)) return {};
    }
    result.emplace_back(state.position.value.begin(), state.position.value.end());
    result.back().insert(result.back().end(), state.momentum.value.begin(), state.momentum.value.end());
  }
  return result;
}

// log2 of the largest |E − E0 − work| over [0, order_time].
template <class S>
double ledger_error(const model& system, const std::string& method, std::size_t steps) {
  using std::abs;
  const integrator<S> flow(system.system, {.method = method, .step = S(order_time) / S(static_cast<double>(steps))});
  phase_state<S> state = flow.at_start(system);
  const auto workspace = flow.make_workspace();
  phase_point<S> point(flow.space());
  const auto energy = [&] {
    const bool found = point.measure(state.time, state.position.value, state.momentum.value);
    return found ? point.energy() : S(not_a_number);
  };
  const S initial = energy();
  S work(0), worst(0);
  while (state.index < steps) {
    pass_interruption_point();
    if (!workspace->advance(state)) return not_a_number;
    work += workspace->work();
    raise_to(worst, S(abs(S(energy() - initial - work))));
  }
  return log2_of(multi(worst));
}

// The derivative of the first step of a motion along `directions`, by central differences: as many digits as two thirds
// of those of S.
template <class S>
matrix<S> differences(const integrator<S>& flow, const phase_state<S>& start, const matrix<S>& directions) {
  const std::size_t n = start.position.size();
  const S length(std::same_as<S, double> ? 1e-5 : 1e-10);
  const auto end = [&](std::size_t j, const S& distance) {
    std::vector<S> q = start.position.value, p = start.momentum.value;
    for (std::size_t i = 0; i < n; ++i) {
      q[i] += distance * directions(i, j);
      p[i] += distance * directions(n + i, j);
    }
    phase_state<S> state = flow.at_momentum(std::move(q), std::move(p));  // on the constraints, where there are any
    const bool solved = static_cast<bool>(flow.make_workspace()->advance(state));
    std::vector<S> result = state.position.value;
    result.insert(result.end(), state.momentum.value.begin(), state.momentum.value.end());
    if (!solved) result.assign(2 * n, S(not_a_number));
    return result;
  };
  matrix<S> slopes(2 * n, directions.columns());
  for (std::size_t j = 0; j < directions.columns(); ++j) {
    const std::vector<S> ahead = end(j, length), behind = end(j, -length);
    for (std::size_t i = 0; i < 2 * n; ++i) slopes(i, j) = (ahead[i] - behind[i]) / (2 * length);
  }
  return slopes;
}

// Steps per run at which the leading error term dominates, yet stays far above rounding.
std::size_t steps_for_order(int order, bool in_digits) { return order <= 2 ? 128 : in_digits || order <= 4 ? 64 : 16; }

// References with the digits in use, computed once a system by the method of highest order with short steps.
class reference_solutions {
 public:
  const samples& of(std::size_t system, std::size_t parts) {
    const std::scoped_lock lock(mutex_);
    samples& fine = fine_[system];
    const model& m = verification_systems()[system];
    const bool held = m.system.is_constrained();
    if (fine.empty()) fine = trajectory<multi>(m, held ? "lobatto-9" : "gauss-10", held ? 192 : 256, finest);
    samples& thinned = thinned_[system][parts];
    if (thinned.empty()) {
      for (std::size_t k = 1; k <= parts; ++k) thinned.push_back(fine[k * (finest / parts) - 1]);
    }
    return thinned;
  }

 private:
  static constexpr std::size_t finest = 16;
  std::mutex mutex_;
  std::map<std::size_t, samples> fine_;
  std::map<std::size_t, std::map<std::size_t, samples>> thinned_;
};

// All methods share them, for as long as the process lasts: they take longer than most methods.
reference_solutions& shared_references() {
  static std::mutex mutex;
  static std::map<unsigned, reference_solutions> known;
  const std::scoped_lock lock(mutex);
  return known[digits_in_use()];
}

class method_verifier {
 public:
  method_verifier(const method& m, reference_solutions& references)
      : method_(m), digits_(digits_in_use()), in_digits_(m.computes_in<multi>()), references_(references) {
    const std::size_t nonlinear = verification_systems().size() - linear_verification_systems;
    for (std::size_t k = 0; k < verification_systems().size(); ++k) {
      if (k >= nonlinear && !suited_.empty() && suited_.front() < nonlinear) break;
      if (!suits(m, system(k).system)) continue;
      suited_.push_back(k);
      promises_[k] = promises_on(m, system(k).system);
    }
  }

  std::vector<verification_row> rows() {
    for (const std::size_t k : suited_) add_order(k);
    if (method_.chooses_steps) {
      for (const std::size_t k : suited_) add_accuracy(k);
    }
    for (const std::size_t k : suited_) {
      if (!system(k).system.is_forced()) add_symplecticity<double>(k, 1e-12);
    }
    const double limit = std::pow(10.0, 9 - static_cast<double>(digits_));
    if (in_digits_) {
      add_symplecticity<multi>(suited_.front(), limit);
      if (system(suited_.back()).system.is_constrained()) add_symplecticity<multi>(suited_.back(), limit);
    }
    for (const std::size_t k : suited_) method_.computes_in<quad>() ? add_tangent<quad>(k) : add_tangent<double>(k);
    for (const std::size_t k : suited_) add_reversibility(k);
    for (const std::size_t k : suited_) add_momenta(k);
    for (const std::size_t k : suited_) {
      const lagrangian_system& s = system(k).system;
      s.is_forced() || s.is_time_dependent() ? add_work(k) : add_energy(k);
    }
    std::ranges::move(scaled_rows(method_, digits_), std::back_inserter(rows_));
    return std::move(rows_);
  }

 private:
  const model& system(std::size_t k) const { return verification_systems()[k]; }
  std::string digits_text() const { return in_digits_ ? fmt::format("{} digits", digits_) : "double"; }

  void add(std::string property, std::size_t k, std::string declared, double measured, std::string criterion,
           std::string precision, bool passed) {
    rows_.push_back({method_.name, std::move(property), system(k).system.name, std::move(declared), measured,
                     std::move(criterion), std::move(precision), passed});
  }

  // A promise that is kept below `limit`, and whose absence must show above it.
  void add_defect(std::string property, std::size_t k, bool declared, double measured, double limit,
                  std::string precision) {
    add(std::move(property), k, declared ? "yes" : "no", measured,
        fmt::format("{} {:.0e}", declared ? "below" : "above", limit), std::move(precision),
        declared ? measured < limit : measured > limit);
  }

  void add_order(std::size_t k) {
    constexpr std::size_t parts = 8;
    const int order = promises_[k].order;
    const std::size_t steps = steps_for_order(order, in_digits_);
    const samples& reference = references_.of(k, parts);
    const auto error = [&](std::size_t n) {
      return distance(in_digits_ ? trajectory<multi>(system(k), method_.name, n, parts)
                                 : trajectory<double>(system(k), method_.name, n, parts),
                      reference);
    };
    const double measured = error(steps) - error(2 * steps);
    add("order", k, std::to_string(order), measured, "within 0.1", digits_text(), std::abs(measured - order) <= 0.1);
  }

  // Steps that a method chooses by an accuracy: the largest error over what was asked for, from 1e-4 to 1e-12.
  void add_accuracy(std::size_t k) {
    constexpr std::size_t parts = 8;
    constexpr double limit = 10;
    double worst = 0;
    for (const double accuracy : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      const double error =
          distance(chosen_trajectory(system(k), method_.name, accuracy, parts), references_.of(k, parts));
      raise_to(worst, std::exp2(error) / accuracy);
    }
    add("accuracy", k, "as asked", worst, fmt::format("below {} times", limit), "double", worst < limit);
  }

  template <class S>
  void add_symplecticity(std::size_t k, double limit) {
    const integrator<S> flow(system(k).system, {.method = method_.name, .step = S(step_in_double)});
    phase_state<S> state = flow.at_start(system(k));
    const auto workspace = flow.make_workspace();
    S worst(0);
    bool solved = true;
    for (int step = 0; step < 10 && solved; ++step) {
      pass_interruption_point();
      const matrix<S> tangent = workspace->tangent_map(state);
      matrix<S> directions;
      if (flow.space().constraints() != nullptr) directions = constrained_directions(flow.space(), state);
      solved = tangent.rows() > 0 && workspace->advance(state);
      if (!solved) break;
      raise_to(worst, flow.space().constraints() != nullptr ? symplectic_defect(tangent, directions)
                                                            : symplectic_defect(tangent));
    }
    add_defect("symplectic", k, promises_[k].symplectic, solved ? to_double(worst) : not_a_number, limit,
               std::same_as<S, double> ? "double" : digits_text());
  }

  // ∂(q1, p1)/∂(q0, p0) beside differences of steps in S, in S and in double: relative to its largest entry.
  template <class S>
  void add_tangent(std::size_t k) {
    using std::abs;
    const model& m = system(k);
    const S step(step_in_double);
    const integrator<S> flow(m.system, {.method = method_.name, .step = step, .project = m.system.is_constrained()});
    const phase_state<S> start = flow.at_start(m);
    matrix<S> directions = matrix<S>::identity(2 * m.system.size());
    if (m.system.is_constrained()) directions = constrained_directions(flow.space(), start);
    const matrix<S> expected = differences(flow, start, directions);
    const S size = largest_size<S>(expected.data());
    const auto defect = [&](const matrix<S>& tangent) {
      if (tangent.rows() == 0) return not_a_number;
      const matrix<S> image = tangent * directions;
      S worst(0);
      for (std::size_t i = 0; i < image.data().size(); ++i) {
        raise_to(worst, S(abs(S(image.data()[i] - expected.data()[i])) / size));
      }
      return to_double(worst);
    };
    if constexpr (std::same_as<S, double>) {
      add_defect("tangent", k, true, defect(flow.make_workspace()->tangent_map(start)), 1e-8, "double");
      return;
    }
    const integrator<double> in_double(m.system, {.method = method_.name, .step = step_in_double});
    const matrix<double> rounded = in_double.make_workspace()->tangent_map(in_double.at_start(m));
    matrix<S> widened(rounded.rows(), rounded.columns());
    std::ranges::copy(rounded.data(), widened.data().begin());
    add_defect("tangent", k, true, defect(flow.make_workspace()->tangent_map(start)), 1e-19, "quad");
    add_defect("tangent", k, true, defect(widened), 1e-12, "double");
  }

  // Forth with h, back with −h.
  void add_reversibility(std::size_t k) {
    constexpr std::size_t steps = 20;
    const integrator<double> flow(system(k).system, {.method = method_.name, .step = step_in_double});
    const phase_state<double> start = flow.at_start(system(k));
    phase_state<double> state = start;
    const auto forth = flow.make_workspace();
    const auto back = method_.make<double>({flow.space(), -step_in_double});
    bool solved = true;
    for (std::size_t j = 0; j < steps && solved; ++j) solved = static_cast<bool>(forth->advance(state));
    state.begin_count();
    state.index = 0;
    for (std::size_t j = 0; j < steps && solved; ++j) solved = static_cast<bool>(back->advance(state));
    double worst = solved ? 0 : not_a_number;
    for (std::size_t i = 0; i < start.position.size(); ++i) {
      raise_to(worst, std::abs(state.position[i] - start.position[i]));
      raise_to(worst, std::abs(state.momentum[i] - start.momentum[i]));
    }
    add_defect("reversible", k, promises_[k].symmetric, worst, 1e-11, "double");
  }

  void add_momenta(std::size_t k) {
    const integrator<double> flow(system(k).system, {.method = method_.name, .step = step_in_double});
    if (flow.space().momentum_names().empty()) return;
    // Linear momenta are kept by every Runge–Kutta method; only where one is not linear does its absence show.
    if (!promises_[k].conserves_momenta && system(k).system.symmetries.empty()) return;
    phase_state<double> state = flow.at_start(system(k));
    const run_report<double> report = actio::run(flow, state, 2000);
    double worst = report.status == run_status::done ? 0 : not_a_number;
    for (const auto& m : report.momenta) raise_to(worst, m.max_error);
    add_defect("momenta", k, promises_[k].conserves_momenta, worst, 1e-12, "double");
  }

  // E − E0 is the energy that was supplied, up to an error of the method's order.
  void add_work(std::size_t k) {
    const int order = promises_[k].order;
    const std::size_t steps = steps_for_order(order, in_digits_);
    const auto error = [&](std::size_t n) {
      return in_digits_ ? ledger_error<multi>(system(k), method_.name, n)
                        : ledger_error<double>(system(k), method_.name, n);
    };
    const double measured = error(steps) - error(2 * steps);
    add("work", k, fmt::format("order {}", order), measured, fmt::format("above {:.1f}", order - 0.1), digits_text(),
        measured > order - 0.1);
  }

  // Measured: the largest relative energy error where energy is kept; else what a line through the relative error rises
  // by in a unit of time, with twice its uncertainty.
  void add_energy(std::size_t k) {
    const integrator<double> flow(system(k).system, {.method = method_.name, .step = step_in_double});
    phase_state<double> state = flow.at_start(system(k));
    const run_report<double> report = actio::run(flow, state, 4000);
    const drift_estimate& drift = report.energy.drift;
    const bool done = report.status == run_status::done;
    if (promises_[k].conserves_energy) {
      constexpr double limit = 1e-13;
      const double error = done ? report.energy.max_relative_error : not_a_number;
      add("energy", k, "exact", error, fmt::format("below {:.0e}", limit), "double", error < limit);
      return;
    }
    const double slope = done ? std::abs(drift.per_time) : not_a_number, reach = slope + 2 * drift.uncertainty;
    // Symmetric methods that are not symplectic may keep energies near or not: nothing is promised either way.
    if (!promises_[k].symplectic && promises_[k].symmetric) return;
    if (!promises_[k].symplectic) {
      // Where most of the energy is lost the trend has come to its end.
      const bool is_lost = report.energy.max_relative_error > 0.1;
      add("energy", k, "drifts", slope, "a trend", "double", slope > 0 && (drift.grows || is_lost));
      return;
    }
    const double limit = std::max(1e-14, largest_drift * std::pow(step_in_double, promises_[k].order));
    add("energy", k, "no drift", reach, fmt::format("no trend, below {:.0e}", limit), "double",
        reach < limit && !drift.grows);
  }

  const method& method_;
  std::vector<std::size_t> suited_;  // the systems that the method takes
  std::map<std::size_t, method_traits> promises_;
  unsigned digits_;
  bool in_digits_;  // where double is too coarse; else there, as far as it goes
  reference_solutions& references_;
  std::vector<verification_row> rows_;
};

}  // namespace

std::vector<verification_row> verify(const std::vector<const method*>& methods, const verification_options& options) {
  verification_systems();  // made before there are threads
  scaled_verification_systems();
  const precision_scope scope(options.digits);
  reference_solutions& references = shared_references();
  std::vector<std::vector<verification_row>> rows(methods.size());
  in_parallel(
      methods.size(), options.threads,
      [&](std::size_t k) {
        const interruption_scope scope(options.interrupted);
        try {
          pass_interruption_point();
          rows[k] = method_verifier(*methods[k], references).rows();
        } catch (const work_interrupted&) {
          rows[k].clear();
        }
      },
      options.progress);
  std::vector<verification_row> all;
  for (const auto& part : rows) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<verification_row> verify(const std::string& method, const verification_options& options) {
  return verify({&method_named({method, {}, "method"})}, options);
}

#define ACTIO_INSTANTIATE(S)                                           \
  template S symplectic_defect<S>(const matrix<S>&);                   \
  template S symplectic_defect<S>(const matrix<S>&, const matrix<S>&); \
  template matrix<S> constrained_directions<S>(const phase_space<S>&, const phase_state<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
