// Models written in C++: the same as those from files, in every respect, and files for those who have no C++.
#include "actio/mechanics/model_builder.hpp"

#include <gtest/gtest.h>

#include "actio/api/ensemble_simulation.hpp"
#include "actio/api/simulation.hpp"
#include "actio/mechanics/model_text.hpp"
#include "problems/problem.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

void expect_same(const std::vector<named_expr>& a, const std::vector<named_expr>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].name, b[k].name);
    EXPECT_EQ(a[k].value, b[k].value) << a[k].name;
  }
}

void expect_same(const model& a, const model& b) {
  EXPECT_EQ(a.system.name, b.system.name);
  EXPECT_EQ(a.system.coordinates, b.system.coordinates);
  EXPECT_EQ(a.system.lagrangian, b.system.lagrangian);
  EXPECT_EQ(a.system.forces, b.system.forces);
  EXPECT_EQ(a.system.equations, b.system.equations);
  expect_same(a.system.parameters, b.system.parameters);
  expect_same(a.system.constraints, b.system.constraints);
  expect_same(a.system.observables, b.system.observables);
  expect_same(a.system.invariants, b.system.invariants);
  expect_same(a.system.definitions, b.system.definitions);
  ASSERT_EQ(a.system.symmetries.size(), b.system.symmetries.size());
  for (std::size_t k = 0; k < a.system.symmetries.size(); ++k) {
    EXPECT_EQ(a.system.symmetries[k].name, b.system.symmetries[k].name);
    EXPECT_EQ(a.system.symmetries[k].generator, b.system.symmetries[k].generator);
  }
  EXPECT_EQ(a.initial.rate, b.initial.rate);
  expect_same(a.initial.position, b.initial.position);
  expect_same(a.initial.rates, b.initial.rates);
  ASSERT_EQ(a.run.all().size(), b.run.all().size());
  for (const auto& [name, value] : a.run.all()) EXPECT_EQ(b.run.all().at(name).text, value.text);
}

model chain_of(std::size_t n) {
  return model_builder("chain")
      .coordinates("q", n)
      .parameter("k", 4)
      .lagrangian([](const model_symbols& s) {
        expr L;
        for (std::size_t i = 0; i < s.size(); ++i) L += pow(s.velocity(i), 2) / 2;
        for (std::size_t i = 1; i < s.size(); ++i) {
          L -= s.parameter("k") * pow(s.position(i) - s.position(i - 1), 2) / 2;
        }
        return L;
      })
      .initial_position(std::vector<double>(n, 0.25))
      .initial_velocity(std::vector<double>(n, 0.5))
      .option("method", "midpoint")
      .option("step", 0.05)
      .option("steps", 20)
      .build();
}

TEST(model_builder, says_what_a_model_file_says) {
  const model file = parse_model(R"toml(
name = "all"
coordinates = ["x", "y"]
lagrangian = "m*(x'^2 + y'^2)/2 - m*g*y - k*r^2 + x*sin(t) + v.x*0"
[parameters]
m = 1.5
g = 9.81
k = "m*g/3"
[definitions]
r = "sqrt(x^2 + y^2)"
v = "vector(x, y, 0)"
[forces]
x = "-0.1*x'"
[constraints]
rod = "x^2 + y^2 - 1"
[observables]
height = "y + r'"
[symmetries.nothing]
x = "0*y"
[initial.position]
x = 0
y = -1
[initial.velocity]
x = "k/4"
y = 0
[run]
step = 0.01
until = 1
project = true
)toml",
                                 "all.toml");
  const model built =
      model_builder("all")
          .coordinate("x")
          .coordinate("y")
          .parameter("m", 1.5)
          .parameter("g", 9.81)
          .parameter("k", [](const auto& s) { return s.parameter("m") * s.parameter("g") / 3; })
          .definition("r", "sqrt(x^2 + y^2)")
          .definition("v", "vector(x, y, 0)")
          .lagrangian([](const model_symbols& s) {
            const expr x = s.position("x"), m = s.parameter("m");
            return m * (pow(s.velocity("x"), 2) + pow(s.velocity("y"), 2)) / 2 - m * s.parameter("g") * s.position(1) -
                   s.parameter("k") * pow(s.definition("r"), 2) + x * sin(s.time());
          })
          .force("x", "-0.1*x'")
          .constraint("rod", [](const model_symbols& s) { return pow(s.position(0), 2) + pow(s.position(1), 2) - 1; })
          .observable("height", [](const model_symbols& s) { return s.position(1) + s.rate(s.definition("r")); })
          .symmetry("nothing", {{"x", 0}})
          .initial_position({0, -1})
          .initial_velocity({"k/4", 0.0})
          .option("step", 0.01)
          .option("until", 1)
          .option("project", true)
          .build();
  expect_same(built, file);
}

TEST(model_builder, writes_a_file_that_is_the_model) {
  const model built = model_builder("everything \"quoted\"")
                          .coordinates({"x", "ω"})
                          .parameter("tiny", 1e-300)
                          .parameter("third", expr(1) / 3)
                          .parameter("tenth", 0.1)
                          .lagrangian("x'^2/2 + ω'^2/2\n + tiny*x - tenth*x^2/2 - third*ω^2/2")
                          .force("ω", [](const auto& s) { return -s.velocity(1) * s.parameter("tenth"); })
                          .observable("power", [](const auto& s) { return s.momentum("ω") * s.velocity("ω"); })
                          .initial_position({0.1, "pi/7"})
                          .initial_momentum({-2, 1e20})
                          .build();
  const model again = parse_model(built.text, built.file);
  expect_same(built, again);
  EXPECT_EQ(parameter_values<double>(built.system)[0], 1e-300);
  EXPECT_EQ(parameter_values<double>(built.system)[2], 0.1);
  EXPECT_EQ(parameter_values<quad>(built.system)[2], quad(1) / 10);  // the decimal, not the double
  EXPECT_EQ(model_text(read_tables(again.text, "m")), built.text);
}

TEST(model_builder, has_as_many_coordinates_as_the_program_wants) {
  for (const std::size_t n : {1U, 2U, 7U, 40U}) {
    const model m = chain_of(n);
    EXPECT_EQ(m.system.size(), n);
    expect_same(parse_model(m.text, m.file), m);
    const std::vector<conserved_momentum> momenta = conserved_momenta(m.system);
    ASSERT_GE(momenta.size(), 1U) << n;  // that of the centre is found
    const simulation_result result = simulate(m, {});
    EXPECT_EQ(result.status, run_status::done);
    EXPECT_TRUE(result.is_trusted);
  }
}

// A sum of some hundred thousand operations, and a tree that doubles in every level.
TEST(model_builder, writes_large_expressions_in_parts) {
  constexpr std::size_t bodies = 24;
  const model clusters = model_builder("cluster")
                             .coordinates("x", bodies)
                             .coordinates("y", bodies)
                             .parameter("part_1", 1)  // a name that parts must not take
                             .lagrangian([](const model_symbols& s) {
                               expr L;
                               for (std::size_t i = 0; i < 2 * bodies; ++i) L += pow(s.velocity(i), 2) / 2;
                               for (std::size_t i = 0; i < bodies; ++i) {
                                 for (std::size_t j = 0; j < i; ++j) {
                                   const expr dx = s.position(i) - s.position(j);
                                   const expr dy = s.position(bodies + i) - s.position(bodies + j);
                                   L += s.parameter("part_1") / sqrt(dx * dx + dy * dy);
                                 }
                               }
                               return L;
                             })
                             .initial_position(std::views::iota(0, 48))
                             .initial_velocity(std::vector<int>(48, 0))
                             .build();
  expect_same(parse_model(clusters.text, clusters.file), clusters);

  const model deep = model_builder("deep")
                         .coordinate("x")
                         .lagrangian([](const model_symbols& s) {
                           expr e = s.position(0) + 1;
                           for (int k = 0; k < 40; ++k) e = sin(e) * e + 1;
                           return pow(s.velocity(0), 2) / 2 - e;
                         })
                         .initial_position({0})
                         .initial_velocity({0})
                         .build();
  EXPECT_LT(deep.text.size(), 10'000U);
  expect_same(parse_model(deep.text, deep.file), deep);
}

TEST(model_builder, makes_a_model_of_a_system) {
  for (const char* name :
       {"double-pendulum", "damped-driven-pendulum", "spherical-pendulum", "spherical-pendulum-rod"}) {
    const model original = load_model(name);
    model_builder builder(original.system);
    const auto values = [](const std::vector<named_expr>& list) {
      std::vector<expr> all;
      for (const named_expr& e : list) all.push_back(e.value);
      return all;
    };
    builder.initial_position(values(original.initial.position));
    if (original.initial.rate == rate_kind::velocity) builder.initial_velocity(values(original.initial.rates));
    else if (!original.initial.rates.empty()) builder.initial_momentum(values(original.initial.rates));
    const model built = builder.build();
    EXPECT_EQ(built.system.lagrangian, original.system.lagrangian) << name;
    EXPECT_EQ(built.system.equations, original.system.equations) << name;
    EXPECT_EQ(built.system.forces, original.system.forces) << name;
    expect_same(built.system.constraints, original.system.constraints);
    expect_same(built.initial.position, original.initial.position);
    EXPECT_EQ(conserved_momenta(built.system).size(), conserved_momenta(original.system).size()) << name;
  }
}

TEST(model_builder, has_equations_without_a_lagrangian) {
  const model decay = model_builder("decay")
                          .coordinates({"a", "b"})
                          .equation("a", "-a")
                          .equation("b", [](const model_symbols& s) { return s.position("a") + sin(s.time()); })
                          .initial_position({1, 0})
                          .build();
  EXPECT_TRUE(decay.system.is_first_order());
  expect_same(parse_model(decay.text, decay.file), decay);
}

TEST(model_builder, can_go_on_after_building) {
  model_builder builder = model_builder("oscillator").coordinate("q").parameter("k", 1);
  builder.lagrangian("q'^2/2 - k*q^2/2").initial_position({1});
  const model slow = model_builder(builder).initial_velocity({0}).build();
  const model fast = builder.initial_velocity({3}).build();
  EXPECT_EQ(slow.system.lagrangian, fast.system.lagrangian);
  EXPECT_NE(slow.initial.rates[0].value, fast.initial.rates[0].value);
}

TEST(model_builder, makes_models_for_ensembles) {
  ensemble_simulation_options many;
  many.sweeps.push_back({"k=1:4:5", {}, "--sweep"});
  EXPECT_EQ(simulate_ensemble(chain_of(3), many).report.done(), 5U);
}

TEST(model_builder, makes_models_whose_files_can_be_repeated) {
  ACTIO_NEEDS(hdf5);
  const testing::temporary_folder folder;
  const std::string path = folder.path("chain.h5");
  simulation_options options;
  options.given.set("output", {path, {}, "output"});
  ASSERT_EQ(simulate(chain_of(3), options).status, run_status::done);
  const repetition again = repeat_simulation(path);
  EXPECT_EQ(again.difference, "");
  EXPECT_GT(again.rows, 10U);
}

}  // namespace
}  // namespace actio
