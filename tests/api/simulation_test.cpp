#include "actio/api/simulation.hpp"

#include <gtest/gtest.h>

#include "actio/api/ensemble_simulation.hpp"
#include "actio/mechanics/model_builder.hpp"
#include "problems/problem.hpp"
#include "tests/api/typed_options.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

simulation_options given(const std::vector<std::pair<std::string, std::string>>& options) {
  return {.given = testing::typed_options(options)};
}

TEST(simulation, knows_the_options_that_it_is_given) {
  EXPECT_EQ(typed_options({{"step", "0.1"}, {"companion", "true"}}).find("step")->text, "0.1");
  try {
    typed_options({{"stpe", "0.1"}});
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "unknown-command-option");
    EXPECT_NE(error.cure().find("'step'"), std::string::npos) << error.cure();
  }
}

TEST(simulation, keeps_a_trajectory_in_columns) {
  simulation_options options = given({{"step", "0.1"}, {"until", "2"}, {"every", "5"}});
  options.keeps_trajectory = true;
  const simulation_result result = simulate(load_model("pendulum"), options);
  EXPECT_EQ(result.status, run_status::done);
  const auto& [report, trajectory] = std::get<simulated<double>>(result.numbers);
  ASSERT_EQ(trajectory.columns.size(), trajectory.names.size());
  ASSERT_NE(trajectory.find("t"), nullptr);
  EXPECT_EQ(trajectory.find("t")->size(), 5u);
  EXPECT_EQ(trajectory.find("q")->back(), report.position[0]);
  EXPECT_EQ(trajectory.find("p_q")->back(), report.momentum[0]);
  EXPECT_EQ(trajectory.find("nobody"), nullptr);
}

TEST(simulation, does_what_the_program_does) {
  const simulation_result result =
      simulate(load_model("kepler"), given({{"method", "gauss-3"}, {"step", "0.05"}, {"until", "9"}}));
  const auto program =
      testing::actio_program({"run", "kepler", "--method", "gauss-3", "--step", "0.05", "--until", "9", "--json"});
  const auto state = [](const std::string& json) { return json.substr(0, json.find("\"constraints\"")); };
  EXPECT_EQ(state(result.json), state(program.out));
}

TEST(simulation, has_numbers_of_the_precision_that_was_asked_for) {
  ACTIO_NEEDS(mpfr);
  const auto in = [](const char* precision) {
    return simulate(load_model("pendulum"), given({{"step", "0.1"}, {"until", "1"}, {"precision", precision}}));
  };
  const precision_scope scope(60);
  const quad q = std::get<simulated<quad>>(in("quad").numbers).report.position[0];
  const multi m = std::get<simulated<multi>>(in("60").numbers).report.position[0];
  EXPECT_NEAR(to_double(q), to_double(m), 1e-15);
  EXPECT_LT(abs(multi(to_digits(q)) - m), multi("1e-31"));
}

TEST(simulation, may_be_stopped) {
  simulation_options options = given({{"step", "0.1"}, {"until", "100"}});
  options.proceed = [](std::size_t step, std::size_t, double) { return step < 7; };
  const simulation_result result = simulate(load_model("pendulum"), options);
  EXPECT_EQ(result.status, run_status::interrupted);
  EXPECT_EQ(result.steps, 7u);
}

TEST(simulation, shows_every_step_to_observers) {
  struct counter final : observer<double> {
    std::size_t steps = 0;
    void observe(const sample<double>&) override { ++steps; }
  } seen;
  simulation_options options = given({{"step", "0.1"}, {"until", "3"}});
  options.observers.in_double = {&seen};
  simulate(load_model("pendulum"), options);
  EXPECT_EQ(seen.steps, 31u);
}

// Ends a run with step 7.
template <class S>
struct stopper final : observer<S> {
  std::size_t step = 0;
  void observe(const sample<S>& now) override { step = now.state.index; }
  std::string reason_to_end() const override { return step >= 7 ? "seven is enough" : ""; }
};

TEST(simulation, may_be_ended_by_an_observer_in_every_precision) {
  stopper<double> in_double;
  stopper<quad> in_quad;
  stopper<multi> in_multi;
  for (const char* precision : {"double", "quad", has_mpfr ? "30" : "quad"}) {
    simulation_options options = given({{"step", "0.1"}, {"until", "3"}, {"precision", precision}});
    options.observers = {{&in_double}, {&in_quad}, {&in_multi}};
    options.keeps_trajectory = true;
    const simulation_result result = simulate(load_model("pendulum"), options);
    EXPECT_EQ(result.status, run_status::interrupted);
    EXPECT_EQ(result.steps, 7u);
    EXPECT_EQ(result.reason, "an observer ended the run at step 7: seven is enough");
    EXPECT_NE(result.text.find("interrupted: an observer ended the run at step 7"), std::string::npos);
    EXPECT_NE(result.json.find("\"reason\": \"an observer ended"), std::string::npos);
    std::visit([](const auto& numbers) { EXPECT_EQ(numbers.trajectory.columns[0].size(), 8u); }, result.numbers);
  }
}

TEST(simulation, that_an_observer_ended_has_a_valid_file_and_goes_on_from_there) {
  ACTIO_NEEDS(hdf5);
  const testing::temporary_folder folder;
  const std::string path = folder.path("run.h5");
  stopper<double> at_seven;
  simulation_options options = given({{"step", "0.1"}, {"until", "3"}, {"output", path}});
  options.observers.in_double = {&at_seven};
  const simulation_result ended = simulate(load_model("pendulum"), options);
  EXPECT_TRUE(ended.can_resume);
  const repetition again = repeat_simulation(path);
  EXPECT_EQ(again.difference, "");
  EXPECT_EQ(again.rows, 8u);
  EXPECT_EQ(again.interrupted_at, 7u);
  options.observers = {};
  options.resumes = true;
  const simulation_result resumed = simulate(load_model("pendulum"), options);
  EXPECT_EQ(resumed.status, run_status::done);
  EXPECT_EQ(
      std::get<simulated<double>>(resumed.numbers).report.position,
      std::get<simulated<double>>(simulate(load_model("pendulum"), given({{"step", "0.1"}, {"until", "3"}})).numbers)
          .report.position);
}

TEST(simulation, does_not_take_memory_for_rows_that_may_never_come) {
  simulation_options options = given({{"step", "1e-6"}, {"steps", "1e14"}});
  options.keeps_trajectory = true;
  options.proceed = [](std::size_t step, std::size_t, double) { return step < 3; };
  const simulation_result result = simulate(load_model("pendulum"), options);
  EXPECT_EQ(std::get<simulated<double>>(result.numbers).trajectory.find("q")->size(), 4u);
}

TEST(simulation, chooses_for_an_accuracy) {
  simulation_options options = given({{"accuracy", "1e-7"}, {"until", "5"}});
  options.repeating = [](const option_values& settled) { return "again " + settled.find("method")->text; };
  const simulation_result result = simulate(load_model("pendulum"), options);
  const auto& report = std::get<simulated<double>>(result.numbers).report;
  ASSERT_TRUE(report.choice);
  EXPECT_LE(report.choice->estimated_error, 1e-7);
  EXPECT_EQ(report.choice->command, "again " + report.choice->method);
}

// Pumping a swing: its length is shorter while it swings inwards. The energy comes from the control.
TEST(simulation, a_control_changes_parameters_and_its_work_is_counted) {
  const model m = parse_model(
      "lagrangian = \"1/2*l^2*q'^2 + g*l*cos(q)\"\ncoordinates = [\"q\"]\n[parameters]\nl = 1\ng = 9.81\n"
      "[initial]\nposition = {q = 0.3}\nvelocity = {q = 0}\n",
      "swing.toml");
  for (const char* precision : {"double", "quad", has_mpfr ? "30" : "quad"}) {
    simulation_options options =
        given({{"method", "gauss-4"}, {"step", "0.01"}, {"until", "5"}, {"precision", precision}});
    options.keeps_trajectory = true;
    options.control = [](double, std::span<const double> q, std::span<const double> p, std::span<double> parameters) {
      parameters[0] = q[0] * p[0] < 0 ? 0.9 : 1;
    };
    const simulation_result result = simulate(m, options);
    EXPECT_EQ(result.status, run_status::done);
    std::visit(
        [](const auto& numbers) {
          EXPECT_TRUE(numbers.report.energy.supplied);
          EXPECT_GT(std::abs(to_double(numbers.report.energy.work)), 0.1);
          EXPECT_LT(to_double(numbers.report.energy.max_relative_error), 1e-9);
          EXPECT_FALSE(numbers.report.motion.has_value());
        },
        result.numbers);
    options.given = given({{"accuracy", "1e-6"}, {"until", "5"}}).given;
    EXPECT_THROW(simulate(m, options), input_error);
  }
}

// Two masses on equal springs are alike; with other springs they are not, which is no fault of the numbers.
TEST(simulation, a_control_is_followed_by_momenta_that_all_parameters_conserve) {
  const model m = parse_model(
      "lagrangian = \"1/2*(x'^2 + y'^2) + z'^2/2 - 1/2*(a*x^2 + b*y^2)\"\ncoordinates = [\"x\", \"y\", \"z\"]\n"
      "[parameters]\na = 1\nb = 1\n[symmetries.turn]\nx = \"y\"\ny = \"-x\"\n"
      "[initial]\nposition = {x = 1, y = 0, z = 0}\nvelocity = {x = 0, y = 0.5, z = 1}\n",
      "m.toml");
  simulation_options options = given({{"step", "0.05"}, {"until", "5"}});
  std::vector<std::string> notes;
  options.note = [&](const std::string& text) { notes.push_back(text); };
  options.control = [](double t, std::span<const double>, std::span<const double>, std::span<double> parameters) {
    parameters[0] = t > 1 ? 1.5 : 1;
  };
  const simulation_result result = simulate(m, options);
  const auto& report = std::get<simulated<double>>(result.numbers).report;
  ASSERT_EQ(report.momenta.size(), 1u);
  EXPECT_EQ(report.momenta[0].name, "p_z");
  EXPECT_TRUE(result.is_trusted) << result.text;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(
      notes[0],
      "the momentum 'turn' is conserved with the parameters of the model only, which the control may change: it is "
      "not followed");
  options.control = {};
  EXPECT_EQ(std::get<simulated<double>>(simulate(m, options).numbers).report.momenta.size(), 2u);
}

TEST(simulation, refuses_what_is_wrong_by_name) {
  try {
    simulate(load_model("pendulum"), given({{"step", "-1"}, {"until", "5"}}));
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "bad-step");
    EXPECT_EQ(error.place().file, "--step");
  }
}

TEST(ensemble_simulation, hands_every_result_over_in_order) {
  ensemble_simulation_options options;
  options.given = given({{"step", "0.1"}, {"until", "1"}, {"method", "gauss-2"}}).given;
  options.sweeps = {{"q=0.1:1:10", {"--sweep", 1, 1}, "sweep"}};
  std::vector<double> starts;
  options.collect = [&](const trajectory_result& one) {
    EXPECT_EQ(one.index, starts.size());
    starts.push_back(one.start.position[0]);
  };
  const ensemble_simulation_result result = simulate_ensemble(load_model("pendulum"), options);
  EXPECT_EQ(result.report.count, 10u);
  ASSERT_EQ(starts.size(), 10u);
  EXPECT_EQ(starts.front(), 0.1);
  EXPECT_EQ(starts.back(), 1);
  EXPECT_TRUE(result.files.empty());
}

TEST(ensemble_simulation, sweeps_over_lists_side_by_side) {
  ensemble_simulation_options options;
  options.given = given({{"step", "0.1"}, {"until", "1"}, {"method", "gauss-2"}}).given;
  const std::vector<double> q{0.1, 1.0 / 3, -2e-7}, p{3, 2, 1};
  options.sweeps = {sweep_over("q", q), sweep_over("p_q", p, true)};
  std::vector<std::vector<double>> starts;
  options.collect = [&](const trajectory_result& one) {
    starts.push_back({one.start.position[0], one.start.momentum[0]});
  };
  const model pendulum =
      model_builder(load_model("pendulum").system).initial_position({0}).initial_momentum({0}).build();
  simulate_ensemble(pendulum, options);
  const std::vector<std::vector<double>> expected{{q[0], p[0]}, {q[1], p[1]}, {q[2], p[2]}};
  EXPECT_EQ(starts, expected);
  EXPECT_THROW(sweep_over("q", {}), input_error);
  EXPECT_THROW(sweep_over("q", std::vector{1.0, std::nan("")}), input_error);
}

TEST(ensemble_simulation, repeats_what_a_file_holds) {
  ACTIO_NEEDS(hdf5);
  const testing::temporary_folder folder;
  ensemble_simulation_options options;
  options.given = given({{"step", "0.1"}, {"until", "1"}, {"output", folder.path("e.h5")}}).given;
  options.sweeps = {{"q=0.1:1:10", {"--sweep", 1, 1}, "sweep"}};
  const ensemble_simulation_result result = simulate_ensemble(load_model("pendulum"), options);
  EXPECT_EQ(result.kept_rows, 10u);
  EXPECT_EQ(result.write_error, "");
  const repetition again = repeat_ensemble(folder.path("e.h5"), {});
  EXPECT_EQ(again.difference, "");
  EXPECT_EQ(again.rows, 10u);
}

}  // namespace
}  // namespace actio
