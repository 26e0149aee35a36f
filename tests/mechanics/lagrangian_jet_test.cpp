// The jet against the derivatives written out by hand, and its entries against differences of these.
#include "actio/mechanics/lagrangian_jet.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <tuple>

#include "actio/mechanics/model.hpp"

namespace actio {
namespace {

// Every feature at once: a mass that varies, a magnetic term, a drive, forces with velocities, a constant.
model featured_model() {
  return parse_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "(1 + x^2)/2*x'^2 + y'^2/2 + a*x*y' - k*x^2*y - y^2/2 + x*sin(2*t) + 7*k"
[parameters]
a = 0.5
k = 2
[forces]
x = "-k*x' + y/5"
y = "-y'^3/20"
[initial.position]
x = 0
y = 0
[initial.velocity]
x = 0
y = 0
)toml",
                     "featured.toml");
}

using point = std::array<quad, 5>;  // x, y, x', y', t
using pair_of = std::array<quad, 2>;

struct by_hand {
  quad a, k;
  quad value(const point& at) const {  // without the constant term
    const auto& [x, y, vx, vy, t] = at;
    return (1 + x * x) / 2 * vx * vx + vy * vy / 2 + a * x * vy - k * x * x * y - y * y / 2 + x * sin(quad(2 * t));
  }
  pair_of force(const point& at) const {
    const auto& [x, y, vx, vy, t] = at;
    return {x * vx * vx + a * vy - 2 * k * x * y + sin(quad(2 * t)) - k * vx + y / 5,
            -k * x * x - y - vy * vy * vy / 20};
  }
  pair_of momentum(const point& at) const {
    const auto& [x, y, vx, vy, t] = at;
    return {(1 + x * x) * vx, vy + a * x};
  }
  quad power(const point& at) const {  // F·v − ∂L/∂t
    const auto& [x, y, vx, vy, t] = at;
    return (-k * vx + y / 5) * vx - vy * vy * vy * vy / 20 - 2 * x * cos(quad(2 * t));
  }
};

point some_point(int k) {
  return {quad(3 + k) / 10, quad(2 * k - 5) / 7, quad(7 - k) / 9, quad(k * k - 4) / 11, quad(k) / 3};
}

template <class S>
void put(jet_evaluation<S>& jet, std::size_t column, const point& at) {
  for (std::size_t i = 0; i < 2; ++i) {
    jet.position(i)[column] = static_cast<S>(at[i]);
    jet.velocity(i)[column] = static_cast<S>(at[2 + i]);
  }
  jet.time()[column] = static_cast<S>(at[4]);
}

TEST(lagrangian_jet, has_the_values_and_first_derivatives_written_out) {
  const lagrangian_jet<quad> jet(featured_model().system);
  ASSERT_EQ(jet.size(), 2U);
  EXPECT_TRUE(jet.has_power());
  const by_hand reference{quad(1) / 2, quad(2)};
  const std::vector<quad> parameters{reference.a, reference.k};
  jet_evaluation<quad> at = jet.at(1, parameters);
  const point x = some_point(1);
  put(at, 0, x);
  at.evaluate_value();
  EXPECT_NEAR(to_double(quad(*at.lagrangian() - reference.value(x))), 0, 1e-32);
  at.evaluate_first();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(to_double(quad(*at.force(i) - reference.force(x)[i])), 0, 1e-32);
    EXPECT_NEAR(to_double(quad(*at.momentum(i) - reference.momentum(x)[i])), 0, 1e-32);
  }
  EXPECT_NEAR(to_double(quad(*at.power() - reference.power(x))), 0, 1e-32);
}

TEST(lagrangian_jet, has_just_those_entries_that_are_not_zero) {
  const lagrangian_jet<quad> jet(featured_model().system);
  const by_hand reference{quad(1) / 2, quad(2)};
  jet_evaluation<quad> at = jet.at(1, std::vector<quad>{reference.a, reference.k});
  const point x = some_point(2);
  put(at, 0, x);
  at.evaluate_second();
  std::map<std::tuple<jet_block, std::size_t, std::size_t>, quad> entries;
  for (const jet_entry& e : jet.entries()) {
    EXPECT_TRUE(entries.emplace(std::tuple{e.block, e.row, e.column}, *at.entry(e)).second) << "given twice";
  }
  const quad d("1e-11");
  for (std::size_t j = 0; j < 4; ++j) {
    point above = x, below = x;
    above[j] += d;
    below[j] -= d;
    const jet_block force = j < 2 ? jet_block::force_q : jet_block::force_v;
    const jet_block momentum = j < 2 ? jet_block::momentum_q : jet_block::momentum_v;
    for (std::size_t i = 0; i < 2; ++i) {
      for (const auto& [block, high, low] :
           {std::tuple{force, reference.force(above)[i], reference.force(below)[i]},
            std::tuple{momentum, reference.momentum(above)[i], reference.momentum(below)[i]}}) {
        const double slope = to_double(quad((high - low) / (2 * d)));
        const auto found = entries.find({block, i, j % 2});
        if (found == entries.end()) EXPECT_NEAR(slope, 0, 1e-20) << i << " " << j;
        else EXPECT_NEAR(to_double(found->second), slope, 1e-15) << i << " " << j;
      }
    }
  }
  EXPECT_EQ(entries.size(), 11U);  // of sixteen
}

// Lanes of machine code, their number no multiple of a vector's: each has the bits that it has alone.
TEST(lagrangian_jet, does_not_know_how_many_points_there_are) {
  const lagrangian_jet<double> jet(featured_model().system);
  const std::vector<double> parameters{0.5, 2};
  constexpr int points = 11;
  jet_evaluation<double> together = jet.at(points, parameters), alone = jet.at(1, parameters);
  EXPECT_EQ(together.points(), std::size_t{points});
  for (int k = 0; k < points; ++k) put(together, static_cast<std::size_t>(k), some_point(k));
  together.evaluate_second();
  for (int k = 0; k < points; ++k) {
    put(alone, 0, some_point(k));
    alone.evaluate_second();
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(together.force(i)[k], *alone.force(i));
      EXPECT_EQ(together.momentum(i)[k], *alone.momentum(i));
    }
    EXPECT_EQ(together.power()[k], *alone.power());
    for (const jet_entry& e : jet.entries()) EXPECT_EQ(together.entry(e)[k], *alone.entry(e));
  }
}

TEST(lagrangian_jet, has_the_parameters_of_its_evaluation) {
  const lagrangian_jet<quad> jet(featured_model().system);
  const point x = some_point(3);
  std::vector<jet_evaluation<quad>> at;
  const std::vector<by_hand> references{{quad(1) / 2, quad(2)}, {quad(-3), quad(1) / 4}};
  for (const by_hand& r : references) at.push_back(jet.at(1, std::vector<quad>{r.a, r.k}));
  for (std::size_t k = 0; k < at.size(); ++k) {  // one beside the other
    put(at[k], 0, x);
    at[k].evaluate_first();
  }
  for (std::size_t k = 0; k < at.size(); ++k) {
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(to_double(quad(*at[k].force(i) - references[k].force(x)[i])), 0, 1e-31);
      EXPECT_NEAR(to_double(quad(*at[k].momentum(i) - references[k].momentum(x)[i])), 0, 1e-31);
    }
  }
}

TEST(lagrangian_jet, has_no_power_where_energy_is_kept) {
  const auto free =
      lagrangian_system::from("oscillator", {"q"}, [](auto q, auto v) { return v[0] * v[0] / 2 - q[0] * q[0] / 2; });
  const lagrangian_jet<double> jet(free);
  EXPECT_FALSE(jet.has_power());
  ASSERT_EQ(jet.entries().size(), 2U);
  EXPECT_EQ(jet.entries()[0].block, jet_block::force_q);
  EXPECT_EQ(jet.entries()[1].block, jet_block::momentum_v);
}

TEST(lagrangian_jet, is_the_same_in_every_precision) {
  const precision_scope digits(50);
  const model m = featured_model();
  const lagrangian_jet<multi> many(m.system);
  const lagrangian_jet<double> few(m.system);
  jet_evaluation<multi> wide = many.at(1, parameter_values<multi>(m.system));
  jet_evaluation<double> narrow = few.at(1, parameter_values<double>(m.system));
  const std::array<double, 5> x{0.25, -0.5, 0.75, 1.5, 0.125};  // exact in both
  for (std::size_t i = 0; i < 2; ++i) {
    *wide.position(i) = *narrow.position(i) = x[i];
    *wide.velocity(i) = *narrow.velocity(i) = x[2 + i];
  }
  *wide.time() = *narrow.time() = x[4];
  wide.evaluate_second();
  narrow.evaluate_second();
  ASSERT_EQ(many.entries().size(), few.entries().size());
  for (std::size_t k = 0; k < few.entries().size(); ++k) {
    EXPECT_NEAR(*narrow.entry(few.entries()[k]), to_double(*wide.entry(many.entries()[k])), 1e-15);
  }
}

}  // namespace
}  // namespace actio
