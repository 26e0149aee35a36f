#include "actio/backend/llvm/machine_code.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <thread>

#include "actio/backend/backend.hpp"
#include "actio/backend/interpreter/double_lanes.hpp"
#include "actio/backend/interpreter/interpreter.hpp"
#include "actio/backend/kernel/dataflow.hpp"
#include "actio/backend/llvm/code_library.hpp"
#include "tests/expr/random_expression.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y"), a = expr::symbol("a"), b = expr::symbol("b");

class machine_code_of : public ::testing::Test {
 protected:
  void SetUp() override { ACTIO_NEEDS(machine_code); }
};

std::shared_ptr<const compiled_function<double>> compiled(program p) {
  return compile_to_machine_code(std::move(p), compile_when::called);
}

using table = std::vector<std::vector<double>>;  // by point, then by variable or output

table evaluate_all(const compiled_function<double>& f, const table& points, std::span<const double> parameters,
                   std::size_t at_once) {
  const auto at = f.evaluate_at(at_once);
  at->set_parameters(parameters);
  const std::size_t stride = at->stride();
  std::vector<double> in(f.inputs() * stride, std::numeric_limits<double>::signaling_NaN());
  std::vector<double> out(f.outputs() * stride);
  table results(points.size(), std::vector<double>(f.outputs()));
  for (std::size_t first = 0; first < points.size(); first += at_once) {
    for (std::size_t l = 0; l < at_once; ++l) {
      const auto& point = points[std::min(first + l, points.size() - 1)];
      for (std::size_t k = 0; k < point.size(); ++k) in[k * stride + l] = point[k];
    }
    (*at)(in.data(), out.data());
    for (std::size_t l = 0; l < at_once && first + l < points.size(); ++l) {
      for (std::size_t k = 0; k < f.outputs(); ++k) results[first + l][k] = out[k * stride + l];
    }
  }
  return results;
}

bool same_bits(double p, double q) {
  return std::bit_cast<std::uint64_t>(p) == std::bit_cast<std::uint64_t>(q) || (std::isnan(p) && std::isnan(q));
}

table run_number_by_number(const program& p, const table& points, std::span<const double> parameters) {
  const machine_code::program_code code(p);
  std::vector<double> fixed = code.initial_fixed(), workspace(code.runner().workspace_size());
  std::copy(parameters.begin(), parameters.end(), fixed.begin());
  interpreter::run_lanes(1, p.setup, fixed.data());
  table results(points.size(), std::vector<double>(p.outputs.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    code.runner().run(fixed.data(), points[i].data(), results[i].data(), 1, workspace.data());
  }
  return results;
}

// The results at the points, after checking that they are the same whatever the number of points at once, and the same
// as those of the runner that stands in for machine code.
table evaluate_at_every_width(const program& p, const table& points, std::span<const double> parameters = {}) {
  const auto f = compiled(p);
  const table single = evaluate_all(*f, points, parameters, 1);
  const table by_runner = run_number_by_number(p, points, parameters);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < f->outputs(); ++k) {
      EXPECT_TRUE(same_bits(by_runner[i][k], single[i][k]))
          << "point " << i << ", output " << k << ": " << by_runner[i][k] << " " << single[i][k];
    }
  }
  for (const std::size_t at_once : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 11U, 21U}) {
    const table batch = evaluate_all(*f, points, parameters, at_once);
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t k = 0; k < f->outputs(); ++k) {
        EXPECT_TRUE(same_bits(batch[i][k], single[i][k]))
            << at_once << " at once, point " << i << ", output " << k << ": " << batch[i][k] << " " << single[i][k];
      }
    }
    if (::testing::Test::HasFailure()) break;
  }
  return single;
}

// In units in the last place of the nearest double.
double error_in_ulps(double computed, const quad& exact) {
  const double nearest = static_cast<double>(exact);
  if (same_bits(computed, nearest)) return 0;  // infinities and zeros with their signs
  const double size = std::max(std::abs(nearest), std::numeric_limits<double>::min());
  const quad ulp = std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
  return static_cast<double>(abs(quad(computed) - exact) / ulp);
}

void expect_accurate(const expr& e, const table& points, double most_ulps) {
  const program p = lower(std::span(&e, 1), {}, std::vector{x, y});
  const table computed = evaluate_at_every_width(p, points);
  const auto exact = interpret<quad>(p)->evaluate_at(1);
  double worst = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::vector<quad> in(points[i].begin(), points[i].end());
    quad out;
    (*exact)(in.data(), &out);
    const double error = error_in_ulps(computed[i][0], out);
    worst = std::max(worst, error);
    EXPECT_LE(error, most_ulps) << points[i][0] << ", " << points[i][1] << ": " << computed[i][0];
    if (::testing::Test::HasFailure()) return;
  }
  ::testing::Test::RecordProperty("worst_ulps", std::to_string(worst));
}

table random_points(std::size_t count, double low, double high, unsigned seed = 5) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  table points(count);
  for (auto& p : points) p = {uniform(random), uniform(random)};
  return points;
}

TEST_F(machine_code_of, arithmetic_is_exact) {
  const table points = random_points(200, -10, 10);
  for (const expr& e : {x + y, x - y, x * y, x / y, -x, abs(x), sign(x), x * x, sqrt(abs(x))}) {
    expect_accurate(e, points, 0.5);
  }
}

TEST_F(machine_code_of, products_are_fused_with_the_sum_that_reads_them) {
  const std::vector outputs{x * y + a, x * y - a, a - x * y, x * y + a * x};
  const table points = random_points(100, -3, 3);
  const double parameter = 0.3;
  const table computed =
      evaluate_at_every_width(lower(outputs, std::vector{a}, std::vector{x, y}), points, std::span(&parameter, 1));
  // The product x y stands in four sums: it is computed once and rounded.
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double p = points[i][0], product = p * points[i][1];
    EXPECT_EQ(computed[i][0], product + parameter);
    EXPECT_EQ(computed[i][3], std::fma(parameter, p, product));
  }
  const expr alone = x * y - a;
  const table fused = evaluate_at_every_width(lower(std::span(&alone, 1), std::vector{a}, std::vector{x, y}), points,
                                              std::span(&parameter, 1));
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(fused[i][0], std::fma(points[i][0], points[i][1], -parameter));
  }
}

// Several divisions by one value cost one; a single one stays what it is, rounded once.
TEST_F(machine_code_of, divisions_by_one_value_share_its_reciprocal) {
  const std::vector<expr> variables{x, y}, shared{1 / y, x / y, (x + 3) / y / y, x / (1 + y)};
  const program p = lower(shared, {}, variables);
  const kernel::dataflow flow = kernel::analyse(p);
  const auto count = [&](auto&& wanted) { return std::ranges::count_if(flow.values, wanted); };
  EXPECT_EQ(count([](const auto& v) { return v.kind == kernel::value_kind::reciprocal; }), 1);
  EXPECT_EQ(count([](const auto& v) { return v.kind == kernel::value_kind::operation && v.op == operation::divide; }),
            1);
  const table points = random_points(100, -3, 3);
  const table results = evaluate_at_every_width(p, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double px = points[i][0], py = points[i][1], inverse = 1 / py;
    EXPECT_EQ(results[i][0], inverse);
    EXPECT_EQ(results[i][1], px * inverse);
    EXPECT_EQ(results[i][2], (px + 3) * inverse * inverse);
    EXPECT_EQ(results[i][3], px / (1 + py));
  }
}

TEST_F(machine_code_of, functions_are_within_one_ulp) {
  const table anywhere = random_points(2000, -20, 20), unit = random_points(2000, -1, 1),
              positive = random_points(2000, 1e-3, 40);
  for (const expr& e : {sin(x), cos(x), tan(x), atan(x), exp(x), sinh(x), cosh(x), tanh(x), atan2(y, x)}) {
    expect_accurate(e, anywhere, 1);
  }
  for (const expr& e : {asin(x), acos(x)}) expect_accurate(e, unit, 1);
  for (const expr& e : {log(x), pow(x, y)}) expect_accurate(e, positive, 1);
  expect_accurate(pow(x, decimal("0.3")), positive, 2);  // a product of two powers, whose exponents are exact
}

TEST_F(machine_code_of, sines_are_accurate_near_their_zeros) {
  table points;
  std::mt19937_64 random(3);
  for (int i = 0; i < 4000; ++i) {
    const double n = i < 1000 ? i : std::floor(std::exp2(std::uniform_real_distribution<double>(0, 19)(random)));
    const double near = static_cast<double>(pi_value<quad>() / 2 * quad(n));
    points.push_back({near, 0});
    points.push_back({-std::nextafter(near, 1e300), 0});
    points.push_back({std::exp2(std::uniform_real_distribution<double>(-30, 20)(random)), 0});
  }
  expect_accurate(sin(x), points, 0.85);
  expect_accurate(cos(x), points, 0.85);
}

TEST_F(machine_code_of, sines_are_accurate_for_large_arguments) {
  table points;
  std::mt19937_64 random(4);
  for (int i = 0; i < 1000; ++i)
    points.push_back({std::exp2(std::uniform_real_distribution<double>(20, 1000)(random)), 0});
  expect_accurate(sin(x), points, 1);
  expect_accurate(cos(x), points, 1);
}

TEST_F(machine_code_of, special_values_are_those_of_the_interpreter) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  table points;
  for (const double p : {0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 1e-310, -1e-310, 1e300, infinity, -infinity, nan}) {
    for (const double q : {0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, infinity, -infinity, nan}) points.push_back({p, q});
  }
  for (const expr& e : {x + y,  x * y,  x / y,   -x,      abs(x),  sign(x), sqrt(x), exp(x),  log(x),    sin(x),
                        cos(x), tan(x), asin(x), acos(x), atan(x), sinh(x), cosh(x), tanh(x), pow(x, y), atan2(x, y)}) {
    const program p = lower(std::span(&e, 1), {}, std::vector{x, y});
    const table computed = evaluate_at_every_width(p, points);
    const table expected = evaluate_all(*interpret<double>(p), points, {}, 1);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double c = computed[i][0], r = expected[i][0];
      const bool near = std::abs(c - r) <= 3e-16 * std::abs(r) + std::numeric_limits<double>::denorm_min() &&
                        std::signbit(c) == std::signbit(r);
      EXPECT_TRUE(same_bits(c, r) || near)
          << name_of(e.op()) << " at " << points[i][0] << ", " << points[i][1] << ": " << c << " instead of " << r;
    }
  }
}

std::vector<expr> symbols_of_random_expressions() {
  std::vector<expr> symbols;
  for (const auto& [name, value] : test_support::random_expressions::symbols()) symbols.push_back(expr::symbol(name));
  return symbols;
}

TEST_F(machine_code_of, random_arithmetic_has_the_same_bits_at_every_width) {
  std::mt19937 random(21);
  const std::vector<expr> symbols = symbols_of_random_expressions();
  for (int repetition = 0; repetition < 5; ++repetition) {
    std::vector<expr> pool = symbols;
    const auto any = [&] { return pool[random() % pool.size()]; };
    for (int i = 0; i < 60; ++i) {
      switch (random() % 7) {
        case 0: pool.push_back(any() + any()); break;
        case 1: pool.push_back(any() - any()); break;
        case 2: pool.push_back(sqrt(abs(any()))); break;
        case 3: pool.push_back(any() / (2 + any() * any())); break;
        default: pool.push_back(any() * any() / 2); break;
      }
    }
    const std::vector<expr> outputs(pool.end() - 12, pool.end());
    const program p = lower(outputs, {}, symbols);
    table points(11, std::vector<double>(symbols.size()));
    for (auto& point : points) {
      for (double& v : point) v = std::uniform_real_distribution<double>(-2, 2)(random);
    }
    evaluate_at_every_width(p, points);
  }
}

TEST_F(machine_code_of, random_expressions_agree_with_the_interpreter) {
  test_support::random_expressions source(17);
  const std::vector<expr> symbols = symbols_of_random_expressions();
  std::vector<double> values;
  for (const auto& [name, value] : test_support::random_expressions::symbols()) values.push_back(value);
  std::size_t compared = 0;
  for (int repetition = 0; repetition < 6; ++repetition) {
    std::vector<expr> outputs;
    for (int k = 0; k < 8; ++k) outputs.push_back(source.next(5).e);
    const program p = lower(outputs, {}, symbols);
    const table computed = evaluate_at_every_width(p, {values});
    const auto exact = interpret<quad>(p)->evaluate_at(1);
    const auto plain = interpret<double>(p)->evaluate_at(1);
    std::vector<quad> in(values.begin(), values.end()), out(outputs.size());
    std::vector<double> rounded(outputs.size());
    (*exact)(in.data(), out.data());
    (*plain)(values.data(), rounded.data());
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (!is_finite(out[k]) || !is_finite(rounded[k])) continue;
      // What rounding does to the expression, as the interpreter shows it, and a few units beyond.
      const quad allowed = 1e3 * abs(quad(rounded[k]) - out[k]) + 1e-12 * abs(out[k]) + 1e-14;
      EXPECT_LE(abs(quad(computed[0][k]) - out[k]), allowed) << repetition << " " << k;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20U);
}

// Many elementary functions of different arguments at several levels.
std::vector<expr> nested_functions() {
  std::vector<expr> outputs;
  for (int k = 1; k <= 5; ++k) {
    const expr u = sin(k * x) + cos(k * y), v = exp(u * a / k);
    outputs.insert(outputs.end(), {u, v, cos(v) * sin(u), pow(v, b), atan2(u, v), log(2 + u * u), tanh(v)});
  }
  return outputs;
}

TEST_F(machine_code_of, calls_gathered_in_vectors_have_the_same_bits_as_alone) {
  const table points = random_points(21, -3, 3);
  const std::vector<double> parameters{0.7, 1.4};
  const std::vector<expr> outputs = nested_functions();
  const table together =
      evaluate_at_every_width(lower(outputs, std::vector{a, b}, std::vector{x, y}), points, parameters);
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const auto alone = compiled(lower(std::span(&outputs[k], 1), std::vector{a, b}, std::vector{x, y}));
    const table expected = evaluate_all(*alone, points, parameters, 1);
    for (std::size_t i = 0; i < points.size(); ++i) EXPECT_TRUE(same_bits(together[i][k], expected[i][0])) << k;
    if (k == 6) break;  // one of each kind
  }
}

TEST_F(machine_code_of, one_large_argument_changes_no_other_lane) {
  const expr e = sin(x) * cos(y);
  const auto f = compiled(lower(std::span(&e, 1), {}, std::vector{x, y}));
  table points = random_points(8, -3, 3);
  const table before = evaluate_all(*f, points, {}, 8);
  points[3][0] = 1e20;
  const table after = evaluate_all(*f, points, {}, 8);
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == 3) {
      EXPECT_NEAR(after[i][0], std::sin(1e20) * std::cos(points[3][1]), 1e-15);
    } else {
      EXPECT_EQ(after[i][0], before[i][0]);
    }
  }
}

TEST_F(machine_code_of, outputs_may_be_constants_variables_and_repeated) {
  const std::vector<expr> outputs{expr(0), expr(1) / 3, y, a, y, expr::pi(), sin(a)};
  const double parameter = 7;
  const table computed = evaluate_at_every_width(lower(outputs, std::vector{a}, std::vector{x, y}), {{1, 2}, {3, 4}},
                                                 std::span(&parameter, 1));
  EXPECT_EQ(computed[1], (std::vector<double>{0, 1.0 / 3, 4, 7, 4, pi_value<double>(), std::sin(7.0)}));
}

TEST_F(machine_code_of, code_takes_over_without_changing_a_bit) {
  const expr e = sin(x * a) * y + exp(x) - pow(abs(y), a);
  const auto f =
      compile_to_machine_code(lower(std::span(&e, 1), std::vector{a}, std::vector{x, y}), compile_when::worthwhile);
  const double parameter = 1.25;
  const auto at = f->evaluate_at(3);
  at->set_parameters(std::span(&parameter, 1));
  const std::vector<double> in{0.1, 0.2, 0.3, 0, 0.7, 0.8, 0.9, 0};
  std::vector<double> first(4), out(4);
  (*at)(in.data(), first.data());
  for (int i = 0; i < 100'000; ++i) {
    (*at)(in.data(), out.data());
    for (std::size_t l = 0; l < 3; ++l) ASSERT_EQ(out[l], first[l]) << i;
  }
}

TEST_F(machine_code_of, evaluating_again_allocates_nothing) {
  const auto f = compiled(lower(nested_functions(), std::vector{a, b}, std::vector{x, y}));
  const std::vector<double> parameters{0.5, 0.25};
  for (const std::size_t points : {1U, 3U, 10U}) {
    const auto at = f->evaluate_at(points);
    std::vector<double> in(2 * at->stride(), 0.3), out(f->outputs() * at->stride());
    (*at)(in.data(), out.data());
    EXPECT_EQ(testing::allocations_in([&] {
                at->set_parameters(parameters);
                (*at)(in.data(), out.data());
              }),
              0U);
  }
}

TEST_F(machine_code_of, threads_compile_at_once) {
  const std::vector<double> parameters{0.7, 1.4};
  const table points = random_points(8, -1, 1);
  std::vector<table> results(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < results.size(); ++t) {
    threads.emplace_back([&, t] {
      // Half of the threads share a program, the others have one each.
      const expr e = sin(x * static_cast<int>(t % 2 == 0 ? 1 : t)) * a + exp(y) * b;
      const auto f = compiled(lower(std::span(&e, 1), std::vector{a, b}, std::vector{x, y}));
      for (const std::size_t at_once : {1U, 3U, 8U}) results[t] = evaluate_all(*f, points, parameters, at_once);
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(results[0], results[6]);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_NE(results[0], results[3]);
}

TEST_F(machine_code_of, the_interpreter_can_be_asked_for) {
  const expr e = x * y + x;
  const program p = lower(std::span(&e, 1), {}, std::vector{x, y});
  const table points{{0.1, 0.7}};
  const auto plain = [&](backend choice) { return evaluate_all(*compile<double>(p, choice), points, {}, 1)[0][0]; };
  EXPECT_EQ(plain(backend::interpreter), 0.1 * 0.7 + 0.1);
  EXPECT_EQ(plain(backend::machine_code), std::fma(0.1, 0.7, 0.1));
  EXPECT_EQ(default_backend(), backend::automatic);
  set_default_backend(backend::interpreter);
  EXPECT_EQ(evaluate_all(*compile<double>(p), points, {}, 1)[0][0], 0.1 * 0.7 + 0.1);
  set_default_backend(backend::automatic);
  EXPECT_EQ(evaluate_all(*compile<double>(p), points, {}, 1)[0][0], std::fma(0.1, 0.7, 0.1));
}

}  // namespace
}  // namespace actio
