#include "actio/integrate/extrapolation_step.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/integrator.hpp"
#include "actio/tableaux/extrapolation.hpp"
#include "problems/problem.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

template <class S>
struct chosen_run {
  chosen_run(const model& m, double accuracy, const S& step = S(0))
      : flow(m.system, {.method = "extrapolation", .step = step, .accuracy = accuracy}),
        workspace(flow.make_workspace()),
        state(flow.at_start(m)) {}

  // Until it is there, or fails.
  step_status go(const S& end) {
    workspace->end_at(end);
    while (state.time != end) {
      const step_status status = workspace->advance(state);
      if (!status) return status;
      work += workspace->work();
    }
    return {};
  }

  integrator<S> flow;
  std::unique_ptr<step_workspace<S>> workspace;
  phase_state<S> state;
  S work{0};
};

template <class S>
std::vector<quad> end_of(const model& m, double accuracy, const S& end) {
  chosen_run<S> run(m, accuracy);
  EXPECT_TRUE(run.go(end));
  std::vector<quad> result;
  for (const auto* part : {&run.state.position.value, &run.state.momentum.value}) {
    for (const S& x : *part) result.push_back(static_cast<quad>(x));
  }
  return result;
}

double distance(const std::vector<quad>& a, const std::vector<quad>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(to_double(quad(a[i] - b[i]))));
  return largest;
}

constexpr const char* relativistic = R"toml(
coordinates = ["x"]
lagrangian = "-sqrt(1 - x'^2) - x^2/2"
[initial.position]
x = 1
[initial.velocity]
x = 0
)toml";

TEST(extrapolation_weights, integrate_even_powers_of_parts_exactly) {
  const std::vector<std::size_t> parts{1, 2, 3, 4, 5};
  const std::vector<rational> w = extrapolation_weights(parts).back();
  for (int power = 0; power < 5; ++power) {  // Σ w_j n_j^(−2m) = [m = 0]
    rational sum = 0;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      rational term = w[j];
      for (int i = 0; i < 2 * power; ++i) term /= parts[j];
      sum += term;
    }
    EXPECT_EQ(sum, power == 0 ? 1 : 0) << power;
  }
}

TEST(extrapolation_step, meets_the_accuracy_asked_for) {
  for (const char* text : {testing::henon_heiles, testing::double_pendulum_in_angles, testing::forced_system,
                           testing::forced_separable_system, testing::lotka_volterra, relativistic}) {
    const model m = testing::read(text);
    const std::vector<quad> exact = end_of<quad>(m, 1e-20, quad(2));
    EXPECT_LT(distance(exact, end_of<quad>(m, 1e-23, quad(2))), 1e-18);
    for (const double accuracy : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      EXPECT_LT(distance(exact, end_of<double>(m, accuracy, 2.0)), 30 * accuracy) << accuracy << text;
    }
  }
}

TEST(extrapolation_step, takes_separable_systems_by_kicks_and_drifts) {
  const auto is_leapfrog = [](const char* text) {
    return extrapolation_rows<double>(
               integrator<double>(testing::read(text).system, {.method = "rk4", .step = 1}).space(), 4)
        .is_leapfrog();
  };
  EXPECT_TRUE(is_leapfrog(testing::henon_heiles));
  EXPECT_TRUE(is_leapfrog(testing::forced_separable_system));
  EXPECT_FALSE(is_leapfrog(testing::forced_system));
  EXPECT_FALSE(is_leapfrog(testing::double_pendulum_in_angles));
  EXPECT_FALSE(is_leapfrog(testing::lotka_volterra));
}

TEST(extrapolation_step, ends_exactly_where_it_is_told_and_goes_back) {
  const model m = load_model("kepler");
  chosen_run<double> run(m, 1e-11);
  const phase_state<double> start = run.state;
  for (const double end : {0.1, 0.7, 7.3, 7.3000001}) {
    ASSERT_TRUE(run.go(end));
    EXPECT_EQ(run.state.time, end);
  }
  ASSERT_TRUE(run.go(0.0));
  EXPECT_EQ(run.state.time, 0.0);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(run.state.position[i], start.position[i], 1e-8);
    EXPECT_NEAR(run.state.momentum[i], start.momentum[i], 1e-8);
  }
}

TEST(extrapolation_step, stops_for_a_moment_without_losing_its_pace) {
  const model m = load_model("kepler");
  chosen_run<double> whole(m, 1e-9), parted(m, 1e-9);
  ASSERT_TRUE(whole.go(20.0));
  for (int k = 1; k <= 10; ++k) ASSERT_TRUE(parted.go(2.0 * k));
  EXPECT_LE(parted.state.index, whole.state.index + 20);
}

TEST(extrapolation_step, dense_output_is_as_accurate_as_the_step) {
  for (const char* text : {testing::double_pendulum_in_angles, testing::henon_heiles}) {
    const model m = testing::read(text);
    chosen_run<double> run(m, 1e-10);
    for (int k = 0; k < 4; ++k) ASSERT_TRUE(run.workspace->advance(run.state));
    const double left = run.state.time;
    ASSERT_TRUE(run.workspace->advance(run.state));
    const double right = run.state.time;
    ASSERT_GT(right, left);
    std::vector<double> q(2);
    run.workspace->interpolate(1.0, q);
    EXPECT_NEAR(q[0], run.state.position[0], 1e-15);
    for (const double fraction : {0.1, 0.5, 0.9}) {
      run.workspace->interpolate(fraction, q);
      const std::vector<quad> exact = end_of<quad>(m, 1e-20, quad(left) + quad(fraction) * (quad(right) - quad(left)));
      EXPECT_NEAR(q[0], to_double(exact[0]), 1e-9);
      EXPECT_NEAR(q[1], to_double(exact[1]), 1e-9);
    }
  }
}

TEST(extrapolation_step, knows_the_work_of_forces_and_time) {
  for (const char* text : {testing::forced_system, testing::forced_separable_system}) {
    const model m = testing::read(text);
    chosen_run<double> run(m, 1e-10);
    phase_point<double> point(run.flow.space());
    const auto energy = [&] {
      EXPECT_TRUE(point.measure(run.state.time, run.state.position.value, run.state.momentum.value));
      return point.energy();
    };
    const double before = energy();
    ASSERT_TRUE(run.go(3.0));
    EXPECT_GT(std::abs(run.work), 1e-3);
    EXPECT_NEAR(energy() - before, run.work, 1e-8);
  }
}

TEST(extrapolation_step, history_makes_chosen_steps_go_on_bit_for_bit) {
  const model m = load_model("kepler");
  chosen_run<double> run(m, 1e-9), resumed(m, 1e-9);
  ASSERT_TRUE(run.go(11.0));
  resumed.state = run.state;
  resumed.workspace->restore_history(run.workspace->history());
  ASSERT_TRUE(run.go(30.0));
  ASSERT_TRUE(resumed.go(30.0));
  EXPECT_EQ(run.state.position.value, resumed.state.position.value);
  EXPECT_EQ(run.state.momentum.remainder, resumed.state.momentum.remainder);
  EXPECT_EQ(run.state.index, resumed.state.index);
  const std::vector<double> another(3, 0.0);
  EXPECT_THROW(run.workspace->restore_history(another), snapshot_error);
}

TEST(extrapolation_step, tangent_map_holds_length_and_order) {
  for (const char* text : {testing::henon_heiles, testing::double_pendulum_in_angles, testing::forced_system}) {
    const model m = testing::read(text);
    const quad end(0.0625), d("1e-11");
    const auto ends = [&](std::size_t j, const quad& shift) {
      chosen_run<quad> run(m, 1e-12, end);
      (j < 2 ? run.state.position : run.state.momentum).value[j % 2] += shift;
      run.workspace->end_at(end);
      EXPECT_TRUE(run.workspace->advance(run.state));
      EXPECT_EQ(run.state.time, end);
      std::vector<quad> y = run.state.position.value;
      y.insert(y.end(), run.state.momentum.value.begin(), run.state.momentum.value.end());
      return y;
    };
    chosen_run<quad> run(m, 1e-12, end);
    run.workspace->end_at(end);
    const std::vector<quad> before = run.workspace->history();
    const matrix<quad> tangent = run.workspace->tangent_map(run.state);
    ASSERT_EQ(tangent.rows(), 4U);
    EXPECT_EQ(run.workspace->history(), before);
    for (std::size_t j = 0; j < 4; ++j) {
      const std::vector<quad> above = ends(j, d), below = ends(j, -d);
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(to_double(tangent(i, j)), to_double(quad((above[i] - below[i]) / (2 * d))), 1e-14) << i << " " << j;
      }
    }
  }
}

TEST(extrapolation_step, chosen_steps_in_double_allocate_nothing) {
  const model m = load_model("kepler");
  chosen_run<double> run(m, 1e-9);
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(run.workspace->advance(run.state));
  const testing::allocation_count allocations;
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(run.workspace->advance(run.state));
  EXPECT_EQ(allocations.since_start(), 0u);
}

TEST(extrapolation_step, ends_at_a_collision_with_the_state_before_it) {
  const model m = parse_model(R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2 + 1/abs(x)"
[initial.position]
x = 1
[initial.velocity]
x = 0
)toml",
                              "fall.toml");
  const double collision = std::acos(-1.0) / std::sqrt(8.0);
  chosen_run<double> run(m, 1e-8);
  const step_status status = run.go(2.0);
  EXPECT_FALSE(status);
  EXPECT_NEAR(run.state.time, collision, 1e-5);
  EXPECT_LE(run.state.time, collision + 1e-5);
  EXPECT_TRUE(std::isfinite(run.state.position[0]) && std::isfinite(run.state.momentum[0]));
}

// Lengths, times and masses in other units, and an origin elsewhere: the same steps.
TEST(extrapolation_step, does_not_depend_on_units) {
  const auto text = [](const char* length, const char* time, const char* mass, const char* origin) {
    return fmt::format(R"toml(
coordinates = ["x", "y"]
lagrangian = "mass*(1/2*(x'^2 + y'^2) + length^3/time^2/sqrt((x - origin)^2 + y^2))"
[parameters]
length = {}
time = {}
mass = {}
origin = {}
[initial.position]
x = "origin + length/2"
y = 0
[initial.velocity]
x = 0
y = "sqrt(3)*length/time"
)toml",
                       length, time, mass, origin);
  };
  const auto steps = [&](const std::string& model_text, double end) {
    chosen_run<double> run(parse_model(model_text, "units.toml"), 1e-8);
    EXPECT_TRUE(run.go(end));
    return static_cast<double>(run.state.index);
  };
  const double usual = steps(text("1", "1", "1", "0"), 20.0);
  EXPECT_NEAR(steps(text("1024", "1", "1", "0"), 20.0), usual, 1);
  EXPECT_NEAR(steps(text("1", "4096", "1", "0"), 20.0 * 4096), usual, 1);
  EXPECT_NEAR(steps(text("1", "1", "65536", "0"), 20.0), usual, 1);
  EXPECT_NEAR(steps(text("1", "1", "1", "100"), 20.0), usual, 3);
}

// To t = 10, with encounters; the contest in bench goes further.
TEST(extrapolation_step, follows_the_pythagorean_problem) {
  const model m = load_model("pythagorean-three-body");
  const std::vector<quad> exact = end_of<quad>(m, 1e-18, quad(10));
  EXPECT_LT(distance(exact, end_of<quad>(m, 1e-21, quad(10))), 1e-12);
  EXPECT_LT(distance(exact, end_of<double>(m, 1e-11, 10.0)), 1e-6);
}

// A wall is met where it is, however narrow: a point of energy ½ turns where 5 exp(−(x/w)²) is as much, a little later
// than it would from a hard wall there.
TEST(extrapolation_step, leaps_over_nothing) {
  for (const double width : {1e-2, 1e-3, 1e-5, 1e-7}) {
    const std::string text = fmt::format(R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2 - 5*exp(-((x - 5)/w)^2)"
[parameters]
w = {}
[initial.position]
x = -5
[initial.velocity]
x = 1
)toml",
                                         width);
    chosen_run<double> run(parse_model(text, "wall.toml"), 1e-6);
    ASSERT_TRUE(run.go(20.0)) << width;
    EXPECT_NEAR(run.state.momentum.value[0], -1, 1e-5) << width;
    EXPECT_NEAR(run.state.position.value[0], -5 - 2.19 * width, 0.1 * width + 1e-5) << width;
  }
  // A pulse in time, on a point at rest.
  const std::string pulse = "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 + 1e4*x*exp(-((t - 7.77)/1e-4)^2)\"\n" +
                            std::string("[initial.position]\nx = 0\n");
  chosen_run<double> run(parse_model(pulse, "pulse.toml"), 1e-8);
  ASSERT_TRUE(run.go(20.0));
  EXPECT_NEAR(run.state.momentum.value[0], std::sqrt(std::acos(-1.0)), 1e-6);
}

// A ramp whose force is ten times that of the motion, on a ten thousandth part of the way: the end is that of gauss-4 with
// 600,000 steps.
TEST(extrapolation_step, meets_small_ramps) {
  const std::string text =
      "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/2*x^2 - 0.0005*tanh((x - 0.3)/1e-4)\"\n"
      "[initial.position]\nx = -1\n";
  chosen_run<double> run(parse_model(text, "ramp.toml"), 1e-8);
  ASSERT_TRUE(run.go(20.0));
  EXPECT_NEAR(run.state.position.value[0], -0.4063560118, 1e-6);
}

TEST(extrapolation_step, closes_the_arenstorf_orbit) {
  const model m = load_model("arenstorf");
  const auto end = [&]<class S>(S) {
    return quantity_value<S>(m.system, parse_quantity(m, source_text{"period", {}, "period"}));
  };
  const std::vector<quad> start = end_of<quad>(m, 1e-10, quad(0));
  EXPECT_LT(distance(start, end_of<quad>(m, 1e-22, end(quad()))), 1e-15);
  EXPECT_LT(distance(start, end_of<double>(m, 1e-11, end(double()))), 1e-8);
}

}  // namespace
}  // namespace actio
