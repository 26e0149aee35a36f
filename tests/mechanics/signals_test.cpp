// Signals in models: from files beside them, inside them, and from C++; and where a motion is not smooth.
#include <gtest/gtest.h>

#include "actio/backend/backend.hpp"
#include "actio/expr/print.hpp"
#include "actio/expr/sample_table.hpp"
#include "actio/mechanics/model_builder.hpp"
#include "actio/mechanics/model_language.hpp"
#include "actio/mechanics/switching.hpp"
#include "actio/simulate/integrator.hpp"
#include "actio/simulate/run.hpp"
#include "actio/simulate/run_settings.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

using testing::temporary_folder;

std::string forced(const std::string& lagrangian, const std::string& tables) {
  return "name = \"forced\"\ncoordinates = [\"x\"]\nlagrangian = \"" + lagrangian + "\"\n" + tables +
         "[initial.position]\nx = 0.3\n[initial.velocity]\nx = 0.1\n";
}

const std::string ramp = "[signals.u]\nsamples = [[0, 0], [4, 2], [6, 1]]\n";
const std::string driven = "1/2*x'^2 - 1/2*x^2 + u(t)*x";

template <class S>
run_report<S> run_of(const model& m, const char* method, const char* step, std::size_t steps) {
  option_values options;
  options.set("method", {method, {}, "method"});
  options.set("step", {step, {}, "step"});
  const integrator<S> i(m.system, integrator_options_from<S>(m, options));
  phase_state<S> state = i.at_start(m);
  return run(i, state, steps);
}

// What a linear signal does over one of its pieces is what the line does.
template <class S>
void expect_motion_of_line(const char* method, double tolerance) {
  const model sampled = parse_model(forced(driven, ramp), "a.toml");
  const model written = parse_model(forced("1/2*x'^2 - 1/2*x^2 + t/2*x", ""), "b.toml");
  const auto a = run_of<S>(sampled, method, "1/16", 63), b = run_of<S>(written, method, "1/16", 63);
  ASSERT_EQ(a.status, run_status::done) << a.reason;
  using std::abs;
  EXPECT_LE(to_double(S(abs(a.position[0] - b.position[0]))), tolerance);
  EXPECT_LE(to_double(S(abs(a.momentum[0] - b.momentum[0]))), tolerance);
  // The power that the signal brings is counted as the line's is: the balance of energies is the same.
  EXPECT_LE(std::abs(to_double(a.energy.max_error) - to_double(b.energy.max_error)), tolerance);
  EXPECT_LT(to_double(a.energy.max_error), 1e-4);
}

TEST(signals, move_a_system_as_what_they_sample) {
  for (const char* method : {"gauss-4", "simpson", "rk4"}) expect_motion_of_line<double>(method, 1e-14);
  expect_motion_of_line<quad>("gauss-4", 1e-30);
  const precision_scope scope(50);
  expect_motion_of_line<multi>("simpson", 1e-46);
}

// x'' = −x + t/2: the energy x'²/2 + x²/2 − u x changes by −∫ u' x.
TEST(signals, bring_power_that_the_ledger_counts) {
  const auto report = run_of<double>(parse_model(forced(driven, ramp), "a.toml"), "gauss-6", "1/16", 63);
  const double T = 63.0 / 16;
  EXPECT_TRUE(report.energy.supplied);
  EXPECT_NEAR(report.position[0], T / 2 + 0.3 * std::cos(T) - 0.4 * std::sin(T), 1e-13);
  EXPECT_NEAR(report.energy.work, -(T * T / 4 + 0.3 * std::sin(T) - 0.4 * (1 - std::cos(T))) / 2, 1e-12);
  EXPECT_NEAR(report.energy.final - report.energy.initial, report.energy.work, 1e-12);
}

TEST(signals, come_from_a_file_beside_the_model) {
  const temporary_folder folder;
  folder.write("u.csv", "# measured\nvalue, time , note\n0,0,a\n2.0,\"4\",b\n\n1,6.0,c\n");
  const std::string path = folder.write(
      "m.toml", forced(driven, "[signals.u]\nfile = \"u.csv\"  # beside it\ninterpolation = \"linear\"\n"));
  const model m = read_model(path);
  EXPECT_EQ(m.system.lagrangian, parse_model(forced(driven, ramp), "a.toml").system.lagrangian);
  EXPECT_TRUE(m.system.is_time_dependent());
  // The model holds its samples from now on.
  folder.write("u.csv", "time,value\n0,5\n1,5\n");
  const model again = parse_model(m.text, m.file);
  EXPECT_EQ(again.system.lagrangian, m.system.lagrangian);
  EXPECT_EQ(again.text, m.text);
  EXPECT_NE(m.text.find("samples = [[0, 0], [4, 2], [6, 1]]  # beside it"), std::string::npos) << m.text;
  EXPECT_FALSE(read_model(path).system.lagrangian == m.system.lagrangian);
  folder.write("u.csv", "time,value\n0,.5\n1.25,-0.3333333333333333333333333333\n2e1,1e-30\n");
  const model exact = read_model(path);
  EXPECT_EQ(parse_model(exact.text, exact.file).system.lagrangian, exact.system.lagrangian) << exact.text;
}

TEST(signals, are_written_by_builders) {
  const auto with = [](const model_expression& L) {
    return model_builder("forced")
        .coordinate("x")
        .signal("u", {0, 4, 6}, {0, 2, 1})
        .lagrangian(L)
        .initial_position({0.3})
        .initial_velocity({0.1})
        .build();
  };
  const model by_text = with(driven.c_str()),
              by_function = with([](const model_symbols& s) {
                return pow(s.velocity(0), 2) / 2 - pow(s.position(0), 2) / 2 + s.signal("u", s.time()) * s.position(0);
              });
  EXPECT_EQ(by_text.system.lagrangian, by_function.system.lagrangian);
  EXPECT_EQ(by_text.system.lagrangian, parse_model(forced(driven, ramp), "a.toml").system.lagrangian);
  EXPECT_EQ(parse_model(by_function.text, "a").system.lagrangian, by_text.system.lagrangian);
  const model again = model_builder(by_text.system).initial_position({0.3}).initial_velocity({0.1}).build();
  EXPECT_EQ(again.system.lagrangian, by_text.system.lagrangian);
}

TEST(signals, serve_forces_definitions_initial_values_and_derivatives) {
  const model m = parse_model(
      "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - 1/2*(x - w)^2\"\n" + ramp +
          "[definitions]\nw = \"u(t)^2\"\n[forces]\nx = \"w' - 2*u(t)*u'(t)\"\n[initial.position]\nx = \"u(2)\"\n"
          "[initial.velocity]\nx = \"u'(5)\"\n",
      "a.toml");
  EXPECT_TRUE(m.system.forces[0].is_zero()) << to_text(m.system.forces[0]);
  EXPECT_EQ(quantity_value<double>(m.system, m.initial.position[0].value), 1);
  EXPECT_EQ(quantity_value<double>(m.system, m.initial.rates[0].value), -0.5);
  EXPECT_DOUBLE_EQ(quantity_value<double>(m.system, parse_quantity(m, {"u(1) + 30 deg - pi/6", {}, ""})), 0.5);
}

TEST(signals, break_no_symmetry_that_they_do_not_touch) {
  const model m = parse_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*u(t)*(x'^2 + y'^2) - 1/2*(x^2 + y^2)\"\n[signals.u]\n"
      "samples = [[100, 1], [101, 2]]\n[symmetries.rotation]\nx = \"-y\"\ny = \"x\"\n[initial.position]\nx = 1\n"
      "y = 0\n[initial.velocity]\nx = 0\ny = 1\n",
      "a.toml");
  EXPECT_EQ(m.system.symmetries.size(), 1U);
}

TEST(signals, end_where_their_samples_end) {
  const model m = parse_model(forced(driven, ramp), "a.toml");
  EXPECT_EQ(run_of<double>(m, "gauss-4", "1/10", 60).status, run_status::done);
  try {
    run_of<double>(m, "gauss-4", "1/10", 61);
    ADD_FAILURE() << "the signal has no value there";
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "signal-range");
    EXPECT_EQ(std::string(error.what()),
              "the signal 'u' is known from 0 to 6, but the run asks for u(6.1); give it more samples, or let the run "
              "begin later or end earlier");
  }
  // Where the argument moves with the state, the step that leaves the samples fails.
  const model moving = parse_model(forced("1/2*x'^2 + u(10*t*x)", ramp), "a.toml");
  const auto report = run_of<double>(moving, "gauss-4", "1/10", 400);
  EXPECT_EQ(report.status, run_status::failed);
  EXPECT_NE(report.reason.find("the signal 'u' is known from 0 to 6"), std::string::npos) << report.reason;
}

TEST(switching, lists_what_a_motion_may_cross) {
  const model m = parse_model(
      "coordinates = [\"x\", \"y\"]\n"
      "lagrangian = \"1/2*(x'^2 + y'^2) - abs(x - a) - max(y, 0)^2 - if(x < y and t > 2, x, y)\"\n"
      "[parameters]\na = 1\nb = 2\n" +
          ramp +
          "[forces]\nx = \"-sign(x')*step(a - x) + floor(3*y) + step(b - 1) + u(t)\"\ny = \"sqrt((x - 2)^2)\"\n"
          "[initial.position]\nx = 0\ny = 0\n[initial.velocity]\nx = 0\ny = 0\n",
      "a.toml");
  std::vector<std::string> texts;
  for (const switching_value& s : switching_values(m.system)) texts.push_back(s.text);
  std::ranges::sort(texts);
  EXPECT_EQ(texts, (std::vector<std::string>{"2 - t = 0", "3*y is a whole number", "x - 2 = 0", "x - a = 0",
                                             "x - y = 0", "x' = 0", "y = 0"}));
  const std::vector<switching_times> times = switching_times_of(m.system);
  ASSERT_EQ(times.size(), 1U);
  EXPECT_EQ(times[0].signal, "u");
  EXPECT_EQ(times[0].argument, time_symbol());
  EXPECT_EQ(times[0].times, (std::vector<rational>{0, 4, 6}));
  EXPECT_EQ(times[0].continuous_derivatives, 0U);
}

TEST(model_language, examples_are_models_that_run) {
  for (const model_table& table : model_tables()) {
    const model m = parse_model(std::string(table.example), "example.toml");
    for (const std::string& key : keys_of_table(table.name)) {
      if (table.name.empty() || table.name == "initial" || table.name == "signals.NAME" ||
          table.name == "tables.NAME" || table.name == "view")
        continue;
      EXPECT_NE(table.example.find(key), std::string_view::npos) << table.name << " " << key;
    }
    const temporary_folder folder;
    const auto result = testing::actio_program({"run", folder.write("m.toml", std::string(table.example))});
    EXPECT_EQ(result.status, 0) << table.name << ": " << result.err;
  }
}

}  // namespace
}  // namespace actio
