#include "common/measure.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace actio::bench {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

namespace {

// Further off than this is no answer: the setting is too coarse for the method.
constexpr double hopeless = 1e-3;
// Machine code of models is ready after some time; nothing is timed before.
constexpr double warm_up_seconds = 0.03;

constexpr double long_run_seconds = 0.1;

struct entry {
  score* owner;
  std::size_t index;
  prepared_run run;
  std::size_t batch = 1;  // runs between two looks at the clock
};

void time_once(entry& e, double seconds) {
  point& p = e.owner->points[e.index];
  const double begin = cpu_seconds();
  do {
    const double before = cpu_seconds();
    for (std::size_t i = 0; i < e.batch; ++i) e.run();
    p.seconds = std::min(p.seconds, (cpu_seconds() - before) / static_cast<double>(e.batch));
  } while (cpu_seconds() - begin < seconds);
}

point checked(const contest& c, const reference_answer& reference, double setting, const attempt& a) {
  point p{.setting = setting, .error = reference.error(a), .steps = a.steps};
  if (!std::isfinite(p.error)) p.error = std::numeric_limits<double>::infinity();
  if (c.energy && !a.end.empty()) p.energy_error = std::abs(c.energy(a.end));
  return p;
}

}  // namespace

result measure(const contest& c, const effort& how_long) {
  const reference_answer reference = c.reference();
  const double finest = *std::min_element(c.targets.begin(), c.targets.end());
  if (!(reference.uncertainty < finest / 100)) throw std::runtime_error("the reference of " + c.id + " is not certain");
  result r{c.id, c.title, c.statement, c.error_means, reference.how, reference.uncertainty, c.targets, {}, {}};
  r.scores.reserve(c.competitors.size());
  std::vector<entry> entries;
  for (const competitor& who : c.competitors) {
    score& s = r.scores.emplace_back(score{who.family, who.name, who.knob, {}});
    if (who.measure_elsewhere) {
      for (const measured_attempt& m : who.measure_elsewhere(who.settings)) {
        point p = checked(c, reference, m.setting, m.result);
        p.seconds = m.seconds;
        p.setup_seconds = m.setup_seconds;
        if (p.error < hopeless) s.points.push_back(p);
      }
      continue;
    }
    for (const double setting : who.settings) {
      const double before = cpu_seconds();
      prepared_run run = who.prepare(setting);
      const double setup = cpu_seconds() - before;
      point p = checked(c, reference, setting, run());
      if (!(p.error < hopeless)) continue;
      p.setup_seconds = setup;
      p.seconds = std::numeric_limits<double>::infinity();
      s.points.push_back(p);
      entries.push_back({&s, s.points.size() - 1, std::move(run)});
    }
  }
  for (entry& e : entries) {
    const double begin = cpu_seconds();
    std::size_t runs = 0;
    do {
      e.run();
      ++runs;
    } while (cpu_seconds() - begin < (e.owner->family == "actio" ? warm_up_seconds : 1e-3));
    const double one = (cpu_seconds() - begin) / static_cast<double>(runs);
    e.batch = std::max<std::size_t>(1, static_cast<std::size_t>(2e-4 / one));
  }
  for (int round = 0; round < how_long.rounds; ++round) {
    for (entry& e : entries) {
      // Long runs are disturbed little: twice is enough.
      if (round < 2 || e.owner->points[e.index].seconds < long_run_seconds) time_once(e, how_long.seconds_a_point);
    }
  }
  const auto named = [&](const std::string& name) {
    return std::find_if(r.scores.begin(), r.scores.end(), [&](const score& s) { return s.full_name() == name; });
  };
  for (const auto& [left_name, right_name] : c.alike) {
    const auto left = named(left_name), right = named(right_name);
    if (left == r.scores.end() || right == r.scores.end()) continue;
    for (const point& a : left->points) {
      for (const point& b : right->points) {
        if (a.steps != b.steps) continue;
        const auto steps = static_cast<double>(a.steps);
        r.alike.push_back({left_name, right_name, a.steps, a.seconds / steps, b.seconds / steps, a.error, b.error});
      }
    }
  }
  return r;
}

std::optional<double> seconds_to_reach(const score& s, double error) {
  std::optional<double> best;
  const auto offer = [&](double seconds) {
    if (!best || seconds < *best) best = seconds;
  };
  for (std::size_t i = 0; i < s.points.size(); ++i) {
    const point& p = s.points[i];
    if (p.error <= error) offer(p.seconds);
    if (i + 1 == s.points.size()) break;
    const point& next = s.points[i + 1];
    if (p.error > error && next.error <= error && next.error > 0) {
      const double part = std::log(p.error / error) / std::log(p.error / next.error);
      offer(std::exp(std::log(p.seconds) + part * std::log(next.seconds / p.seconds)));
    }
  }
  return best;
}

}  // namespace actio::bench
