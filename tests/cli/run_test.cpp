// actio run through the real program: defaults and flags, lengths, precision, JSON, CSV, interruption.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "actio/base/scalar.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio::testing {
namespace {

using json = nlohmann::ordered_json;

json run_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.push_back("--json");
  const outcome result = actio_program(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return json::parse(result.out, nullptr, false);
}

std::vector<std::string> keys_of(const json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(run_command, an_accuracy_chooses_method_and_step) {
  const json report = run_json({"double-pendulum", "--until", "10", "--accuracy", "1e-9"});
  const json& choice = report["choice"];
  EXPECT_EQ(keys_of(choice), (std::vector<std::string>{"method", "step", "kind", "work", "accuracy", "estimated_error",
                                                       "reason", "command"}));
  EXPECT_EQ(choice["method"], report["method"]);
  EXPECT_EQ(choice["accuracy"], 1e-9);
  EXPECT_LE(choice["estimated_error"].get<double>(), 1e-9);
  EXPECT_EQ(report["time"], 10);
  // What it says it chose is a run of its own, with the same bits.
  const json again =
      run_json({"double-pendulum", "--until", "10", "--method", choice["method"], "--step", choice["step"]});
  EXPECT_EQ(again["position"], report["position"]);
  EXPECT_EQ(again["steps"], report["steps"]);
  EXPECT_FALSE(again.contains("choice"));
  EXPECT_EQ(choice["command"], "actio run double-pendulum --method " + choice["method"].get<std::string>() +
                                   " --step " + choice["step"].get<std::string>() + " --until 10");
}

TEST(run_command, a_chosen_run_says_what_it_chose) {
  const outcome result = actio_program({"run", "kepler", "--accuracy", "1e-6", "--until", "7"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* part :
       {"  chosen        ", "  because       the least work of ", "  the same      actio run kepler --method "}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " in\n" << result.out;
  }
}

TEST(run_command, auto_keeps_a_step_that_is_given) {
  const json report = run_json({"kepler", "--method", "auto", "--step", "0.1", "--steps", "50"});
  EXPECT_EQ(report["step"], 0.1);
  EXPECT_EQ(report["steps"], 50);
  EXPECT_LE(report["choice"]["estimated_error"].get<double>(), 1.5e-8);
  EXPECT_NE(run_json({"kepler", "--method", "auto", "--until", "5"})["step"], report["step"]);
}

TEST(run_command, runs_on_the_backend_that_is_asked_for) {
  const json interpreted = run_json({"kepler", "--steps", "20", "--backend", "interpreter"});
  EXPECT_EQ(interpreted["backend"], "interpreter");
  EXPECT_EQ(run_json({"kepler", "--steps", "2", "--precision", "quad"})["backend"], "interpreter");
  const json usual = run_json({"kepler", "--steps", "20"});
  EXPECT_TRUE(usual["backend"] == "machine-code" || usual["backend"] == "interpreter");
  EXPECT_NEAR(usual["position"]["x"].get<double>(), interpreted["position"]["x"].get<double>(), 1e-13);
}

TEST(run_command, says_how_many_steps_needed_newtons_method) {
  const std::vector<std::string> long_steps = {"harmonic-oscillator", "--method", "gauss-4", "--step",
                                               "10*sqrt(m/k)",        "--steps",  "60"};
  const json report = run_json(long_steps);
  EXPECT_GT(report["solver"]["newton_steps"].get<int>(), 0);
  EXPECT_LE(report["solver"]["newton_steps"].get<int>(), 60);
  EXPECT_EQ(
      run_json({"henon-heiles", "--method", "gauss-7", "--step", "0.1", "--steps", "60"})["solver"]["newton_steps"], 0);
}

TEST(run_command, prints_the_certificate) {
  const outcome result = actio_program({"run", "double-pendulum", "--steps", "100"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  for (const char* part : {"double pendulum: simpson, step ", "100 steps", "energy", "max relative error", "solver"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " in\n" << result.out;
  }
}

TEST(run_command, certifies_constraints) {
  const json report = run_json({"double-spherical-pendulum", "--steps", "100"});
  EXPECT_LT(report["constraints"]["max_violation"].get<double>(), 1e-13);
  EXPECT_LT(report["constraints"]["max_hidden_violation"].get<double>(), 1e-13);
  EXPECT_EQ(report["constraints"]["names"], json({"upper_rod", "lower_rod"}));
  EXPECT_EQ(report["constraints"]["projection"]["position"], 0);
  const json wide = run_json({"double-spherical-pendulum", "--steps", "10", "--precision", has_mpfr ? "40" : "quad"});
  EXPECT_LT(std::stod(wide["constraints"]["max_violation"].get<std::string>()), has_mpfr ? 1e-37 : 1e-31);
  EXPECT_NE(actio_program({"run", "bead-on-parabola", "--steps", "5"}).out.find("constraints   wire: at most "),
            std::string::npos);
}

TEST(run_command, resumes_constrained_runs_bit_for_bit) {
  temporary_folder folder;
  const std::string whole = folder.path("whole.csv"), parts = folder.path("parts.csv");
  const std::vector<std::string> run_it = {"run", "four-bar-linkage", "--steps", "60", "--output"};
  const auto and_then = [](std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  EXPECT_EQ(actio_program(and_then(run_it, {whole})).status, 0);
  EXPECT_EQ(
      actio_program({"run", "four-bar-linkage", "--steps", "40", "--checkpoint-every", "10", "--output", parts}).status,
      0);
  EXPECT_EQ(actio_program(and_then(run_it, {parts, "--resume"})).status, 0);
  EXPECT_EQ(contents(whole), contents(parts));
}

TEST(run_command, strict_makes_doubt_the_exit_status) {
  const std::vector<std::string> long_steps{"run",    "pendulum", "--method", "midpoint",
                                            "--step", "1.5",      "--steps",  "50"};
  std::vector<std::string> strictly = long_steps;
  strictly.emplace_back("--strict");
  const outcome told = actio_program(long_steps);
  EXPECT_EQ(told.status, 0);
  EXPECT_NE(told.out.find("doubtful: "), std::string::npos) << told.out;
  EXPECT_EQ(actio_program(strictly).status, 1);
  EXPECT_EQ(actio_program({"run", "pendulum", "--strict"}).status, 0);
}

TEST(run_command, a_companion_goes_to_the_end_where_it_is_asked_for) {
  EXPECT_FALSE(run_json({"kepler", "--steps", "3000000"}).contains("motion"));
  const json report = run_json({"kepler", "--steps", "200000", "--companion"});
  EXPECT_GT(report["motion"]["estimated_error"].get<double>(), 0);
  EXPECT_NE(report["motion"]["by"].get<std::string>().find("half the step"), std::string::npos);
}

TEST(run_command, json_has_the_documented_keys_in_order) {
  const json report = run_json({"lagrange-top", "--steps", "10"});
  EXPECT_EQ(keys_of(report),
            (std::vector<std::string>{"model", "method", "precision", "step", "steps", "time", "position", "momentum",
                                      "energy", "momenta", "constraints", "solver", "backend", "motion", "trust",
                                      "setup_seconds", "seconds", "status"}));
  EXPECT_EQ(report["status"], "done");
  EXPECT_EQ(report["precision"], "double");
  EXPECT_EQ(report["steps"], 10);
  EXPECT_EQ(keys_of(report["position"]), (std::vector<std::string>{"phi", "theta", "psi"}));
  EXPECT_EQ(keys_of(report["momenta"]), (std::vector<std::string>{"p_phi", "p_psi"}));
  for (const char* key : {"initial", "final", "max_relative_error"})
    EXPECT_TRUE(report["energy"][key].is_number()) << key;
  for (const char* key : {"initial", "max_error"}) EXPECT_TRUE(report["momenta"]["p_phi"][key].is_number()) << key;
  EXPECT_EQ(report["constraints"]["max_violation"], 0);
  EXPECT_TRUE(report["solver"]["mean_iterations"].is_number());
  EXPECT_TRUE(report["solver"]["max_iterations"].is_number_integer());
  EXPECT_GT(report["setup_seconds"].get<double>(), 0);
  EXPECT_GT(report["seconds"].get<double>(), 0);
}

TEST(run_command, numbers_are_strings_with_all_digits_in_higher_precision) {
  ACTIO_NEEDS(mpfr);
  const json report = run_json({"double-pendulum", "--step", "pi/100", "--steps", "2", "--precision", "40"});
  EXPECT_EQ(report["precision"], "40");
  const std::string pi_hundredth = "0.0314159265358979323846264338327950288419";
  ASSERT_TRUE(report["step"].is_string());
  EXPECT_EQ(report["step"].get<std::string>().substr(0, pi_hundredth.size()), pi_hundredth);
  for (const json* value : {&report["time"], &report["position"]["q1"], &report["momentum"]["q2"],
                            &report["energy"]["initial"], &report["energy"]["max_relative_error"]}) {
    EXPECT_TRUE(value->is_string()) << *value;
  }
  EXPECT_EQ(report["constraints"]["max_violation"], "0");
  EXPECT_TRUE(report["seconds"].is_number());
}

TEST(run_command, literals_keep_their_decimal_value_at_every_precision) {
  ACTIO_NEEDS(mpfr);
  temporary_folder folder;
  const std::string path = folder.write("spring.toml", oscillator_model);
  const precision_scope scope(30);
  const json in_digits = run_json({path, "--step", "0.1", "--steps", "1", "--precision", "30"});
  EXPECT_EQ(from_digits<multi>(in_digits["step"].get<std::string>()), multi(1) / 10);
  EXPECT_EQ(run_json({path, "--step", "0.1", "--steps", "1", "--precision", "quad"})["step"], "0.1");
  EXPECT_EQ(run_json({path, "--step", "0.1", "--steps", "1"})["step"], 0.1);
}

TEST(run_command, until_ends_at_the_first_step_at_or_after_it) {
  const auto steps = [](const std::string& until, const std::string& step) {
    return run_json({"pendulum", "--until", until, "--step", step})["steps"].get<int>();
  };
  EXPECT_EQ(steps("1", "0.1"), 10);
  EXPECT_EQ(steps("1", "1/3"), 3);
  EXPECT_EQ(steps("pi", "pi/100"), 100);
  EXPECT_EQ(steps("1.01", "0.1"), 11);
  EXPECT_EQ(steps("0.05", "0.1"), 1);
  EXPECT_EQ(steps("0", "0.1"), 0);
  EXPECT_EQ(run_json({"pendulum", "--until", "1", "--step", "0.1", "--precision", has_mpfr ? "60" : "quad"})["steps"],
            10);
}

TEST(run_command, flags_override_the_defaults_of_the_file) {
  temporary_folder folder;
  const std::string path = folder.write("spring.toml", oscillator_model);
  const json defaults = run_json({path});
  EXPECT_EQ(defaults["model"], "spring");
  EXPECT_EQ(defaults["method"], "midpoint");
  EXPECT_EQ(defaults["steps"], 4);
  const json timed = run_json({path, "--until", "3", "--method", "simpson"});
  EXPECT_EQ(timed["method"], "simpson");
  EXPECT_EQ(timed["steps"], 6);
  EXPECT_EQ(run_json({path, "--step=0.25"})["time"], 1.0);
  EXPECT_EQ(run_json({path, "--steps", "1e2"})["steps"], 100);
  EXPECT_EQ(run_json({path, "--method", "newmark"})["method"], "midpoint");
}

TEST(run_command, observables_are_reported) {
  temporary_folder folder;
  const json report = run_json({folder.write("spring.toml", oscillator_model)});
  EXPECT_EQ(report["observables"]["double_x"]["initial"], 2.0);
  EXPECT_EQ(report["observables"]["double_x"]["final"].get<double>(), 2 * report["position"]["x"].get<double>());
}

TEST(run_command, set_replaces_parameters) {
  temporary_folder folder;
  const std::string path = folder.write("spring.toml", oscillator_model);
  EXPECT_EQ(run_json({path})["energy"]["initial"], 0.5);
  EXPECT_EQ(run_json({path, "--set", "k=4"})["energy"]["initial"], 2.0);
  EXPECT_EQ(run_json({path, "--set", "k=2*m", "--set", "m=3"})["energy"]["initial"], 3.0);
  EXPECT_EQ(run_json({"--set", "m=3", "k=2*m", path})["energy"]["initial"], 3.0);
}

TEST(run_command, the_midpoint_rule_turns_the_oscillator_by_the_known_angle) {
  temporary_folder folder;
  const json report = run_json({folder.write("spring.toml", oscillator_model)});
  const double angle = 4 * 2 * std::atan(0.25);  // four steps of length 1/2
  EXPECT_NEAR(report["position"]["x"].get<double>(), std::cos(angle), 1e-15);
  EXPECT_NEAR(report["momentum"]["x"].get<double>(), -std::sin(angle), 1e-15);
}

TEST(run_command, forced_systems_report_the_work) {
  const json report = run_json({"damped-driven-pendulum", "--steps", "100"});
  EXPECT_TRUE(report["energy"]["work"].is_number());
  EXPECT_FALSE(run_json({"pendulum", "--steps", "2"})["energy"].contains("work"));
}

TEST(run_command, csv_has_names_and_every_kth_step_and_the_last) {
  temporary_folder folder;
  const std::string path = folder.path("orbit.csv");
  const outcome result = actio_program({"run", "kepler", "--steps", "10", "--every", "4", "--output", path});
  EXPECT_EQ(result.status, 0) << result.err;
  const auto lines = lines_of(contents(path));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], "t,x,y,p_x,p_y,energy,perihelion_x,perihelion_y,angular_momentum");
  EXPECT_EQ(lines[1].substr(0, 12), "0,0.4,0,0,2,");
  const json report = run_json({"kepler", "--steps", "10"});
  EXPECT_EQ(std::stod(lines[4].substr(lines[4].find(',') + 1)), report["position"]["x"].get<double>());
}

TEST(run_command, csv_has_all_digits_in_higher_precision) {
  ACTIO_NEEDS(mpfr);
  temporary_folder folder;
  const std::string path = folder.path("orbit.csv");
  actio_program({"run", "kepler", "--steps", "1", "--precision", "50", "--output", path});
  const auto lines = lines_of(contents(path));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_GE(lines[2].find(','), 50U);
}

TEST(run_command, failures_say_why_and_what_to_try) {
  temporary_folder folder;
  const std::string path = folder.write("falling.toml", falling_model);
  const outcome text = actio_program({"run", path});
  EXPECT_EQ(text.status, 1);
  EXPECT_TRUE(text.err.starts_with("actio: step ")) << text.err;
  EXPECT_NE(text.err.find("is too long for the method"), std::string::npos) << text.err;
  const outcome result = actio_program({"run", path, "--json", "--output", folder.path("falling.csv")});
  EXPECT_EQ(result.status, 1);
  const json report = json::parse(result.out, nullptr, false);
  EXPECT_EQ(report["status"], "failed");
  EXPECT_EQ(report["failure"], "step-too-long");
  EXPECT_FALSE(report["reason"].get<std::string>().empty());
  EXPECT_FALSE(report["suggestion"].get<std::string>().empty());
  EXPECT_GE(lines_of(contents(folder.path("falling.csv"))).size(), 4U);
}

TEST(run_command, a_full_disk_fails_the_run) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  temporary_folder folder;
  std::filesystem::create_symlink("/dev/full", folder.path("full.csv"));
  const outcome result =
      actio_program({"run", "kepler", "--steps", "5", "--json", "--output", folder.path("full.csv")});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("No space left on device"), std::string::npos) << result.err;
  const json report = json::parse(result.out, nullptr, false);
  EXPECT_EQ(report["status"], "failed");
  EXPECT_EQ(report["failure"], "output");
}

TEST(run_command, an_interrupted_run_leaves_complete_output) {
  temporary_folder folder;
  const std::string path = folder.path("long.csv");
  started_program running({"run", "kepler", "--steps", "1e12", "--every", "10", "--json", "--output", path});
  while (!std::filesystem::exists(path) || std::filesystem::file_size(path) < 100'000) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(running.process(), SIGINT);
  const outcome result = running.wait();
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("interrupted at step"), std::string::npos) << result.err;
  const json report = json::parse(result.out, nullptr, false);
  EXPECT_EQ(report["status"], "interrupted");
  const std::string text = contents(path);
  EXPECT_TRUE(text.ends_with('\n'));
  const std::string last = lines_of(text).back();
  EXPECT_EQ(std::stod(last), report["time"].get<double>());
  EXPECT_EQ(std::ranges::count(last, ','), 8);
}

}  // namespace
}  // namespace actio::testing
