#include "actio/io/json_report.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace actio {
namespace {

using json = nlohmann::ordered_json;

template <class S>
run_report<S> small_report() {
  run_report<S> report;
  report.model = "spring \"s\"";
  report.method = "simpson";
  report.step = S(1) / S(3);
  report.coordinates = {"x"};
  report.position = {S(1) / S(7)};
  report.momentum = {S(-2)};
  report.momenta.push_back({.name = "p_x", .initial = S(-2)});
  return report;
}

TEST(json_report, doubles_are_numbers_that_read_back_exactly) {
  const json object = json::parse(to_json(small_report<double>()));
  EXPECT_EQ(object["model"], "spring \"s\"");
  EXPECT_EQ(object["step"].get<double>(), 1.0 / 3.0);
  EXPECT_EQ(object["position"]["x"].get<double>(), 1.0 / 7.0);
  EXPECT_EQ(object["momenta"]["p_x"]["max_error"], 0);
  EXPECT_FALSE(object.contains("observables"));
  EXPECT_FALSE(object.contains("reason"));
}

TEST(json_report, higher_precision_is_written_as_strings_that_read_back_exactly) {
  const json in_quad = json::parse(to_json(small_report<quad>()));
  EXPECT_EQ(from_digits<quad>(in_quad["step"].get<std::string>()), quad(1) / quad(3));
  const precision_scope scope(80);
  const json in_digits = json::parse(to_json(small_report<multi>()));
  EXPECT_EQ(from_digits<multi>(in_digits["position"]["x"].get<std::string>()), multi(1) / multi(7));
  EXPECT_GE(in_digits["step"].get<std::string>().size(), 80U);
}

template <class S>
void expect_null_for_what_is_not_finite() {
  run_report<S> report = small_report<S>();
  report.position[0] = std::numeric_limits<S>::infinity();
  report.energy.final = std::numeric_limits<S>::quiet_NaN();
  report.energy.drift.per_time = std::numeric_limits<double>::quiet_NaN();
  const json object = json::parse(to_json(report));
  EXPECT_TRUE(object["position"]["x"].is_null());
  EXPECT_TRUE(object["energy"]["final"].is_null());
  EXPECT_TRUE(object["energy"]["drift"]["per_time"].is_null());
}

TEST(json_report, what_is_not_finite_is_null) {
  expect_null_for_what_is_not_finite<double>();
  expect_null_for_what_is_not_finite<quad>();
  expect_null_for_what_is_not_finite<multi>();
}

TEST(json_report, failures_carry_their_reason) {
  run_report<double> report = small_report<double>();
  report.status = run_status::failed;
  report.failure = step_code::no_convergence;
  report.reason = "step 3 could not be solved";
  report.suggestion = "try --step 0.1";
  const json object = json::parse(to_json(report));
  EXPECT_EQ(object["status"], "failed");
  EXPECT_EQ(object["failure"], to_text(step_code::no_convergence));
  EXPECT_EQ(object["reason"], report.reason);
  EXPECT_EQ(object["suggestion"], report.suggestion);
}

TEST(json_report, text_that_is_not_utf8_does_not_stop_it) {
  run_report<double> report = small_report<double>();
  report.model = "\xff\xfe";
  EXPECT_TRUE(json::parse(to_json(report))["model"].is_string());
}

TEST(json_report, comparisons_and_verifications_are_lists) {
  const comparison table{.reference = "exact solution",
                         .until = 2,
                         .cells = {{.method = "simpson", .step = "0.1", .order = 4.0},
                                   {.method = "rk4", .step = "0.1", .error = std::numeric_limits<double>::infinity()}}};
  const json compared = json::parse(to_json(table));
  EXPECT_EQ(compared["cells"][0]["order"], 4.0);
  EXPECT_TRUE(compared["cells"][1]["order"].is_null());
  EXPECT_TRUE(compared["cells"][1]["error"].is_null());
  std::vector<verification_row> rows(2);
  rows[0].passed = true;
  const json verified = json::parse(to_json(rows));
  EXPECT_EQ(verified["rows"].size(), 2U);
  EXPECT_EQ(verified["failed"], 1);
}

}  // namespace
}  // namespace actio
