#include "actio/mechanics/recursions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/mechanics/phase_space.hpp"
#include "actio/mechanics/recursive_jet.hpp"
#include "tests/support/recursive_systems.hpp"

namespace actio {
namespace {

using testing::rods_in_angles;
using testing::written_out;

template <class S>
void place(jet_evaluation<S>& jet, std::size_t n) {
  for (std::size_t l = 0; l < jet.points(); ++l) {
    const auto at = static_cast<double>(l);
    for (std::size_t i = 0; i < n; ++i) {
      const auto k = static_cast<double>(i);
      jet.position(i)[l] = S(0.3 + 0.1 * k + at);
      jet.velocity(i)[l] = S(0.5 - 0.2 * k + 0.3 * at);
    }
    jet.time()[l] = S(0.7 - 0.4 * at);
  }
}

// L, G, P and the power are those of the system where definitions are written out.
template <class S>
void expect_same_jets(const lagrangian_system& kept) {
  ASSERT_TRUE(kept.recursions);
  using std::abs;
  const lagrangian_system other = written_out(kept);
  const phase_space<S> a(kept, parameter_values<S>(kept)), b(other, parameter_values<S>(other));
  auto x = a.jet().at(3, a.parameters()), y = b.jet().at(3, b.parameters());
  place(x, a.size());
  place(y, b.size());
  const S rounding = S(1e5) * epsilon<S>();
  const auto expect_near = [&](const S* left, const S* right) {
    for (std::size_t l = 0; l < 3; ++l) EXPECT_LE(S(abs(left[l] - right[l])), S(rounding * (1 + abs(right[l]))));
  };
  x.evaluate_value();
  y.evaluate_value();
  const S differences[] = {x.lagrangian()[0] - x.lagrangian()[1], y.lagrangian()[0] - y.lagrangian()[1]};
  EXPECT_LE(S(abs(differences[0] - differences[1])), S(rounding * abs(differences[1])));
  x.evaluate_first();
  y.evaluate_first();
  for (std::size_t i = 0; i < a.size(); ++i) {
    expect_near(x.force(i), y.force(i));
    expect_near(x.momentum(i), y.momentum(i));
  }
  ASSERT_EQ(a.has_power(), b.has_power());
  if (a.has_power()) expect_near(x.power(), y.power());
}

TEST(recursions, have_the_derivatives_of_what_they_stand_for) {
  expect_same_jets<double>(rods_in_angles(6));
  expect_same_jets<double>(parse_model(testing::entangled, "m.toml").system);
  expect_same_jets<double>(parse_model(testing::tree, "m.toml").system);
  expect_same_jets<quad>(parse_model(testing::entangled, "m.toml").system);
  const precision_scope digits(40);
  expect_same_jets<multi>(parse_model(testing::entangled, "m.toml").system);
}

// Velocities of momenta, energies and observables.
TEST(recursions, are_measured_like_what_they_stand_for) {
  const lagrangian_system kept = parse_model(testing::entangled, "m.toml").system, other = written_out(kept);
  phase_point<double> a{phase_space<double>(kept, parameter_values<double>(kept))},
      b{phase_space<double>(other, parameter_values<double>(other))};
  const std::size_t n = kept.size();
  std::vector<double> q(n), v(n), p(n), p_other(n);
  for (std::size_t i = 0; i < n; ++i)
    q[i] = 0.2 + 0.03 * static_cast<double>(i), v[i] = std::cos(static_cast<double>(i));
  ASSERT_TRUE(a.momentum_of(0.4, q, v, p));
  ASSERT_TRUE(b.momentum_of(0.4, q, v, p_other));
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(p[i], p_other[i], 1e-12 * (1 + std::abs(p[i])));
  ASSERT_TRUE(a.measure(0.4, q, p));
  ASSERT_TRUE(b.measure(0.4, q, p));
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(a.velocity()[i], v[i], 1e-10);
  EXPECT_NEAR(a.energy(), b.energy(), 1e-12 * std::abs(b.energy()));
  EXPECT_NEAR(a.kinetic_energy(), b.kinetic_energy(), 1e-12 * b.kinetic_energy());
  ASSERT_EQ(a.observables().size(), 2u);
  for (const std::size_t k : {0, 1}) EXPECT_NEAR(a.observables()[k], b.observables()[k], 1e-12);
}

// What a model costs to set up grows like its length: there are as many families however many members they have.
TEST(recursions, are_few_families_whatever_their_length) {
  const auto sizes_of = [](std::int64_t n) {
    const lagrangian_system system = parse_model(testing::entangled, "m.toml", {{"n", n}}).system;
    const system_code code(system);
    const recursive_jet_code<double> jet(code);
    const auto layout = jet.layout();
    return std::vector<std::size_t>{jet.recursions().value.size(), jet.recursions().column.size(),
                                    layout->pattern.form.size(), layout->targets.size(), layout->blocks.size()};
  };
  const std::vector<std::size_t> shorter = sizes_of(40), longer = sizes_of(400);
  EXPECT_EQ(shorter.front(), longer.front());
  for (std::size_t k = 1; k < shorter.size(); ++k) EXPECT_LT(longer[k], 11 * shorter[k]) << k;
}

TEST(recursions, are_kept_where_there_are_many_of_them_alone) {
  const auto keeps = [](const std::string& text, std::int64_t n) {
    return parse_model(text, "m.toml", {{"n", n}}).system.recursions != nullptr;
  };
  const auto with = [](const std::string& body) {
    return "coordinates = [\"q[1..n]\"]\nlagrangian = \"sum(i = 1..n, 1/2*q[i]'^2 - x[i]^2)\"\n[sizes]\nn = 20\n"
           "[definitions]\n\"x[0]\" = 0\n\"x[i = 1..n]\" = \"" +
           body + "\"\n";
  };
  EXPECT_TRUE(keeps(with("x[i-1] + q[i]"), 20));
  EXPECT_FALSE(keeps(with("x[i-1] + q[i]"), 6));
  EXPECT_FALSE(keeps(with("i*q[i]"), 20));  // no recursion
  // Beside constraints, and where accelerations are observed, they are written out.
  EXPECT_FALSE(keeps(with("x[i-1] + q[i]") + "[constraints]\nrod = \"x[3] - 1\"\n", 20));
  EXPECT_FALSE(keeps(with("x[i-1] + q[i]") + "[observables]\na = \"x[3]''\"\n", 20));
}

// What is not affine in its predecessors is kept for some stages, and what goes on from velocities is not kept at all.
TEST(recursions, may_be_anything) {
  const std::string begin = R"toml(
coordinates = ["q[1..n]"]
lagrangian = "sum(i = 1..n, 1/2*q[i]'^2 + 1/2*w[i]^2 + 1/2*x[i]'^2 - x[i])"
[sizes]
n = 20
[definitions]
"x[0]" = 0.3
"w[0]" = 0
"x[i = 1..n]" = "0.9*sin(x[i-1]) + 0.1*q[i]"
"w[i = 1..n]" = "w[i-1]/2 + cos(q[i])*q[i]'"
)toml";
  const lagrangian_system system = parse_model(begin, "m.toml").system;
  ASSERT_TRUE(system.recursions);
  EXPECT_LT(system.recursions->symbols.size(), 20u);
  expect_same_jets<double>(system);
}

TEST(recursions, leave_symmetries_to_be_found) {
  lagrangian_system system = rods_in_angles(9);
  const auto has_turn = [&] {
    for (const conserved_momentum& m : conserved_momenta(system)) {
      if (m.origin == momentum_origin::found) return true;
    }
    return false;
  };
  EXPECT_FALSE(has_turn());
  system.parameters.back().value = 0;  // without gravity the chain may turn as a whole
  EXPECT_TRUE(has_turn());
}

}  // namespace
}  // namespace actio
