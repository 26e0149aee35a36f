#include "actio/discrete/nystrom_stages.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>

#include "actio/base/lanes.hpp"

namespace actio {

namespace {

constexpr std::size_t width = 8;

// Stages of `Points` nodes in W coordinates from k on.
template <std::size_t W, std::size_t Points, class Largest>
ACTIO_ALWAYS_INLINE void move_lanes(const nystrom_rows<double>& r, std::size_t k, Largest& largest, Largest& sum) {
  using V = lanes<W>;
  const V q = row<W>(r.position + k), rest = row<W>(r.remainder + k), v = row<W>(r.velocity + k);
  V w[Points], change{}, extent{};
  for (std::size_t j = 0; j < Points; ++j) w[j] = row<W>(r.acceleration[j] + k);
  for (std::size_t i = 0; i < Points; ++i) {
    V move = r.factor[i] * v;
    for (std::size_t j = 0; j < Points; ++j) move += r.coefficient[i * Points + j] * w[j];
    const V next = q + (rest + move);
    change = larger(change, size_of(V(next - row<W>(r.stage[i] + k))));
    extent = larger(extent, size_of(move));
    sum += next - next;
    put<V>(r.stage[i] + k, next);
  }
  const V size = size_of(q) + extent;
  largest = larger(largest, V(size > 1e-270 ? change / size : V{}));
}

template <std::size_t Points>
ACTIO_ALWAYS_INLINE double move_all(const nystrom_rows<double>& r) {
  lanes<width> largest{}, sum{};
  std::size_t k = 0;
  for (; k + width <= r.count; k += width) move_lanes<width, Points>(r, k, largest, sum);
  lanes<1> last{}, last_sum{};
  for (; k < r.count; ++k) move_lanes<1, Points>(r, k, last, last_sum);
  double all = last[0], lost = last_sum[0];
  for (std::size_t l = 0; l < width; ++l) {
    all = std::max(all, largest[l]);
    lost += sum[l];
  }
  return lost == 0 ? all : std::numeric_limits<double>::quiet_NaN();
}

#define ACTIO_MOVE(P) \
  ACTIO_CPU_CLONES double move_##P(const nystrom_rows<double>& r) { return move_all<P>(r); }
ACTIO_MOVE(1)
ACTIO_MOVE(2)
ACTIO_MOVE(3)
ACTIO_MOVE(4)
ACTIO_MOVE(5)
ACTIO_MOVE(6)
ACTIO_MOVE(7)
ACTIO_MOVE(8)
ACTIO_MOVE(9)
ACTIO_MOVE(10)
#undef ACTIO_MOVE

template <class S>
S move_numbers(const nystrom_rows<S>& r) {
  using std::abs;
  S largest(0);
  for (std::size_t k = 0; k < r.count; ++k) {
    S change(0), extent(0);
    for (std::size_t i = 0; i < r.points; ++i) {
      S move = r.factor[i] * r.velocity[k];
      for (std::size_t j = 0; j < r.points; ++j) move += r.coefficient[i * r.points + j] * r.acceleration[j][k];
      const S next = r.position[k] + (r.remainder[k] + move);
      if (!is_finite(next)) return next - next;
      change = std::max<S>(change, abs(S(next - r.stage[i][k])));
      extent = std::max<S>(extent, abs(move));
      r.stage[i][k] = next;
    }
    const S size = abs(r.position[k]) + extent;
    if (size > S(1e-270)) largest = std::max<S>(largest, change / size);
  }
  return largest;
}

ACTIO_CPU_CLONES void combine_double(std::size_t count, std::span<const double> coefficient,
                                     std::span<double* const> rows, const double* base, double* to) {
  std::size_t k = 0;
  for (; k + width <= count; k += width) {
    lanes<width> sum{};
    for (std::size_t j = 0; j < rows.size(); ++j) sum += coefficient[j] * row<width>(rows[j] + k);
    put<lanes<width>>(to + k, row<width>(base + k) + sum);
  }
  for (; k < count; ++k) {
    double sum = 0;
    for (std::size_t j = 0; j < rows.size(); ++j) sum += coefficient[j] * rows[j][k];
    to[k] = base[k] + sum;
  }
}

// a + b = sum + rest exactly.
template <class V>
ACTIO_ALWAYS_INLINE void add_exactly(V& sum, V& rest, const V& b) {
  const V a = sum, all = a + b, part = all - a;
  rest += (a - (all - part)) + (b - part);
  sum = all;
}

template <std::size_t W>
ACTIO_ALWAYS_INLINE void add_step_lanes(const step_sum<double>& s, double* values, double* remainders, std::size_t k) {
  using V = lanes<W>;
  V sum{}, rest{};
  for (std::size_t j = 0; j < s.rows.size(); ++j) {
    const V x = row<W>(s.rows[j] + k);
    add_exactly<V>(sum, rest, s.head[j] * x);
    rest += s.tail[j] * x;
  }
  add<W>(values + k, remainders + k, sum);
  add<W>(values + k, remainders + k, rest);
}

ACTIO_CPU_CLONES void add_step_double(const step_sum<double>& s, double* values, double* remainders) {
  std::size_t k = 0;
  for (; k + width <= s.count; k += width) add_step_lanes<width>(s, values, remainders, k);
  for (; k < s.count; ++k) add_step_lanes<1>(s, values, remainders, k);
}

}  // namespace

template <class S>
S move_stages(const nystrom_rows<S>& rows) {
  if constexpr (std::same_as<S, double>) {
    constexpr double (*moves[])(const nystrom_rows<double>&) = {move_1, move_2, move_3, move_4, move_5,
                                                                move_6, move_7, move_8, move_9, move_10};
    if (rows.points <= std::size(moves)) return moves[rows.points - 1](rows);
  }
  return move_numbers(rows);
}

template <class S>
void combine_rows(std::size_t count, std::span<const S> coefficient, std::span<S* const> rows, const S* base, S* to) {
  if constexpr (std::same_as<S, double>) return combine_double(count, coefficient, rows, base, to);
  for (std::size_t k = 0; k < count; ++k) {
    S sum(0);
    for (std::size_t j = 0; j < rows.size(); ++j) sum += coefficient[j] * rows[j][k];
    to[k] = base[k] + sum;
  }
}

template <class S>
void add_step(const step_sum<S>& s, S* values, S* remainders) {
  if constexpr (std::same_as<S, double>) return add_step_double(s, values, remainders);
  for (std::size_t k = 0; k < s.count; ++k) {
    S sum(0), rest(0);
    for (std::size_t j = 0; j < s.rows.size(); ++j) {
      add_exactly<S>(sum, rest, S(s.head[j] * s.rows[j][k]));
      rest += s.tail[j] * s.rows[j][k];
    }
    for (const S& part : {sum, rest}) {
      const S y = part + remainders[k], all = values[k] + y, of_y = all - values[k];
      remainders[k] = (values[k] - (all - of_y)) + (y - of_y);
      values[k] = all;
    }
  }
}

#define ACTIO_INSTANTIATE(S)                                                                         \
  template S move_stages<S>(const nystrom_rows<S>&);                                                 \
  template void combine_rows<S>(std::size_t, std::span<const S>, std::span<S* const>, const S*, S*); \
  template void add_step<S>(const step_sum<S>&, S*, S*);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
