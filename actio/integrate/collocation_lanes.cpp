#include "actio/integrate/collocation_lanes.hpp"

#include <algorithm>
#include <cmath>

#include "actio/base/error.hpp"
#include "actio/integrate/lanes.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {

struct collocation_kernels {
  void (*predict)(collocation_lane_data&);
  void (*predict_again)(collocation_lane_data&);
  bool (*iterate)(collocation_lane_data&, int);
  bool (*take)(collocation_lane_data&, int);  // the second half of it
  void (*finish)(collocation_lane_data&);
};

namespace {

using namespace stage_rules;

constexpr std::size_t most_pairs = 8;  // of nodes, the one in the middle included

// Σ_j coefficients[j] · rows[j], in two sums because one would wait for itself.
template <std::size_t W>
ACTIO_ALWAYS_INLINE lanes<W> combined(const double* coefficients, const double* rows, std::size_t points) {
  lanes<W> even{}, odd{};
  std::size_t j = 0;
#pragma GCC unroll 8
  for (; j + 1 < points; j += 2) {
    even += coefficients[j] * row<W>(rows + j * W);
    odd += coefficients[j + 1] * row<W>(rows + (j + 1) * W);
  }
  if (j < points) even += coefficients[j] * row<W>(rows + j * W);
  return even + odd;
}

// The arguments of the stages, from their increments.
template <std::size_t W, std::size_t S>
ACTIO_ALWAYS_INLINE void set_arguments(collocation_lane_data& d) {
  using V = lanes<W>;
  const std::size_t components = d.components, points = S > 0 ? S : d.points, stride = d.stride;
  const double *const state = d.state.data(), *const remainders = d.remainder.data();
  const double *const small = d.small.data(), *const increments = d.increments.data();
  double* const in = d.in.data();
  const V iterates = row<W>(d.iterates.data());
  for (std::size_t c = 0; c < components; ++c) {
    const V start = row<W>(state + c * W), remainder = row<W>(remainders + c * W);
    for (std::size_t at = c * stride; at < c * stride + points * W; at += W) {
      const V next = start + ((remainder + row<W>(small + at)) + row<W>(increments + at));
      put<V>(in + at, iterates != 0 ? next : row<W>(in + at));
    }
  }
}

// Takes the new increments in the lanes that iterate. A lane that does not keeps its own and its arguments, so that
// evaluating once more gives the same rates.
template <std::size_t W, std::size_t S>
ACTIO_ALWAYS_INLINE void take_increments(collocation_lane_data& d) {
  using V = lanes<W>;
  const std::size_t components = d.components, points = S > 0 ? S : d.points, stride = d.stride;
  const double* const next = d.next.data();
  double* const increments = d.increments.data();
  const V iterates = row<W>(d.iterates.data());
  for (std::size_t c = 0; c < components; ++c) {
    for (std::size_t at = c * stride; at < c * stride + points * W; at += W) {
      put<V>(increments + at, iterates != 0 ? row<W>(next + at) : row<W>(increments + at));
    }
  }
  set_arguments<W, S>(d);
}

// The stages that polynomials through the last rates, continued, lead to: in every lane those of the one that was
// nearest last time. Lanes that are lost look at the origin, where nothing is slow.
template <std::size_t W, std::size_t S>
ACTIO_ALWAYS_INLINE void predict(collocation_lane_data& d) {
  using V = lanes<W>;
  const std::size_t components = d.components, points = S > 0 ? S : d.points, stride = d.stride;
  const double* const rates = d.rates.data();
  double *const increments = d.increments.data(), *const in = d.in.data();
  const V zero{}, lives = row<W>(d.lives), choice = row<W>(d.choice.data());
  std::fill(d.small.begin(), d.small.end(), 0.0);
  for (std::size_t k = 0; k < d.predictions.size(); ++k) {
    const std::size_t nodes = d.predictions[k].nodes;
    const double* const coefficients = d.predictions[k].coefficients.data();
    double* const predicted = d.predictions[k].increments.data();
    for (std::size_t c = 0; c < components; ++c) {
      for (std::size_t i = 0; i < points; ++i) {
        const std::size_t at = c * stride + i * W;
        const V z = combined<W>(coefficients + i * nodes, rates + c * stride + (points - nodes) * W, nodes);
        put<V>(predicted + at, z);
        put<V>(increments + at, choice == static_cast<double>(k) ? z : row<W>(increments + at));
      }
    }
  }
  for (std::size_t c = 0; c < components; ++c) {
    V extent{};
    for (std::size_t at = c * stride; at < c * stride + points * W; at += W) {
      extent = larger<V>(extent, size_of<V>(row<W>(increments + at)));
      put<V>(in + at, zero);
    }
    const V size = extent + size_of<V>(row<W>(&d.state[c * W]));
    put<V>(&d.inverse_weights[c * W], size > 0 ? 1 / size : zero);
  }
  put<V>(d.iterates.data(), lives);
  put<V>(d.has_tails.data(), zero);
  set_arguments<W, S>(d);
}

// The simplest prediction for the lanes that are wanted, and only these iterate: guesses of high degree may be so far
// off that nothing converges from there.
template <std::size_t W, std::size_t S>
ACTIO_ALWAYS_INLINE void predict_again(collocation_lane_data& d) {
  using V = lanes<W>;
  const std::size_t components = d.components, points = S > 0 ? S : d.points, stride = d.stride;
  const double* const predicted = d.predictions[0].increments.data();
  double *const increments = d.increments.data(), *const small = d.small.data();
  const V zero{}, wanted = row<W>(d.wanted.data());
  for (std::size_t c = 0; c < components; ++c) {
    V extent{};
    for (std::size_t at = c * stride; at < c * stride + points * W; at += W) {
      const V z = row<W>(predicted + at);
      extent = larger<V>(extent, size_of<V>(z));
      put<V>(increments + at, wanted != 0 ? z : row<W>(increments + at));
      put<V>(small + at, wanted != 0 ? zero : row<W>(small + at));
    }
    double* const inverse = &d.inverse_weights[c * W];
    const V size = extent + size_of<V>(row<W>(&d.state[c * W])), fresh = size > 0 ? 1 / size : zero;
    put<V>(inverse, wanted != 0 ? fresh : row<W>(inverse));
  }
  put<V>(d.iterates.data(), wanted);
  put<V>(d.has_tails.data(), wanted != 0 ? zero : row<W>(d.has_tails.data()));
  set_arguments<W, S>(d);
}

// Which of the predictions came nearest to the solution; the simplest of equals.
template <std::size_t W, std::size_t S>
ACTIO_ALWAYS_INLINE void judge_predictions(collocation_lane_data& d) {
  using V = lanes<W>;
  const std::size_t components = d.components, points = S > 0 ? S : d.points, stride = d.stride;
  const double* const increments = d.increments.data();
  V least{}, choice{};
  for (std::size_t k = 0; k < d.predictions.size(); ++k) {
    const double* const predicted = d.predictions[k].increments.data();
    V error{};
    for (std::size_t c = 0; c < components; ++c) {
      const V inverse = row<W>(&d.inverse_weights[c * W]);
      for (std::size_t at = c * stride; at < c * stride + points * W; at += W) {
        const V part = (row<W>(predicted + at) - row<W>(increments + at)) * inverse;
        error += part * part;
      }
    }
    if (k > 0) choice = error < least ? V{} + static_cast<double>(k) : choice;
    least = k > 0 ? (error < least ? error : least) : error;
  }
  put<V>(d.choice.data(), choice);
}

// What the remainders of the coefficients add, in the lanes that want it.
template <std::size_t W, std::size_t S>
ACTIO_ALWAYS_INLINE void add_tails(collocation_lane_data& d) {
  using V = lanes<W>;
  const std::size_t components = d.components, points = S > 0 ? S : d.points, stride = d.stride;
  const double *const tails = d.tails.data(), *const rates = d.rates.data();
  double* const small = d.small.data();
  const V wants = row<W>(d.wants_tails.data());
  for (std::size_t c = 0; c < components; ++c) {
    for (std::size_t i = 0; i < points; ++i) {
      double* const to = small + c * stride + i * W;
      const V sum = combined<W>(tails + i * points, rates + c * stride, points);
      put<V>(to, wants != 0 ? sum : row<W>(to));
    }
  }
}

// The increments Z of components `first` … `last` − 1 that belong to the rates; the squares of how much they change.
//
// Nodes come in pairs j, j' that lie symmetrically, and with e_j = K_j + K_j', o_j = K_j − K_j' and B = Σ b_j e_j
//   Z_i = E_i + O_i,  Z_i' = (B − E_i) + O_i,  E_i = Σ_j ½(a_ij + a_ij') e_j,  O_i = Σ_j ½(a_ij − a_ij') o_j,
// because a_i'j' = b_j − a_ij: half the products. A node in the middle is its own partner: e is K there, E is B/2.
template <std::size_t W, std::size_t S>
ACTIO_ALWAYS_INLINE lanes<W> find_increments(collocation_lane_data& d, std::size_t first, std::size_t last) {
  using V = lanes<W>;
  const std::size_t points = S > 0 ? S : d.points, stride = d.stride, pairs = points / 2, sums = points - pairs;
  const double *const even = d.even.data(), *const odd = d.odd.data(), *const ends = d.ends.data();
  const double *const rates = d.rates.data(), *const increments = d.increments.data();
  double* const next = d.next.data();
  alignas(64) double e[most_pairs * W], o[most_pairs * W];
  V squares{};
  for (std::size_t c = first; c < last; ++c) {
    const double *const k = rates + c * stride, *const z = increments + c * stride;
    double* const to = next + c * stride;
    const V inverse = row<W>(&d.inverse_weights[c * W]);
    for (std::size_t j = 0; j < pairs; ++j) {
      const V left = row<W>(k + j * W), right = row<W>(k + (points - 1 - j) * W);
      put<V>(e + j * W, left + right);
      put<V>(o + j * W, left - right);
    }
    if (sums > pairs) put<V>(e + pairs * W, row<W>(k + pairs * W));
    const V whole = combined<W>(ends, e, sums);
    for (std::size_t i = 0; i < sums; ++i) {
      const std::size_t left = i * W, right = (points - 1 - i) * W;
      const V O = combined<W>(odd + i * pairs, o, pairs);
      const V E = i < pairs ? combined<W>(even + i * sums, e, sums) : 0.5 * whole;
      const V one = E + O, change = (one - row<W>(z + left)) * inverse;
      squares += change * change;
      put<V>(to + left, one);
      if (i == pairs) continue;
      const V other = (whole - E) + O, its_change = (other - row<W>(z + right)) * inverse;
      squares += its_change * its_change;
      put<V>(to + right, other);
    }
  }
  return squares;
}

// Velocities at the new momenta: q' + M⁻¹ δp. The iteration then contracts about twice as fast.
template <std::size_t W, std::size_t S>
ACTIO_ALWAYS_INLINE void correct_velocities(collocation_lane_data& d) {
  using V = lanes<W>;
  const std::size_t points = S > 0 ? S : d.points, stride = d.stride, n = d.components / 2;
  const double *const next = d.next.data() + n * stride, *const increments = d.increments.data() + n * stride;
  double* const rates = d.rates.data();
  for (std::size_t k = 0; k < d.inverse_mass.size(); ++k) {
    const std::size_t r = d.inverse_mass[k].row * stride, c = d.inverse_mass[k].column * stride;
    const double* const mass = rates + (d.components + 1 + k) * stride;
    for (std::size_t at = 0; at < points * W; at += W) {
      const V m = row<W>(mass + at), by_column = row<W>(next + c + at) - row<W>(increments + c + at);
      put<V>(rates + r + at, row<W>(rates + r + at) + m * by_column);
      if (r == c) continue;
      const V by_row = row<W>(next + r + at) - row<W>(increments + r + at);
      put<V>(rates + c + at, row<W>(rates + c + at) + m * by_row);
    }
  }
}

// Which lanes are near enough to their solution for the remainders of the coefficients to matter; whether any is new.
template <std::size_t W>
ACTIO_ALWAYS_INLINE bool choose_tails(collocation_lane_data& d) {
  constexpr std::size_t N = deciding_lanes<W>;
  using V = lanes<N>;
  const V zero{}, one = zero + 1;
  bool any = false;
  for (std::size_t l = 0; l < W; l += N) {
    const lane_mask<N> has_tails = row<N>(&d.has_tails[l]) != 0;
    const lane_mask<N> wants = (row<N>(&d.iterates[l]) != 0) & ~has_tails & (row<N>(&d.previous[l]) <= nearly_known);
    put<V>(&d.wants_tails[l], wants ? one : zero);
    put<V>(&d.has_tails[l], (has_tails | wants) ? one : zero);
    any |= is_any<N>(wants);
  }
  return any;
}

// Which lanes are solved or lost, from the squares of their changes; whether any goes on. What is missing is a
// geometric series: it must be below the floor, or nothing but rounding be left. Changes that may be rounding tell
// nothing about its ratio, so that it goes on as it was.
template <std::size_t W>
ACTIO_ALWAYS_INLINE bool choose_iterating(collocation_lane_data& d, int iteration) {
  constexpr std::size_t N = deciding_lanes<W>;
  using V = lanes<N>;
  using M = lane_mask<N>;
  const V zero{}, one = zero + 1;
  bool any = false;
  for (std::size_t l = 0; l < W; l += N) {
    V change = row<N>(&d.squares[l]);
    for (std::size_t k = 0; k < N; ++k) change[k] = std::sqrt(change[k]);
    const V previous = row<N>(&d.previous[l]), measured = iteration > 1 ? change / previous : one;
    const M contracts = measured<slow, is_clean = change> clean;
    const V before = iteration > 2 ? row<N>(&d.rate[l]) : zero, slowest = measured > before ? measured : before;
    const V rate = is_clean ? slowest : row<N>(&d.rate[l]);
    const V series = change * rate / (one - rate), continued = row<N>(&d.missing[l]) * rate;
    const V missing = is_clean ? (contracts ? series : one) : continued;
    const M is_rounding = ~contracts & (change <= stall_limit);
    const M settled = (row<N>(&d.has_tails[l]) != 0) & ((missing <= floor_of_missing) | is_rounding | (change == 0));
    M hopeless = ~(change <= lost);
    if (iteration > patience) hopeless |= change >= previous;
    const M open = (row<N>(&d.iterates[l]) != 0) & ~settled, goes_on = open & ~hopeless;
    put<V>(&d.rate[l], rate);
    put<V>(&d.missing[l], missing);
    put<V>(d.lives + l, (open & hopeless) ? zero : row<N>(d.lives + l));
    put<V>(&d.iterates[l], goes_on ? one : zero);
    put<V>(&d.previous[l], change);
    any |= is_any<N>(goes_on);
  }
  return any;
}

// Takes the increments that rates lead to; whether any lane goes on iterating.
template <std::size_t W, std::size_t S>
ACTIO_ALWAYS_INLINE bool take(collocation_lane_data& d, int iteration) {
  if (iteration > 1 && choose_tails<W>(d)) add_tails<W, S>(d);
  if (!choose_iterating<W>(d, iteration)) {
    judge_predictions<W, S>(d);
    return false;
  }
  take_increments<W, S>(d);
  return true;
}

// The same from the rates of an evaluation.
template <std::size_t W, std::size_t S>
ACTIO_ALWAYS_INLINE bool iterate(collocation_lane_data& d, int iteration) {
  const std::size_t n = d.components / 2;
  const lanes<W> of_momenta = find_increments<W, S>(d, n, 2 * n);
  correct_velocities<W, S>(d);
  put<lanes<W>>(d.squares.data(), of_momenta + find_increments<W, S>(d, 0, n));
  return take<W, S>(d, iteration);
}

// Adds h Σ b_i K_i to the states. Sums in double would round with a small bias that is always the same; products of
// the high parts are exact, and so are their sums with what these leave behind.
template <std::size_t W, std::size_t S>
ACTIO_ALWAYS_INLINE void finish(collocation_lane_data& d) {
  using V = lanes<W>;
  const std::size_t components = d.components, points = S > 0 ? S : d.points, stride = d.stride;
  const double *const high_weights = d.weights_high.data(), *const low_weights = d.weights_low.data();
  const double* const rates = d.rates.data();
  for (std::size_t c = 0; c < components; ++c) {
    V sum{}, rest{};
    for (std::size_t i = 0; i < points; ++i) {
      const V rate = row<W>(rates + c * stride + i * W);
      const V scaled = 134217729.0 * rate, high = scaled - (scaled - rate), low = rate - high;
      const V product = high_weights[i] * high, next = sum + product, part = next - sum;
      rest += ((sum - (next - part)) + (product - part)) + (high_weights[i] * low + low_weights[i] * rate);
      sum = next;
    }
    add<W>(&d.state[c * W], &d.remainder[c * W], sum);
    add<W>(&d.state[c * W], &d.remainder[c * W], rest);
  }
  if (!d.has_power) return;
  put<V>(d.work, combined<W>(high_weights, rates + components * stride, points) +
                     combined<W>(low_weights, rates + components * stride, points));
}

// Kernels for W lanes and S nodes; S = 0 for any number of nodes, slower and with the same bits.
#define ACTIO_KERNELS(W, S)                                                                                      \
  ACTIO_CPU_CLONES void predict_##W##_##S(collocation_lane_data& d) { predict<W, S>(d); }                        \
  ACTIO_CPU_CLONES void predict_again_##W##_##S(collocation_lane_data& d) { predict_again<W, S>(d); }            \
  ACTIO_CPU_CLONES bool iterate_##W##_##S(collocation_lane_data& d, int k) { return iterate<W, S>(d, k); }       \
  ACTIO_CPU_CLONES bool take_##W##_##S(collocation_lane_data& d, int k) { return take<W, S>(d, k); }             \
  ACTIO_CPU_CLONES void finish_##W##_##S(collocation_lane_data& d) { finish<W, S>(d); }                          \
  constexpr collocation_kernels kernels_##W##_##S{predict_##W##_##S, predict_again_##W##_##S, iterate_##W##_##S, \
                                                  take_##W##_##S, finish_##W##_##S};

ACTIO_KERNELS(1, 0)
ACTIO_KERNELS(4, 0)
ACTIO_KERNELS(8, 0)
ACTIO_KERNELS(8, 2)
ACTIO_KERNELS(8, 3)
ACTIO_KERNELS(8, 4)
ACTIO_KERNELS(8, 5)
ACTIO_KERNELS(8, 6)
ACTIO_KERNELS(8, 8)
#undef ACTIO_KERNELS

const collocation_kernels& kernels_for(std::size_t width, std::size_t points) {
  ACTIO_ASSERT(width == 1 || width == 4 || width == 8);
  if (width < 8) return width == 1 ? kernels_1_0 : kernels_4_0;
  switch (points) {
    case 2: return kernels_8_2;
    case 3: return kernels_8_3;
    case 4: return kernels_8_4;
    case 5: return kernels_8_5;
    case 6: return kernels_8_6;
    case 8: return kernels_8_8;
    default: return kernels_8_0;
  }
}

}  // namespace

// All of it at quad precision, then split.
collocation_lane_data collocation_tables(std::size_t points, double step) {
  collocation_lane_data data;
  data.points = points;
  const collocation_tableau<quad> tableau = make_gauss_collocation<quad>(points);
  const std::size_t pairs = points / 2, sums = points - pairs;
  ACTIO_ASSERT(sums <= most_pairs);
  const quad h(step);
  const auto a = [&](std::size_t i, std::size_t j) { return quad(h * tableau.stages.head(i, j)); };
  const auto b = [&](std::size_t j) { return quad(h * tableau.weights.head(0, j)); };
  const auto partner = [&](std::size_t i) { return points - 1 - i; };
  for (std::size_t i = 0; i < points; ++i) {
    data.nodes.push_back(to_double(tableau.node[i]));
    data.weights_high.push_back(static_cast<float>(to_double(b(i))));
    data.weights_low.push_back(to_double(quad(b(i) - data.weights_high.back())));
  }
  for (std::size_t j = 0; j < sums; ++j) data.ends.push_back(to_double(b(j)));
  for (std::size_t i = 0; i < sums; ++i) {
    for (std::size_t j = 0; j < pairs; ++j) data.odd.push_back(to_double(quad((a(i, j) - a(i, partner(j))) / 2)));
    for (std::size_t j = 0; j < sums && i < pairs; ++j) {
      data.even.push_back(to_double(j < pairs ? quad((a(i, j) + a(i, partner(j))) / 2) : a(i, j)));
    }
  }
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t j = 0; j < points; ++j) {
      data.stages.push_back(to_double(a(i, j)));
      data.stage_tails.push_back(to_double(quad(a(i, j) - data.stages.back())));
    }
  }
  // The coefficients that find_increments has in effect.
  const auto in_effect = [&](std::size_t i, std::size_t j) -> quad {
    const std::size_t from = std::min(i, partner(i)), of = std::min(j, partner(j));
    const quad whole(data.ends[of]);
    quad E = from < pairs ? quad(data.even[from * sums + of]) : quad(whole / 2);
    if (i != from) E = whole - E;
    if (of == pairs) return E;
    const quad O(data.odd[from * pairs + of]);
    return j == of ? quad(E + O) : quad(E - O);
  };
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t j = 0; j < points; ++j) data.tails.push_back(to_double(quad(a(i, j) - in_effect(i, j))));
  }
  // Polynomials through the last node alone, through half of the nodes and through all: long steps are better off with
  // few, because what high degrees continue grows fast.
  for (const std::size_t nodes : {std::size_t{1}, (points + 1) / 2, points}) {
    if (!data.predictions.empty() && data.predictions.back().nodes == nodes) continue;
    collocation_lane_data::prediction p{.nodes = nodes};
    const std::vector<quad> at(tableau.node.end() - static_cast<std::ptrdiff_t>(nodes), tableau.node.end());
    for (std::size_t i = 0; i < points; ++i) {
      std::vector<quad> continued(nodes, quad(0));
      for (std::size_t m = 0; m < points; ++m) {
        const basis_values<quad> basis = lagrange_basis<quad>(at, quad(1 + tableau.node[m]));
        for (std::size_t j = 0; j < nodes; ++j) continued[j] += a(i, m) * basis.value[j];
      }
      for (const quad& x : continued) p.coefficients.push_back(to_double(x));
    }
    data.predictions.push_back(std::move(p));
  }
  return data;
}

collocation_lanes::collocation_lanes(const collocation_lane_data& tables, const compiled_function<double>& field,
                                     const collocation_code& code, std::span<const double> shared, double step,
                                     bool has_power, std::size_t width)
    : lane_workspace(width),
      kernels_(&kernels_for(width, tables.points)),
      field_(field.evaluate_at(tables.points * width)),
      step_(step),
      varied_(field.inputs() - 2 * code.coordinates - 1) {
  data_ = tables;
  data_.components = 2 * code.coordinates;
  data_.stride = field_->stride();
  data_.has_power = has_power;
  data_.inverse_mass = code.inverse_mass;
  const std::size_t rows = data_.components * width;
  data_.in.assign(field.inputs() * data_.stride, 0.0);
  data_.rates.assign(field.outputs() * data_.stride, 0.0);
  data_.increments.assign(data_.components * data_.stride, 0.0);
  data_.small = data_.next = data_.increments;
  for (auto& p : data_.predictions) p.increments = data_.increments;
  for (auto* of : {&data_.state, &data_.remainder, &data_.inverse_weights}) of->assign(rows, 0.0);
  for (auto* of : {&data_.choice, &data_.wanted, &data_.iterates, &data_.has_tails, &data_.wants_tails, &data_.squares,
                   &data_.previous, &data_.rate, &data_.missing})
    of->assign(width, 0.0);
  parameters_.assign(varied_ * width, 0.0);
  data_.lives = lives_.data();
  data_.work = work_.data();
  rows_ = {data_.state.data(), data_.remainder.data(), data_.state.data() + rows / 2, data_.remainder.data() + rows / 2,
           varied_ > 0 ? parameters_.data() : nullptr};
  field_->set_parameters(shared);
  machine_ = make_lane_stage_kernel(code, shared, width, data_.stride);
  if (machine_) data_.tails = data_.stage_tails;
}

// One iteration; whether any lane goes on.
bool collocation_lanes::iterate(int iteration) {
  if (!machine_) {
    (*field_)(data_.in.data(), data_.rates.data());
    return kernels_->iterate(data_, iteration);
  }
  machine_->iterate({data_.in.data(), data_.rates.data(), data_.increments.data(), data_.next.data(),
                     data_.inverse_weights.data(), data_.stages.data(), data_.squares.data()});
  return kernels_->take(data_, iteration);
}

void collocation_lanes::clear() {
  std::ranges::fill(data_.choice, 0.0);
  std::ranges::fill(lives_, 0.0);
}

void collocation_lanes::spread_parameters() {
  for (std::size_t k = 0; k < varied_; ++k) {
    double* const to = &data_.in[(data_.components + 1 + k) * data_.stride];
    for (std::size_t j = 0; j < data_.stride; ++j) to[j] = parameters_[k * width_ + j % width_];
  }
}

// The rates at the start: those of a motion at constant rates are the same at all nodes, and its polynomial continued
// is itself.
void collocation_lanes::guess(const double* /*velocity*/) {
  spread_parameters();
  for (std::size_t c = 0; c < data_.components; ++c) {
    double* const to = &data_.in[c * data_.stride];
    for (std::size_t j = 0; j < data_.stride; ++j) to[j] = data_.state[c * width_ + j % width_];
  }
  std::fill_n(&data_.in[data_.components * data_.stride], data_.stride, 0.0);
  (*field_)(data_.in.data(), data_.rates.data());
}

bool collocation_lanes::advance(std::size_t index) {
  double* const time = &data_.in[data_.components * data_.stride];
  const double begin = static_cast<double>(index) * step_;
  for (std::size_t i = 0; i < data_.points; ++i) std::fill_n(time + i * width_, width_, begin + data_.nodes[i] * step_);
  const auto solve = [&] {
    bool unsolved = true;
    for (int k = 1; k <= most_iterations && unsolved; ++k) {
      unsolved = this->iterate(k);
    }
    for (std::size_t l = 0; l < width_; ++l) {
      if (data_.iterates[l] != 0) lives_[l] = 0;
    }
  };
  data_.wanted = lives_;
  kernels_->predict(data_);
  solve();
  double lost = 0, living = 0;
  for (std::size_t l = 0; l < width_; ++l) lost += data_.wanted[l] -= lives_[l];
  if (lost > 0) {
    for (std::size_t l = 0; l < width_; ++l) lives_[l] += data_.wanted[l];
    kernels_->predict_again(data_);
    solve();
  }
  for (std::size_t l = 0; l < width_; ++l) living += lives_[l];
  kernels_->finish(data_);
  return living > 0;
}

}  // namespace actio
