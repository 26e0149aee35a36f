// Newton's iteration as machine code against its text carried out with numbers.
#include <gtest/gtest.h>

#include "actio/backend/backend.hpp"
#include "actio/discrete/newton_program.hpp"
#include "actio/integrate/fused_step.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/carried_out_newton.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

// With sines looked up ahead, angles beyond the usual ones, and steps that take several iterations.
TEST(newton_writer, has_the_bits_of_its_text_carried_out_with_numbers) {
  ACTIO_NEEDS(machine_code);
  const galerkin_scheme midpoint{1, node_family::gauss, 1}, simpson{2, node_family::lobatto, 3};
  const galerkin_scheme lobatto_4{3, node_family::lobatto, 4};
  for (const auto& [problem, scheme, h] :
       {std::tuple{"double-pendulum", simpson, 0.01}, std::tuple{"lagrange-top", simpson, 0.1},
        std::tuple{"damped-driven-pendulum", simpson, 0.02}, std::tuple{"kepler", lobatto_4, 0.02},
        std::tuple{"pendulum", midpoint, 0.2}}) {
    const model m = load_model(problem);
    const integrator<double> flow(m.system, {.method = "midpoint", .step = h});
    const step_context<double> context{flow.space(), h};
    const newton_code code = newton_code_of(*flow.space().code(), scheme);
    fused_step written(scheme, make_newton_kernel(code, flow.space().parameters(), h), context);
    fused_step carried_out(
        scheme, std::make_unique<testing::carried_out_newton>(code, flow.space().parameters().values(), h), context);
    phase_state<double> a = flow.at_start(m);
    if (m.system.size() == 1) a.position.value[0] += 2e6 * pi_value<double>();
    phase_state<double> b = a;
    for (int k = 0; k < 300; ++k) {
      const step_status by_machine = written.advance(a), by_numbers = carried_out.advance(b);
      ASSERT_TRUE(by_machine) << problem;
      EXPECT_EQ(by_machine.iterations, by_numbers.iterations) << problem << " " << k;
    }
    EXPECT_EQ(a.position.value, b.position.value) << problem;
    EXPECT_EQ(a.momentum.value, b.momentum.value) << problem;
    EXPECT_EQ(a.position.remainder, b.position.remainder) << problem;
  }
}

}  // namespace
}  // namespace actio
