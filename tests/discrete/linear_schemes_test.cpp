#include "actio/discrete/linear_schemes.hpp"

#include <gtest/gtest.h>

#include "actio/integrate/linear_step.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/linear_systems.hpp"

namespace actio {
namespace {

template <class S>
double difference(std::span<const S> a, std::span<const S> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(to_double(S(a[i] - b[i]))));
  return largest;
}

template <class S>
std::vector<S> state_vector(const phase_state<S>& state) {
  std::vector<S> eta = state.momentum.value;
  eta.insert(eta.end(), state.position.value.begin(), state.position.value.end());
  return eta;
}

template <class S>
phase_state<S> some_state(std::size_t n) {
  phase_state<S> state;
  std::vector<S> q, p;
  for (std::size_t i = 0; i < n; ++i) {
    q.push_back(S(1) / S(static_cast<double>(i + 2)));
    p.push_back(S(static_cast<double>(i)) / S(3) - S(0.5));
  }
  state.position = compensated_vector<S>(q);
  state.momentum = compensated_vector<S>(p);
  return state;
}

// The step that runs use, the general Galerkin step, and the matrix forms.
template <class S>
void expect_agreement(double tolerance) {
  for (std::size_t n = 1; n <= 6; ++n) {
    for (const bool loaded : {false, true}) {
      const linear_system<S> system = testing::random_linear_system<S>(n, loaded);
      const phase_space<S> space(testing::as_lagrangian(system), {});
      const S h(0.375);
      for (const char* name : {"simpson", "midpoint"}) {
        SCOPED_TRACE(name + std::to_string(n));
        const bool is_simpson = name == std::string("simpson");
        const phase_state<S> start = some_state<S>(n);
        phase_state<S> fast = start, general = start;
        const method& m = *find_method(name);
        const auto fast_step = m.make<S>({.space = space, .step = h, .linear = &system});
        const auto general_step = m.make<S>({.space = space, .step = h});
        ASSERT_NE(dynamic_cast<linear_step<S>*>(fast_step.get()), nullptr);
        ASSERT_EQ(dynamic_cast<linear_step<S>*>(general_step.get()), nullptr);
        for (int k = 0; k < 3; ++k) {
          ASSERT_TRUE(fast_step->advance(fast));
          ASSERT_TRUE(general_step->advance(general));
        }
        EXPECT_LT(difference<S>(state_vector(fast), state_vector(general)), tolerance);
        EXPECT_LT(difference<S>(fast_step->tangent_map(start).data(), general_step->tangent_map(start).data()),
                  tolerance);
        std::vector<S> a(n), b(n);
        fast_step->interpolate(S(0.3), a);
        general_step->interpolate(S(0.3), b);
        EXPECT_LT(difference<S>(a, b), tolerance);

        const auto blocks = is_simpson ? simpson_blocks(system, h) : newmark_blocks(system, h);
        std::vector<S> eta = state_vector(start), first = eta;
        for (int k = 0; k < 3; ++k) eta = advanced<S>(scheme_of(blocks), eta);
        EXPECT_LT(difference<S>(state_vector(fast), eta), tolerance);
        if (!is_simpson) continue;
        const matrix_scheme<S> with_middle = simpson_scheme_with_middle(system, h);
        for (int k = 0; k < 3; ++k) {
          const std::vector<S> all = advanced<S>(with_middle, first);
          first.assign(all.begin() + static_cast<long>(n), all.end());
          fast_step->interpolate(S(0.5), a);
          if (k == 2) {
            EXPECT_LT(difference<S>(std::span(all).first(n), a), tolerance);
          }
        }
        EXPECT_LT(difference<S>(eta, first), tolerance);
      }
    }
  }
}

TEST(linear_schemes, all_forms_are_the_same_step) {
  expect_agreement<double>(1e-13);
  expect_agreement<quad>(1e-31);
  const precision_scope digits(40);
  expect_agreement<multi>(1e-37);
}

// ΦᵀJΦ = J with η = (p, q). [rojas2024, eq. 33]
TEST(linear_schemes, are_symplectic) {
  for (std::size_t n = 1; n <= 6; ++n) {
    const auto system = testing::random_linear_system<quad>(n);
    for (const auto& blocks : {newmark_blocks(system, quad(0.4)), simpson_blocks(system, quad(0.4))}) {
      const matrix<quad> phi = step_matrix(scheme_of(blocks));
      matrix<quad> J(2 * n, 2 * n);
      for (std::size_t i = 0; i < n; ++i) {
        J(i, n + i) = -1;
        J(n + i, i) = 1;
      }
      const matrix<quad> mapped = transpose(phi) * (J * phi);
      EXPECT_LT(difference<quad>(mapped.data(), J.data()), 1e-30);
    }
  }
}

TEST(conserved_form, is_conserved_where_the_stiffness_is_singular) {
  matrix<quad> mass(2, 2), stiffness(2, 2);
  mass(0, 0) = 1;
  mass(1, 1) = 2;
  stiffness(0, 0) = stiffness(1, 1) = 3;
  stiffness(0, 1) = stiffness(1, 0) = -3;
  const linear_system<quad> system(mass, stiffness);
  for (const auto& blocks : {newmark_blocks(system, quad(0.5)), simpson_blocks(system, quad(0.5))}) {
    const conserved_form<quad> form(blocks);
    std::vector<quad> eta{1, -2, quad(0.5), 0};
    const auto value = [&] { return form(std::span<const quad>(eta).first(2), std::span<const quad>(eta).subspan(2)); };
    const quad at_start = value();
    ASSERT_GT(at_start, 0);
    for (int k = 0; k < 50; ++k) eta = advanced<quad>(scheme_of(blocks), eta);
    EXPECT_LT(to_double(quad(abs(value() - at_start))), 1e-30);
  }
}

// 1000 periods t̄ = 1 s of the linear double pendulum. [rojas2024, Figures on the energy and on the quadratic form]
TEST(conserved_form, is_conserved_to_rounding_for_a_thousand_periods) {
  const model m = load_model("linear-double-pendulum");
  const struct {
    double step, energy_error;
  } cases[] = {{0.1, 3.9e-3}, {0.01, 3.3e-7}};
  for (const auto& c : cases) {
    const integrator<double> flow(m.system, {.step = c.step});
    ASSERT_NE(flow.linear(), nullptr);
    phase_state<double> state = flow.at_start(m);
    const conserved_form<double> form(simpson_blocks(*flow.linear(), c.step));
    phase_point<double> point(flow.space());
    const auto workspace = flow.make_workspace();
    const double first = form(state.momentum.value, state.position.value);
    point.measure(0, state.position.value, state.momentum.value);
    const double energy = point.energy();
    double change = 0, energy_change = 0;
    for (std::size_t k = steps_until(1000.0, c.step); k-- > 0;) {
      ASSERT_TRUE(workspace->advance(state));
      change = std::max(change, std::abs(form(state.momentum.value, state.position.value) - first));
      point.measure(0, state.position.value, state.momentum.value);
      energy_change = std::max(energy_change, std::abs(point.energy() - energy));
    }
    EXPECT_LT(change, 1e-14);
    EXPECT_LT(change / first, 1e-14);
    EXPECT_NEAR(energy_change / energy, c.energy_error, 0.02 * c.energy_error);
  }
}

}  // namespace
}  // namespace actio
