// Kernels in straight lines, with loops over components, with a field that is called, and carried out with numbers.
#include "actio/backend/llvm/collocation_writer.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "actio/backend/backend.hpp"
#include "actio/backend/llvm/kernels.hpp"
#include "actio/backend/stage_iteration.hpp"
#include "actio/integrate/collocation_step.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/simulate/integrator.hpp"
#include "problems/problem.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

using machine_code::collocation_form;

// A kernel at the start of a model, with a poor guess that gives every component a size.
template <class Make>
std::unique_ptr<collocation_kernel> started_by(const model& m, std::size_t points, double h, Make&& make) {
  const std::size_t n = m.system.size();
  const integrator<double> flow(m.system, {.method = "midpoint", .step = h});
  const phase_state<double> start = flow.at_start(m);
  collocation_code code{*hamilton_program(m.system), points};
  code.leave_out_slopes();  // which loops do not use
  std::unique_ptr<collocation_kernel> kernel = make(code, parameter_values<double>(m.system));
  fill_tables(*kernel, make_gauss_collocation<double>(points), h);
  for (std::size_t i = 0; i < n; ++i) {
    kernel->work()[kernel->rows().start(i)] = start.position[i];
    kernel->work()[kernel->rows().start(n + i)] = start.momentum[i];
  }
  std::ranges::fill(kernel->work().subspan(kernel->rows().rate(0), 2 * n * kernel->rows().lanes), 0.1);
  kernel->work()[kernel->rows().missed()] = 1;
  return kernel;
}
std::unique_ptr<collocation_kernel> started(const model& m, std::size_t points, double h, collocation_form form) {
  return started_by(m, points, h, [&](const collocation_code& code, const std::vector<double>& parameters) {
    return machine_code::make_kernel(code, parameters, form);
  });
}
std::unique_ptr<collocation_kernel> started_with_numbers(const model& m, std::size_t points, double h) {
  return started_by(m, points, h, [](const collocation_code& code, const std::vector<double>& parameters) {
    return std::make_unique<stage_iteration>(code, parameters);
  });
}

// The increment is a sum of two numbers.
double increment_of(const collocation_kernel& kernel, std::size_t c) {
  return kernel.work()[kernel.rows().increment(c)] + kernel.work()[kernel.rows().increment_remainder(c)];
}

void go_on(collocation_kernel& kernel, double h) {
  const collocation_rows& rows = kernel.rows();
  for (std::size_t c = 0; c < rows.components; ++c) {
    const double before = kernel.work()[rows.start(c)], increment = increment_of(kernel, c);
    kernel.work()[rows.start(c)] += increment;
    kernel.work()[rows.remainder(c)] = before - kernel.work()[rows.start(c)] + increment;
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

// Rates at the nodes and increments, whatever the kernel's rows look like.
std::vector<double> found_by(const collocation_kernel& kernel) {
  const collocation_rows& rows = kernel.rows();
  std::vector<double> found;
  for (std::size_t c = 0; c < rows.components; ++c) {
    for (std::size_t i = 0; i < rows.points; ++i) found.push_back(kernel.work()[rows.rate(c) + i]);
    found.push_back(kernel.work()[rows.increment(c)]);
    found.push_back(kernel.work()[rows.increment_remainder(c)]);
  }
  found.push_back(kernel.work()[rows.iterations()]);
  return found;
}

// One text: where no sines are taken from series, a field that is called and numbers that are computed at once have the
// bits of machine code with the field in it.
TEST(collocation_writer, has_the_bits_of_its_text_carried_out_with_numbers) {
  ACTIO_NEEDS(machine_code);
  for (const auto& [problem, h] : {std::pair("kepler", 0.2), std::pair("henon-heiles", 0.1),
                                   std::pair("toda-lattice", 0.05), std::pair("pythagorean-three-body", 0.01)}) {
    const model m = load_model(problem);
    for (const std::size_t points : {1U, 2U, 5U, 8U, 10U}) {
      SCOPED_TRACE(fmt::format("{}, {} nodes", problem, points));
      const auto written = started(m, points, h, collocation_form::looped),
                 calling = started(m, points, h, collocation_form::calling),
                 numbers = started_with_numbers(m, points, h);
      for (int k = 0; k < 20; ++k) {
        ASSERT_EQ(written->solve(), stage_outcome::converged);
        ASSERT_EQ(calling->solve(), stage_outcome::converged);
        ASSERT_EQ(numbers->solve(), stage_outcome::converged);
        ASSERT_EQ(found_by(*calling), found_by(*written)) << "step " << k;
        ASSERT_EQ(found_by(*numbers), found_by(*written)) << "step " << k;
        for (collocation_kernel* const kernel : {written.get(), calling.get(), numbers.get()}) go_on(*kernel, h);
      }
    }
  }
}

// With sines the solutions are the same to rounding.
TEST(collocation_writer, finds_the_same_stages_where_the_field_is_called) {
  ACTIO_NEEDS(machine_code);
  const model m = load_model("double-pendulum");
  const auto written = started(m, 6, 0.02, collocation_form::looped),
             calling = started(m, 6, 0.02, collocation_form::calling);
  for (int k = 0; k < 20; ++k) {
    ASSERT_EQ(written->solve(), stage_outcome::converged);
    ASSERT_EQ(calling->solve(), stage_outcome::converged);
    for (std::size_t c = 0; c < written->rows().components; ++c) {
      const double expected = increment_of(*written, c);
      EXPECT_NEAR(increment_of(*calling, c), expected, 1e-15 * (1 + std::abs(expected))) << "step " << k << ", " << c;
    }
    for (collocation_kernel* const kernel : {written.get(), calling.get()}) go_on(*kernel, 0.02);
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
