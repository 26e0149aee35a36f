// Exact motions satisfy the equations of motion, to sixty digits, and agree with an integrator of order 20.
#include <gtest/gtest.h>

#include <algorithm>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

constexpr unsigned working_digits = 130, checked_digits = 60;

struct exact_case {
  std::string name, problem;
  std::vector<std::string> assignments = {};
};

void PrintTo(const exact_case& c, std::ostream* out) { *out << c.name; }

model model_of(const exact_case& c) {
  model m = load_model(c.problem);
  for (const std::string& assignment : c.assignments) set_parameter(m, {assignment, {}, ""});
  return m;
}

const exact_solution& solution_of(const exact_case& c) { return find_problem(c.problem)->exact; }

// Every problem as it stands, and those kinds of motion that their formulas tell apart.
std::vector<exact_case> exact_cases() {
  std::vector<exact_case> cases;
  for (const problem& p : problem_catalogue()) {
    std::string name(p.name);
    std::replace(name.begin(), name.end(), '-', '_');
    if (p.exact) cases.push_back({name, std::string(p.name)});
  }
  const std::vector<exact_case> variants = {
      {"pendulum_pushed", "pendulum", {"amplitude=7", "rate=-3"}},
      {"pendulum_turning", "pendulum", {"rate=15"}},
      {"pendulum_turning_back", "pendulum", {"amplitude=9", "rate=-20", "w=-3"}},
      {"pendulum_separatrix", "pendulum", {"amplitude=0", "rate=-2*w"}},
      {"pendulum_weightless", "pendulum", {"w=0", "rate=2"}},
      {"kepler_anywhere", "kepler", {"x0=-0.7", "y0=1.1", "vx0=0.6", "vy0=0.5", "GM=1.5"}},
      {"kepler_circle", "kepler", {"e=0"}},
      {"top_with_nutation_rate", "lagrange-top", {"theta_rate=-2"}},
      {"top_rising", "lagrange-top", {"theta_rate=3", "phi_rate=2"}},
      {"top_with_cusps", "lagrange-top", {"phi_rate=0"}},
      {"top_turning_back", "lagrange-top", {"theta0=-1", "phi_rate=-4", "psi_rate=-150"}},
      {"top_hanging", "lagrange-top", {"g=-9.81", "theta_rate=1", "theta0=4"}},
      {"spherical_pendulum_pushed", "spherical-pendulum", {"theta0=2", "theta_rate=-1", "phi_rate=-3"}},
      {"quaternions_with_nutation_rate", "heavy-top", {"theta_rate=-2", "psi_rate=40"}},
      {"particle_without_field", "charged-particle", {"B=0"}},
  };
  cases.insert(cases.end(), variants.begin(), variants.end());
  return cases;
}

// Values of G = ∂L/∂q + F and P = ∂L/∂v at one point.
class covectors {
 public:
  explicit covectors(const model& m) : symbols_(m.system.coordinates) {
    const lagrangian_system& system = m.system;
    outputs_ = gradient(system.lagrangian, system.coordinates);
    for (std::size_t i = 0; i < system.forces.size(); ++i) outputs_[i] += system.forces[i];
    for (const expr& p : gradient(system.lagrangian, system.velocities())) outputs_.push_back(p);
    for (const expr& v : system.velocities()) symbols_.push_back(v);
    symbols_.push_back(time_symbol());
    for (const expr& p : system.parameter_symbols()) symbols_.push_back(p);
    parameters_ = parameter_values<multi>(system);
  }

  std::vector<multi> operator()(const std::vector<multi>& q, const std::vector<multi>& v, const multi& t) const {
    std::vector<multi> values(q);
    values.insert(values.end(), v.begin(), v.end());
    values.push_back(t);
    values.insert(values.end(), parameters_.begin(), parameters_.end());
    return evaluate<multi>(outputs_, symbols_, values);
  }

 private:
  std::vector<expr> symbols_, outputs_;
  std::vector<multi> parameters_;
};

multi largest_of(const std::vector<multi>& values) {
  multi largest = 0;
  for (const multi& x : values) largest = std::max(largest, multi(abs(x)));
  return largest;
}

std::vector<multi> central_difference(const std::vector<multi>& before, const std::vector<multi>& after,
                                      const multi& h) {
  std::vector<multi> result;
  for (std::size_t i = 0; i < before.size(); ++i) result.push_back(multi((after[i] - before[i]) / (2 * h)));
  return result;
}

// What is left of a force when its part normal to the constraint, if there is one, is taken away.
void take_off_constraint_force(const model& m, const std::vector<multi>& q, std::vector<multi>& force) {
  if (!m.system.is_constrained()) return;
  ASSERT_EQ(m.system.constraints.size(), 1u);
  std::vector<expr> symbols(m.system.coordinates);
  for (const expr& p : m.system.parameter_symbols()) symbols.push_back(p);
  std::vector<multi> values(q);
  for (const multi& p : parameter_values<multi>(m.system)) values.push_back(p);
  const auto normal = evaluate<multi>(gradient(m.system.constraints[0].value, m.system.coordinates), symbols, values);
  multi along = 0, length = 0;
  for (std::size_t i = 0; i < q.size(); ++i) along += normal[i] * force[i], length += normal[i] * normal[i];
  for (std::size_t i = 0; i < q.size(); ++i) force[i] -= along / length * normal[i];
}

class exact : public ::testing::TestWithParam<exact_case> {};

TEST_P(exact, satisfies_the_equations_of_motion) {
  precision_scope digits(working_digits);
  const model m = model_of(GetParam());
  const auto motion = solution_of(GetParam()).of<multi>(m);
  const covectors at(m);
  const std::size_t n = m.system.size();
  const multi h("1e-33"), tolerance("1e-60");
  for (const char* time : {"0.1", "1", "2.718281828459045", "7.3", "103.25"}) {
    const multi t(time);
    const exact_point<multi> now = motion(t), before = motion(multi(t - h)), after = motion(multi(t + h));
    const auto velocity = central_difference(before.position, after.position, h);
    const auto momentum_rate = central_difference(before.momentum, after.momentum, h);
    const std::vector<multi> expected = at(now.position, velocity, t);
    const multi force_scale = largest_of({expected.begin(), expected.begin() + static_cast<long>(n)}) + 1;
    const multi momentum_scale = largest_of({expected.begin() + static_cast<long>(n), expected.end()}) + 1;
    std::vector<multi> off;
    for (std::size_t i = 0; i < n; ++i) off.push_back(multi(momentum_rate[i] - expected[i]));
    take_off_constraint_force(m, now.position, off);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_LT(abs(off[i]), multi(tolerance * force_scale * 1000)) << time << " " << i;
      EXPECT_LT(abs(multi(now.momentum[i] - expected[n + i])), multi(tolerance * momentum_scale * 1000))
          << time << " " << i;
    }
  }
}

TEST_P(exact, starts_from_the_initial_data) {
  precision_scope digits(checked_digits);
  const model m = model_of(GetParam());
  const exact_point<multi> start = solution_of(GetParam()).of<multi>(m)(multi(0));
  std::vector<multi> position, rates;
  for (const named_expr& q : m.initial.position) position.push_back(quantity_value<multi>(m.system, q.value));
  for (const named_expr& r : m.initial.rates) rates.push_back(quantity_value<multi>(m.system, r.value));
  const bool gives_velocity = m.initial.rate == rate_kind::velocity;
  const std::vector<multi> at_start =
      covectors(m)(position, gives_velocity ? rates : std::vector<multi>(rates.size()), 0);
  const multi tolerance("1e-58");
  for (std::size_t i = 0; i < m.system.size(); ++i) {
    EXPECT_LE(abs(multi(start.position[i] - position[i])), tolerance);
    EXPECT_LE(abs(multi(start.momentum[i] - (gives_velocity ? at_start[m.system.size() + i] : rates[i]))), tolerance);
  }
}

// The largest initial velocity of a constrained model that gives velocities, else 0: how fast a quaternion turns.
multi turning_rate(const model& m) {
  multi rate = 0;
  if (!m.system.is_constrained() || m.initial.rate != rate_kind::velocity) return rate;
  for (const named_expr& r : m.initial.rates)
    rate = std::max(rate, multi(abs(quantity_value<multi>(m.system, r.value))));
  return rate;
}

template <class S>
exact_point<S> at_time(const exact_solution& exact, const model& m, const char* time) {
  return exact.of<S>(m)(from_digits<S>(time));
}

TEST_P(exact, has_all_digits_of_each_scalar) {
  const exact_solution& p = solution_of(GetParam());
  const model m = model_of(GetParam());
  const char* time = "12.375";
  exact_point<multi> wide;
  {
    precision_scope digits(working_digits);
    wide = at_time<multi>(p, m, time);
  }
  precision_scope digits(checked_digits);
  const auto in_multi = at_time<multi>(p, m, time);
  const auto in_quad = at_time<quad>(p, m, time);
  const auto in_double = at_time<double>(p, m, time);
  for (std::size_t i = 0; i < m.system.size(); ++i) {
    // Angles that have grown have fewer digits behind the point, and so have their sines.
    const multi scale = largest_of(wide.position) + abs(wide.position[i]) + turning_rate(m) * multi(time);
    EXPECT_LT(abs(multi(in_multi.position[i] - wide.position[i])), multi(scale * multi("1e-57")));
    EXPECT_LT(abs(multi(multi(to_digits(in_quad.position[i])) - wide.position[i])), multi(scale * multi("1e-31")));
    EXPECT_LT(abs(multi(multi(in_double.position[i]) - wide.position[i])), multi(scale * multi("2e-16")));
  }
}

// The flow of gauss-10, or of lobatto-9 under constraints, with 60 digits over `steps` steps.
exact_point<multi> integrated(const model& m, const multi& step, std::size_t steps) {
  lagrangian_system system = m.system;
  system.time_scale.reset();  // steps in t
  const integrator<multi> flow(system, {.method = system.is_constrained() ? "lobatto-9" : "gauss-10", .step = step});
  phase_state<multi> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  for (std::size_t k = 0; k < steps; ++k) EXPECT_TRUE(workspace->advance(state));
  return {state.position.value, state.momentum.value};
}

TEST_P(exact, agrees_with_an_integrator_of_high_order) {
  const model m = model_of(GetParam());
  const std::size_t steps = 32;
  exact_point<multi> reference;
  multi step("0.0009765625");
  {
    precision_scope digits(checked_digits);
    while (step * turning_rate(m) > multi("0.02")) step /= 2;
    reference = integrated(m, step, steps);
  }
  precision_scope digits(50);
  const exact_point<multi> point = solution_of(GetParam()).of<multi>(m)(multi(steps * step));
  const multi tolerance = multi("1e-45") * (1 + largest_of(point.position) + largest_of(point.momentum));
  for (std::size_t i = 0; i < m.system.size(); ++i) {
    EXPECT_LT(abs(multi(point.position[i] - reference.position[i])), tolerance) << i;
    EXPECT_LT(abs(multi(point.momentum[i] - reference.momentum[i])), tolerance) << i;
  }
}

TEST_P(exact, repeats_its_momenta_with_its_period) {
  precision_scope digits(checked_digits);
  const model m = model_of(GetParam());
  const exact_answer<multi> answer = solution_of(GetParam()).answer<multi>(m);
  EXPECT_EQ(answer.obstacle, "");
  if (!answer.period) return;
  EXPECT_GT(*answer.period, 0);
  EXPECT_FALSE(answer.repeats.empty());
  // The planes of pendulums in space, the guiding centre of the particle and the turns of a quaternion keep momenta
  // from repeating.
  for (const char* turning : {"foucault-pendulum", "charged-particle", "spherical-pendulum-rod", "heavy-top"}) {
    if (GetParam().problem == turning) return;
  }
  const multi t("0.7");
  const exact_point<multi> now = answer.motion(t), later = answer.motion(multi(t + 3 * *answer.period));
  for (std::size_t i = 0; i < m.system.size(); ++i) {
    EXPECT_LT(abs(multi(now.momentum[i] - later.momentum[i])), multi("1e-55")) << i;
  }
}

std::string name_of_case(const ::testing::TestParamInfo<exact_case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(problems, exact, ::testing::ValuesIn(exact_cases()), name_of_case);

TEST(exact_answer, says_why_there_is_no_motion) {
  const exact_case refused[] = {
      {"open", "kepler", {"vy0=5"}},
      {"parabola", "kepler", {"x0=1", "vy0=sqrt(2)"}},
      {"fall", "kepler", {"vy0=0"}},
      {"repulsion", "kepler", {"GM=-1", "x0=1", "vy0=1"}},
      {"sleeping", "lagrange-top", {"theta0=0"}},
      {"hanging straight", "lagrange-top", {"theta0=pi"}},
      {"weightless", "lagrange-top", {"g=0"}},
      {"through the vertical", "lagrange-top", {"phi_rate=0", "psi_rate=0", "theta_rate=1"}},
      {"plane", "spherical-pendulum", {"phi_rate=0"}},
      {"unstable", "harmonic-oscillator", {"k=-1"}},
      {"rising", "linear-double-pendulum", {"g=-1", "l=1"}},
  };
  for (const exact_case& c : refused) {
    SCOPED_TRACE(c.name);
    const model m = model_of(c);
    for (const bool in_double : {true, false}) {
      const std::string obstacle =
          in_double ? solution_of(c).answer<double>(m).obstacle : solution_of(c).answer<quad>(m).obstacle;
      EXPECT_FALSE(obstacle.empty());
    }
    EXPECT_FALSE(solution_of(c).of<double>(m));
  }
}

TEST(exact_motion, follows_changed_parameters) {
  model m = load_model("kepler");
  set_parameter(m, {"e=0.9", {}, ""});
  set_parameter(m, {"GM=4", {}, ""});
  const auto motion = find_problem("kepler")->exact.of<double>(m);
  EXPECT_NEAR(motion(0).position[0], 0.1, 1e-16);
  EXPECT_NEAR(motion(0).momentum[1], std::sqrt(4 * 1.9 / 0.1), 1e-14);
  const double half_period = 3.141592653589793 / 2;
  EXPECT_NEAR(motion(half_period).position[0], -1.9, 1e-15);
  EXPECT_NEAR(motion(-half_period).position[0], -1.9, 1e-15);
}

TEST(pendulum, has_the_published_period) {
  const exact_answer<double> answer = find_problem("pendulum")->exact.answer<double>(load_model("pendulum"));
  EXPECT_NEAR(answer.period.value(), 1.18034059901610, 1e-14);  // dubois2023
  EXPECT_NEAR(answer.motion(*answer.period / 2).position[0], -3.141592653589793 / 2, 1e-14);
}

TEST(lagrange_top, has_the_period_in_its_text_to_the_last_digit) {
  precision_scope digits(100);
  const model m = load_model("lagrange-top");
  const auto parameter = std::ranges::find(m.system.parameters, "nutation_period", &named_expr::name);
  ASSERT_NE(parameter, m.system.parameters.end());
  const multi typed = quantity_value<multi>(m.system, parameter->value);
  const std::string text = to_digits(typed);
  const std::size_t decimals = text.size() - text.find('.') - 1;
  ASSERT_GE(decimals, 64U);
  const multi period = find_problem("lagrange-top")->exact.answer<multi>(m).period.value();
  EXPECT_LE(abs(multi(period - typed)), multi(pow(multi(10), -static_cast<int>(decimals)) * multi("0.51")));
  EXPECT_LT(abs(multi(period - multi("1.846708477081638"))), multi("1e-15"));  // rojas2025, recomputed
}

}  // namespace
}  // namespace actio
