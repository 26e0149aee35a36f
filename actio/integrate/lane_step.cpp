#include "actio/integrate/lane_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/base/lanes.hpp"
#include "actio/integrate/galerkin_step.hpp"

namespace actio {

namespace {

constexpr double rounding = 2 * std::numeric_limits<double>::epsilon();
constexpr double noise = 2 * rounding;  // of an update that rounding alone makes
constexpr int most_iterations = 12;     // beyond, the ordinary step knows better
constexpr double doubting = 1.02;       // how much the curvature may grow in a step unseen
constexpr double unknown = 1e300;       // a curvature that nothing has shown yet
constexpr std::size_t deepest = 9;      // backward differences, as step_predictor has them in double

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
    const V size = extent + size_of<V>(row<W>(&d.in[a * W]));
    put<V>(&d.inverse_weights[a * W], 1 / (size > 0 ? size : V{} + d.step));
  }
}

// Which lanes take the update of an evaluation, and which of them go on; whether any does. Rules are those of
// fused_step.
template <std::size_t W>
ACTIO_ALWAYS_INLINE bool decide(lane_data& d, int iteration) {
  constexpr std::size_t N = deciding_lanes<W>;
  using V = lanes<N>;
  using M = lane_mask<N>;
  const V zero{}, one = zero + 1;
  const double root_of_rounding = std::sqrt(rounding);
  bool any = false;
  for (std::size_t l = 0; l < W; l += N) {
    const V size = row<N>(&d.size[l]), previous = row<N>(&d.previous[l]);
    // Where updates shrink slowly, a solution may not belong to the state: for the ordinary step (step_path.hpp).
    const V shrunken = iteration > 1 ? larger<V>(0.25 * previous, zero + far_above_rounding) : zero + 1e3;
    const M iterates = row<N>(&d.iterates[l]) != 0, is_sane = size <= shrunken, takes = iterates & is_sane;
    V curvature = row<N>(&d.curvature[l]);
    M ends = size <= rounding;
    if (iteration > 1) {
      // What an update δ leaves undone is about |δ|² times the curvature.
      const V left = larger<V>(size, row<N>(&d.undone[l]));
      const V seen = larger<V>(left, zero + noise) / (previous * previous);
      const V bounded = curvature < seen ? curvature : seen;
      const V measured = curvature >= unknown ? seen : larger<V>(curvature, seen);
      const V learned = left <= noise ? bounded : measured;
      curvature = takes ? learned : curvature;
      put<V>(&d.curvature[l], curvature);
      ends |= (size <= root_of_rounding) & (size > 0.5 * previous);  // stalled at rounding
    }
    if (!d.has_power) ends |= (size < 1e-4) & (curvature * size * size <= rounding / 8);  // the rest is below rounding
    const M goes_on = takes & ~ends;
    put<V>(d.lives + l, (iterates & ~is_sane) ? zero : row<N>(d.lives + l));
    put<V>(&d.takes[l], takes ? one : zero);
    put<V>(&d.iterates[l], goes_on ? one : zero);
    put<V>(&d.previous[l], size);
    any |= is_any<N>(goes_on);
  }
  return any;
}

// Takes the update of an evaluation in the lanes that iterate; whether any goes on.
template <std::size_t W>
ACTIO_ALWAYS_INLINE bool update(lane_data& d, int iteration) {
  using V = lanes<W>;
  const std::size_t n = d.layout.n, s = d.layout.s;
  double *const z = &d.in[d.layout.unknowns() * W], *const expected = d.expected.data();
  const double* const out = d.out.data();
  const double *const increment = out + d.layout.increment() * W, *const change = out + d.layout.increment_change() * W;
  const double *const momentum = &d.in[d.layout.momentum() * W], *const inverse_weights = d.inverse_weights.data();
  V size = {}, undone = {};
  for (std::size_t a = 0; a < n; ++a) {
    const V inverse = row<W>(inverse_weights + a * W);
    for (std::size_t k = 0; k < s; ++k) {
      const V part = size_of<V>(row<W>(out + (k * n + a) * W)) * inverse;
      size = part <= size ? size : part;  // keeps NaN
    }
    if (iteration == 1) continue;
    // How far the momentum is from what the last iteration expected.
    const V now = row<W>(increment + a * W), extent = size_of<V>(now) + size_of<V>(row<W>(momentum + a * W));
    const V difference = size_of<V>(now - row<W>(expected + a * W)), ratio = difference / extent;
    undone = difference > undone * extent ? ratio : undone;
  }
  put<V>(d.size.data(), size);
  put<V>(d.undone.data(), undone);
  const bool any = decide<W>(d, iteration);
  const V takes = row<W>(d.takes.data());
  for (std::size_t j = 0; j < s * n; ++j) {
    const V now = row<W>(z + j * W), next = now - row<W>(out + j * W);
    put<V>(z + j * W, takes != 0 ? next : now);
  }
  for (std::size_t a = 0; a < n; ++a) {
    const V next = row<W>(increment + a * W) + row<W>(change + a * W);
    put<V>(expected + a * W, takes != 0 ? next : row<W>(expected + a * W));
  }
  put<V>(d.work, takes != 0 ? row<W>(out + d.layout.work() * W) : row<W>(d.work));
  return any;
}

// Adds the increments to the states and remembers the solution; see step_predictor::record.
template <std::size_t W>
ACTIO_ALWAYS_INLINE void finish(lane_data& d) {
  using V = lanes<W>;
  const std::size_t n = d.layout.n, s = d.layout.s, unknowns = s * n;
  const double *const z = &d.in[d.layout.unknowns() * W], *const inverse_weights = d.inverse_weights.data();
  double *const differences = d.differences.data(), *const continued = d.continued.data();
  const double* const continuation = d.continuation.data();
  for (std::size_t a = 0; a < n; ++a) {
    add<W>(&d.in[(d.layout.position() + a) * W], &d.in[(d.layout.position_remainder() + a) * W],
           row<W>(&z[((s - 1) * n + a) * W]));
    add<W>(&d.in[(d.layout.momentum() + a) * W], &d.in[(d.layout.momentum_remainder() + a) * W],
           row<W>(&d.expected[a * W]));
  }
  const std::size_t known = std::min(d.known + 1, deepest + 1);
  V errors[deepest + 1] = {}, polynomial_error = {};
  for (std::size_t j = 0; j < unknowns; ++j) {
    const V inverse = row<W>(inverse_weights + (j % n) * W);
    V fresh = row<W>(z + j * W);
    polynomial_error = larger<V>(polynomial_error, size_of<V>(fresh - row<W>(continued + j * W)) * inverse);
    for (std::size_t i = 0; i < known; ++i) {
      double* const difference = differences + (i * unknowns + j) * W;
      const V next = fresh - row<W>(difference);
      put<V>(difference, fresh);
      errors[i] = larger<V>(errors[i], size_of<V>(fresh) * inverse);
      fresh = next;
    }
  }
  d.known = known;

  V order = {}, best = errors[1];
  for (std::size_t m = 1; m + 1 < known; ++m) {
    order = errors[m + 1] < best ? V{} + static_cast<double>(m) : order;
    best = errors[m + 1] < best ? errors[m + 1] : best;
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
      for (std::size_t m = 0; m < s; ++m) sum += continuation[k * s + m] * row<W>(z + (m * n + a) * W);
      put<V>(continued + (k * n + a) * W, sum);
    }
  }
}

ACTIO_CPU_CLONES void predict_1(lane_data& d) { predict<1>(d); }
ACTIO_CPU_CLONES void predict_4(lane_data& d) { predict<4>(d); }
ACTIO_CPU_CLONES void predict_8(lane_data& d) { predict<8>(d); }
ACTIO_CPU_CLONES bool update_1(lane_data& d, int iteration) { return update<1>(d, iteration); }
ACTIO_CPU_CLONES bool update_4(lane_data& d, int iteration) { return update<4>(d, iteration); }
ACTIO_CPU_CLONES bool update_8(lane_data& d, int iteration) { return update<8>(d, iteration); }
ACTIO_CPU_CLONES void finish_1(lane_data& d) { finish<1>(d); }
ACTIO_CPU_CLONES void finish_4(lane_data& d) { finish<4>(d); }
ACTIO_CPU_CLONES void finish_8(lane_data& d) { finish<8>(d); }

}  // namespace

struct lane_step::kernels {
  void (*predict)(lane_data&);
  bool (*update)(lane_data&, int);
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
    : lane_workspace(width),
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
  const auto rows = [&](aligned_vector<double>& of, std::size_t count) { of.assign(count * width, 0.0); };
  rows(data_.in, layout.variables());
  rows(data_.out, layout.outputs());
  rows(data_.differences, (deepest + 1) * unknowns);
  rows(data_.continued, unknowns);
  rows(data_.inverse_weights, layout.n);
  rows(data_.expected, layout.n);
  for (auto* of : {&data_.order, &data_.by_polynomial, &data_.size, &data_.undone, &data_.previous, &data_.takes,
                   &data_.iterates, &data_.curvature})
    rows(*of, 1);
  lives_.assign(width, 0.0);
  data_.lives = lives_.data();
  data_.work = work_.data();
  const auto row_at = [&](std::size_t k) { return data_.in.data() + k * width; };
  rows_ = {row_at(layout.position()),
           row_at(layout.position_remainder()),
           row_at(layout.momentum()),
           row_at(layout.momentum_remainder()),
           layout.varied > 0 ? row_at(layout.parameters()) : nullptr,
           lives_.data()};
  std::vector<double> parameters(shared.begin(), shared.end());
  parameters.push_back(step);
  iteration_->set_parameters(parameters);
  clear();
}

void lane_step::clear() {
  data_.known = data_.highest = 0;
  for (auto* of : {&data_.differences, &data_.continued, &data_.order, &data_.by_polynomial})
    std::ranges::fill(*of, 0.0);
  std::ranges::fill(data_.curvature, unknown);
  std::ranges::fill(lives_, 0.0);
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
  data_.iterates = lives_;
  bool unsolved = true;
  for (int k = 1; k <= most_iterations && unsolved; ++k) {
    (*iteration_)(data_.in.data(), data_.out.data());
    unsolved = kernels_->update(data_, k);
  }
  double living = 0;
  for (std::size_t l = 0; l < width_; ++l) {
    if (data_.iterates[l] != 0) lives_[l] = 0;
    living += lives_[l];
  }
  kernels_->finish(data_);
  return living > 0;
}

}  // namespace actio
