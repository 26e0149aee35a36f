#include <time.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "actio/simulate/integrator.hpp"
#include "common/external.hpp"
#include "double_pendulum_64_digits/many_digits.hpp"

namespace actio::bench {

namespace {

constexpr unsigned digits = 64;
const std::string step_text = "0.01";

}  // namespace

many_digits_result double_pendulum_64_digits(bool quick) {
  const std::size_t steps = quick ? 10 : 100;
  const precision_scope scope(digits);
  many_digits_result r{.digits = digits, .step = std::stod(step_text), .steps = steps};
  const double begin = cpu_seconds();
  const model m = read_model(ACTIO_BENCH_DIR "/double_pendulum/model.toml");
  const integrator<multi> simpson(m.system, {.method = "simpson", .step = from_digits<multi>(step_text)});
  auto state = simpson.at_start(m);
  const auto workspace = simpson.make_workspace();
  r.actio_setup_seconds = cpu_seconds() - begin;
  // The least time of ten successive steps, because single ones may need one iteration less than most; of more of them
  // than are compared, because that many take no longer than a moment in which the machine is slow.
  r.actio_seconds = std::numeric_limits<double>::infinity();
  auto end = state;
  for (std::size_t i = 0; i < 20 * steps; i += 10) {
    if (i == steps) end = state;
    const double before = cpu_seconds();
    for (int k = 0; k < 10; ++k) {
      if (!workspace->advance(state)) throw std::runtime_error("a step at 64 digits failed");
    }
    r.actio_seconds = std::min(r.actio_seconds, (cpu_seconds() - before) / 10);
  }

  const auto answer = run_python("double_pendulum_64_digits/mpmath_simpson.py",
                                 std::to_string(digits) + " " + step_text + " " + std::to_string(steps));
  if (!answer) return r;
  std::istringstream lines(*answer);
  lines >> r.mpmath_seconds;
  for (const auto& part : {end.position.value, end.momentum.value}) {
    for (const multi& ours : part) {
      std::string theirs;
      lines >> theirs;
      r.difference = std::max(r.difference, std::abs(to_double(multi(ours - from_digits<multi>(theirs)))));
    }
  }
  if (!(r.difference < 1e-58)) throw std::runtime_error("mpmath and actio do not agree to 58 digits");
  return r;
}

}  // namespace actio::bench
