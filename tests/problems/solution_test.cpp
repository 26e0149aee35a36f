// The kinds of motion of the pendulum and of Lagrange's top, beside formulas that their code does not use.
#include <gtest/gtest.h>

#include "actio/tableaux/quadrature.hpp"
#include "problems/lagrange_top_solution.hpp"
#include "problems/pendulum_solution.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

TEST(pendulum_solution, tells_the_kinds_of_motion_apart) {
  const double pi = pi_value<double>();
  EXPECT_EQ(pendulum_solution<double>(1, 2, 0, 0).kind(), pendulum_kind::rest);
  EXPECT_EQ(pendulum_solution<double>(1, 2, pi, 0).kind(), pendulum_kind::rest);
  EXPECT_EQ(pendulum_solution<double>(1, 2, 0, 4).kind(), pendulum_kind::separatrix);
  EXPECT_EQ(pendulum_solution<double>(1, 2, 0, 4.001).kind(), pendulum_kind::rotation);
  EXPECT_EQ(pendulum_solution<double>(1, 2, 0, -3.999).kind(), pendulum_kind::swing);
  EXPECT_EQ(pendulum_solution<double>(1, 0, 1, 3).kind(), pendulum_kind::free);
  EXPECT_FALSE(pendulum_solution<double>(1, 2, 0, 4).period());
  EXPECT_FALSE(pendulum_solution<double>(1, 2, pi, 0).period());
}

TEST(pendulum_solution, stays_where_it_rests) {
  const pendulum_solution<double> standing(1, 2, 3 * pi_value<double>(), 0);
  EXPECT_EQ(standing.position(50), 3 * pi_value<double>());
  EXPECT_EQ(standing.momentum(50), 0);
}

TEST(pendulum_solution, turns_without_wrapping) {
  const pendulum_solution<double> turning(2, 3, -1, -20);
  const double turn = turning.period().value();
  EXPECT_NEAR(turning.position(5 * turn), -1 - 10 * pi_value<double>(), 1e-13);
  EXPECT_NEAR(turning.position(-2 * turn), -1 + 4 * pi_value<double>(), 1e-13);
  EXPECT_NEAR(turning.momentum(turn), -20, 1e-13);
}

TEST(pendulum_solution, swings_around_the_bottom_that_is_near) {
  const double bottom = 4 * pi_value<double>();
  const pendulum_solution<double> swinging(1, 3, bottom + 0.5, 1), same(1, 3, 0.5, 1);
  for (const double t : {0.1, 1.0, 7.0}) EXPECT_NEAR(swinging.position(t) - bottom, same.position(t), 1e-14);
  EXPECT_NEAR(swinging.position(*swinging.period()) - bottom, 0.5, 1e-14);
}

TEST(pendulum_solution, passes_the_separatrix_continuously) {
  const pendulum_solution<quad> on(1, 2, 0, 4), below(1, 2, 0, quad(4) - quad(1e-20)),
      above(1, 2, 0, quad(4) + quad(1e-20));
  EXPECT_NE(below.kind(), above.kind());
  const quad t = 2;
  EXPECT_LT(abs(below.position(t) - on.position(t)), quad(1e-16));
  EXPECT_LT(abs(above.position(t) - on.position(t)), quad(1e-16));
  EXPECT_LT(abs(below.momentum(t) - above.momentum(t)), quad(1e-16));
  EXPECT_GT(below.position(t), 3);
}

// In quad beside four times as many digits, with the same data: pushed at the bottom a little more or less than to the
// top, and let go near the top. Relative to the momentum, which is small there.
TEST(pendulum_solution, keeps_its_digits_near_the_separatrix) {
  ACTIO_NEEDS(mpfr);
  const precision_scope scope(136);
  const auto wide = [](const quad& x) { return from_digits<multi>(to_digits(x)); };
  // The velocity as a sum of two doubles, which both precisions hold without rounding.
  const auto expect_same = [&](double q0, double v, double more, double t) {
    const auto state = pendulum_solution<quad>(1, 2, q0, quad(v) + quad(more)).at(t);
    const auto right = pendulum_solution<multi>(1, 2, q0, multi(v) + multi(more)).at(t);
    EXPECT_LT(abs(multi(wide(state.position) - right.position)), multi(1e-31)) << q0 << " " << v << " " << more;
    EXPECT_LT(abs(multi(wide(state.momentum) - right.momentum)), multi(1e-30) * abs(right.momentum))
        << q0 << " " << v << " " << more << " at " << t;
  };
  for (const int exponent : {-20, -50, -80, -100}) {
    const double distance = std::ldexp(1, exponent);
    for (const double t : {0.5, 3.0, 9.0, 20.0}) {
      expect_same(0, 4, distance, t);
      expect_same(0, 4, -distance, t);
      expect_same(3, 0, distance, t);
      expect_same(pi_value<double>(), 0, distance, t);
    }
  }
}

// Pushed with v from the top: with x = q − π and sin(x/2) = (v/2w) sinh y the time is ∫ dy/cos(x/2) / w.
TEST(pendulum_solution, leaves_the_top_in_the_time_that_quadrature_finds) {
  ACTIO_NEEDS(mpfr);
  const precision_scope scope(120);
  const multi w = 2;
  const auto rule = gauss_rule<multi>(40);
  for (const char* push : {"1e-3", "1e-20", "1e-34", "1e-60"}) {
    const multi v(push), part = v / (2 * w), time = log(multi(2 / part)) / w;
    const pendulum_solution<multi> falling(1, w, pi_value<multi>(), v);
    const multi x = falling.position(time) - pi_value<multi>();
    ASSERT_GT(x, multi(1));
    ASSERT_LT(x, multi(3));
    const multi end = asinh(multi(sin(multi(x / 2)) / part));
    multi found = 0;
    const int pieces = 400;
    for (int k = 0; k < pieces; ++k) {
      for (std::size_t i = 0; i < rule.size(); ++i) {
        const multi sine = part * sinh(multi(end * (k + rule.nodes[i]) / pieces));
        found += rule.weights[i] * end / (pieces * w * sqrt(multi((1 - sine) * (1 + sine))));
      }
    }
    EXPECT_LT(abs(multi(found - time)), multi("1e-45")) << push;
  }
}

TEST(pendulum_solution, has_the_period_of_a_small_swing) {
  // T = (2π/w)(1 + a²/16 + 11 a⁴/3072 + …)
  const quad a = quad(1) / 10000, a2 = a * a;
  const pendulum_solution<quad> small(1, 2, a, 0);
  EXPECT_LT(abs(*small.period() / pi_value<quad>() - 1 - a2 / 16 - 11 * a2 * a2 / 3072), quad(1e-26));
}

constexpr unsigned digits = 50;

const top_start<multi> looping() {
  return {multi("2.33e-3"), multi("1.25e-4"), multi("0.14715"), 0, pi_value<multi>() / 3, 0, multi("9.2"), 0, 252};
}

// ∫ φ' and ∫ ψ' from 0 to `end` along the nutation that the solution gives, by Gauss' rule.
std::pair<multi, multi> angles_by_quadrature(const top_start<multi>& start, const lagrange_top_solution<multi>& top,
                                             const multi& end, int pieces) {
  const auto rule = gauss_rule<multi>(30);
  multi phi = start.phi, psi = start.psi;
  for (int k = 0; k < pieces; ++k) {
    for (std::size_t i = 0; i < rule.size(); ++i) {
      const multi theta = top.nutation(multi(end * (k + rule.nodes[i]) / pieces)),
                  weight = rule.weights[i] * end / pieces;
      const multi sine = sin(theta), cosine = cos(theta);
      const multi rate = (top.precession_momentum() - top.spin_momentum() * cosine) / (start.I1 * sine * sine);
      phi += weight * rate;
      psi += weight * (top.spin_momentum() / start.I3 - rate * cosine);
    }
  }
  return {phi, psi};
}

TEST(lagrange_top_solution, has_angles_that_quadrature_confirms) {
  const precision_scope scope(digits);
  std::vector<top_start<multi>> starts(5, looping());
  starts[1].phi_rate = 0;  // cusps
  starts[2].theta_rate = -4;
  starts[2].phi_rate = -3;
  starts[3].weight = -starts[3].weight;
  starts[3].theta_rate = 1;
  starts[3].phi_rate = 3;
  starts[4].theta = multi("-2.5");
  starts[4].psi_rate = -90;
  for (const top_start<multi>& start : starts) {
    const lagrange_top_solution<multi> top(start);
    ASSERT_EQ(top.obstacle(), "");
    const multi end("0.3");
    const auto [phi, psi] = angles_by_quadrature(start, top, end, 12);
    EXPECT_LT(abs(multi(top.precession(end) - phi)), multi("1e-44"));
    EXPECT_LT(abs(multi(top.spin(end) - psi)), multi("1e-44"));
  }
}

TEST(lagrange_top_solution, advances_by_its_mean_rates_in_a_nutation) {
  const precision_scope scope(digits);
  const lagrange_top_solution<multi> top(looping());
  const multi t("0.4"), period = top.nutation_period().value();
  EXPECT_LT(abs(multi(top.nutation(multi(t + period)) - top.nutation(t))), multi("1e-47"));
  EXPECT_LT(abs(multi(top.precession(multi(t + period)) - top.precession(t) - period * top.mean_precession_rate())),
            multi("1e-46"));
  EXPECT_LT(abs(multi(top.spin(multi(t + period)) - top.spin(t) - period * top.mean_spin_rate())), multi("1e-44"));
}

// cos θ = (2/m) ℘(t + phase) + (2Ic + p_ψ²)/(6I²m) with m = weight/I, where 2Ic is 2I(E − p_ψ²/(2 I3)).
TEST(lagrange_top_solution, nutates_like_weierstrass_function) {
  const precision_scope scope(digits);
  const top_start<multi> start = looping();
  const lagrange_top_solution<multi> top(start);
  const multi I = start.I1, m = start.weight / I, p_psi = top.spin_momentum(), cosine = cos(start.theta);
  const multi sine2 = 1 - cosine * cosine;
  const multi c =
      I * (start.theta_rate * start.theta_rate + sine2 * start.phi_rate * start.phi_rate) / 2 + start.weight * cosine;
  const multi mean = (2 * I * c + p_psi * p_psi) / (6 * I * I * m);
  const auto pe_at = [&](const multi& t) { return multi((cos(top.nutation(t)) - mean) * m / 2); };
  // The invariants from ℘'² = 4℘³ − g2 ℘ − g3 at two times; a third has to satisfy it too.
  const auto slope2 = [&](const multi& t) {
    const multi slope = -sin(top.nutation(t)) * top.nutation_momentum(t) / I * m / 2;
    return multi(slope * slope);
  };
  const multi p1 = pe_at(multi("0.1")), p2 = pe_at(multi("0.3")), p3 = pe_at(multi("0.8"));
  const multi r1 = 4 * p1 * p1 * p1 - slope2(multi("0.1")), r2 = 4 * p2 * p2 * p2 - slope2(multi("0.3"));
  const multi g2 = (r1 - r2) / (p1 - p2), g3 = r1 - g2 * p1;
  EXPECT_LT(abs(multi(4 * p3 * p3 * p3 - g2 * p3 - g3 - slope2(multi("0.8")))), multi("1e-40"));
  const auto pe = weierstrass<multi>::from_invariants(g2, g3);
  ASSERT_TRUE(pe);
  EXPECT_LT(abs(multi(2 * pe->half_period() - *top.nutation_period())), multi("1e-44"));
}

// dt = 2 ds/√(a (u3 − u)) with u = cos θ = u1 + (u2 − u1) sin²s between the turning points u1 and u2, a = 2 weight/I1,
// and u3 the third zero of u'²; u1 is the start, the others follow from the coefficients.
TEST(lagrange_top_solution, takes_the_time_to_an_angle_that_quadrature_finds) {
  const precision_scope scope(digits);
  const top_start<multi> start = looping();
  const lagrange_top_solution<multi> top(start);
  const multi I = start.I1, a = 2 * start.weight / I, p_psi = top.spin_momentum(), p_phi = top.precession_momentum();
  const multi u1 = cos(start.theta), c = I * (1 - u1 * u1) * start.phi_rate * start.phi_rate / 2 + start.weight * u1;
  const multi sum = (2 * I * c + p_psi * p_psi) / (I * I * a) - u1;
  const multi product = (p_phi * p_phi / (I * I) - 2 * c / I) / (a * u1);
  const multi root = sqrt(multi(sum * sum - 4 * product)), u2 = (sum - root) / 2, u3 = (sum + root) / 2;
  const auto rule = gauss_rule<multi>(30);
  const auto time_to = [&](const multi& end) {
    constexpr int pieces = 60;
    multi time(0);
    for (int k = 0; k < pieces; ++k) {
      for (std::size_t i = 0; i < rule.size(); ++i) {
        const multi sine = sin(multi(end * (k + rule.nodes[i]) / pieces));
        time += rule.weights[i] * end / pieces * 2 / sqrt(multi(a * (u3 - u1 - (u2 - u1) * sine * sine)));
      }
    }
    return time;
  };
  const multi pi = pi_value<multi>(), period = top.nutation_period().value();
  EXPECT_LT(abs(multi(time_to(pi) - period)), multi("1e-44"));
  for (const char* text : {"0.25", "0.5", "0.9", "1.0", "1.5"}) {
    const multi t(text), s = asin(sqrt(multi((cos(top.nutation(t)) - u1) / (u2 - u1))));
    EXPECT_LT(abs(multi(time_to(2 * t < period ? s : multi(pi - s)) - t)), multi("1e-43")) << text;
  }
}

TEST(lagrange_top_solution, keeps_a_regular_precession) {
  // I1 φ'² cos θ − p_ψ φ' + weight = 0.
  const precision_scope scope(digits);
  top_start<multi> start = looping();
  start.theta = multi("0.8");
  const multi p_psi = multi("0.04"), c = cos(start.theta);
  start.phi_rate = (p_psi - sqrt(multi(p_psi * p_psi - 4 * start.I1 * start.weight * c))) / (2 * start.I1 * c);
  start.psi_rate = p_psi / start.I3 - start.phi_rate * c;
  const lagrange_top_solution<multi> top(start);
  ASSERT_EQ(top.obstacle(), "");
  const multi t = 3;
  EXPECT_LT(abs(multi(top.nutation(t) - start.theta)), multi("1e-46"));
  EXPECT_LT(abs(multi(top.precession(t) - start.phi_rate * t)), multi("1e-45"));
  EXPECT_LT(abs(multi(top.spin(t) - start.psi_rate * t)), multi("1e-44"));
}

TEST(lagrange_top_solution, stays_finite_for_random_tops_of_every_size) {
  std::srand(3);
  const auto uniform = [](double from, double to) { return from + (to - from) * std::rand() / RAND_MAX; };
  int solved = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto size = [&] { return std::pow(10, uniform(-4, 4)) * (uniform(0, 1) < 0.5 ? -1 : 1); };
    const top_start<double> start{std::abs(size()),
                                  std::abs(size()),
                                  size(),
                                  0,
                                  uniform(-9, 9),
                                  0,
                                  size(),
                                  uniform(0, 1) < 0.3 ? 0 : size(),
                                  size()};
    const lagrange_top_solution<double> top(start);
    if (!top.obstacle().empty()) continue;
    ++solved;
    const auto begin = top.at(0), later = top.at(0.37);
    EXPECT_NEAR(begin.nutation, start.theta, 1e-6) << i;
    for (const double x : {later.precession, later.nutation, later.spin, later.nutation_momentum}) {
      EXPECT_TRUE(std::isfinite(x)) << i;
    }
    const double period = top.nutation_period().value_or(1);
    EXPECT_TRUE(period > 0 && std::isfinite(period)) << i;
  }
  EXPECT_GT(solved, 1900);
}

}  // namespace
}  // namespace actio
