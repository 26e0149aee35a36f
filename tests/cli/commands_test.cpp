// The other commands through the real program.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "actio/base/option.hpp"
#include "actio/base/scalar.hpp"
#include "actio/integrate/catalogue.hpp"
#include "papers/paper.hpp"
#include "problems/problem.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio::testing {
namespace {

using json = nlohmann::ordered_json;

std::string said(const std::vector<std::string>& arguments) {
  const outcome result = actio_program(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result.out;
}

json said_json(const std::vector<std::string>& arguments) { return json::parse(said(arguments), nullptr, false); }

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(newmark, without_parameters_says_that_it_is_the_midpoint_rule) {
  const std::vector<std::string> run_it = {"run", "kepler", "--method", "newmark", "--step", "0.1", "--steps", "3"};
  EXPECT_EQ(actio_program(run_it).err, "actio: newmark without --beta and --gamma is the midpoint rule\n");
  std::vector<std::string> quietly = run_it, member = run_it;
  quietly.push_back("--quiet");
  EXPECT_EQ(actio_program(quietly).err, "");
  member.insert(member.end(), {"--beta", "1/6"});
  const outcome result = actio_program(member);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("newmark-beta:1/6:1/2"), std::string::npos) << result.out;
  const std::string explained = actio_program({"explain", "newmark"}).out;
  EXPECT_TRUE(explained.starts_with("'newmark' is another name of midpoint.\n")) << explained;
  EXPECT_NE(explained.find("actio explain newmark-beta"), std::string::npos) << explained;
}

TEST(help, lists_commands_and_options) {
  expect_parts(said({}),
               {"run MODEL", "compare MODEL", "check MODEL", "verify METHOD", "methods", "problems", "explain"});
  EXPECT_EQ(said({"--help"}), said({}));
  EXPECT_EQ(said({"help", "run"}), said({"run", "--help"}));
  for (const char* command : {"run", "compare", "exact", "check", "verify", "methods", "problems"}) {
    const std::string text = said({command, "--help"});
    for (const option_descriptor* option : options_of(command)) expect_parts(text, {"--" + std::string(option->name)});
  }
  expect_parts(said({"--version"}), {"actio "});
}

TEST(check_command, shows_the_model_as_understood) {
  const std::string text = said({"check", "lagrange-top"});
  expect_parts(text, {"coordinates", "phi, theta, psi", "parameters", "Lagrangian", "equations", "cyclic", "p_phi",
                      "3 coordinates", "does not depend on time"});
}

TEST(check_command, finds_structure_behind_trigonometry) {
  temporary_folder folder;
  const std::string path = folder.write("pendulum.toml", R"toml(coordinates = ["q"]
lagrangian = "1/2*(x'^2 + y'^2) - y"
[definitions]
x = "sin(q)"
y = "-cos(q)"
[initial.position]
q = 1
[initial.velocity]
q = 2
)toml");
  const json facts = said_json({"check", path, "--json"});
  EXPECT_EQ(facts["structure"]["constant_mass"], true);
  EXPECT_EQ(facts["structure"]["separable"], true);
  EXPECT_EQ(facts["structure"]["forced"], false);
  EXPECT_EQ(facts["initial"]["momentum"]["q"], 2.0);
  EXPECT_EQ(facts["equations"].size(), 1U);
}

constexpr std::string_view round_spring = R"toml(coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - 1/2*(x^2 + k*y^2)"
[parameters]
k = 1
[initial.position]
x = 1
y = 0
[initial.velocity]
x = 0
y = 2
[run]
step = 0.01
steps = 4
)toml";

TEST(check_command, shows_symmetries_that_it_found) {
  temporary_folder folder;
  const std::string path = folder.write("spring.toml", std::string(round_spring));
  expect_parts(said({"check", path}),
               {"rotation_xy (found): x moves by -y, y moves by x", "rotation_xy = p_y*x - p_x*y: 2"});
  const json facts = said_json({"check", path, "--json"});
  EXPECT_EQ(facts["momenta"]["rotation_xy"]["origin"], "found");
  EXPECT_EQ(facts["momenta"]["rotation_xy"]["generator"], (json{{"x", "-y"}, {"y", "x"}}));
  EXPECT_EQ(facts["symmetry_search"]["extent"], "affine");
  EXPECT_TRUE(said_json({"check", path, "--set", "k=1.000000001", "--json"})["momenta"].empty());
  EXPECT_LT(said_json({"run", path, "--json"})["momenta"]["rotation_xy"]["max_error"].get<double>(), 1e-14);
}

TEST(check_command, applies_set) {
  temporary_folder folder;
  const std::string path = folder.write("spring.toml", oscillator_model);
  EXPECT_EQ(said_json({"check", path, "--set", "k=6", "--json"})["initial"]["energy"], 3.0);
}

TEST(compare_command, measures_orders) {
  const json table = said_json(
      {"compare", "pendulum", "--methods", "simpson,midpoint", "--step-sizes", "0.02,0.01", "--until", "1", "--json"});
  EXPECT_EQ(table["reference"], "exact solution");
  ASSERT_EQ(table["cells"].size(), 4U);
  EXPECT_TRUE(table["cells"][0]["order"].is_null());
  EXPECT_NEAR(table["cells"][1]["order"].get<double>(), 4, 0.2);
  EXPECT_NEAR(table["cells"][3]["order"].get<double>(), 2, 0.2);
  EXPECT_EQ(table["cells"][3]["method"], "midpoint");
  EXPECT_EQ(table["cells"][3]["steps"], 100);
}

TEST(compare_command, prints_a_table_also_without_exact_solution) {
  const std::string text =
      said({"compare", "double-pendulum", "--methods", "simpson", "--step-sizes", "0.1,0.05", "--until", "0.5"});
  expect_parts(text, {"method", "step", "error", "order", "energy error", "iterations", "us/step", "seconds", "simpson",
                      "0.05", "reference: "});
}

TEST(compare_command, uses_a_reference_where_the_exact_motion_is_refused) {
  const json table = said_json({"compare", "kepler", "--set", "vy0=5", "--methods", "simpson", "--step-sizes", "0.01",
                                "--until", "0.1", "--json"});
  EXPECT_NE(table["reference"], "exact solution");
  EXPECT_LT(table["cells"][0]["error"].get<double>(), 1e-3);
}

TEST(exact_command, prints_every_coordinate_and_momentum_and_the_period) {
  const std::string text = said({"exact", "pendulum", "--times", "0,1/4", "--set", "amplitude=1"});
  expect_parts(text, {"t = 0\n  q   = 1\n  p_q = ", "t = 0.25\n", "period = 1.0663", "(swing)"});
  expect_parts(said({"exact", "pendulum", "--times", "1", "--set", "rate=20"}), {"(turn)"});
}

TEST(exact_command, has_all_digits) {
  ACTIO_NEEDS(mpfr);
  const json top = said_json({"exact", "lagrange-top", "--times", "0.25,1.5", "--precision", "40", "--json"});
  EXPECT_EQ(top["period"]["of"], "nutation");
  EXPECT_EQ(top["period"]["value"], "1.846708477081638173601964531636483712938");
  ASSERT_EQ(top["states"].size(), 2U);
  EXPECT_EQ(top["states"][0]["time"], "0.25");
  // …33085455208192…: rounded once.
  EXPECT_EQ(top["states"][1]["position"]["theta"], "0.4754671264169832943828592512330854552082");
  EXPECT_EQ(top["states"][1]["momentum"].size(), 3U);
  EXPECT_EQ(top["states"][1]["momentum"]["phi"], "0.0321145") << "rounding of the computation must not be printed";
  EXPECT_TRUE(said_json({"exact", "kepler", "--times", "-1", "--json"})["states"][0]["position"]["x"].is_number());
  EXPECT_TRUE(said_json({"exact", "linear-double-pendulum", "--times", "1", "--json"})["period"].is_null());
}

// Fewer digits are the beginning of more, however near to the separatrix or to the rest at the top the start is.
TEST(exact_command, has_all_digits_near_the_separatrix) {
  ACTIO_NEEDS(mpfr);
  const std::vector<std::vector<std::string>> starts{
      {"pendulum", "--set", "amplitude=pi", "--set", "rate=1e-32", "--times", "12"},
      {"pendulum", "--set", "amplitude=pi", "--set", "rate=1e-34", "--times", "12"},
      {"pendulum", "--set", "amplitude=pi", "--set", "rate=-1e-80", "--times", "12,30"},
      {"pendulum", "--set", "amplitude=pi-1e-60", "--times", "24,90"},
      {"pendulum", "--set", "amplitude=0", "--set", "rate=2*w*(1+1e-50)", "--times", "9,40"},
      {"pendulum", "--set", "amplitude=1", "--set", "rate=2*w*cos(1/2)", "--times", "9"},
      {"spherical-pendulum", "--set", "theta_rate=2*sqrt(g/l)*cos(1/2)", "--set", "phi_rate=1e-14", "--times", "9"},
      {"spherical-pendulum", "--set", "theta_rate=2*sqrt(g/l)*cos(1/2)", "--set", "phi_rate=1e-30", "--times", "19"}};
  for (const std::vector<std::string>& start : starts) {
    std::vector<std::string> words{"exact", "--json"};
    words.insert(words.end(), start.begin(), start.end());
    const json in_double = said_json(words);
    words.insert(words.end(), {"--precision", "30"});
    const json in_thirty = said_json(words);
    words.back() = "200";
    const json right = said_json(words);
    const precision_scope scope(220);
    for (std::size_t k = 0; k < right["states"].size(); ++k) {
      for (const char* kind : {"position", "momentum"}) {
        for (const auto& [name, digits] : right["states"][k][kind].items()) {
          const multi exact(digits.get<std::string>());
          const std::string where = fmt::format("{}: {} of {}", fmt::join(start, " "), kind, name);
          EXPECT_EQ(in_double["states"][k][kind][name].get<double>(), to_double(exact)) << where;
          EXPECT_EQ(in_thirty["states"][k][kind][name].get<std::string>(), to_brief(exact, 30)) << where;
        }
      }
    }
  }
}

TEST(exact_command, says_zero_where_the_motion_is_there) {
  ACTIO_NEEDS(mpfr);
  expect_parts(said({"exact", "harmonic-oscillator", "--times", "pi/2", "--precision", "30"}), {"x   = 0\n"});
}

TEST(reproduce_command, writes_a_page_data_and_figures) {
  const temporary_folder folder;
  const json report = said_json({"reproduce", "dubois2023", "--json", "--output", folder.path("out")});
  EXPECT_EQ(report["papers"][0]["verdicts"]["agrees"], 24);
  EXPECT_EQ(report["papers"][0]["verdicts"]["holds in part"], 1);
  EXPECT_EQ(report["papers"][0]["claims"][0]["rule"], "the printed digits");
  for (const char* file :
       {"dubois2023.html", "dubois2023.json", "dubois2023-figure-1.svg", "dubois2023-figure-2.svg"}) {
    EXPECT_TRUE(std::filesystem::exists(folder.path("out/") + file)) << file;
  }
}

// Published, computed, rule and note: every verdict can be judged again from the text.
TEST(reproduce_command, prints_what_verdicts_were_found_by) {
  expect_parts(
      said({"reproduce", "dubois2023", "--quiet"}),
      {"A cell agrees where its printed digits", "\nholds          Newton's method reaches machine accuracy",
       "\n               published: 5\n               here: at most ", "\n               rule: iterations at most 5\n",
       "\n               note: ", "\ndubois2023 ", " s in all\neverything that should agree does"});
}

// By what a terminal shows: the bar of t̄ needs no column.
TEST(reproduce_command, aligns_columns_under_accents) {
  const std::string text = said({"reproduce", "rojas2024", "--quick", "--quiet"});
  expect_parts(text, {"\nlength  method   error of  10 steps", "\n1 t\u0304     Newmark  p         7.51e-2",
                      "\n100 t\u0304   Simpson  q         2.37e-1"});
}

TEST(verify_command, measures_what_a_method_declares) {
  const outcome result = actio_program({"verify", "rk4", "--json"});
  const json table = json::parse(result.out, nullptr, false);
  ASSERT_GT(table["rows"].size(), 5U);
  EXPECT_EQ(result.status, table["failed"] == 0 ? 0 : 1);
  EXPECT_EQ(table["failed"], 0) << result.out;
  EXPECT_EQ(table["rows"][0]["method"], "rk4");
}

TEST(verify_command, prints_a_table_and_a_summary) {
  expect_parts(said({"verify", "verlet", "--threads", "1"}),
               {"property", "declared", "measured", "order", "symplectic", " 0 failed"});
}

TEST(methods_command, lists_the_catalogue) {
  const std::string text = said({"methods"});
  const json list = said_json({"methods", "--json"})["methods"];
  ASSERT_EQ(list.size(), method_catalogue().size());
  for (const method& m : method_catalogue()) expect_parts(text, {m.name, m.summary});
  EXPECT_EQ(list[0]["name"], method_catalogue()[0].get().name);
  EXPECT_EQ(list[0]["order"], method_catalogue()[0].get().traits.order);
}

TEST(problems_command, lists_the_catalogue) {
  const std::string text = said({"problems"});
  const json list = said_json({"problems", "--json"})["problems"];
  ASSERT_EQ(list.size(), problem_catalogue().size());
  for (const problem& p : problem_catalogue()) expect_parts(text, {std::string(p.name), std::string(p.summary)});
}

TEST(problems_command, every_problem_runs_as_it_stands) {
  for (const problem& p : problem_catalogue()) {
    const outcome result = actio_program({"run", std::string(p.name), "--steps", "3", "--json"});
    EXPECT_EQ(result.status, 0) << p.name << ": " << result.err;
    EXPECT_EQ(json::parse(result.out, nullptr, false)["status"], "done") << p.name;
  }
}

TEST(explain_command, knows_methods_problems_options_commands_and_errors) {
  expect_parts(said({"explain", "simpson"}), {"formula", "order 4", "symplectic", "references"});
  expect_parts(said({"explain", "simpson"}), {"needs       a Lagrangian"});
  EXPECT_EQ(said({"explain", "rk4"}).find("needs"), std::string::npos);
  expect_parts(said({"explain", "verlet"}),
               {"frequency   relative error +4.2e-04 at omega*h = 0.1, ", "+4.7e-02 at 1\n"});
  expect_parts(said({"explain", "rk4"}), {"amplitude   changes in a step by -6.9e-09 at omega*h = 0.1"});
  expect_parts(said({"explain", "newmark"}), {"midpoint"});
  expect_parts(said({"explain", "kepler"}),
               {"source", "lagrangian = ", "exact solution  known", "period          6.283"});
  expect_parts(said({"explain", "until"}), {"--until T", "[run]"});
  expect_parts(said({"explain", "compare"}), {"Usage: actio compare MODEL"});
  expect_parts(said({"explain", "clamp"}), {"clamp(x, low, high)", "clamp(t - 100, -1, 1) = "});
  expect_parts(said({"explain", "step"}), {"--step H", "step(x)", "it is 1 at 0"});
  expect_parts(said({"explain", "if"}), {"if(c, a, b)", "if(c, u, v)"});
  expect_parts(said({"explain", "deg"}), {"30 deg", "pi/180"});
  expect_parts(said({"explain", "[signals]"}), {"[signals.NAME]", "interpolation", "not-a-knot"});
  expect_parts(said({"explain", "forces"}), {"[forces]", "x = \"-0.1*x'"});
  expect_parts(said({"explain", "stiffness"}), {"in [linear]"});
  for (const paper& p : paper_catalogue()) {
    expect_parts(said({"explain", std::string(p.key)}), {"actio reproduce " + std::string(p.key)});
  }
  for (const error_entry& entry : error_catalogue()) {
    expect_parts(said({"explain", std::string(entry.id)}), {std::string(entry.meaning)});
  }
}

}  // namespace
}  // namespace actio::testing
