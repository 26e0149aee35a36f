// Splittings that move coordinates while forces are found, against the same steps written out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "actio/mechanics/element_families.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio {
namespace {

struct bond {
  int a, b;
};

// Masses in a plane on a line of springs, and springs between any two of them; others move freely.
class net {
 public:
  explicit net(int n) : n_(n) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::uniform_int_distribution<int> any(1, n);
    std::string rows;
    for (int k = 0; k < n / 2; ++k) {
      const int a = any(random), b = any(random);
      if (a == b) continue;
      bonds_.push_back({a, b});
      rows += fmt::format("[{}, {}], ", a, b);
    }
    model_ = parse_model(fmt::format(R"(
coordinates = ["x[1..n]", "y[1..n]", "free[1..40]"]
lagrangian = """
  sum(i = 1..n, m[i]/2*(x[i]'^2 + y[i]'^2)) + sum(i = 1..40, free[i]'^2/2)
  - sum(i = 1..n-1, (x[i+1]-x[i])^2/2 + (x[i+1]-x[i])^4/4 + (y[i+1]-y[i])^2/2)
  - sum(i = 1..n, x[i]*y[i]^2/2)
  - sum(e in bonds, (x[e.a]-x[e.b])^2*(y[e.a]-y[e.b])^2/2)
"""
[sizes]
n = {}
[parameters]
"m[i = 1..n]" = "1 + i/n"
[tables.bonds]
columns = ["a", "b"]
rows = [{}]
[initial.position]
"x[i = 1..n]" = "sin(i)/2"
"y[i = 1..n]" = "cos(3*i)/2"
[initial.velocity]
"free[i = 1..40]" = "i"
)",
                                     n, rows),
                         "net.toml");
  }

  const actio::model& model() const { return model_; }

  // q and p by a step of strang.
  void move(std::vector<double>& q, std::vector<double>& p, double h) const {
    kick(q, p, h / 2);
    for (std::size_t k = 0; k < q.size(); ++k) {
      const auto i = static_cast<int>(k) % n_;
      q[k] += h * p[k] / (static_cast<int>(k) < 2 * n_ ? 1 + (i + 1.0) / n_ : 1.0);
    }
    kick(q, p, h / 2);
  }

 private:
  void kick(const std::vector<double>& q, std::vector<double>& p, double h) const {
    const double *x = q.data() - 1, *y = x + n_;
    double *px = p.data() - 1, *py = px + n_;
    const auto pull = [&](int a, int b, double fx, double fy) {
      px[a] -= h * fx, px[b] += h * fx;
      py[a] -= h * fy, py[b] += h * fy;
    };
    for (int i = 1; i < n_; ++i) {
      const double dx = x[i + 1] - x[i], dy = y[i + 1] - y[i];
      pull(i + 1, i, dx + dx * dx * dx, dy);
    }
    for (int i = 1; i <= n_; ++i) {
      px[i] -= h * y[i] * y[i] / 2;
      py[i] -= h * x[i] * y[i];
    }
    for (const auto& [a, b] : bonds_) {
      const double dx = x[a] - x[b], dy = y[a] - y[b];
      pull(a, b, dx * dy * dy, dx * dx * dy);
    }
  }

  int n_;
  std::vector<bond> bonds_;
  actio::model model_;
};

// Steps that the method makes of those of strang, and whether they are equal to rounding.
void expect_steps_of_strang(const std::string& method, const std::vector<double>& parts) {
  constexpr double h = 0.02;
  for (const int n : {70, 238, 239, 260, 700}) {
    const net system(n);
    ASSERT_TRUE(is_made_of_elements(system.model().system));
    const integrator<double> flow(system.model().system, {.method = method, .step = h});
    phase_state<double> state = flow.at_start(system.model());
    std::vector<double> q = state.position.value, p = state.momentum.value;
    const auto workspace = flow.make_workspace();
    for (int k = 0; k < 10; ++k) {
      ASSERT_TRUE(workspace->advance(state));
      for (const double part : parts) system.move(q, p, part * h);
    }
    for (std::size_t i = 0; i < q.size(); ++i) {
      ASSERT_NEAR(state.position.value[i], q[i], 1e-12) << method << " " << n << " " << i;
      ASSERT_NEAR(state.momentum.value[i], p[i], 1e-12) << method << " " << n << " " << i;
    }
  }
}

TEST(element_sweeps, strang_is_written_out) { expect_steps_of_strang("strang", {1}); }
TEST(element_sweeps, verlet_is_the_same_map) { expect_steps_of_strang("verlet", {1}); }
TEST(element_sweeps, compositions_are_steps_of_strang) {
  const double z = 1 / (2 - std::cbrt(2.0));
  expect_steps_of_strang("yoshida-4", {z, 1 - 2 * z, z});
}

// A kick, then a drift: between its kicks a step of strang from half a kick earlier.
TEST(element_sweeps, a_kick_and_a_drift) {
  const net system(300);
  constexpr double h = 0.02;
  const integrator<double> split(system.model().system, {.method = "lie-trotter", .step = h}),
      whole(system.model().system, {.method = "strang", .step = h});
  phase_state<double> a = split.at_start(system.model()), b = whole.at_start(system.model());
  const auto kicked = split.make_workspace(), moved = whole.make_workspace();
  const std::vector<double> before = a.position.value, p = a.momentum.value;
  ASSERT_TRUE(kicked->advance(a));
  ASSERT_TRUE(moved->advance(b));
  const std::vector<double> half = b.position.value;
  // lie-trotter drifts with p + h G, strang with p + h G / 2.
  for (std::size_t i = 0; i < 600; ++i) {
    const double mass = 1 + (static_cast<double>(i % 300) + 1) / 300;
    ASSERT_NEAR(a.position.value[i] - half[i], h * (a.momentum.value[i] - p[i]) / 2 / mass, 1e-15);
    ASSERT_NEAR(a.position.value[i] - before[i], h * a.momentum.value[i] / mass, 1e-15);
  }
}

// Forces that are kept from the step before belong to positions that somebody has changed since.
TEST(element_sweeps, notices_other_positions) {
  const net system(300);
  const integrator<double> flow(system.model().system, {.method = "yoshida-4", .step = 0.02});
  phase_state<double> state = flow.at_start(system.model());
  const auto first = flow.make_workspace();
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(first->advance(state));
    state.position.value[static_cast<std::size_t>(299 * k)] += 0.25;
    state.position.value[599] = -state.position.value[599];
    phase_state<double> other = state;
    ASSERT_TRUE(first->advance(state));
    ASSERT_TRUE(flow.make_workspace()->advance(other));
    EXPECT_EQ(state.position.value, other.position.value);
    EXPECT_EQ(state.position.remainder, other.position.remainder);
    EXPECT_EQ(state.momentum.value, other.momentum.value);
  }
}

// Coordinates that all elements of a sum have, alone or as a member with a number for an index, which is a member of
// one of the elements too.
TEST(element_sweeps, of_coordinates_that_all_elements_share) {
  constexpr std::size_t n = 400;
  const model m = parse_model(
      "coordinates = [\"x[1..n]\", \"c\"]\n"
      "lagrangian = \"c'^2/2 + sum(i = 1..n, x[i]'^2/2) - sum(i = 1..n, (x[i]-c)^4/(4*n))"
      " - sum(i = 1..n, (x[i]-x[7])^2/2)\"\n[sizes]\nn = 400\n"
      "[initial.position]\n\"x[i = 1..n]\" = \"sin(i)\"\nc = 0.5\n",
      "shared.toml");
  ASSERT_TRUE(m.system.sums);
  constexpr double h = 0.05;
  std::vector<double> q(n + 1, 0.5), p(n + 1, 0.0);
  for (std::size_t i = 0; i < n; ++i) q[i] = std::sin(static_cast<double>(i + 1));
  const auto kick = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      const double d = q[i] - q[n], f = d * d * d / static_cast<double>(n), g = q[i] - q[6];
      p[i] -= h / 2 * (f + g);
      p[n] += h / 2 * f;
      p[6] += h / 2 * g;
    }
  };
  const integrator<double> flow(m.system, {.method = "strang", .step = h});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(workspace->advance(state));
    kick();
    for (std::size_t i = 0; i <= n; ++i) q[i] += h * p[i];
    kick();
  }
  for (std::size_t i = 0; i <= n; ++i) {
    EXPECT_NEAR(state.position.value[i], q[i], 1e-12) << i;
    EXPECT_NEAR(state.momentum.value[i], p[i], 1e-12) << i;
  }
}

TEST(element_sweeps, a_failed_step_leaves_the_state_alone) {
  const model m = parse_model(
      "coordinates = [\"q[1..600]\"]\nlagrangian = \"sum(i = 1..600, q[i]'^2/2 + sqrt(q[i]))\"\n"
      "[initial.position]\n\"q[i = 1..600]\" = \"1 + i\"\n[initial.velocity]\n\"q[599]\" = -1000\n",
      "falls.toml");
  const integrator<double> flow(m.system, {.method = "strang", .step = 1.0});
  phase_state<double> state = flow.at_start(m);
  const phase_state<double> start = state;
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(workspace->advance(state).code, step_code::left_domain);
    EXPECT_EQ(state.position.value, start.position.value);
    EXPECT_EQ(state.momentum.value, start.momentum.value);
    EXPECT_EQ(state.count, start.count);
  }
}

}  // namespace
}  // namespace actio
