// Models in indices are the models that their members written out would be.
#include <gtest/gtest.h>

#include "actio/expr/print.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/mechanics/model_builder.hpp"
#include "tests/cli/program.hpp"

namespace actio {
namespace {

using testing::temporary_folder;

const std::string lattice = R"toml(
coordinates = ["q[1..n]"]
lagrangian = "sum(i = 1..n, 1/2*m[i]*q[i]'^2) - sum(i = 0..n, 1/2*k*(q[i+1] - q[i])^2)"
[sizes]
n = 3
[parameters]
k = 2
"m[i = 1..n]" = "k + i/10"
[definitions]
"q[0]" = 0
"q[n+1]" = 0
[forces]
"q[i = 1..n]" = "-c*q[i]'"
[initial.position]
"q[i = 1..n]" = "i^2"
)toml";

std::string with_damping(std::string text) {
  return text.replace(text.find("k = 2"), 5, "k = 2\nc = 0.5");
}

std::string written_out(const model& m) {
  std::string text = to_text(m.system.lagrangian);
  for (const expr& f : m.system.forces) text += "; " + to_text(f);
  for (const named_expr& x : m.initial.position) text += "; " + x.name + " = " + to_text(x.value);
  for (const named_expr& p : m.system.parameters) text += "; " + p.name + " = " + to_text(p.value);
  return text;
}

TEST(indices, members_are_ordinary_names) {
  const model m = parse_model(with_damping(lattice), "m.toml");
  EXPECT_EQ(m.system.coordinate_names(), (std::vector<std::string>{"q[1]", "q[2]", "q[3]"}));
  EXPECT_EQ(quantity_value<double>(m.system, m.initial.position[2].value), 9);
  EXPECT_EQ(parameter_values<double>(m.system), (std::vector<double>{2, 0.5, 2.1, 2.2, 2.3}));
  const model alone = parse_model(R"toml(
coordinates = ["q[1]", "q[2]", "q[3]"]
lagrangian = """1/2*m[1]*q[1]'^2 + 1/2*m[2]*q[2]'^2 + 1/2*m[3]*q[3]'^2
 - ((1/2*k*q[1]^2 + 1/2*k*(q[2] - q[1])^2) + (1/2*k*(q[3] - q[2])^2 + 1/2*k*q[3]^2))"""
[parameters]
k = 2
c = 0.5
"m[1]" = "k + 1/10"
"m[2]" = "k + 1/5"
"m[3]" = "k + 3/10"
[forces]
"q[1]" = "-c*q[1]'"
"q[2]" = "-c*q[2]'"
"q[3]" = "-c*q[3]'"
[initial.position]
"q[1]" = 1
"q[2]" = 4
"q[3]" = 9
)toml",
                                  "m.toml");
  EXPECT_EQ(written_out(m), written_out(alone));
}

TEST(indices, sizes_are_set_and_parameters_keep_what_they_were_given) {
  model m = parse_model(with_damping(lattice), "m.toml");
  set_parameter(m, {"k=5", {}, ""});
  set_parameter(m, {"n = 2*3", {}, ""});
  EXPECT_EQ(m.system.size(), 6U);
  set_parameter(m, {"m[6]=n", {}, ""});
  const std::vector<double> values = parameter_values<double>(m.system);
  EXPECT_EQ(values[0], 5);
  EXPECT_EQ(values[2], 5.1);
  EXPECT_EQ(values.back(), 6);
  set_parameter(m, {"n=7", {}, ""});
  EXPECT_EQ(m.system.size(), 7U);
  EXPECT_EQ(parameter_values<double>(m.system)[7], 7);  // m[6] is n still
}

TEST(indices, definitions_go_on_from_earlier_members) {
  const model m = parse_model(R"toml(
coordinates = ["q[1..2]"]
lagrangian = "sum(i = 1..2, 1/2*(x[i]'^2 + y[i]'^2) - y[i])"
[definitions]
"x[0]" = 0
"y[0]" = 0
"x[i = 1..2]" = "x[i-1] + sin(q[i])"
"y[i = 1..2]" = "y[i-1] - cos(q[i])"
)toml",
                              "m.toml");
  const model alone = parse_model(R"toml(
coordinates = ["q[1]", "q[2]"]
lagrangian = "(1/2*(a'^2 + b'^2) - b) + (1/2*(c'^2 + d'^2) - d)"
[definitions]
a = "0 + sin(q[1])"
b = "0 - cos(q[1])"
c = "a + sin(q[2])"
d = "b - cos(q[2])"
)toml",
                                  "m.toml");
  EXPECT_EQ(to_text(m.system.lagrangian), to_text(alone.system.lagrangian));
}

TEST(indices, sums_nest_and_run_over_rows) {
  const auto potential = [](const std::string& text, const std::string& tables = "") {
    return to_text(-(parse_model("coordinates = [\"x[1..4]\"]\nlagrangian = \"sum(i = 1..4, 1/2*x[i]'^2) - (" + text +
                                     ")\"\n[sizes]\nn = 4\n" + tables,
                                 "m.toml")
                         .system.lagrangian -
                     parse_model("coordinates = [\"x[1..4]\"]\nlagrangian = \"sum(i = 1..4, 1/2*x[i]'^2)\"\n", "m.toml")
                         .system.lagrangian));
  };
  EXPECT_EQ(potential("sum(i = 1..3, j = i+1..3, x[i]*x[j]^2)"), potential("x[1]*x[2]^2 + x[1]*x[3]^2 + x[2]*x[3]^2"));
  EXPECT_EQ(potential("x[1]^2 + sum(i = 3..2, x[99])"), potential("x[1]^2"));  // an empty range has no terms
  EXPECT_EQ(potential("sum(i = 1..2, sum(i = 3..3, x[i]^2)) + sum(k = n..n, k*x[k])"), potential("2*x[3]^2 + 4*x[4]"));
  const std::string bonds = "[tables.bonds]\ncolumns = [\"a\", \"b\", \"k\"]\nrows = [[1, 2, 0.5], [3, 4, \"1/3\"]]\n";
  EXPECT_EQ(potential("sum(e in bonds, e.k*(x[e.a] - x[e.b])^2)", bonds),
            potential("1/2*(x[1] - x[2])^2 + 1/3*(x[3] - x[4])^2"));
}

TEST(indices, keys_run_over_rows_and_several_indices) {
  const model m = parse_model(R"toml(
coordinates = ["u[1..2,0..1]", "w"]
lagrangian = "1/2*w'^2 + sum(i = 1..2, j = 0..1, 1/2*u[i,j]'^2) - w*u[2,0]"
[tables.ties]
columns = ["i", "length"]
rows = [[1, 2], [2, 3]]
[constraints]
"tie[e in ties]" = "u[e.i,1]^2 + u[e.i,0]^2 - e.length^2"
[initial.position]
"u[i = 1..2, j = 0..1]" = "(1 - j)*(i + 1)"
[initial.velocity]
"u[i = 1..2, j = 1..1]" = "i"
)toml",
                              "m.toml");
  EXPECT_EQ(m.system.coordinate_names(), (std::vector<std::string>{"u[1,0]", "u[1,1]", "u[2,0]", "u[2,1]", "w"}));
  ASSERT_EQ(m.system.constraints.size(), 2U);
  EXPECT_EQ(m.system.constraints[1].name, "tie[2]");
  EXPECT_EQ(to_text(m.system.constraints[1].value), "u[2,1]^2 + u[2,0]^2 - 9");
}

TEST(indices, arrays_give_values_from_the_first_member_on) {
  const model m = parse_model(R"toml(
coordinates = ["q[0..2]"]
lagrangian = "sum(i = 0..2, 1/2*m[i+1]*q[i]'^2)"
[parameters]
m = [1, "3/2", 2.5]
[initial.position]
q = [7, 8, 9]
)toml",
                              "m.toml");
  EXPECT_EQ(parameter_values<double>(m.system), (std::vector<double>{1, 1.5, 2.5}));
  EXPECT_EQ(m.initial.position[0].name, "q[0]");
  EXPECT_EQ(quantity_value<double>(m.system, m.initial.position[0].value), 7);
}

TEST(indices, builders_have_the_same) {
  const model built = model_builder("lattice")
                          .size("n", 3)
                          .coordinate("q[1..n]")
                          .parameter("m[i = 1..n]", "1 + i/10")
                          .table("bonds", {"a", "b"}, {{1, 2}, {2, 3}})
                          .lagrangian("sum(i = 1..n, 1/2*m[i]*q[i]'^2) - sum(e in bonds, (q[e.a] - q[e.b])^2)")
                          .initial_position("q[i = 1..n]", "i")
                          .build();
  EXPECT_EQ(built.system.size(), 3U);
  EXPECT_EQ(parameter_values<double>(built.system)[2], 1.3);
  const model again = parse_model(built.text, "again.toml");
  EXPECT_EQ(written_out(again), written_out(built));
}

TEST(indices, tables_come_from_files_and_stay_with_the_model) {
  const temporary_folder folder;
  const std::string text = R"toml(
coordinates = ["q[1..3]"]
lagrangian = "sum(i = 1..3, 1/2*q[i]'^2) - sum(e in bonds, e.k*(q[e.a] - q[e.b])^2)"
[tables.bonds]
file = "bonds.csv"
)toml";
  folder.write("bonds.csv", "# springs\nb, a, k\n2,1,0.25\n3,2,1e-1\n");
  const model m = read_model(folder.write("m.toml", text));
  const model again = parse_model(m.text, "elsewhere.toml");
  EXPECT_EQ(to_text(m.system.lagrangian), to_text(again.system.lagrangian));
  EXPECT_NE(to_text(m.system.lagrangian).find("1/4*(q[1] - q[2])^2"), std::string::npos);
}

}  // namespace
}  // namespace actio
