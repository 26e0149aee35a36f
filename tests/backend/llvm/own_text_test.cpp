// A method that actio does not have, its step written once: carried out with numbers, in lanes and in threads of a GPU
// it has the same bits.
#include <gtest/gtest.h>

#include "actio/backend/device_code.hpp"
#include "actio/backend/device_kernel.hpp"
#include "actio/backend/kernel/text_method.hpp"
#include "problems/problem.hpp"
#include "tests/support/gpu_double/settings.hpp"
#include "tests/support/kernel_bench.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

using kernel::absolute;
using kernel::fma;
using kernel::select;

// The trapezoidal rule y_1 = y_0 + h/2 (f(y_0) + f(y_1)), iterated from where the rates of the last two steps lead.
// Data: the largest change of a component, relative to its size, that ends the iteration.
template <class B>
class trapezoidal_text {
 public:
  using N = typename B::number;
  using T = typename B::truth;

  trapezoidal_text(B& b, double smallest, const kernel::step_surroundings<B>& around)
      : b_(b),
        smallest_(smallest),
        components_(2 * around.coordinates),
        varied_(around.varied),
        field_(b, around.equations, around.fixed),
        start_(b.local(components_)),
        increment_(b.local(components_)) {}

  static std::size_t memory(double, std::size_t components) { return components; }
  bool writes_all() const { return true; }

  std::pair<T, N> step(const kernel::moving_trajectory<B>& at, const N& time, const T& wanted) {
    const T follows = at.follows.get();
    const std::vector<N> first = field(at, nullptr, time);
    for (std::size_t c = 0; c < components_; ++c) {
      start_.put(c, first[c]);
      const N before = select(follows, at.memory[c], first[c]);
      increment_.put(c, at.step * fma(first[c] - before, N(0.5), first[c]));
    }
    const auto moves = b_.make(wanted), moved = b_.make(b_.never());
    const auto count = b_.make(b_.one_number(0));
    b_.repeat([&] {
      const T now = moves.get();
      const std::vector<N> last = field(at, &increment_, time + at.step);
      N largest = b_.one_number(0);
      for (std::size_t c = 0; c < components_; ++c) {
        const N old = increment_[c], next = at.step * ((start_[c] + last[c]) * 0.5);
        const N size = absolute(at.state[c]) + absolute(next);
        largest = kernel::larger(select(size > 0.0, absolute(next - old) / size, b_.one_number(0)), largest);
        increment_.put(c, select(now, next, old));
      }
      const T done = now & (largest <= smallest_);
      moved.set(moved.get() | done);
      count.set(count.get() + 1.0);
      moves.set(now & !done & (count.get() < 40.0));
      at.effort.set(select(now, at.effort.get() + 1.0, at.effort.get()));
      return moves.get();
    });
    const T solved = moved.get();
    for (std::size_t c = 0; c < components_; ++c) {
      const auto [sum, rest] = kernel::exact_sum(at.state[c], increment_[c] + at.remainder[c]);
      at.state.put(c, select(solved, sum, at.state[c]));
      at.remainder.put(c, select(solved, rest, at.remainder[c]));
      at.memory.put(c, select(solved, start_[c], at.memory[c]));
    }
    at.follows.set(follows | solved);
    return {solved, b_.one_number(0)};
  }

 private:
  std::vector<N> field(const kernel::moving_trajectory<B>& at, const typename B::rows* moves, const N& time) {
    std::vector<N> place;
    for (std::size_t c = 0; c < components_; ++c) place.push_back(moves ? at.state[c] + (*moves)[c] : at.state[c]);
    place.push_back(time);
    for (std::size_t k = 0; k < varied_; ++k) place.push_back(at.parameters[k]);
    return field_.evaluate(place, kernel::computed_values<B>(b_, kernel::sine_code::inlined, true));
  }

  B& b_;
  double smallest_;
  std::size_t components_, varied_;
  kernel::flow_text<B> field_;
  typename B::rows start_, increment_;
};

using testing::kernel_bench;

kernel_bench bench_of(const model& m) {
  return {m, std::make_shared<kernel::text_method<trapezoidal_text, double>>("trapezoidal", 0x1p-50)};
}

std::vector<std::vector<double>> starts_of(const kernel_bench& bench, const model& m, std::size_t steps) {
  std::vector<std::vector<double>> starts;
  for (std::size_t k = 0; k < 7; ++k)
    starts.push_back(bench.start(m, k, k % 3 == 1 ? 0.015 : 0.01, k == 4 ? 5 : steps));
  return starts;
}

TEST(own_text, has_the_same_bits_with_numbers_in_lanes_and_on_gpus) {
  ACTIO_NEEDS(machine_code);
  constexpr std::size_t steps = 12;
  for (const char* name : {"double-pendulum", "kepler", "lagrange-top"}) {
    const model m = load_model(name);
    const kernel_bench bench = bench_of(m);
    const auto starts = starts_of(bench, m, steps);
    std::vector<std::vector<double>> with_numbers;
    for (const auto& start : starts) with_numbers.push_back(bench.with_numbers(start, steps));
    for (const auto& rows : with_numbers) EXPECT_EQ(rows[bench.code.rows.lives()], 1) << name;
    EXPECT_EQ(bench.in_lanes(starts, 8, steps, steps), with_numbers) << name;
    EXPECT_EQ(bench.in_lanes(starts, 4, steps, 5), with_numbers) << name;
    EXPECT_EQ(bench.in_lanes(starts, 1, steps, steps), with_numbers) << name;
    if (!writes_device_code() || testing::gpu_double_path().empty()) continue;
    const testing::gpu_setting setting;
    const auto gpu = device::gpu::open(0);
    const auto ptx = make_device_code(bench.code, device_architecture(gpu->properties().capability));
    device_kernel kernel(std::make_shared<device_program>(gpu, bench.code, ptx.value(), bench.parameters), 5);
    const auto by_gpu = bench.in_lanes_of(kernel, starts, steps, 5);  // what steps remember stays there
    for (std::size_t k = 0; k < starts.size(); ++k)
      EXPECT_EQ(bench.meant(by_gpu[k]), bench.meant(with_numbers[k])) << name;
  }
}

// Half the step, a quarter of the error.
TEST(own_text, is_of_second_order) {
  ACTIO_NEEDS(machine_code);
  const model m = load_model("double-pendulum");
  const kernel_bench bench = bench_of(m), exact(m, "gauss-6");
  const auto end_of = [&](const kernel_bench& of, std::size_t steps) {
    const double h = 0.5 / static_cast<double>(steps);
    return of.in_lanes({of.start(m, 0, h, steps)}, 4, steps, steps)[0];
  };
  const auto reference = end_of(exact, 50);
  const auto error = [&](std::size_t steps) {
    const auto end = end_of(bench, steps);
    double largest = 0;
    for (std::size_t c = 0; c < bench.code.rows.components(); ++c) {
      largest = std::max(largest, std::abs(end[bench.code.rows.state(c)] - reference[exact.code.rows.state(c)]));
    }
    return largest;
  };
  EXPECT_NEAR(error(100) / error(200), 4, 0.1);
}

}  // namespace
}  // namespace actio
