// Elliptic functions at fifty digits: published values, differential equations, and formulas that their code does not
// use.
#include <gtest/gtest.h>

#include "problems/jacobi_elliptic.hpp"
#include "problems/weierstrass.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

constexpr unsigned digits = 50;

void expect_near(const multi& a, const multi& b, const char* tolerance = "1e-46") {
  EXPECT_LT(abs(multi(a - b)), multi(multi(tolerance) * (1 + abs(b)))) << a << " and " << b;
}

TEST(jacobi_elliptic, agrees_with_published_values) {
  // K(1/√2) = Γ(1/4)²/(4√π), and sn(K/2) = 1/√(1 + k').
  const precision_scope scope(digits);
  const multi k = sqrt(multi("0.5")), K = complete_elliptic_integral<multi>(k);
  expect_near(K, multi("1.8540746773013719184338503471952600462175988235217669"));
  const auto e = jacobi_elliptic<multi>(multi(K / 2), k);
  expect_near(e.sn, 1 / sqrt(multi(1 + k)));
  expect_near(multi(e.sn * e.sn + e.cn * e.cn), 1);
}

TEST(jacobi_elliptic, has_an_amplitude_that_its_integral_inverts) {
  const precision_scope scope(digits);
  for (const char* modulus : {"0", "0.1", "0.8", "0.999999"}) {
    const elliptic_modulus<multi> k{multi(modulus)};
    for (const char* argument : {"-7.5", "-0.3", "0", "0.9", "2", "25"}) {
      const multi u(argument);
      const elliptic_values<multi> e = k.at(u);
      expect_near(k.first_kind(e.am), u, "1e-42");
      expect_near(e.sn, sin(e.am));
      expect_near(e.cn, cos(e.am));
      expect_near(multi(e.dn * e.dn + multi(modulus) * multi(modulus) * e.sn * e.sn), 1);
    }
    expect_near(k.at(multi(6 * k.quarter_period())).am, 3 * pi_value<multi>());
  }
}

// In quad beside four times as many digits, relative to what is small, up to a complement near the rounding error.
TEST(jacobi_elliptic, keeps_its_digits_however_near_to_one_the_modulus_is) {
  ACTIO_NEEDS(mpfr);
  const precision_scope scope(136);
  const auto wide = [](const quad& x) { return from_digits<multi>(to_digits(x)); };
  const auto expect_same = [&](const quad& value, const multi& right, const quad& k1, double part) {
    EXPECT_LT(abs(multi(wide(value) - right)), multi(1e-30) * abs(right)) << to_digits(k1) << " at " << part;
  };
  for (const double complement : {1e-2, 1e-9, 1e-17, 1e-25, 1e-33}) {
    const quad k1 = complement;
    const elliptic_modulus<quad> narrow(sqrt(quad((1 - k1) * (1 + k1))), k1);
    const elliptic_modulus<multi> right(sqrt(multi((1 - wide(k1)) * (1 + wide(k1)))), wide(k1));
    expect_same(narrow.quarter_period(), right.quarter_period(), k1, 1);
    for (const double part : {0.01, 0.3, 0.5, 0.7, 0.98}) {
      const quad u = part * narrow.quarter_period();
      const elliptic_values<quad> e = narrow.at(u);
      const elliptic_values<multi> exact = right.at(wide(u));
      expect_same(e.sn, exact.sn, k1, part);
      expect_same(e.cn, exact.cn, k1, part);
      expect_same(e.dn, exact.dn, k1, part);
      const auto back = narrow.at_direction(e.sn, e.cn);
      expect_same(back.first_kind, right.at_direction(wide(e.sn), wide(e.cn)).first_kind, k1, part);
      expect_same(back.first_kind, wide(u), k1, part);
      expect_same(narrow.at_direction(-e.sn, -e.cn).first_kind, wide(quad(u - 2 * narrow.quarter_period())), k1, part);
    }
  }
}

TEST(jacobi_elliptic, has_the_zeta_function_of_the_half_quarter_period) {
  // Z(K/2) = (1 − k')/2.
  const precision_scope scope(digits);
  for (const char* modulus : {"0.1", "0.6", "0.99"}) {
    const multi k(modulus), k1 = sqrt(multi(1 - k * k));
    const elliptic_modulus<multi> m(k, k1);
    const multi amplitude = m.at(multi(m.quarter_period() / 2)).am;
    expect_near(m.at_amplitude(amplitude).zeta, (1 - k1) / 2);
  }
}

TEST(weierstrass, has_the_published_lemniscatic_values) {
  // g2 = 1, g3 = 0: ω1 = Γ(1/4)²/(4√π), ω3 = iω1, ℘(ω1/2) = (1 + √2)/2.
  const precision_scope scope(digits);
  const auto pe = weierstrass<multi>::from_invariants(1, 0);
  ASSERT_TRUE(pe);
  const multi half_period("1.8540746773013719184338503471952600462175988235217669");
  expect_near(pe->half_period(), half_period);
  expect_near(pe->imaginary_half_period().value(), half_period);
  expect_near(pe->at(multi(half_period / 2)).value, (1 + sqrt(multi(2))) / 2);
  expect_near(pe->at(half_period).value, multi("0.5"));
}

TEST(weierstrass, satisfies_its_differential_equation_on_both_lines) {
  const precision_scope scope(digits);
  for (const char* g3 : {"-3", "-0.2", "0", "1", "3.04"}) {
    const auto pe = weierstrass<multi>::from_invariants(multi("6.3"), multi(g3));
    ASSERT_TRUE(pe) << g3;
    expect_near(pe->g2(), multi("6.3"));
    expect_near(pe->g3(), multi(g3));
    expect_near(multi(pe->e1() + pe->e2() + pe->e3()), 0);
    const auto slope2 = [&](const multi& p) { return multi(4 * p * p * p - pe->g2() * p - pe->g3()); };
    for (const char* time : {"-1.3", "0.2", "0.9", "17"}) {
      const auto on_real = pe->at(multi(time));
      expect_near(multi(on_real.slope * on_real.slope), slope2(on_real.value), "1e-43");
      const auto shifted = pe->at_shifted(multi(time));
      expect_near(multi(shifted.slope * shifted.slope), slope2(multi(pe->e3() + shifted.above_lowest)), "1e-45");
      expect_near(multi(shifted.above_lowest + shifted.below_middle), multi(pe->e2() - pe->e3()));
    }
  }
}

TEST(weierstrass, satisfies_addition_formulas) {
  const precision_scope scope(digits);
  const auto pe = weierstrass<multi>::from_invariants(multi("5"), multi("1.5"));
  ASSERT_TRUE(pe);
  const multi t("0.4");
  const auto once = pe->at(t);
  // Duplication: ℘(2t) = −2℘ + (℘''/2℘')² with ℘'' = 6℘² − g2/2.
  const multi ratio = (6 * once.value * once.value - pe->g2() / 2) / (2 * once.slope);
  expect_near(pe->at(multi(2 * t)).value, multi(ratio * ratio - 2 * once.value), "1e-44");
  // Half period: (℘(t + ω3) − e3)(℘(t) − e3) = (e1 − e3)(e2 − e3).
  expect_near(multi(pe->at_shifted(t).above_lowest * (once.value - pe->e3())),
              multi((pe->e1() - pe->e3()) * (pe->e2() - pe->e3())));
  // Periods.
  expect_near(pe->at(multi(t + 2 * pe->half_period())).value, once.value, "1e-45");
  expect_near(pe->at_shifted(multi(t - 6 * pe->half_period())).slope, pe->at_shifted(t).slope);
}

TEST(weierstrass, has_its_laurent_series_at_the_pole) {
  const precision_scope scope(digits);
  const multi g2("2.5"), g3("0.3"), t("1e-5"), t2 = t * t;
  const auto pe = weierstrass<multi>::from_invariants(g2, g3);
  ASSERT_TRUE(pe);
  // The next terms are g2² t⁶/1200 + 3 g2 g3 t⁸/6160.
  const multi series = 1 / t2 + g2 * t2 / 20 + g3 * t2 * t2 / 28 + g2 * g2 * t2 * t2 * t2 / 1200;
  EXPECT_LT(abs(multi(pe->at(t).value - series)), multi("1e-37"));
}

TEST(weierstrass, finds_the_time_of_a_value) {
  const precision_scope scope(digits);
  const weierstrass<multi> pe(multi("0.7"), multi("1.9"));
  const multi t = pe.half_period() / 3;
  const auto there = pe.at_shifted(t);
  expect_near(pe.shifted_time(there.above_lowest, there.below_middle), t);
}

TEST(weierstrass, needs_three_real_roots) {
  EXPECT_FALSE(weierstrass<double>::from_invariants(0, 1));
  EXPECT_FALSE(weierstrass<double>::from_invariants(-1, 0));
  EXPECT_FALSE(weierstrass<double>::from_invariants(3, 1));  // a double root
  EXPECT_TRUE(weierstrass<double>::from_invariants(3, 0.999));
}

}  // namespace
}  // namespace actio
