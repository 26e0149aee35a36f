// Gauss collocation with eight nodes (order 16) written by hand: the nodes of a step are the lanes of one vector.
//
// Rates at the nodes are iterated, starting from the last step's polynomial continued over this one. The first
// evaluation of a step takes sines and cosines from SLEEF; later ones turn those by the small change of the angles.
#include "double_pendulum/equations.hpp"

#if defined(__AVX512F__) && defined(ACTIO_BENCH_SLEEF)

#include <immintrin.h>
#include <sleef.h>

#include <memory>

#include "common/gauss_table.hpp"

namespace actio::bench::double_pendulum {

namespace {

using lanes = double __attribute__((vector_size(64)));

lanes all(double x) { return lanes{x, x, x, x, x, x, x, x}; }

template <int Lane>
lanes spread(lanes x) {
  return _mm512_permutexvar_pd(_mm512_set1_epi64(Lane), x);
}

// Σ_j columns[j] x_j, in two chains.
lanes product(const lanes (&columns)[8], lanes x) {
  lanes even = columns[0] * spread<0>(x), odd = columns[1] * spread<1>(x);
  even += columns[2] * spread<2>(x);
  odd += columns[3] * spread<3>(x);
  even += columns[4] * spread<4>(x);
  odd += columns[5] * spread<5>(x);
  even += columns[6] * spread<6>(x);
  odd += columns[7] * spread<7>(x);
  return even + odd;
}

struct turned_angle {
  lanes angle, sine, cosine;

  void renew(lanes x) {
    angle = x;
    const auto both = Sleef_sincosd8_u10avx512f(x);
    sine = both.x;
    cosine = both.y;
  }
  // sin and cos of x = angle + d for |d| below 1/64, by their series.
  void at(lanes x, lanes& s, lanes& c) const {
    const lanes d = x - angle, dd = d * d;
    const lanes sd = d + d * dd * (all(-1.0 / 6) + dd * (all(1.0 / 120) - dd * all(1.0 / 5040)));
    const lanes vd = dd * (all(0.5) + dd * (all(-1.0 / 24) + dd * all(1.0 / 720)));  // 1 − cos d
    s = sine + (cosine * sd - sine * vd);
    c = cosine - (sine * sd + cosine * vd);
  }
  bool near(lanes x) const { return _mm512_reduce_max_pd(_mm512_abs_pd(x - angle)) < 1.0 / 64; }
};

class gauss {
 public:
  explicit gauss(std::size_t steps) : steps_(steps), h_(until / static_cast<double>(steps)) {
    const gauss_table table = gauss_coefficients(8);
    for (int j = 0; j < 8; ++j) {
      weights_[j] = table.weights[j];
      for (int i = 0; i < 8; ++i) {
        a_[j][i] = h_ * table.a[i][j];
        continued_[j][i] = table.continued[i][j];
      }
    }
  }

  attempt run() {
    for (int i = 0; i < 4; ++i) value_[i] = start[i], rest_[i] = 0, rates_[i] = lanes{};
    for (std::size_t i = 0; i < steps_; ++i) {
      if (!advance(i > 0)) return {};
    }
    return {{value_[0], value_[1], value_[2], value_[3]}, steps_};
  }

 private:
  bool advance(bool has_past) {
    lanes k[4], y[4];
    const auto place = [&](int i) { y[i] = all(value_[i]) + (product(a_, k[i]) + all(rest_[i])); };
    for (int i = 0; i < 4; ++i) {
      k[i] = has_past ? product(continued_, rates_[i]) : lanes{};
      place(i);
    }
    turned_angle first, second;
    double last_change = 1e300;
    for (int iteration = 0; iteration < 100; ++iteration) {
      if (iteration == 0 || !first.near(y[0]) || !second.near(y[1])) {
        first.renew(y[0]);
        second.renew(y[1]);
      }
      lanes s1, c1, s2, c2;
      first.at(y[0], s1, c1);
      second.at(y[1], s2, c2);
      const lanes s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2, inverse = 1.0 / (2.0 - c * c);
      const lanes coupling = (y[2] - c * y[3]) * (2.0 * y[3] - c * y[2]) * (inverse * inverse * s);
      const lanes f1 = -coupling - 2 * gravity * s1, f2 = coupling - gravity * s2;
      const lanes moved_f = _mm512_max_pd(_mm512_abs_pd(f1 - k[2]), _mm512_abs_pd(f2 - k[3]));
      // New momenta first, then velocities at these: twice as fast as all rates at once.
      k[2] = f1, k[3] = f2;
      place(2), place(3);
      const lanes v1 = (y[2] - c * y[3]) * inverse, v2 = (2.0 * y[3] - c * y[2]) * inverse;
      const lanes moved_v = _mm512_max_pd(_mm512_abs_pd(v1 - k[0]), _mm512_abs_pd(v2 - k[1]));
      k[0] = v1, k[1] = v2;
      place(0), place(1);
      const double change = h_ * _mm512_reduce_max_pd(_mm512_max_pd(moved_f, moved_v));
      if (!(change < 1e6)) return false;
      // Converged when what the next iteration would change is below the rounding of the state.
      const double next = last_change < 1e300 ? change * change / last_change : change;
      if (next < 2e-16 || (change < 1e-13 && change >= last_change)) {
        for (int i = 0; i < 4; ++i) {
          add(i, h_ * _mm512_reduce_add_pd(weights_ * k[i]));
          rates_[i] = k[i];
        }
        return true;
      }
      last_change = change;
    }
    return false;
  }

  void add(int i, double increment) {
    const double y = increment + rest_[i], sum = value_[i] + y, part = sum - value_[i];
    rest_[i] = (value_[i] - (sum - part)) + (y - part);
    value_[i] = sum;
  }

  std::size_t steps_;
  double h_, value_[4], rest_[4];
  lanes weights_, a_[8], continued_[8], rates_[4];
};

}  // namespace

std::vector<competitor> hand_written_gauss() {
  return {{"hand-written", "gauss-8", "steps", step_counts(14, 120, 4), [](double count) -> prepared_run {
             const auto solver = std::make_shared<gauss>(static_cast<std::size_t>(count));
             return [solver] { return solver->run(); };
           }}};
}

}  // namespace actio::bench::double_pendulum

#else

namespace actio::bench::double_pendulum {

std::vector<competitor> hand_written_gauss() { return {}; }

}  // namespace actio::bench::double_pendulum

#endif
