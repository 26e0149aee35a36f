// Kernels in straight lines and with loops over components: the same numbers, bit for bit.
#include "actio/backend/llvm/collocation_writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "actio/backend/backend.hpp"
#include "actio/backend/llvm/kernels.hpp"
#include "actio/integrate/collocation_step.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/simulate/integrator.hpp"
#include "problems/problem.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

using machine_code::collocation_form;

// A kernel at the start of a model, with a guess that is at rest.
std::unique_ptr<collocation_kernel> started(const model& m, std::size_t points, double h, collocation_form form) {
  const std::size_t n = m.system.size();
  const integrator<double> flow(m.system, {.method = "midpoint", .step = h});
  const phase_state<double> start = flow.at_start(m);
  collocation_code code{*hamilton_program(m.system), points};
  code.leave_out_slopes();  // which loops do not use
  auto kernel = machine_code::make_kernel(code, parameter_values<double>(m.system), form);
  fill_tables(*kernel, make_gauss_collocation<double>(points), h);
  for (std::size_t i = 0; i < n; ++i) {
    kernel->work()[kernel->rows().start(i)] = start.position[i];
    kernel->work()[kernel->rows().start(n + i)] = start.momentum[i];
  }
  kernel->work()[kernel->rows().missed()] = 1;
  return kernel;
}

void go_on(collocation_kernel& kernel, double h) {
  const collocation_rows& rows = kernel.rows();
  for (std::size_t c = 0; c < rows.components; ++c) {
    const double before = kernel.work()[rows.start(c)];
    kernel.work()[rows.start(c)] += kernel.work()[rows.increment(c)];
    kernel.work()[rows.remainder(c)] = before - kernel.work()[rows.start(c)] + kernel.work()[rows.increment(c)];
  }
  kernel.work()[rows.time()] += h;
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(collocation_writer, loops_change_no_bit) {
  ACTIO_NEEDS(machine_code);
  struct example {
    const char* problem;
    double step;
    std::vector<std::size_t> points;
  };
  const std::vector<example> examples = {{"double-pendulum", 0.01, {3, 8}},
                                         {"double-pendulum", 0.2, {1, 8}},
                                         {"lagrange-top", 0.05, {4}},
                                         {"kepler", 0.3, {9}},
                                         {"damped-driven-pendulum", 0.1, {2, 7}},
                                         {"toda-lattice", 0.05, {5}}};
  for (const auto& [problem, h, many] : examples) {
    const model m = load_model(problem);
    for (const std::size_t points : many) {
      const auto straight = started(m, points, h, collocation_form::straight);
      const auto looped = started(m, points, h, collocation_form::looped);
      for (int k = 0; k < 30; ++k) {
        const stage_outcome found = straight->solve();
        ASSERT_EQ(looped->solve(), found) << problem << " " << points;
        if (found != stage_outcome::converged) break;
        ASSERT_TRUE(same_bits(straight->work(), looped->work())) << problem << " " << points << " step " << k;
        go_on(*straight, h);
        go_on(*looped, h);
      }
    }
  }
}

TEST(collocation_writer, writes_loops_for_large_systems_only) {
  const auto form_of = [](const char* problem) {
    const model m = load_model(problem);
    return machine_code::form_for(collocation_code{*hamilton_program(m.system), 4});
  };
  EXPECT_EQ(form_of("double-pendulum"), collocation_form::straight);
  EXPECT_EQ(form_of("outer-solar-system"), collocation_form::looped);
}

}  // namespace
}  // namespace actio
