#include "actio/io/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "actio/expr/print.hpp"
#include "actio/io/page.hpp"
#include "actio/io/report_references.hpp"
#include "actio/simulate/certificate_meter.hpp"
#include "tests/support/constrained_systems.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

using json = nlohmann::json;

// A mass on a spring that turns around its end, with a name that is as bad as a name can be.
constexpr const char* rotor = R"toml(
name = "rotor </script><!-- & \u2028"
coordinates = ["phi", "r"]
lagrangian = "m*(r'^2 + r^2*phi'^2)/2 - k*(r - 1)^2/2"
[parameters]
m = 1
k = "4*m"
[observables]
height = "r*sin(phi)"
[initial.position]
phi = 0
r = 1.2
[initial.velocity]
phi = 0.5
r = 0
)toml";

template <class S>
std::string page_of(const model& m, const std::string& method, const S& step, std::size_t steps,
                    const report_context& context = {"actio run rotor.toml", "1.2.3"}) {
  const integrator<S> flow(m.system, {.method = method, .step = step});
  phase_state<S> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  report_recorder<S> recorder(flow.space(), m.view);
  const run_report<S> report = run(flow, *workspace, state, run_options<S>{.steps = steps, .observers = {&recorder}});
  return report_page(report, recorder, m, context);
}

std::string data_text(const std::string& page) {
  const std::string mark = "id=\"data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

json data_of(const std::string& page) { return json::parse(data_text(page)); }

const json& column(const json& data, const std::string& quantity, std::size_t index = 0) {
  for (const json& c : data["series"]["columns"]) {
    if (c["quantity"] == quantity && index-- == 0) return c;
  }
  throw std::out_of_range(quantity);
}

double largest(const json& values) {
  double result = 0;
  for (const json& v : values) result = std::max(result, std::abs(v.get<double>()));
  return result;
}

TEST(report_page, holds_the_run_and_its_certificate) {
  const model m = testing::read(rotor);
  const json data = data_of(page_of<double>(m, "simpson", 0.05, 200));
  EXPECT_EQ(data["kind"], "run");
  EXPECT_EQ(data["version"], "1.2.3");
  EXPECT_EQ(data["command"], "actio run rotor.toml");
  EXPECT_EQ(data["model"]["text"], rotor);
  EXPECT_EQ(data["method"]["order"], 4);
  EXPECT_EQ(data["method"]["references"].size(), 3u);
  EXPECT_EQ(data["run"]["steps"], 200);
  EXPECT_EQ(data["run"]["status"], "done");
  EXPECT_EQ(data["momenta"][0]["name"], "p_phi");
  EXPECT_EQ(data["momenta"][0]["verdict"], "exact");
  EXPECT_EQ(data["energy"]["drift"]["grows"], false);
}

TEST(report_page, holds_the_motion_as_it_was) {
  const model m = testing::read(rotor);
  const json data = data_of(page_of<double>(m, "simpson", 0.05, 200));
  const json& times = data["series"]["times"];
  ASSERT_EQ(times.size(), 201u);
  EXPECT_DOUBLE_EQ(times[200].get<double>(), 10);
  EXPECT_EQ(column(data, "coordinate", 0)["name"], "phi");
  EXPECT_EQ(column(data, "coordinate", 1)["values"][0], 1.2);
  EXPECT_EQ(column(data, "momentum", 1)["name"], "p_r");
  EXPECT_EQ(column(data, "observable")["name"], "height");
  EXPECT_TRUE(column(data, "iterations")["values"][0].is_null());
  EXPECT_GE(column(data, "iterations")["values"][1], 1);
  EXPECT_EQ(largest(column(data, "conserved_error")["values"]), 0);
  EXPECT_EQ(data["portrait"]["columns"].size(), 4u);
  EXPECT_EQ(data["portrait"]["columns"][0]["values"].size(), 201u);
  EXPECT_EQ(data["state"]["first"][0]["velocity"], "0.5");
}

// Pages of many coordinates show some one by one and all as a field over index and time; formulas stay in the text.
TEST(report_page, of_many_coordinates_shows_a_choice_and_a_field) {
  const model m = testing::read(
      "coordinates = [\"q[1..n]\"]\n"
      "lagrangian = \"sum(i = 1..n, q[i]'^2/2) - sum(i = 1..n-1, (q[i+1]-q[i])^2/2)\"\n[sizes]\nn = 3000\n"
      "[initial.position]\n\"q[i = 1..n]\" = \"i/n\"\n");
  const integrator<double> flow(m.system, {.method = "strang", .step = 0.1});
  const auto page = [&](const std::vector<source_text>& columns) {
    phase_state<double> state = flow.at_start(m);
    const auto workspace = flow.make_workspace();
    report_recorder<double> recorder(flow.space(), m.view, false, columns);
    const auto report = run(flow, *workspace, state, run_options<double>{.steps = 20, .observers = {&recorder}});
    return report_page(report, recorder, m, {"", ""});
  };
  const std::string usual = page({});
  EXPECT_LT(usual.size(), 600'000u);
  const json data = data_of(usual);
  EXPECT_EQ(data["model"]["size"], 3000);
  EXPECT_EQ(data["model"]["in_indices"], true);
  EXPECT_TRUE(data["model"]["equations"].empty());
  EXPECT_TRUE(data["model"]["lagrangian"].is_null());
  EXPECT_EQ(data["model"]["coordinates"].size(), 12u);
  EXPECT_EQ(data["model"]["coordinates"][11]["name"], "q[3000]");
  EXPECT_EQ(data["state"]["first"].size(), 12u);
  ASSERT_EQ(data["fields"].size(), 1u);
  EXPECT_EQ(data["fields"][0]["name"], "q");
  EXPECT_EQ(data["fields"][0]["x"]["count"], 600);
  EXPECT_EQ(data["fields"][0]["y"]["name"], "t");
  EXPECT_EQ(data["fields"][0]["y"]["count"], 21);
  EXPECT_EQ(data["fields"][0]["cell"], 5);

  const json chosen = data_of(page({{"p_q[7]", {}, ""}, {"energy", {}, ""}, {"q[2900]", {}, ""}}));
  ASSERT_EQ(chosen["state"]["first"].size(), 2u);
  EXPECT_EQ(column(chosen, "coordinate", 0)["name"], "q[7]");
  EXPECT_EQ(column(chosen, "momentum", 1)["name"], "p_q[2900]");
  EXPECT_DOUBLE_EQ(column(chosen, "coordinate", 1)["values"][0].get<double>(), 0.96666667);
}

// What is drawn and what is certified are the same numbers.
TEST(report_page, draws_the_error_that_the_certificate_states) {
  const model m = testing::read(rotor);
  const json data = data_of(page_of<double>(m, "midpoint", 0.05, 3000));
  const double stated = std::stod(data["energy"]["max_relative_error"].get<std::string>());
  EXPECT_NEAR(largest(column(data, "energy_error")["values"]) / stated, 1, 0.01);

  const json forced = data_of(page_of<double>(testing::read(testing::forced_system), "simpson", 0.1, 100));
  EXPECT_EQ(forced["energy"]["supplied"], true);
  const double ledger = std::stod(forced["energy"]["max_relative_error"].get<std::string>());
  EXPECT_NEAR(largest(column(forced, "energy_error")["values"]) / ledger, 1, 0.01);
  const json& work = column(forced, "work")["values"];
  EXPECT_NEAR(work[work.size() - 1].get<double>() / std::stod(forced["energy"]["work"].get<std::string>()), 1, 1e-5);
}

// The certificate of a resumed run counts from the very first step, and so does its page.
TEST(report_page, of_a_resumed_run_measures_from_the_first_start) {
  const model m = testing::read(testing::forced_system);
  const integrator<double> flow(m.system, {.method = "midpoint", .step = 0.1});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  certificate_meter<double> meter(flow);
  report_recorder<double> whole(flow.space()), rest(flow.space());
  run(flow, *workspace, state, run_options<double>{.steps = 50, .meter = &meter});
  const auto report =
      run(flow, *workspace, state, run_options<double>{.steps = 100, .observers = {&rest}, .meter = &meter});
  const json data = data_of(report_page(report, rest, m, {}));
  EXPECT_EQ(data["state"]["first_step"], 51);
  phase_state<double> again = flow.at_start(m);
  const auto fresh = flow.make_workspace();
  run(flow, *fresh, again, run_options<double>{.steps = 51, .observers = {&whole}});
  const double factor = 1 / report.energy.reference;
  const double drawn = column(data, "energy_error")["values"][0];
  for (std::size_t k = 0; k < whole.columns().size(); ++k) {
    if (whole.columns()[k].quantity == report_quantity::energy_error) {
      EXPECT_NEAR(drawn / (whole.series().values(k).back() * factor), 1, 1e-5);
    }
  }
}

TEST(report_page, sets_the_model_as_mathematics) {
  const json model = data_of(page_of<double>(testing::read(rotor), "simpson", 0.05, 3))["model"];
  EXPECT_NE(model["lagrangian"].get<std::string>().find("\\dot{\\phi}^{2}"), std::string::npos);
  EXPECT_EQ(model["equations"].size(), 2u);
  EXPECT_NE(model["equations"][1].get<std::string>().find("\\ddot{r}"), std::string::npos);
  EXPECT_NE(model["conserved"][0]["formula"].get<std::string>().find("\\dot{\\phi}"), std::string::npos);
  EXPECT_EQ(model["parameters"][1]["formula"], "4 m");
  EXPECT_EQ(model["parameters"][1]["value"], "4");
}

TEST(report_page, has_the_same_shape_at_every_precision) {
  const model m = testing::read(rotor);
  const json in_double = data_of(page_of<double>(m, "gauss-4", 0.1, 50));
  const json in_quad = data_of(page_of<quad>(m, "gauss-4", quad(1) / 10, 50));
  const precision_scope scope(50);
  const json in_digits = data_of(page_of<multi>(m, "gauss-4", multi(1) / 10, 50));
  for (const json& data : {in_quad, in_digits}) {
    EXPECT_EQ(data["series"]["columns"].size(), in_double["series"]["columns"].size());
    EXPECT_NEAR(data["series"]["columns"][1]["values"][50], in_double["series"]["columns"][1]["values"][50], 1e-6);
  }
  EXPECT_EQ(in_digits["run"]["precision"], std::to_string(digits_in_use()));
  EXPECT_GT(in_digits["state"]["last"][0]["position"].get<std::string>().size(), 38u);
}

TEST(report_page, is_one_safe_page) {
  const std::string page = page_of<double>(testing::read(rotor), "simpson", 0.05, 10, {"actio run '</script>'", "1"});
  const std::string data = data_text(page);
  EXPECT_EQ(data.find('<'), std::string::npos);
  EXPECT_TRUE(std::ranges::all_of(data, [](unsigned char c) { return c >= 0x20 && c < 0x7f; }));
  EXPECT_EQ(json::parse(data)["command"], "actio run '</script>'");
  EXPECT_EQ(page.find("__DATA__"), std::string::npos);
  EXPECT_EQ(page.find("__TITLE__"), std::string::npos);
  EXPECT_NE(page.find("<title>rotor &lt;/script&gt;&lt;!-- &amp;"), std::string::npos);
}

TEST(report_page, survives_bytes_that_are_not_text) {
  model m = testing::read(rotor);
  m.text += "# \xff\xfe";
  EXPECT_NO_THROW(data_of(page_of<double>(m, "simpson", 0.05, 3)));
}

TEST(report_page, tells_of_a_run_that_failed_before_it_began) {
  const model m = testing::read(rotor);
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.1});
  run_report<double> report;
  report.model = "rotor";
  report.method = "simpson";
  report.precision = "double";
  report.status = run_status::failed;
  report.reason = "it was not meant to be";
  report.energy.max_relative_error = std::numeric_limits<double>::quiet_NaN();
  const json data = data_of(report_page(report, report_recorder<double>(flow.space()), m, {}));
  EXPECT_EQ(data["run"]["reason"], "it was not meant to be");
  EXPECT_TRUE(data["energy"]["max_relative_error"].is_null());
  EXPECT_FALSE(data.contains("series"));
}

// 48 coordinates and half a million numbers: still a page that opens at once.
TEST(report_page, stays_small) {
  std::string coordinates, lagrangian = "0", start;
  for (int i = 0; i < 48; ++i) {
    const std::string q = "q" + std::to_string(i);
    coordinates += (i > 0 ? ", \"" : "\"") + q + "\"";
    lagrangian += " + " + q + "'^2/2 - " + std::to_string(i + 1) + "*" + q + "^2/2";
    start += q + " = " + (start.ends_with("1\n") ? "0.1\n" : "0.3\n");
  }
  const model m = parse_model("coordinates = [" + coordinates + "]\nlagrangian = \"" + lagrangian +
                                  "\"\n[initial.position]\n" + start + "[initial.momentum]\n" + start,
                              "chain.toml");
  const std::string page = page_of<double>(m, "verlet", 0.01, 5000);
  EXPECT_LT(page.size(), 2'000'000u);
  const json data = data_of(page);
  EXPECT_EQ(data["model"]["coordinates"].size(), 48u);
  EXPECT_EQ(column(data, "coordinate", 23)["name"], "q23");
  EXPECT_THROW(column(data, "coordinate", 24), std::out_of_range);
}

TEST(report_page, of_equations_has_neither_energy_nor_momenta) {
  const json data = data_of(page_of<double>(testing::read(testing::lotka_volterra), "rk4", 0.01, 100));
  EXPECT_EQ(data["model"]["first_order"], true);
  EXPECT_TRUE(data["model"]["lagrangian"].is_null());
  ASSERT_EQ(data["model"]["equations"].size(), 2u);
  EXPECT_EQ(data["model"]["equations"][0], to_latex(testing::read(testing::lotka_volterra).system.equations[0]));
  EXPECT_TRUE(data["energy"].is_null());
  EXPECT_TRUE(data["momenta"].empty());
  EXPECT_TRUE(data["state"]["first"][0]["momentum"].is_null());
  EXPECT_TRUE(data["state"]["last"][0]["momentum"].is_null());
  EXPECT_EQ(column(data, "coordinate", 1)["name"], "predators");
  EXPECT_THROW(column(data, "momentum"), std::out_of_range);
  EXPECT_THROW(column(data, "energy_error"), std::out_of_range);
  ASSERT_EQ(data["portrait"]["columns"].size(), 2u);
  EXPECT_EQ(data["portrait"]["columns"][1]["name"], "predators");
  // One coordinate alone makes no portrait.
  const char* decay = "coordinates = [\"y\"]\n[equations]\ny = \"-y\"\n[initial.position]\ny = 1\n";
  EXPECT_FALSE(data_of(page_of<double>(testing::read(decay), "rk4", 0.1, 10)).contains("portrait"));
}

TEST(report_page, shows_constraints_their_violation_and_their_multipliers) {
  const json data = data_of(page_of<double>(testing::read(testing::rod_in_the_plane), "simpson", 0.05, 40));
  EXPECT_EQ(data["constraints"]["names"], json({"rod"}));
  EXPECT_LT(std::stod(data["constraints"]["max_violation"].get<std::string>()), 1e-14);
  EXPECT_TRUE(data["constraints"]["projection"].is_null());
  EXPECT_EQ(column(data, "multiplier")["name"], "lambda_rod");
  EXPECT_LT(column(data, "multiplier")["values"][0].get<double>(), 0);  // the rod pulls
  EXPECT_LT(column(data, "violation", 0)["values"][40].get<double>(), 1e-14);
  EXPECT_LT(column(data, "violation", 1)["values"][40].get<double>(), 1e-14);
  EXPECT_NE(data["model"]["equations"][0].get<std::string>().find("lambda"), std::string::npos);
  const json without = data_of(page_of<double>(testing::read(rotor), "simpson", 0.05, 10));
  EXPECT_TRUE(without["constraints"].is_null());
}

// A pendulum drawn with everything that a view can have.
constexpr const char* drawn_pendulum = R"toml(
coordinates = ["q"]
lagrangian = "1/2*l^2*q'^2 + g*l*cos(q)"
[parameters]
l = 250
g = 9.81
[view]
lines = [["pivot", "bob"]]
traces = ["bob"]
[view.points]
pivot = [0, 0]
bob = ["l*sin(q)", "-l*cos(q)"]
[view.bodies.plate]
box = ["l/5", "l/10"]
centre = "bob"
angle = "q"
[view.shapes.arc]
s = ["-pi/2", 0]
point = ["l*cos(s)", "l*sin(s)"]
[initial.position]
q = 1
[initial.velocity]
q = 0
)toml";

TEST(report_page, holds_what_the_view_shows) {
  const json data = data_of(page_of<double>(testing::read(drawn_pendulum), "simpson", 0.1, 50));
  const json& view = data["view"];
  EXPECT_EQ(view["dimensions"], 2);
  EXPECT_EQ(view["points"], json({"pivot", "bob"}));
  EXPECT_EQ(view["lines"], json::parse("[[0, 1]]"));
  EXPECT_EQ(view["traces"], json::parse("[1]"));
  EXPECT_EQ(view["bodies"][0]["size"], json::parse("[50, 25]"));
  EXPECT_EQ(view["shapes"][0]["size"], json::parse("[161]"));
  ASSERT_EQ(view["clips"].size(), 1u);
  const json &clip = view["clips"][0], &columns = clip["columns"];
  ASSERT_EQ(clip["times"].size(), 51u);
  ASSERT_EQ(columns.size(), 10u);  // two points, and a body with its two axes
  EXPECT_EQ(columns[0], 0);        // the pivot never moves
  const double unit = view["unit"], axis_unit = view["axis_unit"];
  const json& angle = column(data, "coordinate")["values"];
  for (std::size_t f = 0; f <= 50; ++f) {
    const double q = angle[f];
    EXPECT_NEAR(columns[2][f].get<double>() * unit, 250 * std::sin(q), unit);
    EXPECT_NEAR(columns[3][f].get<double>() * unit, -250 * std::cos(q), unit);
    EXPECT_NEAR(columns[7][f].get<double>() * axis_unit, std::sin(q), axis_unit);
  }
  EXPECT_LT(unit, 0.1);
  const json& arc = view["shapes"][0]["values"];
  ASSERT_EQ(arc.size(), 322u);
  EXPECT_NEAR(arc[1].get<double>() * unit, -250, unit);
  EXPECT_NEAR(arc[320].get<double>() * unit, 250, unit);
  EXPECT_FALSE(data_of(page_of<double>(testing::read(rotor), "simpson", 0.05, 10)).contains("view"));
}

// The points follow the parameters as they were set, and are the same at every precision.
TEST(report_page, shows_views_with_the_parameters_of_the_run) {
  model m = testing::read(drawn_pendulum);
  set_parameter(m, {"l=2", {}, "--set"});
  const precision_scope scope(30);
  const json in_double = data_of(page_of<double>(m, "simpson", 0.1, 20))["view"],
             in_digits = data_of(page_of<multi>(m, "simpson", multi(1) / 10, 20))["view"];
  EXPECT_EQ(in_double["clips"][0]["columns"], in_digits["clips"][0]["columns"]);
  const double unit = in_double["unit"];
  EXPECT_NEAR(in_double["clips"][0]["columns"][3][0].get<double>() * unit, -2 * std::cos(1), unit);
}

TEST(report_page, with_a_view_stays_small) {
  const std::string page = page_of<double>(testing::read(drawn_pendulum), "verlet", 0.05, 100'000);
  EXPECT_LT(page.size(), 2'000'000u);
  const json clips = data_of(page)["view"]["clips"];
  ASSERT_EQ(clips.size(), 2u);  // a beginning that can be played, and the whole
  EXPECT_LT(clips[0]["stride"], clips[1]["stride"]);
  EXPECT_DOUBLE_EQ(clips[1]["times"].back().get<double>(), 5000);
}

TEST(comparison_page, groups_cells_by_method) {
  comparison result{.reference = "exact solution", .until = 10, .cells = {}};
  for (const char* method : {"simpson", "midpoint"}) {
    for (double step : {0.1, 0.05})
      result.cells.push_back({.method = method, .step = "h", .step_value = step, .error = step});
  }
  result.cells[1].order = 3.9;
  result.cells[3].error = std::numeric_limits<double>::infinity();
  const json data = data_of(comparison_page(result, testing::read(rotor), {"actio compare", "1"}));
  EXPECT_EQ(data["kind"], "comparison");
  ASSERT_EQ(data["methods"].size(), 2u);
  EXPECT_EQ(data["methods"][0]["name"], "simpson");
  EXPECT_EQ(data["methods"][0]["order"], 4);
  EXPECT_EQ(data["methods"][0]["cells"][1]["order"], 3.9);
  EXPECT_TRUE(data["methods"][1]["cells"][0]["order"].is_null());
  EXPECT_TRUE(data["methods"][1]["cells"][1]["error"].is_null());
}

TEST(escaped_for_script, leaves_no_way_out_of_the_script) {
  EXPECT_EQ(escaped_for_script("{\"a\":\"</script>\"}"), "{\"a\":\"\\u003c/script>\"}");
  EXPECT_EQ(escaped_for_script("<!--"), "\\u003c!--");
  EXPECT_EQ(escaped_for_script(""), "");
}

TEST(parse_references, reads_bibtex) {
  const auto works = parse_references(R"(% a comment
@article{key2001,
  author  = {Marsden, Jerrold E. and J{\"u}rgen, Fran{\c{c}}ois},
  title   = {A title with {P}rotected = letters},
  journal = {Acta},
  volume  = {10},
  pages   = {357--514},
  year    = {2001},
}
@book{other, title = {B}, publisher = {P}, year = {1999}, doi = {10.1/x}}
)");
  ASSERT_EQ(works.size(), 2u);
  EXPECT_EQ(works[0].key, "key2001");
  EXPECT_EQ(works[0].authors, (std::vector<std::string>{"Jerrold E. Marsden", "Franc\u0327ois Ju\u0308rgen"}));
  EXPECT_EQ(works[0].title, "A title with Protected = letters");
  EXPECT_EQ(works[0].venue, "Acta 10, 357–514");
  EXPECT_EQ(works[1].venue, "P");
  EXPECT_EQ(works[1].doi, "10.1/x");
}

TEST(cited_works, are_known_for_every_method) {
  for (const method& m : method_catalogue()) EXPECT_FALSE(cited_works(m.reference).empty()) << m.name;
  EXPECT_TRUE(cited_works("nobody1900").empty());
  EXPECT_TRUE(cited_works("").empty());
}

}  // namespace
}  // namespace actio
