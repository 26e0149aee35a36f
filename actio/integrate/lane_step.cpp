#include "actio/integrate/lane_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/base/cpu_clones.hpp"
#include "actio/integrate/galerkin_step.hpp"

// Functions that take or return vectors are always inlined: no call ever passes one.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace actio {

namespace {

// As in fused_step.
constexpr double rounding = 2 * std::numeric_limits<double>::epsilon();
constexpr double noise = 16 * rounding;
constexpr int most_iterations = 12;
constexpr double doubting = 1.02;
constexpr double unknown = 1e300;
constexpr std::size_t deepest = 9;  // backward differences, as step_predictor has them in double

// W doubles side by side; comparisons choose lane by lane. Written out, because loops over lanes stay scalar where the
// compiler must expect that rows overlap.
template <std::size_t W>
using lanes __attribute__((vector_size(W * sizeof(double)))) = double;

template <std::size_t W>
ACTIO_ALWAYS_INLINE lanes<W> row(const double* from) {
  lanes<W> result;
  __builtin_memcpy(&result, from, sizeof(result));
  return result;
}

template <class V>
ACTIO_ALWAYS_INLINE void put(double* to, V value) {
  __builtin_memcpy(to, &value, sizeof(value));
}

template <class V>
ACTIO_ALWAYS_INLINE V size_of(V a) {
  return a < 0 ? -a : a;
}

template <class V>
ACTIO_ALWAYS_INLINE V larger(V a, V b) {
  return a < b ? b : a;
}

// The prediction of each lane by its own order, and the weights of its coordinates.
template <std::size_t W>
ACTIO_ALWAYS_INLINE void predict(lane_data& d) {
  using V = lanes<W>;
  const std::size_t n = d.layout.n, unknowns = d.layout.s * n;
  double* const z = &d.in[d.layout.unknowns() * W];
  if (d.known > 0) {
    const V order = row<W>(d.order.data()), by_polynomial = row<W>(d.by_polynomial.data());
    for (std::size_t j = 0; j < unknowns; ++j) {
      V sum = {};
      for (std::size_t i = d.highest + 1; i-- > 0;) {
        const V more = sum + row<W>(&d.differences[(i * unknowns + j) * W]);
        sum = order >= static_cast<double>(i) ? more : sum;
      }
      const V continued = row<W>(&d.continued[j * W]);
      put<V>(&z[j * W], by_polynomial != 0 ? continued : sum);
    }
  }
  for (std::size_t a = 0; a < n; ++a) {
    V extent = {};
    for (std::size_t k = 0; k < d.layout.s; ++k) extent = larger<V>(extent, size_of<V>(row<W>(&z[(k * n + a) * W])));
    const V size = extent + 1e-3 * size_of<V>(row<W>(&d.in[a * W]));
    put<V>(&d.inverse_weights[a * W], 1 / (size > 0 ? size : V{} + d.step));
  }
}

// Takes the update of an evaluation in the lanes that iterate; how many go on iterating.
template <std::size_t W>
ACTIO_ALWAYS_INLINE int update(lane_data& d, bool is_first) {
  using V = lanes<W>;
  const std::size_t n = d.layout.n, unknowns = d.layout.s * n;
  double* const z = &d.in[d.layout.unknowns() * W];
  const double* const increment = &d.out[d.layout.increment() * W];
  const double* const change = &d.out[d.layout.increment_change() * W];
  const double* const momentum = &d.in[d.layout.momentum() * W];
  const V zero = {}, iterates = row<W>(d.iterates.data()), previous = row<W>(d.previous.data());
  V size = {}, undone = {};
  for (std::size_t j = 0; j < unknowns; ++j) {
    const V part = size_of<V>(row<W>(&d.out[j * W])) * row<W>(&d.inverse_weights[(j % n) * W]);
    size = part <= size ? size : part;  // keeps NaN
  }
  const auto is_sane = size <= 1e3;
  const V takes = is_sane ? iterates : zero;
  put<V>(d.lives.data(), is_sane ? row<W>(d.lives.data()) : (iterates != 0 ? zero : row<W>(d.lives.data())));
  V curvature = row<W>(d.curvature.data());
  if (!is_first) {
    for (std::size_t a = 0; a < n; ++a) {  // how far the momentum is from what the last iteration expected
      const V now = row<W>(&increment[a * W]), extent = size_of<V>(now) + 1e-3 * size_of<V>(row<W>(&momentum[a * W]));
      const V difference = size_of<V>(now - row<W>(&d.expected[a * W])), ratio = difference / extent;
      undone = difference > undone * extent ? ratio : undone;
    }
    // What an update δ leaves undone is about |δ|² times the curvature.
    const V left = larger<V>(size, undone), seen = larger<V>(left, zero + noise) / (previous * previous);
    const V bounded = curvature < seen ? curvature : seen;
    const V measured = curvature >= unknown ? seen : larger<V>(curvature, seen);
    const V learned = left <= noise ? bounded : measured;
    curvature = takes != 0 ? learned : curvature;
    put<V>(d.curvature.data(), curvature);
  }
  for (std::size_t j = 0; j < unknowns; ++j) {
    const V now = row<W>(&z[j * W]), next = now - row<W>(&d.out[j * W]);
    put<V>(&z[j * W], takes != 0 ? next : now);
  }
  for (std::size_t a = 0; a < n; ++a) {
    const V next = row<W>(&increment[a * W]) + row<W>(&change[a * W]);
    put<V>(&d.expected[a * W], takes != 0 ? next : row<W>(&d.expected[a * W]));
  }
  put<V>(d.work.data(), takes != 0 ? row<W>(&d.out[d.layout.work() * W]) : row<W>(d.work.data()));
  V unfinished = size <= rounding ? zero : takes;
  if (!is_first) {  // stalled at rounding
    const V stalled = size > 0.5 * previous ? zero : unfinished;
    unfinished = size <= std::sqrt(rounding) ? stalled : unfinished;
  }
  if (!d.has_power) {  // what the update leaves undone is below rounding
    const V rest = curvature * size * size;
    const V goes_on = rest <= rounding / 8 ? zero : unfinished;
    unfinished = size < 1e-4 ? goes_on : unfinished;
  }
  put<V>(d.iterates.data(), unfinished);
  put<V>(d.previous.data(), size);
  double going_on = 0;
  for (std::size_t l = 0; l < W; ++l) going_on += unfinished[l];
  return static_cast<int>(going_on);
}

template <std::size_t W>
ACTIO_ALWAYS_INLINE void add(double* values, double* remainders, lanes<W> increment) {
  using V = lanes<W>;
  const V value = row<W>(values), y = increment + row<W>(remainders), sum = value + y, part = sum - value;
  put<V>(remainders, (value - (sum - part)) + (y - part));
  put<V>(values, sum);
}

// Adds the increments to the states and remembers the solution; see step_predictor::record.
template <std::size_t W>
ACTIO_ALWAYS_INLINE void finish(lane_data& d) {
  using V = lanes<W>;
  const std::size_t n = d.layout.n, s = d.layout.s, unknowns = s * n;
  const double* const z = &d.in[d.layout.unknowns() * W];
  for (std::size_t a = 0; a < n; ++a) {
    add<W>(&d.in[(d.layout.position() + a) * W], &d.in[(d.layout.position_remainder() + a) * W],
           row<W>(&z[((s - 1) * n + a) * W]));
    add<W>(&d.in[(d.layout.momentum() + a) * W], &d.in[(d.layout.momentum_remainder() + a) * W],
           row<W>(&d.expected[a * W]));
  }
  const std::size_t known = std::min(d.known + 1, deepest + 1);
  V errors[deepest + 1] = {}, polynomial_error = {};
  for (std::size_t j = 0; j < unknowns; ++j) {
    const V inverse = row<W>(&d.inverse_weights[(j % n) * W]);
    V fresh = row<W>(&z[j * W]);
    polynomial_error = larger<V>(polynomial_error, size_of<V>(fresh - row<W>(&d.continued[j * W])) * inverse);
    for (std::size_t i = 0; i < known; ++i) {
      double* const difference = &d.differences[(i * unknowns + j) * W];
      const V next = fresh - row<W>(difference);
      put<V>(difference, fresh);
      errors[i] = larger<V>(errors[i], size_of<V>(fresh) * inverse);
      fresh = next;
    }
  }
  d.known = known;

  V order = {}, best = errors[1];
  for (std::size_t m = 1; m + 1 < known; ++m) {
    const auto is_better = errors[m + 1] < best;
    order = is_better ? V{} + static_cast<double>(m) : order;
    best = is_better ? errors[m + 1] : best;
  }
  const V one = V{} + 1;
  put<V>(d.curvature.data(), row<W>(d.curvature.data()) * doubting);
  put<V>(d.order.data(), order);
  put<V>(d.by_polynomial.data(), known < 2 ? one : (polynomial_error < best ? one : V{}));
  double highest = 0;
  for (std::size_t l = 0; l < W; ++l) highest = std::max(highest, order[l]);
  d.highest = static_cast<std::size_t>(highest);
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t a = 0; a < n; ++a) {
      V sum = {};
      for (std::size_t m = 0; m < s; ++m) sum += d.continuation[k * s + m] * row<W>(&z[(m * n + a) * W]);
      put<V>(&d.continued[(k * n + a) * W], sum);
    }
  }
}

ACTIO_CPU_CLONES void predict_1(lane_data& d) { predict<1>(d); }
ACTIO_CPU_CLONES void predict_4(lane_data& d) { predict<4>(d); }
ACTIO_CPU_CLONES void predict_8(lane_data& d) { predict<8>(d); }
ACTIO_CPU_CLONES int update_1(lane_data& d, bool is_first) { return update<1>(d, is_first); }
ACTIO_CPU_CLONES int update_4(lane_data& d, bool is_first) { return update<4>(d, is_first); }
ACTIO_CPU_CLONES int update_8(lane_data& d, bool is_first) { return update<8>(d, is_first); }
ACTIO_CPU_CLONES void finish_1(lane_data& d) { finish<1>(d); }
ACTIO_CPU_CLONES void finish_4(lane_data& d) { finish<4>(d); }
ACTIO_CPU_CLONES void finish_8(lane_data& d) { finish<8>(d); }

}  // namespace

struct lane_step::kernels {
  void (*predict)(lane_data&);
  int (*update)(lane_data&, bool);
  void (*finish)(lane_data&);
};

const lane_step::kernels& lane_step::kernels_for(std::size_t width) {
  static const kernels of_1{predict_1, update_1, finish_1}, of_4{predict_4, update_4, finish_4},
      of_8{predict_8, update_8, finish_8};
  ACTIO_ASSERT(width == 1 || width == 4 || width == 8);
  return width == 1 ? of_1 : width == 4 ? of_4 : of_8;
}

lane_step::lane_step(const galerkin_scheme& scheme, const compiled_function<double>& iteration,
                     const newton_layout& layout, std::span<const double> shared, double step, bool has_power,
                     std::size_t width)
    : width_(width),
      kernels_(&kernels_for(width)),
      tableau_(make_tableau<double>(scheme)),
      iteration_(iteration.evaluate_at(width)) {
  ACTIO_ASSERT(iteration_->stride() == width);
  const std::size_t s = layout.s, unknowns = s * layout.n;
  data_.layout = layout;
  data_.step = step;
  data_.has_power = has_power;
  const matrix<double> continuation = polynomial_continuation(tableau_);
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t l = 0; l < s; ++l) data_.continuation.push_back(continuation(k, l));
  }
  const auto rows = [&](std::vector<double>& of, std::size_t count) { of.assign(count * width, 0.0); };
  rows(data_.in, layout.variables());
  rows(data_.out, layout.outputs());
  rows(data_.differences, (deepest + 1) * unknowns);
  rows(data_.continued, unknowns);
  rows(data_.inverse_weights, layout.n);
  rows(data_.expected, layout.n);
  for (auto* of : {&data_.order, &data_.by_polynomial, &data_.previous, &data_.iterates, &data_.lives, &data_.work})
    rows(*of, 1);
  data_.curvature.assign(width, unknown);
  std::vector<double> parameters(shared.begin(), shared.end());
  parameters.push_back(step);
  iteration_->set_parameters(parameters);
}

void lane_step::start(std::size_t lane, std::span<const double> position, std::span<const double> momentum,
                      std::span<const double> varied) {
  const newton_layout& at = data_.layout;
  for (std::size_t a = 0; a < at.n; ++a) {
    data_.in[(at.position() + a) * width_ + lane] = position[a];
    data_.in[(at.momentum() + a) * width_ + lane] = momentum[a];
  }
  for (std::size_t k = 0; k < at.varied; ++k) data_.in[(at.parameters() + k) * width_ + lane] = varied[k];
  data_.lives[lane] = 1;
}

void lane_step::guess(const double* velocity) {
  const newton_layout& at = data_.layout;
  for (std::size_t k = 1; k <= at.s; ++k) {
    for (std::size_t j = 0; j < at.n * width_; ++j) {
      data_.in[(at.unknowns() + (k - 1) * at.n) * width_ + j] = tableau_.control[k] * data_.step * velocity[j];
    }
  }
}

bool lane_step::advance(std::size_t index) {
  std::fill_n(&data_.in[data_.layout.time() * width_], width_, static_cast<double>(index) * data_.step);
  kernels_->predict(data_);
  data_.iterates = data_.lives;
  bool unsolved = true;
  for (int k = 1; k <= most_iterations && unsolved; ++k) {
    (*iteration_)(data_.in.data(), data_.out.data());
    unsolved = kernels_->update(data_, k == 1) > 0;
  }
  double living = 0;
  for (std::size_t l = 0; l < width_; ++l) {
    if (data_.iterates[l] != 0) data_.lives[l] = 0;
    living += data_.lives[l];
  }
  kernels_->finish(data_);
  return living > 0;
}

}  // namespace actio
