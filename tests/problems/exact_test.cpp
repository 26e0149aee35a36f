// Exact motions satisfy the equations of motion, to sixty digits.
#include <gtest/gtest.h>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/derivative.hpp"
#include "problems/jacobi_elliptic.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

constexpr unsigned working_digits = 130, checked_digits = 60;

std::vector<const problem*> problems_with_exact_motion() {
  std::vector<const problem*> result;
  for (const problem& p : problem_catalogue()) {
    if (p.exact) result.push_back(&p);
  }
  return result;
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

class exact : public ::testing::TestWithParam<const problem*> {};

TEST_P(exact, satisfies_the_equations_of_motion) {
  precision_scope digits(working_digits);
  const model m = load_model(GetParam()->name);
  const auto motion = GetParam()->exact.of<multi>(m);
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
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_LT(abs(multi(momentum_rate[i] - expected[i])), multi(tolerance * force_scale * 1000)) << time << " " << i;
      EXPECT_LT(abs(multi(now.momentum[i] - expected[n + i])), multi(tolerance * momentum_scale * 1000))
          << time << " " << i;
    }
  }
}

TEST_P(exact, starts_from_the_initial_data) {
  precision_scope digits(checked_digits);
  const model m = load_model(GetParam()->name);
  const exact_point<multi> start = GetParam()->exact.of<multi>(m)(multi(0));
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

template <class S>
exact_point<S> at_time(const problem& p, const model& m, const char* time) {
  return p.exact.of<S>(m)(from_digits<S>(time));
}

TEST_P(exact, has_all_digits_of_each_scalar) {
  const problem& p = *GetParam();
  const model m = load_model(p.name);
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
    const multi scale = largest_of(wide.position) + abs(wide.position[i]);
    EXPECT_LT(abs(multi(in_multi.position[i] - wide.position[i])), multi(scale * multi("1e-57")));
    EXPECT_LT(abs(multi(multi(to_digits(in_quad.position[i])) - wide.position[i])), multi(scale * multi("1e-31")));
    EXPECT_LT(abs(multi(multi(in_double.position[i]) - wide.position[i])), multi(scale * multi("2e-16")));
  }
}

std::string name_of_problem(const ::testing::TestParamInfo<const problem*>& info) {
  std::string name(info.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(problems, exact, ::testing::ValuesIn(problems_with_exact_motion()), name_of_problem);

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

TEST(jacobi_elliptic, agrees_with_published_values) {
  // K(1/√2) = Γ(1/4)²/(4√π), and sn(K/2) = 1/√(1 + k').
  precision_scope digits(50);
  const multi k = sqrt(multi("0.5")), K = complete_elliptic_integral<multi>(k);
  EXPECT_LT(abs(multi(K - multi("1.8540746773013719184338503471952600462175988235217669"))), multi("1e-48"));
  const auto e = jacobi_elliptic<multi>(multi(K / 2), k);
  EXPECT_LT(abs(multi(e.sn - 1 / sqrt(multi(1 + k)))), multi("1e-48"));
  EXPECT_LT(abs(multi(e.sn * e.sn + e.cn * e.cn - 1)), multi("1e-48"));
}

TEST(pendulum, has_the_published_period) {
  const model m = load_model("pendulum");
  const auto motion = find_problem("pendulum")->exact.of<double>(m);
  const double period = 1.18034059901610;  // dubois2023
  EXPECT_NEAR(motion(period).position[0], 3.141592653589793 / 2, 1e-11);
  EXPECT_NEAR(motion(period / 2).position[0], -3.141592653589793 / 2, 1e-11);
}

}  // namespace
}  // namespace actio
