// marsden1997, Section 7: CPU time against the time step. Judged by solver iterations, which every machine counts
// alike.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>

#include "papers/marsden1997/marsden1997.hpp"
#include "problems/problem.hpp"

namespace actio::papers {

namespace {

constexpr double until = 2;
constexpr int repetitions = 3;
const std::vector<double> steps{1e-4, 1e-3, 1e-2, 1e-1};

struct run_of_work {
  const char *label, *problem, *method;
};
constexpr run_of_work runs[] = {{"rigid body, DVP", "free-rigid-body", "midpoint"},
                                {"double spherical pendulum, DVP", "double-spherical-pendulum", "midpoint"},
                                {"double spherical pendulum, EM", "double-spherical-pendulum", "energy-momentum"}};
constexpr std::size_t dvp = 1, em = 2;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// All iterations of a run, NaN where it fails; the shortest time of several repetitions.
void measure(const run_of_work& run, double step, double& iterations, double& seconds) {
  const model m = load_model(run.problem);
  const integrator<double> flow(m.system, {.method = run.method, .step = step});
  const auto count = static_cast<std::size_t>(std::llround(until / step));
  for (int k = 0; k < repetitions; ++k) {
    phase_state<double> state = flow.at_start(m);
    const auto workspace = flow.make_workspace();
    iterations = 0;
    const double start = processor_seconds();
    while (state.index < count) {
      const step_status status = workspace->advance(state);
      iterations += status.iterations;
      if (status) continue;
      iterations = std::nan("");
      return;
    }
    const double now = processor_seconds() - start;
    seconds = k == 0 ? now : std::min(seconds, now);
  }
}

}  // namespace

work_study::work_study(reproduction& r) : works_(std::size(runs)) {
  for (std::size_t w = 0; w < works_.size(); ++w) {
    works_[w].label = runs[w].label;
    works_[w].iterations.assign(steps.size(), std::nan(""));
    works_[w].seconds.assign(steps.size(), std::nan(""));
    for (std::size_t k = 0; k < steps.size(); ++k) {
      r.task(repetitions * until / steps[k],
             [this, w, k] { measure(runs[w], steps[k], works_[w].iterations[k], works_[w].seconds[k]); });
    }
  }
}

void work_study::write(reproduction& r) const {
  const auto list = [](const std::vector<double>& values, double unit) {
    std::vector<std::string> parts;
    for (const double x : values) parts.push_back(fmt::format("{:.4g}", x / unit));
    return fmt::format("{}", fmt::join(parts, ", "));
  };
  figure f{"claim-work",
           "Claim: CPU time is nearly linear in 1/h (Section 7)",
           "Two seconds of motion. Iterations are what is judged; times are those of this machine.",
           {{"solver iterations", "h in s", "iterations", true, true, false, {}},
            {"time of the processor", "h in s", "s", true, true, false, {}}}};
  for (const work_of_steps& work : works_) {
    const double power = growth_of_work(steps, work.iterations);
    r.statement(
        fmt::format("Section 7: the time drops off nearly linearly as the step grows, {}", work.label),
        "nearly linearly",
        fmt::format("iterations grow as h^−{:.3f}: {} for 2 s at h = 1e-4 to 0.1 s", power, list(work.iterations, 1)),
        about("power of 1/h, by regression,", within(power, 1, 0.25)));
    r.result(fmt::format("Section 7: time of the processor on this machine, {}", work.label),
             fmt::format("as h^−{:.3f}: {} ms", growth_of_work(steps, work.seconds), list(work.seconds, 1e-3)));
    f.panels[0].curves.push_back({work.label, curve_style::line_with_points, steps, work.iterations});
    f.panels[1].curves.push_back({work.label, curve_style::line_with_points, steps, work.seconds});
  }
  const std::vector<double> factors = ratios(works_[em].iterations, works_[dvp].iterations);
  r.statement("Section 7: DVP is slightly faster than EM for each step", "slightly faster",
              fmt::format("EM needs {} times the iterations at h = 1e-4 to 0.1 s", list(factors, 1)),
              about("every factor", at_least(std::ranges::min(factors), 1)),
              "judged by iterations; times are results only");
  r.result("Section 7: time of EM over that of DVP on this machine, h = 1e-4 to 0.1 s",
           list(ratios(works_[em].seconds, works_[dvp].seconds), 1));
  r.add(std::move(f));
}

}  // namespace actio::papers
