#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <stdexcept>

#include "actio/simulate/ensemble.hpp"
#include "ensemble/ensemble.hpp"
#include "pendulum_grid/actio.hpp"

namespace actio::bench {

namespace {

constexpr double until = 10, angles[2] = {0.785, 1.047}, spread = 0.25;  // about those of the double pendulum's contest
// Steps of rk4, and a method of actio, which takes the fewest steps from `least` on with which its error is smaller;
// the finer the steps, the fewer the trajectories.
struct level {
  std::size_t rk4_steps;
  const char* method;
  std::size_t least, share;
};
constexpr level levels[] = {{1000, "gauss-3", 100, 1}, {2000, "gauss-3", 150, 4}, {8000, "gauss-4", 200, 8}};

ensemble_plan pendulums(std::size_t count) {
  return {read_model(ACTIO_BENCH_DIR "/double_pendulum/model.toml"),
          {.samples = {{"q1", distribution::uniform, angles[0] - spread, angles[0] + spread},
                       {"q2", distribution::uniform, angles[1] - spread, angles[1] + spread}},
           .count = count,
           .seed = 1}};
}

released_pendulums starts_of(const ensemble_plan& plan) {
  released_pendulums from{std::vector<double>(2 * plan.size())};
  for (std::size_t k = 0; k < plan.size(); ++k) plan.values(k, std::span(from.angles).subspan(2 * k, 2));
  return from;
}

std::vector<double> actio_ensemble(const ensemble_plan& plan, const std::string& method, std::size_t steps,
                                   unsigned threads, std::size_t width = 8) {
  std::vector<double> ends;
  ends.reserve(4 * plan.size());
  const ensemble_options options{.integrator = {.method = method, .step = until / static_cast<double>(steps)},
                                 .steps = steps,
                                 .threads = threads,
                                 .width = width};
  const ensemble_report report = run_ensemble(plan, options, [&](const trajectory_result& r) {
    ends.insert(ends.end(), r.position.begin(), r.position.end());
    ends.insert(ends.end(), r.momentum.begin(), r.momentum.end());
  });
  if (report.failed() > 0) throw std::runtime_error("trajectories of the ensemble failed");
  return ends;
}

// The ends of some trajectories at quad precision, with two steps, and how far these are apart.
struct reference_ends {
  std::vector<std::size_t> which;
  std::vector<quad> ends;
  double uncertainty = 0;
};

reference_ends reference_for(const released_pendulums& from, std::size_t sample) {
  reference_ends result;
  std::vector<double_pendulum::state> starts;
  for (std::size_t i = 0; i < sample; ++i) {
    const std::size_t k = i * from.count() / sample;
    result.which.push_back(k);
    starts.push_back({from.angles[2 * k], from.angles[2 * k + 1], 0, 0});
  }
  auto [ends, uncertainty] = pendulum_grid::quad_ends_of(starts);
  result.ends = std::move(ends);
  result.uncertainty = uncertainty;
  return result;
}

double largest_error(const reference_ends& reference, const std::vector<double>& ends) {
  double error = 0;
  for (std::size_t i = 0; i < reference.which.size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) {
      const quad difference = quad(ends[4 * reference.which[i] + c]) - reference.ends[4 * i + c];
      error = std::max(error, std::abs(to_double(difference)));
    }
  }
  return error;
}

// Steps at which the trajectories of the reference, moved one by one, end with a smaller error than rk4's.
std::size_t fewest_steps(const level& l, const released_pendulums& from, const reference_ends& reference) {
  released_pendulums sample;
  for (const std::size_t k : reference.which) {
    sample.angles.insert(sample.angles.end(), {from.angles[2 * k], from.angles[2 * k + 1]});
  }
  reference_ends by_itself = reference;
  for (std::size_t i = 0; i < by_itself.which.size(); ++i) by_itself.which[i] = i;
  const double wanted = largest_error(by_itself, odeint_ensemble(sample, until, l.rk4_steps, 1));
  const model m = read_model(ACTIO_BENCH_DIR "/double_pendulum/model.toml");
  for (std::size_t steps = l.least; steps < l.rk4_steps; steps += l.least / 50) {
    const integrator<double> flow(m.system, {.method = l.method, .step = until / static_cast<double>(steps)});
    std::vector<double> ends;
    for (std::size_t i = 0; i < sample.count(); ++i) {
      auto state = flow.at_momentum({sample.angles[2 * i], sample.angles[2 * i + 1]}, {0, 0});
      const auto workspace = flow.make_workspace();
      while (state.index < steps && workspace->advance(state)) {
      }
      ends.insert(ends.end(), state.position.value.begin(), state.position.value.end());
      ends.insert(ends.end(), state.momentum.value.begin(), state.momentum.value.end());
    }
    if (largest_error(by_itself, ends) < wanted) return steps;
  }
  throw std::runtime_error("actio does not reach the error of rk4");
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Run>
ensemble_attempt measured(std::string name, std::size_t steps, unsigned threads, const reference_ends& reference,
                          int rounds, Run&& run) {
  using clock = std::chrono::steady_clock;
  ensemble_attempt result{.name = std::move(name), .steps = steps, .threads = threads};
  for (int round = 0; round < rounds; ++round) {
    const auto begin = clock::now();
    const double before = cpu_seconds();
    const std::vector<double> ends = run();
    const double cpu = cpu_seconds() - before, seconds = std::chrono::duration<double>(clock::now() - begin).count();
    result.cpu_seconds = round == 0 ? cpu : std::min(result.cpu_seconds, cpu);
    result.seconds = round == 0 ? seconds : std::min(result.seconds, seconds);
    result.error = largest_error(reference, ends);
  }
  return result;
}

ensemble_level measured(const level& l, std::size_t count, std::size_t sample, int rounds) {
  const ensemble_plan plan = pendulums(count);
  const released_pendulums from = starts_of(plan);
  const reference_ends reference = reference_for(from, sample);
  const std::size_t steps = fewest_steps(l, from, reference);
  ensemble_level r{.count = count, .uncertainty = reference.uncertainty};
  for (const unsigned threads : {1U, 2U}) {
    r.attempts.push_back(measured("Boost.odeint rk4", l.rk4_steps, threads, reference, rounds,
                                  [&] { return odeint_ensemble(from, until, l.rk4_steps, threads); }));
    r.attempts.push_back(measured(std::string("actio ") + l.method, steps, threads, reference, rounds,
                                  [&] { return actio_ensemble(plan, l.method, steps, threads); }));
  }
  if (!(r.uncertainty < r.attempts[1].error / 100)) throw std::runtime_error("an ensemble's reference is not certain");
  if (!(r.attempts[1].error < r.attempts[0].error)) {
    throw std::runtime_error(fmt::format("actio's ensemble has the error {:.1e} where rk4's has {:.1e}",
                                         r.attempts[1].error, r.attempts[0].error));
  }
  r.ratio = r.attempts[0].cpu_seconds / r.attempts[1].cpu_seconds;
  r.scaling = r.attempts[1].seconds / r.attempts[3].seconds;
  return r;
}

bool has_same_bits_everywhere(const level& l, std::size_t steps, std::size_t count) {
  const ensemble_plan plan = pendulums(count);
  const std::vector<double> expected = actio_ensemble(plan, l.method, steps, 1);
  for (const std::size_t width : {1U, 4U, 8U}) {
    for (const unsigned threads : {1U, 2U, 3U}) {
      if (actio_ensemble(plan, l.method, steps, threads, width) != expected) return false;
    }
  }
  return true;
}

}  // namespace

ensemble_result ensemble_contest(std::size_t count, bool quick) {
  ensemble_result r{.sample = quick ? 8U : 32U,
                    .until = until,
                    .angles = fmt::format("q1 = {} ± {}, q2 = {} ± {}", angles[0], spread, angles[1], spread),
                    .reference = "actio gauss-10 at quad precision, 160 and 240 steps"};
  for (const level& l : levels) {
    r.levels.push_back(measured(l, std::max(r.sample, count / l.share), r.sample, quick ? 1 : 3));
    if (!has_same_bits_everywhere(l, r.levels.back().attempts[1].steps, std::min<std::size_t>(count, 400))) {
      throw std::runtime_error("the ensemble has other bits with other threads or lanes");
    }
  }
  r.same_bits = "the same bits with 1, 2 and 3 threads, 1, 4 and 8 lanes";
  return r;
}

}  // namespace actio::bench
