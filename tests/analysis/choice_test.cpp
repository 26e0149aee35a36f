#include "actio/analysis/choice.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/analysis/error_scan.hpp"
#include "actio/analysis/step_cost.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

// How far the end of a run with the chosen method and step is from one with much shorter steps.
template <class S>
double error_of(const model& m, const method_choice<S>& choice, const S& until, const motion_size& size) {
  const integrator<S> flow(m.system, {.method = choice.method->name, .step = choice.step});
  phase_state<S> state = flow.at_start(m);
  EXPECT_EQ(run(flow, state, choice.steps).status, run_status::done);
  EXPECT_EQ(choice.steps, steps_until(until, choice.step));
  const std::size_t finer = m.system.is_first_order() ? 8 : 3;
  const char* const best = m.system.is_first_order() ? "rk4" : m.system.is_constrained() ? "lobatto-9" : "gauss-10";
  const integrator<S> better = flow.with_method(*find_method(best), choice.step / S(static_cast<double>(finer)));
  phase_state<S> truth = better.at_start(m);
  EXPECT_EQ(run(better, truth, finer * choice.steps).status, run_status::done);
  return relative_distance(state, truth, size);
}

struct expectation {
  const char* problem;
  double accuracy, until;
};

class accuracies : public ::testing::TestWithParam<expectation> {};

TEST_P(accuracies, are_reached_and_not_missed_by_far) {
  const auto [name, accuracy, until] = GetParam();
  const model m = load_model(name);
  const auto choice = choose<double>(m, {.accuracy = accuracy, .until = until});
  EXPECT_NEAR(choice.step * static_cast<double>(choice.steps), until, 1e-12 * until);
  motion_size size;
  size.cover(integrator<double>(m.system, {.method = choice.method->name, .step = choice.step}).at_start(m));
  const double error = error_of(m, choice, until, size);
  EXPECT_LE(error, 2 * accuracy) << choice.method->name << ' ' << choice.step;
  EXPECT_GE(error, accuracy / 1e5) << choice.method->name << ' ' << choice.step;
  EXPECT_LE(choice.estimated_error, accuracy);
}

INSTANTIATE_TEST_SUITE_P(
    choice, accuracies,
    ::testing::Values(expectation{"double-pendulum", 1e-6, 6}, expectation{"double-pendulum", 1e-10, 10},
                      expectation{"kepler", 1e-5, 40}, expectation{"kepler", 1e-11, 20},
                      expectation{"toda-lattice", 1e-4, 20}, expectation{"henon-heiles", 1e-8, 50},
                      expectation{"linear-double-pendulum", 1e-9, 20}, expectation{"relativistic-oscillator", 1e-6, 10},
                      expectation{"damped-driven-pendulum", 1e-7, 10}, expectation{"reduced-lagrange-top", 1e-7, 2},
                      expectation{"spherical-pendulum-rod", 1e-8, 10}, expectation{"torus-geodesic", 1e-5, 20}));

TEST(choice, works_beyond_double) {
  const model m = load_model("pendulum");
  const auto choice = choose<quad>(m, {.accuracy = 1e-22, .until = quad(3)});
  motion_size size{1, 1};
  const double error = error_of<quad>(m, choice, quad(3), size);
  EXPECT_LE(error, 3e-22);
  EXPECT_GE(error, 1e-27);
}

TEST(choice, is_the_same_every_time) {
  const model m = load_model("kepler");
  const auto one = choose<double>(m, {.accuracy = 1e-8, .until = 30.0});
  const auto other = choose<double>(m, {.accuracy = 1e-8, .until = 30.0});
  EXPECT_EQ(one.method, other.method);
  EXPECT_EQ(one.step, other.step);
  EXPECT_EQ(one.reason, other.reason);
}

TEST(choice, keeps_a_method_or_a_step) {
  const model m = load_model("kepler");
  const auto step = choose<double>(m, {.accuracy = 1e-6, .until = 20.0, .kept_method = find_method("gauss-3")});
  EXPECT_EQ(step.method->name, "gauss-3");
  EXPECT_LE(step.estimated_error, 1e-6);
  const auto method = choose<double>(m, {.accuracy = 1e-8, .until = 20.0, .kept_step = 0.1});
  EXPECT_EQ(method.step, 0.1);
  EXPECT_LE(method.estimated_error, 1e-8);
  // With a step this long no method is good enough: the best there is.
  const auto best = choose<double>(m, {.accuracy = 1e-12, .until = 20.0, .kept_step = 0.5});
  EXPECT_GT(best.estimated_error, 1e-12);
  EXPECT_LT(best.estimated_error, 1e-3);
}

TEST(choice, refuses_what_rounding_or_chaos_forbid) {
  const auto refused = [](const char* name, double accuracy, double until) {
    const model m = load_model(name);
    try {
      choose<double>(m, {.accuracy = accuracy, .until = until});
    } catch (const input_error& error) {
      return error.id();
    }
    return std::string();
  };
  EXPECT_EQ(refused("kepler", 1e-16, 50), "accuracy-unreachable");
  EXPECT_EQ(refused("double-pendulum", 1e-10, 60), "accuracy-unreachable");
}

// Errors at the end by a run with a quarter of the step; what is promised was measured over all of the run.
TEST(choice, measures_uneven_motions_to_their_end) {
  const auto from_text = [](const std::string& lagrangian, const std::string& start) {
    return parse_model("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 " + lagrangian + "\"\n" + start,
                       "test.toml");
  };
  const std::string attraction = "+ 1/sqrt(x^2 + y^2)";
  struct uneven {
    const char* name;
    model m;
    double until;
  };
  for (const auto& [name, m, until] :
       {uneven{"from apocentre",
               from_text(attraction,
                         "[initial.position]\nx = 1.99\ny = 0\n[initial.velocity]\nx = 0\n"
                         "y = \"sqrt(1/199)\"\n"),
               2 * 3.14159265},
        uneven{"a late encounter",
               from_text(attraction,
                         "[initial.position]\nx = 30\ny = 0.5\n[initial.velocity]\n"
                         "x = -1\ny = 0\n"),
               40},
        uneven{"a pulse",
               from_text("- x^2/2 - y^2 + 10*x*exp(-(100*(t - 20))^2)",
                         "[initial.position]\nx = 1\ny = 0.2\n[initial.velocity]\nx = 0\ny = 0\n"),
               25}}) {
    for (const double accuracy : {1e-4, 1e-8}) {
      const auto choice = choose<double>(m, {.accuracy = accuracy, .until = until});
      EXPECT_LE(choice.estimated_error, accuracy) << name;
      motion_size size{1, 1};
      EXPECT_LE(error_of(m, choice, until, size), 3 * accuracy) << name << ' ' << choice.method->name;
    }
  }
}

std::string refusal_of(const model& m, double accuracy, double until) {
  try {
    choose<double>(m, {.accuracy = accuracy, .until = until});
  } catch (const input_error& error) {
    return error.what();
  }
  return "";
}

TEST(choice, says_why_an_accuracy_is_out_of_reach) {
  const model kink = parse_model(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 - abs(x)\"\n[initial.position]\nx = 1\n[initial.velocity]\nx = 0.3\n",
      "test.toml");
  EXPECT_NE(refusal_of(kink, 1e-11, 20).find("the model is not smooth"), std::string::npos)
      << refusal_of(kink, 1e-11, 20);
  EXPECT_EQ(refusal_of(kink, 1e-2, 20), "");
  EXPECT_NE(refusal_of(load_model("double-pendulum"), 1e-10, 60).find("chaotic"), std::string::npos)
      << refusal_of(load_model("double-pendulum"), 1e-10, 60);
  EXPECT_NE(refusal_of(load_model("kepler"), 1e-16, 50).find("rounding"), std::string::npos);
}

model falling_from_zero(const std::string& potential) {
  return parse_model("coordinates = ['x']\nlagrangian = \"x'^2/2 - (" + potential +
                         ")\"\n[initial.position]\nx = 0\n[initial.velocity]\nx = 0.585\n",
                     "test.toml");
}

// Roots that reach zero are kinks, whether or not they are written as squares: rounding has nothing to do with them.
TEST(choice, kinks_in_other_words_are_not_called_rounding) {
  const std::string valley = "1.925*sqrt((x - 1.922)^2)", hidden = "1.925*sqrt(x^2 - 3.844*x + 3.694084)";
  // Down one slope and up the other, with the same acceleration.
  const double a = 1.925, bottom = 1.922, v = 0.585, until = 1.64, accuracy = 2e-3;
  const double speed = std::sqrt(v * v + 2 * a * bottom), after = until - (speed - v) / a;
  const double end = bottom + speed * after - a * after * after / 2;
  for (const std::string& potential : {valley, hidden}) {
    const model m = falling_from_zero(potential);
    const auto choice = choose<double>(m, {.accuracy = accuracy, .until = until});
    const integrator<double> flow(m.system, {.method = choice.method->name, .step = choice.step});
    phase_state<double> state = flow.at_start(m);
    run(flow, state, choice.steps);
    EXPECT_NEAR(state.position[0], end, accuracy * end) << potential;
    EXPECT_LE(std::abs(state.position[0] - end), 3 * choice.estimated_error * end) << potential;
  }
  EXPECT_EQ(refusal_of(falling_from_zero("0.188*x^2 + 1.077*((x - 0.1)^2)^(5/4)"), 1e-3, 19.46), "");
  const std::string refusal = refusal_of(falling_from_zero(hidden), 1e-9, until);
  EXPECT_EQ(refusal.find("rounding"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("a kink, or something as narrow"), std::string::npos) << refusal;
}

// Errors of linear motions, and of one coordinate without the time, may grow exponentially: that is no chaos.
TEST(choice, instability_is_not_called_chaos) {
  const std::string start = "\n[initial.position]\nx = 1\n", moving = start + "[initial.velocity]\nx = 0.3\n";
  for (const auto& [text, until] : {std::pair{"lagrangian = \"x'^2/2 + x^2/2\"" + moving, 40.0},
                                    std::pair{"lagrangian = \"exp(-t)*(x'^2/2 - x^2/2)\"" + moving, 100.0},
                                    std::pair{"[equations]\nx = 'x'" + start, 60.0}}) {
    const std::string refusal = refusal_of(parse_model("coordinates = ['x']\n" + text, "test.toml"), 1e-6, until);
    EXPECT_NE(refusal.find("unstable"), std::string::npos) << text << refusal;
  }
}

TEST(choice, starts_at_rest_need_no_scale) {
  model m = load_model("pendulum");
  m.initial.position[0].value = expr(0);
  for (named_expr& rate : m.initial.rates) rate.value = expr(0);
  const auto choice = choose<double>(m, {.accuracy = 1e-8, .until = 5.0});
  EXPECT_GE(choice.steps, 1U);
  EXPECT_EQ(choice.estimated_error, 0);
}

TEST(error_scan, finds_the_orders_of_methods) {
  const model m = load_model("henon-heiles");
  const integrator<double> flow(m.system, {.method = "gauss-10", .step = 1});
  error_scan scan(flow, flow.at_start(m), 30, 1e-7);
  ASSERT_TRUE(scan.succeeded());
  for (const char* name : {"strang", "gauss-2", "gauss-3", "yoshida-6", "gauss-4"}) {
    const method& judged = *find_method(name);
    const auto law = scan.law_of(judged, 1e-7, [](double, const solver_effort&) { return true; });
    ASSERT_TRUE(law) << name;
    EXPECT_NEAR(law->order, judged.traits.order, 0.12 * judged.traits.order) << name;
    EXPECT_GT(law->error, 1e-9) << name;
    EXPECT_LT(law->error, 1e-5) << name;
  }
}

TEST(step_cost, grows_with_stages_iterations_and_newton_steps) {
  const model m = load_model("kepler");
  const step_cost cost(m.system, false);
  const auto of = [&](const char* name, solver_effort effort) {
    return cost.operator()<double>(*find_method(name), effort);
  };
  EXPECT_LT(of("gauss-4", {5}), of("gauss-4", {6}));
  EXPECT_LT(of("gauss-4", {5}), of("gauss-8", {5}));
  EXPECT_LT(3 * of("gauss-8", {5}), of("gauss-8", {5, 1}));
  EXPECT_LT(of("strang", {1}), of("mclachlan-8", {15}));
}

}  // namespace
}  // namespace actio
