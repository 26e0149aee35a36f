// Families of elements against the expressions that they are made from.
#include "actio/mechanics/element_families.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "actio/base/parallel.hpp"
#include "actio/mechanics/element_forces.hpp"
#include "actio/mechanics/element_mass.hpp"
#include "actio/mechanics/lagrangian_jet.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {
namespace {

model chain(int n, const std::string& more = "") {
  return parse_model(
      "coordinates = [\"q[1..n]\"]\n"
      "lagrangian = \"sum(i = 1..n, m[i]/2*q[i]'^2) + sum(i = 1..n-1, c/5*q[i]'*q[i+1]') - sum(i = 0..n, "
      "1/2*(q[i+1]-q[i])^2 + beta/4*(q[i+1]-q[i])^4) - sum(i = 1..n, i*cos(q[i] + t/7))\"\n"
      "[sizes]\nn = " +
          std::to_string(n) +
          "\n[parameters]\nbeta = 0.3\nc = 0.4\n\"m[i = 1..n]\" = \"1 + i/10\"\n"
          "[definitions]\n\"q[0]\" = 0\n\"q[n+1]\" = 0\n[forces]\n\"q[i = 1..n]\" = \"-c*q[i]'*q[i]^2\"\n"
          "[initial.position]\n\"q[i = 1..n]\" = \"sin(i)\"\n" +
          more,
      "chain.toml");
}

TEST(element_families, terms_of_one_shape_are_one_family) {
  const model m = chain(40);
  const auto families = families_of(m.system);
  std::size_t largest = 0;
  for (const element_family& f : families->lagrangian) largest = std::max(largest, f.elements);
  EXPECT_EQ(largest, 40u);
  EXPECT_LE(families->lagrangian.size(), 6u);  // sites, links, couplings of velocities, two ends
  ASSERT_EQ(families->forces.size(), 1u);
  EXPECT_EQ(families->forces[0].elements, 40u);
  ASSERT_EQ(families->forces[0].runs.size(), 1u);
  EXPECT_TRUE(families->forces[0].runs[0].even);
}

// Forces and second derivatives, in threads or not, with a family large enough for four of them.
TEST(element_families, have_the_same_bits_for_any_number_of_threads) {
  const auto bits = [](const model& m, std::size_t points, unsigned threads) {
    limit_threads(threads);
    const system_code code(m.system);
    const std::size_t n = m.system.size();
    const lagrangian_jet<double> jet(code);
    jet_evaluation<double> at = jet.at(points, shared_parameters<double>(parameter_values<double>(m.system)));
    for (std::size_t i = 0; i < n * points; ++i) {
      at.position(i / points)[i % points] = std::sin(1.0 + static_cast<double>(i * i));
      at.velocity(i / points)[i % points] = std::cos(2.0 * static_cast<double>(i));
    }
    std::vector<double> all;
    const bool with_entries = points > 1;
    for (int k = 0; k < 2; ++k) with_entries ? at.evaluate_second() : at.evaluate_first();
    for (std::size_t i = 0; i < n; ++i) {
      all.insert(all.end(), at.force(i), at.force(i) + points);
      all.insert(all.end(), at.momentum(i), at.momentum(i) + points);
    }
    for (const jet_entry& e : jet.entries()) {
      if (with_entries) all.insert(all.end(), at.entry(e), at.entry(e) + points);
    }
    limit_threads(0);
    return all;
  };
  const model pairs = parse_model(
      "coordinates = [\"x[1..n]\"]\n"
      "lagrangian = \"sum(i = 1..n, 1/2*x[i]'^2) - sum(i = 1..n, j = i+1..n, 1/sqrt(1 + (x[i]-x[j])^2))\"\n"
      "[sizes]\nn = 1100\n",
      "pairs.toml");
  const model row = chain(140'000);
  for (const auto& [m, points] : {std::pair(&pairs, std::size_t{1}), std::pair(&row, std::size_t{4})}) {
    const std::vector<double> alone = bits(*m, points, 1);
    for (const unsigned threads : {2U, 4U}) EXPECT_TRUE(bits(*m, points, threads) == alone) << threads;
  }
}

TEST(element_families, written_out_terms_and_sums_are_the_same_families) {
  std::string lagrangian, coordinates;
  for (int i = 1; i <= 30; ++i) {
    const std::string x = "x" + std::to_string(i);
    coordinates += (i > 1 ? ", \"" : "\"") + x + "\"";
    lagrangian += (i > 1 ? " + " : "") + std::string("1/2*") + x + "'^2 - " + std::to_string(i) + ".5*cos(" + x + ")";
    if (i > 1) lagrangian += " - 0.3*(x" + std::to_string(i) + " - x" + std::to_string(i - 1) + ")^4";
  }
  const model m =
      parse_model("coordinates = [" + coordinates + "]\nlagrangian = \"" + lagrangian + "\"\n", "text.toml");
  const auto families = families_of(m.system);
  ASSERT_EQ(families->lagrangian.size(), 2u);
  EXPECT_EQ(families->lagrangian[0].elements, 30u);
  EXPECT_EQ(families->lagrangian[0].values.size(), 1u);
  EXPECT_EQ(families->lagrangian[1].elements, 29u);
}

template <class S>
void compare_with_jet() {
  const model m = chain(9);
  const std::size_t n = m.system.size();
  const system_code code(m.system);
  const shared_parameters<S> parameters(parameter_values<S>(m.system));
  lagrangian_jet<S> jet(code);
  jet_evaluation<S> at = jet.at(1, parameters);
  std::vector<S> q, v, force(n, S(0)), momentum(n, S(0)), back(n, S(0));
  for (std::size_t i = 0; i < n; ++i) {
    q.push_back(S(std::sin(1.0 + static_cast<double>(i))));
    v.push_back(S(std::cos(2.0 * static_cast<double>(i))));
    *at.position(i) = q[i];
    *at.velocity(i) = v[i];
  }
  const S t(0.7);
  *at.time() = t;
  at.evaluate_first();
  element_forces<S> forces(code, parameters);
  element_mass<S> mass(code, parameters);
  forces(t, q.data(), v.data(), force.data());
  ASSERT_TRUE(mass.momentum(t, q, v, momentum));
  ASSERT_TRUE(mass.velocity(t, q, momentum, back));
  EXPECT_TRUE(mass.is_constant());
  EXPECT_FALSE(mass.is_diagonal());
  EXPECT_TRUE(forces.depends_on_velocity());
  const double rounding = 64 * to_double(epsilon<S>());
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(to_double(S(force[i] - *at.force(i))), 0, rounding * 10);
    EXPECT_NEAR(to_double(S(momentum[i] - *at.momentum(i))), 0, rounding);
    EXPECT_NEAR(to_double(S(back[i] - v[i])), 0, rounding);
  }
  EXPECT_NEAR(to_double(S(forces.power(t, q.data(), v.data()) - *at.power())), 0, rounding * 20);
}

TEST(element_families, sums_equal_the_jet_in_double) { compare_with_jet<double>(); }
TEST(element_families, sums_equal_the_jet_in_quad) { compare_with_jet<quad>(); }

// Second derivatives of a system that is made of elements, against differences of first ones.
TEST(element_families, jacobians_are_slopes_of_forces_and_momenta) {
  const model m = chain(70);
  ASSERT_TRUE(is_made_of_elements(m.system));
  const std::size_t n = m.system.size();
  const lagrangian_jet<quad> jet(m.system);
  const shared_parameters<quad> parameters(parameter_values<quad>(m.system));
  jet_evaluation<quad> at = jet.at(3, parameters);
  const quad step = 1e-11;
  const auto place = [&](std::size_t moved, bool velocity) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t l = 0; l < 3; ++l) {
        const quad shift = i == moved ? step * (static_cast<int>(l) - 1) : quad(0);
        at.position(i)[l] = quad(std::sin(static_cast<double>(i))) + (velocity ? quad(0) : shift);
        at.velocity(i)[l] = quad(std::cos(static_cast<double>(i))) + (velocity ? shift : quad(0));
      }
    }
    for (std::size_t l = 0; l < 3; ++l) at.time()[l] = 0.3;
    at.evaluate_second();
  };
  for (const std::size_t moved : {std::size_t{0}, std::size_t{33}, n - 1}) {
    for (const bool velocity : {false, true}) {
      place(moved, velocity);
      std::vector<quad> force(n, quad(0)), momentum(n, quad(0));
      for (const jet_entry& e : jet.entries()) {
        if (e.column != moved) continue;
        const bool by_velocity = e.block == jet_block::force_v || e.block == jet_block::momentum_v;
        if (by_velocity != velocity) continue;
        const bool of_force = e.block == jet_block::force_q || e.block == jet_block::force_v;
        (of_force ? force : momentum)[e.row] += at.entry(e)[1];
      }
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(to_double(quad((at.force(i)[2] - at.force(i)[0]) / (2 * step) - force[i])), 0, 1e-18);
        EXPECT_NEAR(to_double(quad((at.momentum(i)[2] - at.momentum(i)[0]) / (2 * step) - momentum[i])), 0, 1e-18);
      }
    }
  }
}

TEST(element_families, long_sums_are_kept_and_written_out_again) {
  const model m = chain(400);
  ASSERT_TRUE(m.system.sums);
  lagrangian_system expanded = m.system;
  write_out_sums(expanded);
  EXPECT_FALSE(expanded.sums);
  const auto kept = families_of(m.system);
  const std::size_t n = m.system.size();
  const shared_parameters<double> parameters(parameter_values<double>(m.system));
  const system_code a(m.system), b(expanded);
  element_forces<double> by_sums(a, parameters), by_terms(b, parameters);
  std::vector<double> q(n), v(n), first(n), second(n);
  for (std::size_t i = 0; i < n; ++i) q[i] = std::sin(static_cast<double>(i)), v[i] = std::cos(static_cast<double>(i));
  by_sums(0.2, q.data(), v.data(), first.data());
  by_terms(0.2, q.data(), v.data(), second.data());
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(first[i], second[i], 1e-12 * (1 + std::abs(first[i])));
  EXPECT_NEAR(by_sums.lagrangian(0.2, q.data(), v.data()), by_terms.lagrangian(0.2, q.data(), v.data()), 1e-9);
}

TEST(element_families, sums_over_pairs_and_rows_are_kept) {
  const model pairs = parse_model(
      "coordinates = [\"x[1..n]\", \"y[1..n]\"]\nlagrangian = \"sum(i = 1..n, (x[i]'^2 + y[i]'^2)/2) + sum(i = 1..n, j "
      "= i+1..n, 1/sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2 + 1/100))\"\n[sizes]\nn = 40\n"
      "[initial.position]\n\"x[i = 1..n]\" = \"sin(i)\"\n\"y[i = 1..n]\" = \"cos(2*i)\"\n",
      "pairs.toml");
  ASSERT_TRUE(pairs.system.sums);
  ASSERT_EQ(pairs.system.sums->size(), 1u);  // that over bodies has fewer elements than are worth it
  EXPECT_EQ(pairs.system.sums->front().elements, 780u);
  std::vector<std::string> names;
  for (const conserved_momentum& p : conserved_momenta(pairs.system)) names.push_back(p.name);
  EXPECT_EQ(names, (std::vector<std::string>{"momentum_x", "momentum_y", "rotation_xy"}));
}

}  // namespace
}  // namespace actio
