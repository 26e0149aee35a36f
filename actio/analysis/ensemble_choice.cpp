#include "actio/analysis/ensemble_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "actio/analysis/choice.hpp"
#include "actio/base/interruption.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/simulate/ensemble_engine.hpp"

namespace actio {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t calibrating = 128, judging = 128;  // trajectories of a sample
// By their cost a step. The choice begins in the middle; references are by the one after it.
constexpr std::array<const char*, 6> lane_methods = {"gauss-4", "gauss-5", "gauss-6", "gauss-7", "gauss-8", "gauss-10"};
constexpr std::size_t first_lane_method = 2, reference_lane_method = 4;

// The smallest value that so large a part does not exceed.
double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const auto place = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(place, 1, values.size()) - 1];
}

// Numbers of trajectories, no number twice: the ends and the middles of the sides of a grid of few sides, which a
// polynomial must know, and others spread evenly over the ensemble, by multiples of the golden section.
std::vector<std::size_t> spread_sample(const ensemble_plan& plan, std::size_t wanted) {
  constexpr std::size_t most_sides = 3;
  const std::size_t all = plan.size(), enough = std::min(all, wanted);
  std::vector<std::size_t> sample;
  std::set<std::size_t> taken;
  const auto take = [&](std::size_t k) {
    if (taken.insert(k).second) sample.push_back(k);
  };
  std::vector<std::size_t> places{0};  // points of the grid
  std::size_t sides = 0;
  for (const swept_variable& s : plan.variation().sweeps) {
    if (s.beside) continue;
    std::vector<std::size_t> next;
    for (const std::size_t place : places) {
      for (const std::size_t i : {std::size_t{0}, s.count / 2, s.count - 1}) next.push_back(place * s.count + i);
    }
    if (++sides > most_sides) break;
    places = std::move(next);
  }
  if (all <= wanted) {
    for (std::size_t k = 0; k < all; ++k) take(k);
  } else if (sides <= most_sides) {
    for (const std::size_t place : places) take(place * plan.variation().count);
  }
  for (std::uint64_t i = 1; sample.size() < enough; ++i) {
    take((((i * 0x9E3779B97F4A7C15U) >> 32U) * all) >> 32U);
  }
  return sample;
}

// Ends of some trajectories; nothing where one failed.
struct ends {
  std::vector<std::vector<double>> position, momentum;
  std::vector<double> effort;  // iterations a step
  double steps = 0;            // of all of them

  bool has(std::size_t k) const { return !position[k].empty(); }
};

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

// Trajectories of a plan by one method, each with steps of its own.
class sampler {
 public:
  sampler(const ensemble_plan& plan, const ensemble_options& options, std::string method, double until)
      : plan_(plan), options_(options), time_(until - options.integrator.start) {
    options_.integrator.method = std::move(method);
    options_.integrator.step = time_;  // never taken
    options_.until = until;
    options_.own_paces.emplace(time_, 1, 0);
    options_.accuracy.reset();
    options_.progress = {};
    options_.poincare.reset();
    options_.lyapunov = false;
    engine_.emplace(plan_, options_);
  }

  const actio::method& method() const { return engine_->flow().method(); }
  // Of the field, as it is written.
  double operations() const {
    const auto& field = hamilton_program(*engine_->flow().space().code());
    return field ? static_cast<double>(field->field.body.size()) : 1;
  }
  bool moves_in_lanes() const { return engine_->name() != "trajectory by trajectory"; }

  // Equations of steps are solved to rounding where no accuracy is given.
  ends run(std::span<const std::size_t> which, double accuracy, const std::function<std::size_t(std::size_t)>& steps) {
    std::vector<trajectory_result> results(which.size());
    for (std::size_t k = 0; k < which.size(); ++k) {
      results[k].begin(which[k]);
      results[k].planned = pace_rule(time_, steps(k), accuracy).of({});
    }
    portion_memory memory;
    if (!engine_->compute(results, memory)) pass_interruption_point();
    ends all;
    for (const trajectory_result& r : results) {
      const bool is_done = r.status == trajectory_status::done;
      all.position.push_back(is_done ? r.position : std::vector<double>());
      all.momentum.push_back(is_done ? r.momentum : std::vector<double>());
      all.effort.push_back(r.effort / static_cast<double>(std::max<std::size_t>(1, r.steps)));
      all.steps += static_cast<double>(r.steps);
      energy_errors_.push_back(is_done ? r.scaled_energy_error : 0);
    }
    return all;
  }
  // Of the last run.
  std::vector<double> take_energy_errors() { return std::exchange(energy_errors_, {}); }

 private:
  const ensemble_plan& plan_;
  ensemble_options options_;
  double time_;
  std::optional<ensemble_engine> engine_;
  std::vector<double> energy_errors_;
};

// The sample with its references.
class measured_sample {
 public:
  measured_sample(sampler& by, std::vector<std::size_t> which, double accuracy) : which_(std::move(which)) {
    constexpr std::size_t first = 8, most = std::size_t{1} << 17U;
    constexpr double more = 1.15;  // times as many steps: where controls divide a motion, twice as many may be the same
    std::size_t steps = first;
    const auto run = [&] { return by.run(which_, 0, [&](std::size_t) { return steps; }); };
    reference_ = run();
    for (double before = infinite; steps <= most / 2;) {
      steps *= 2;
      ends finer = run();
      std::swap(reference_, finer);
      if (reference_.steps < more * finer.steps) continue;
      settle_size();
      uncertainty_ = quantile(errors_of(finer), 0.9);
      steps_ = steps;
      // Beside the reference, which has twice the steps, the error of those before is nothing but their own.
      if (uncertainty_ <= accuracy / 2) {
        steps *= 2;
        ends finest = run();
        std::swap(reference_, finest);
        uncertainty_ = quantile(errors_of(finest), 0.9);
        steps_ = steps;
        return;
      }
      best_ = std::min(best_, uncertainty_);
      met_rounding_ = before < 1e-2 && uncertainty_ > before / 2;
      if (met_rounding_) return;
      before = uncertainty_;
    }
  }

  std::span<const std::size_t> which() const { return which_; }
  double uncertainty() const { return uncertainty_; }
  double smallest_error() const { return best_; }
  bool met_rounding() const { return met_rounding_; }
  std::size_t steps() const { return steps_; }

  std::vector<double> errors_of(const ends& other) const {
    std::vector<double> errors;
    for (std::size_t k = 0; k < which_.size(); ++k) {
      if (!reference_.has(k)) continue;  // it fails with any steps, which is no question of accuracy
      errors.push_back(other.has(k) ? std::max(distance(other.position[k], reference_.position[k]) / position_size_,
                                               distance(other.momentum[k], reference_.momentum[k]) / momentum_size_)
                                    : infinite);
    }
    return errors;
  }
  // Trajectories that have a reference.
  std::vector<std::size_t> judged() const {
    std::vector<std::size_t> judged;
    for (std::size_t k = 0; k < which_.size(); ++k) {
      if (reference_.has(k)) judged.push_back(k);
    }
    return judged;
  }

 private:
  // Root mean squares of the ends.
  void settle_size() {
    double positions = 0, momenta = 0, count = 0;
    for (std::size_t k = 0; k < which_.size(); ++k) {
      if (!reference_.has(k)) continue;
      for (const double x : reference_.position[k]) positions += x * x;
      for (const double x : reference_.momentum[k]) momenta += x * x;
      ++count;
    }
    position_size_ = positions > 0 ? std::sqrt(positions / count) : 1;
    momentum_size_ = momenta > 0 ? std::sqrt(momenta / count) : 1;
  }

  std::vector<std::size_t> which_;
  ends reference_;
  std::size_t steps_ = 0;
  double position_size_ = 1, momentum_size_ = 1, uncertainty_ = infinite, best_ = infinite;
  bool met_rounding_ = false;
};

// What a method needs for the sample.
struct offer {
  std::size_t place = 0;      // among the methods
  std::vector<double> steps;  // each trajectory, not whole
  double cost = infinite;
};

// Numbers of steps, from few to many, with the errors that they leave.
class ladder {
 public:
  ladder(sampler& by, const measured_sample& sample, double accuracy) : by_(by), sample_(sample), accuracy_(accuracy) {
    constexpr std::size_t fewest = 4, parts = 6, beyond = 4;
    std::size_t last = fewest;
    while (add(last) > accuracy && last < 2 * sample.steps()) last *= 2;
    for (std::size_t k = 1; k < parts; ++k) add(fraction_of(last, k, parts) / 2);
    for (std::size_t k = 1; k <= beyond; ++k) add(fraction_of(last, k, parts));
    std::ranges::sort(rungs_, {}, &rung::steps);
  }

  offer made(std::size_t place, double cost_of_iteration, double cost_of_step) const {
    offer result{.place = place, .steps = {}, .cost = 0};
    const std::size_t count = rungs_.front().errors.size();
    for (std::size_t k = 0; k < count; ++k) {
      const double steps = needed(k);
      result.steps.push_back(steps);
      result.cost += steps * (cost_of_step + effort_ * cost_of_iteration);
    }
    return result;
  }

 private:
  struct rung {
    std::size_t steps;
    std::vector<double> errors;
  };

  // 2^(k/parts) times as many.
  static std::size_t fraction_of(std::size_t steps, std::size_t k, std::size_t parts) {
    return static_cast<std::size_t>(
        std::lround(static_cast<double>(steps) * std::exp2(static_cast<double>(k) / static_cast<double>(parts))));
  }
  // The ninth decile of the errors with so many steps.
  double add(std::size_t steps) {
    const ends found = by_.run(sample_.which(), accuracy_, [&](std::size_t) { return steps; });
    rungs_.push_back({steps, sample_.errors_of(found)});
    const double decile = quantile(rungs_.back().errors, 0.9);
    if (std::abs(std::log(decile / accuracy_)) < nearest_) {
      nearest_ = std::abs(std::log(decile / accuracy_));
      effort_ = quantile(found.effort, 0.5);
    }
    return decile;
  }
  // Steps from which on the error stays below the accuracy, between two rungs by the power law of their errors.
  double needed(std::size_t k) const {
    double error = rungs_.back().errors[k];
    if (error > accuracy_) {
      const double order = by_.method().traits.order;
      return static_cast<double>(rungs_.back().steps) * std::min(2.0, std::pow(error / accuracy_, 1 / order));
    }
    for (std::size_t r = rungs_.size() - 1; r-- > 0;) {
      const double coarser = rungs_[r].errors[k];
      if (!(coarser > accuracy_)) {
        error = std::max(error, coarser);
        continue;
      }
      const double fine = static_cast<double>(rungs_[r + 1].steps), coarse = static_cast<double>(rungs_[r].steps);
      if (!std::isfinite(coarser) || !(error > 0)) return fine;
      const double part = std::log(coarser / accuracy_) / std::log(coarser / error);
      return coarse * std::pow(fine / coarse, std::clamp(part, 0.0, 1.0));
    }
    return static_cast<double>(rungs_.front().steps);
  }

  sampler& by_;
  const measured_sample& sample_;
  double accuracy_, nearest_ = infinite, effort_ = 0;
  std::vector<rung> rungs_;
};

// The choice on its way.
class pace_choice {
 public:
  pace_choice(const ensemble_plan& plan, const ensemble_accuracy_request& request, ensemble_options& options)
      : plan_(plan), request_(request), options_(options) {}

  void make() {
    settle_methods();
    const std::vector<std::size_t> all = spread_sample(plan_, calibrating + judging);
    const bool is_shared = all.size() < calibrating + judging;  // too few for two samples
    const auto half = all.begin() + static_cast<std::ptrdiff_t>(is_shared ? all.size() : calibrating);
    const measured_sample calibration = measured({all.begin(), half});
    const offer best = cheapest(calibration);
    std::optional<measured_sample> other;
    if (!is_shared) other.emplace(measured({half, all.end()}));
    settle(best, calibration, other ? *other : calibration);
  }

 private:
  // Those that move in lanes, or what a single run would take.
  void settle_methods() {
    if (request_.keeps_method) {
      names_ = {options_.integrator.method};
    } else if (suits(lane_methods.front()) &&
               sampler(plan_, options_, lane_methods.front(), request_.until).moves_in_lanes()) {
      names_.assign(lane_methods.begin(), lane_methods.end());
    } else {
      const accuracy_request<double> alone{.accuracy = request_.accuracy,
                                           .until = std::abs(request_.until - options_.integrator.start),
                                           .velocity_state = options_.integrator.velocity_state,
                                           .project = options_.integrator.project,
                                           .splits_at_kinks = splits_at_kinks(),
                                           .place = request_.place};
      names_ = {choose<double>(plan_.base(), alone).method->name};
    }
    methods_.resize(names_.size());
  }
  bool splits_at_kinks() const {
    return options_.splits_at_signals ||
           (options_.watched && std::ranges::any_of(*options_.watched, &model_event::ends_step));
  }
  // Made when it is first asked for: kernels take time.
  sampler& by(std::size_t place) {
    if (!methods_[place]) {
      methods_[place] = std::make_unique<sampler>(plan_, options_, names_[place], request_.until);
    }
    return *methods_[place];
  }
  sampler& reference() { return by(names_.size() > 1 ? reference_lane_method : 0); }
  bool suits(const char* name) const {
    try {
      integrator_options<double> made = options_.integrator;
      made.method = name;
      made.step = request_.until - made.start;
      const integrator<double> flow(plan_.base().system, made);
      return true;
    } catch (const input_error&) {
      return false;
    }
  }

  measured_sample measured(std::vector<std::size_t> which) {
    measured_sample sample(reference(), std::move(which), request_.accuracy);
    if (sample.judged().empty()) {
      throw input_error("accuracy-unreachable", "no trajectory of the sample reaches the end", request_.place,
                        "run it with @method and @step, whose report says why");
    }
    if (!(sample.uncertainty() <= request_.accuracy / 2)) refuse(sample);
    return sample;
  }
  [[noreturn]] void refuse(const measured_sample& sample) {
    throw input_error(
        "accuracy-unreachable",
        fmt::format("nine tenths of the errors are not below {:.1e}: {} with {} steps leaves {:.1e}, and {}",
                    request_.accuracy, reference().method().name, sample.steps(), sample.smallest_error(),
                    sample.met_rounding() ? "rounding and the growth of errors allow no less"
                                          : "more steps would take too long"),
        request_.place, "ask for less, or run up to an earlier time");
  }

  // Down from the middle as long as it gets cheaper, and if it does not, up.
  offer cheapest(const measured_sample& sample) {
    if (names_.size() == 1) return offer_of(0, sample);
    offer best = offer_of(first_lane_method, sample);
    const auto climb = [&](std::size_t place) {
      const offer next = offer_of(place, sample);
      if (!(next.cost < best.cost)) return false;
      best = next;
      return true;
    };
    std::size_t place = first_lane_method;
    while (place + 1 < names_.size() && climb(place + 1)) ++place;
    while (place == first_lane_method && place > 0 && climb(place - 1)) --place;
    if (place < first_lane_method && place > 0) climb(place - 1);
    return best;
  }
  // Counts operations, weighted by what they were measured to cost on small systems: sums wait for their coefficients,
  // and evaluations of the field are cheap where they correct what is known from nearby.
  offer offer_of(std::size_t place, const measured_sample& sample) {
    pass_interruption_point();
    sampler& method = by(place);
    const lagrangian_system& system = plan_.base().system;
    const double nodes = method.method().scheme ? static_cast<double>(method.method().scheme->points) : 1;
    const double components = 2 * static_cast<double>(system.size());
    const double field = method.operations();
    const double sums = components * nodes * nodes, iteration = 2.5 * sums + nodes * field / 2;
    return ladder(method, sample, request_.accuracy).made(place, iteration, 3 * sums + 10 * field);
  }

  // The rule, with as much more as the trajectories need that it is judged by.
  void settle(const offer& best, const measured_sample& calibration, const measured_sample& judge) {
    constexpr int most_rounds = 6;
    sampler& by = this->by(best.place);
    const std::size_t varied = plan_.names().size();
    const std::vector<double> values = values_of(calibration, calibration.judged());
    pace_rule rule =
        pace_rule::through(request_.until - options_.integrator.start, request_.accuracy, varied, values, best.steps);
    std::vector<double> misfits;
    for (std::size_t k = 0; k < best.steps.size(); ++k) {
      misfits.push_back(best.steps[k] / rule.needed(std::span(values).subspan(k * varied, varied)));
    }
    rule = rule.times(quantile(misfits, 0.9));
    std::vector<double> errors, energy_errors;
    for (int round = 0; round < most_rounds; ++round) {
      by.take_energy_errors();
      const auto steps = [&](std::size_t k) { return rule.of(values_at(judge.which()[k])).steps; };
      errors = judge.errors_of(by.run(judge.which(), request_.accuracy, steps));
      energy_errors = by.take_energy_errors();
      const double decile = quantile(errors, 0.9);
      if (decile <= request_.accuracy) break;
      if (round + 1 == most_rounds) refuse(judge);
      const double order = by.method().traits.order;
      rule = rule.times(std::min(1.5, 1.01 * std::pow(decile / request_.accuracy, 1 / order)));
    }
    options_.integrator.method = by.method().name;
    options_.integrator.step = rule.time();
    options_.steps = 0;
    options_.until = request_.until;
    options_.own_paces = rule;
    options_.accuracy = statement(errors, energy_errors, judge);
  }

  std::vector<double> values_at(std::size_t k) const {
    std::vector<double> values(plan_.names().size());
    plan_.values(k, values);
    return values;
  }
  std::vector<double> values_of(const measured_sample& sample, const std::vector<std::size_t>& places) const {
    std::vector<double> all;
    for (const std::size_t k : places) {
      const std::vector<double> values = values_at(sample.which()[k]);
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  }

  ensemble_accuracy statement(const std::vector<double>& errors, const std::vector<double>& energy_errors,
                              const measured_sample& judge) {
    constexpr double beyond_sample = 100;
    return {.asked = request_.accuracy,
            .sample = errors.size(),
            .median = quantile(errors, 0.5),
            .ninth_decile = quantile(errors, 0.9),
            .percentile_99 = quantile(errors, 0.99),
            .worst = quantile(errors, 1),
            .uncertainty = judge.uncertainty(),
            .energy_limit = std::max(beyond_sample * quantile(energy_errors, 1), 1e-13),
            .reason = fmt::format("{} {}; the reference, {} with {} steps, is off by {:.1e}",
                                  names_.size() > 1 ? "the cheapest of" : "by", names(), reference().method().name,
                                  judge.steps(), judge.uncertainty())};
  }
  std::string names() const {
    std::string text;
    for (std::size_t m = 0; m < names_.size(); ++m) {
      if (methods_[m]) text += (text.empty() ? "" : ", ") + names_[m];
    }
    return text;
  }

  const ensemble_plan& plan_;
  const ensemble_accuracy_request& request_;
  ensemble_options& options_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<sampler>> methods_;
};

}  // namespace

void choose_paces(const ensemble_plan& plan, const ensemble_accuracy_request& request, ensemble_options& options) {
  pace_choice(plan, request, options).make();
}

}  // namespace actio
