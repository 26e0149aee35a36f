#include "actio/integrate/lane_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/base/cpu_clones.hpp"
#include "actio/integrate/galerkin_step.hpp"

namespace actio {

namespace {

// As in fused_step.
constexpr double rounding = 2 * std::numeric_limits<double>::epsilon();
constexpr double noise = 16 * rounding;
constexpr int most_iterations = 12;
constexpr double doubting = 1.02;
constexpr double unknown = 1e300;
constexpr std::size_t deepest = 9;  // backward differences, as step_predictor has them in double

ACTIO_ALWAYS_INLINE double larger(double a, double b) { return a < b ? b : a; }

// The prediction of each lane by its own order, and the weights of its coordinates.
template <std::size_t W>
ACTIO_ALWAYS_INLINE void predict(lane_data& d) {
  const std::size_t n = d.layout.n, unknowns = d.layout.s * n;
  double* const z = &d.in[d.layout.unknowns() * W];
  if (d.known > 0) {
    for (std::size_t j = 0; j < unknowns; ++j) {
      double sum[W] = {};
      for (std::size_t i = d.highest + 1; i-- > 0;) {
        const double* const difference = &d.differences[(i * unknowns + j) * W];
        for (std::size_t l = 0; l < W; ++l) {
          const double more = sum[l] + difference[l];
          sum[l] = static_cast<double>(i) <= d.order[l] ? more : sum[l];
        }
      }
      for (std::size_t l = 0; l < W; ++l) {
        const double continued = d.continued[j * W + l];
        z[j * W + l] = d.by_polynomial[l] != 0 ? continued : sum[l];
      }
    }
  }
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t l = 0; l < W; ++l) {
      double extent = 0;
      for (std::size_t k = 0; k < d.layout.s; ++k) extent = larger(extent, std::abs(z[(k * n + a) * W + l]));
      const double size = extent + 1e-3 * std::abs(d.in[a * W + l]);
      d.inverse_weights[a * W + l] = 1 / (size > 0 ? size : d.step);
    }
  }
}

// Takes the update of an evaluation in the lanes that iterate; how many go on iterating.
template <std::size_t W>
ACTIO_ALWAYS_INLINE int update(lane_data& d, bool is_first) {
  const std::size_t n = d.layout.n, unknowns = d.layout.s * n;
  double* const z = &d.in[d.layout.unknowns() * W];
  const double* const increment = &d.out[d.layout.increment() * W];
  const double* const change = &d.out[d.layout.increment_change() * W];
  const double* const momentum = &d.in[d.layout.momentum() * W];
  double size[W] = {}, undone[W] = {}, takes[W];
  for (std::size_t j = 0; j < unknowns; ++j) {
    for (std::size_t l = 0; l < W; ++l) {
      const double part = std::abs(d.out[j * W + l]) * d.inverse_weights[(j % n) * W + l];
      size[l] = part <= size[l] ? size[l] : part;  // keeps NaN
    }
  }
  for (std::size_t a = 0; a < n; ++a) {  // how far the momentum is from what the last iteration expected
    for (std::size_t l = 0; l < W; ++l) {
      const double now = increment[a * W + l], extent = std::abs(now) + 1e-3 * std::abs(momentum[a * W + l]);
      const double difference = std::abs(now - d.expected[a * W + l]);
      const double ratio = difference / extent;
      undone[l] = difference > undone[l] * extent ? ratio : undone[l];
    }
  }
  for (std::size_t l = 0; l < W; ++l) {
    const bool is_sane = size[l] <= 1e3;
    takes[l] = d.iterates[l] != 0 && is_sane ? 1.0 : 0.0;
    d.lives[l] = d.iterates[l] != 0 && !is_sane ? 0.0 : d.lives[l];
  }
  if (!is_first) {  // what an update δ leaves undone is about |δ|² times the curvature
    for (std::size_t l = 0; l < W; ++l) {
      const double left = larger(size[l], undone[l]);
      const double seen = larger(left, noise) / (d.previous[l] * d.previous[l]), old = d.curvature[l];
      const double bounded = old < seen ? old : seen, measured = old >= unknown ? seen : larger(old, seen);
      const double learned = left <= noise ? bounded : measured;
      d.curvature[l] = takes[l] != 0 ? learned : old;
    }
  }
  for (std::size_t j = 0; j < unknowns; ++j) {
    for (std::size_t l = 0; l < W; ++l) {
      const double next = z[j * W + l] - d.out[j * W + l];
      z[j * W + l] = takes[l] != 0 ? next : z[j * W + l];
    }
  }
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t l = 0; l < W; ++l) {
      const double next = increment[a * W + l] + change[a * W + l];
      d.expected[a * W + l] = takes[l] != 0 ? next : d.expected[a * W + l];
    }
  }
  double going_on = 0;
  for (std::size_t l = 0; l < W; ++l) {
    d.work[l] = takes[l] != 0 ? d.out[d.layout.work() * W + l] : d.work[l];
    const bool stalled = !is_first && size[l] > 0.5 * d.previous[l] && size[l] <= std::sqrt(rounding);
    const bool next_is_below =
        !d.has_power && d.curvature[l] >= 0 && size[l] < 1e-4 && d.curvature[l] * size[l] * size[l] <= rounding / 8;
    const bool is_done = size[l] <= rounding || stalled || next_is_below;
    d.iterates[l] = takes[l] != 0 && !is_done ? 1.0 : 0.0;
    d.previous[l] = size[l];
    going_on += d.iterates[l];
  }
  return static_cast<int>(going_on);
}

template <std::size_t W>
ACTIO_ALWAYS_INLINE void add(double* value, double* remainder, const double* increment) {
  for (std::size_t l = 0; l < W; ++l) {
    const double y = increment[l] + remainder[l], sum = value[l] + y, part = sum - value[l];
    remainder[l] = (value[l] - (sum - part)) + (y - part);
    value[l] = sum;
  }
}

// Adds the increments to the states and remembers the solution; see step_predictor::record.
template <std::size_t W>
ACTIO_ALWAYS_INLINE void finish(lane_data& d) {
  const std::size_t n = d.layout.n, s = d.layout.s, unknowns = s * n;
  const double* const z = &d.in[d.layout.unknowns() * W];
  for (std::size_t a = 0; a < n; ++a) {
    add<W>(&d.in[(d.layout.position() + a) * W], &d.in[(d.layout.position_remainder() + a) * W],
           &z[((s - 1) * n + a) * W]);
    add<W>(&d.in[(d.layout.momentum() + a) * W], &d.in[(d.layout.momentum_remainder() + a) * W], &d.expected[a * W]);
  }
  const std::size_t known = std::min(d.known + 1, deepest + 1);
  double errors[deepest + 1][W] = {}, polynomial_error[W] = {};
  for (std::size_t j = 0; j < unknowns; ++j) {
    const double* const inverse = &d.inverse_weights[(j % n) * W];
    double fresh[W];
    for (std::size_t l = 0; l < W; ++l) {
      fresh[l] = z[j * W + l];
      polynomial_error[l] = larger(polynomial_error[l], std::abs(fresh[l] - d.continued[j * W + l]) * inverse[l]);
    }
    for (std::size_t i = 0; i < known; ++i) {
      double* const difference = &d.differences[(i * unknowns + j) * W];
      for (std::size_t l = 0; l < W; ++l) {
        const double next = fresh[l] - difference[l];
        difference[l] = fresh[l];
        errors[i][l] = larger(errors[i][l], std::abs(fresh[l]) * inverse[l]);
        fresh[l] = next;
      }
    }
  }
  d.known = known;

  double best[W];
  for (std::size_t l = 0; l < W; ++l) {
    d.order[l] = 0;
    best[l] = errors[1][l];
    d.curvature[l] *= doubting;
  }
  for (std::size_t m = 1; m + 1 < known; ++m) {
    for (std::size_t l = 0; l < W; ++l) {
      const bool is_better = errors[m + 1][l] < best[l];
      d.order[l] = is_better ? static_cast<double>(m) : d.order[l];
      best[l] = is_better ? errors[m + 1][l] : best[l];
    }
  }
  double highest = 0;
  for (std::size_t l = 0; l < W; ++l) {
    d.by_polynomial[l] = known < 2 || polynomial_error[l] < best[l] ? 1.0 : 0.0;
    highest = larger(highest, d.order[l]);
  }
  d.highest = static_cast<std::size_t>(highest);
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t a = 0; a < n; ++a) {
      double sum[W] = {};
      for (std::size_t m = 0; m < s; ++m) {
        const double factor = d.continuation[k * s + m];
        for (std::size_t l = 0; l < W; ++l) sum[l] += factor * z[(m * n + a) * W + l];
      }
      for (std::size_t l = 0; l < W; ++l) d.continued[(k * n + a) * W + l] = sum[l];
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
