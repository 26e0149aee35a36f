#include "actio/integrate/stage_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "actio/base/cpu_clones.hpp"

namespace actio {

namespace {

using namespace stage_rules;

template <std::size_t Lanes>
struct lanes_of {
  typedef double type __attribute__((vector_size(sizeof(double) * Lanes), may_alias, aligned(sizeof(double))));
};

// target[row] = base[row] + Σ_j column_j values[row][j]; rows of lanes are `stride` numbers apart.
struct stage_sums {
  std::size_t rows, points, stride;
  const double *columns, *values, *base;
  double* target;
};

// In lanes first … first + Lanes − 1.
template <std::size_t Lanes>
ACTIO_ALWAYS_INLINE void combine_lanes(const stage_sums& s, std::size_t first) {
  using vector = typename lanes_of<Lanes>::type;
  const auto at = [](const double* lanes) -> const vector& { return *reinterpret_cast<const vector*>(lanes); };
  const double* columns = s.columns + first;
  for (std::size_t r = 0; r < s.rows; ++r) {
    vector even{}, odd{};  // two sums hide the latency of one
    const double* k = s.values + r * s.stride;
    std::size_t j = 0;
    for (; j + 1 < s.points; j += 2) {
      even += at(columns + j * s.stride) * k[j];
      odd += at(columns + (j + 1) * s.stride) * k[j + 1];
    }
    if (j < s.points) even += at(columns + j * s.stride) * k[j];
    const std::size_t place = r * s.stride + first;
    *reinterpret_cast<vector*>(s.target + place) = at(s.base + place) + (even + odd);
  }
}

ACTIO_CPU_CLONES void combine_2(const stage_sums& s, std::size_t first) { combine_lanes<2>(s, first); }
ACTIO_CPU_CLONES void combine_4(const stage_sums& s, std::size_t first) { combine_lanes<4>(s, first); }
ACTIO_CPU_CLONES void combine_8(const stage_sums& s, std::size_t first) { combine_lanes<8>(s, first); }
void combine_1(const stage_sums& s, std::size_t first) {
  for (std::size_t r = 0; r < s.rows; ++r) {
    double sum = 0;
    for (std::size_t j = 0; j < s.points; ++j) sum += s.columns[j * s.stride + first] * s.values[r * s.stride + j];
    s.target[r * s.stride + first] = s.base[r * s.stride + first] + sum;
  }
}

// All lanes: full vectors, then what is left.
void combine(const stage_sums& s) {
  for (std::size_t first = 0; first < s.stride;) {
    const std::size_t left = s.stride - first, lanes = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
    (lanes == 8 ? combine_8 : lanes == 4 ? combine_4 : lanes == 2 ? combine_2 : combine_1)(s, first);
    first += lanes;
  }
}

std::unique_ptr<evaluation<double>> field_of(const collocation_code& code, std::span<const double> parameters) {
  auto field = compile<double>(code.field)->evaluate_at(code.points);
  field->set_parameters(parameters);
  return field;
}

}  // namespace

stage_iteration::stage_iteration(const collocation_code& code, std::span<const double> parameters)
    : collocation_kernel({2 * code.coordinates, code.points, 1}),
      n_(code.coordinates),
      inverse_mass_(code.inverse_mass),
      field_(field_of(code, parameters)) {
  rows_.lanes = field_->stride();
  table_.assign(rows_.table_size(), 0.0);
  work_.assign(rows_.work_size(), 0.0);
  in_.assign((rows_.components + 1) * rows_.lanes, 0.0);
  out_.assign((rows_.components + 1 + inverse_mass_.size()) * rows_.lanes, 0.0);
  high_.assign(rows_.components * rows_.lanes, 0.0);
  low_ = reference_ = small_ = next_ = difference_ = high_;
  inverse_size_.assign(rows_.components, 0.0);
}

void stage_iteration::place_arguments() {
  for (std::size_t c = 0; c < rows_.components; ++c) {
    const double start = work_[rows_.start(c)], remainder = work_[rows_.remainder(c)];
    for (std::size_t k = c * rows_.lanes; k < (c + 1) * rows_.lanes; ++k) {
      in_[k] = start + (high_[k] + (remainder + small_[k]));
    }
  }
}

// Rates at the arguments, new momenta, velocities with these, new positions; next_ is what small_ becomes.
void stage_iteration::evaluate_rates() {
  const std::size_t half = n_ * rows_.lanes;
  (*field_)(in_.data(), out_.data());
  const auto sum_half = [&](std::size_t from) {
    for (std::size_t k = from; k < from + half; ++k) difference_[k] = out_[k] - reference_[k];
    combine({n_, rows_.points, rows_.lanes, &table_[rows_.stage(0)], &difference_[from], &low_[from], &next_[from]});
  };
  sum_half(half);
  for (std::size_t e = 0; e < inverse_mass_.size(); ++e) {
    const std::size_t i = inverse_mass_[e].row * rows_.lanes, j = inverse_mass_[e].column * rows_.lanes;
    const double* const entry = &out_[(rows_.components + 1 + e) * rows_.lanes];
    for (std::size_t l = 0; l < rows_.lanes; ++l) {
      out_[i + l] += entry[l] * (next_[half + j + l] - small_[half + j + l]);
      if (i != j) out_[j + l] += entry[l] * (next_[half + i + l] - small_[half + i + l]);
    }
  }
  sum_half(0);
}

// The rates now are the reference, and what they lead to is summed with the remainders of the coefficients.
void stage_iteration::take_reference() {
  std::copy_n(out_.begin(), reference_.size(), reference_.begin());
  for (std::size_t c = 0; c < rows_.components; ++c) {
    for (std::size_t i = 0; i < rows_.lanes; ++i) {
      long double sum = 0;
      for (std::size_t j = 0; j < rows_.points; ++j) {
        const long double rate = reference_[c * rows_.lanes + j];
        sum += table_[rows_.stage(j) + i] * rate + table_[rows_.stage_remainder(j) + i] * rate;
      }
      const std::size_t k = c * rows_.lanes + i;
      high_[k] = static_cast<double>(sum);
      small_[k] = low_[k] = static_cast<double>(sum - high_[k]);
    }
  }
}

// The largest weighted change; not a number where one is not.
double stage_iteration::change() const {
  double largest = 0;
  for (std::size_t c = 0; c < rows_.components; ++c) {
    for (std::size_t k = c * rows_.lanes; k < (c + 1) * rows_.lanes; ++k) {
      const double change = std::abs(next_[k] - small_[k]) * inverse_size_[c];
      if (std::isnan(change)) return change;
      largest = std::max(largest, change);
    }
  }
  return largest;
}

stage_outcome stage_iteration::solve() {
  for (auto* part : {&high_, &low_, &reference_}) std::fill(part->begin(), part->end(), 0.0);
  combine({rows_.components, rows_.points, rows_.lanes, &table_[rows_.continued_stage(0)], work_.data(), high_.data(),
           small_.data()});
  for (std::size_t i = 0; i < rows_.lanes; ++i) {
    in_[rows_.components * rows_.lanes + i] = work_[rows_.time()] + table_[rows_.node() + i];
  }
  for (std::size_t c = 0; c < rows_.components; ++c) {
    double extent = 0;
    for (std::size_t i = 0; i < rows_.points; ++i) extent = std::max(extent, std::abs(small_[c * rows_.lanes + i]));
    const double size = extent + std::abs(work_[rows_.start(c)]);
    inverse_size_[c] = size > 0 ? 1 / size : 0;
  }
  double& last = work_[rows_.change()];
  last = 0;
  bool is_near = false, is_first = true;
  contraction_state contraction;
  for (int k = 1; k <= most_iterations; ++k) {
    work_[rows_.iterations()] = k;
    place_arguments();
    evaluate_rates();
    const double previous = last;
    last = change();
    if (k == 1) work_[rows_.missed()] = last;
    if (!(last <= lost)) return stage_outcome::not_finite;
    if (k > patience && last >= previous && last > stall_limit) return stage_outcome::slow;
    if (!is_near && last <= nearly_known) {
      take_reference();
      is_near = true;
      continue;
    }
    std::swap(small_, next_);
    if (!is_near) continue;
    const bool first = std::exchange(is_first, false);
    if (is_done(contraction, last, previous, first)) {
      std::copy_n(out_.begin(), (rows_.components + 1) * rows_.lanes, work_.begin());
      for (std::size_t c = 0; c < rows_.components; ++c) {
        long double sum = 0;
        for (std::size_t i = 0; i < rows_.points; ++i) {
          const long double rate = out_[c * rows_.lanes + i];
          sum += table_[rows_.weight() + i] * rate + table_[rows_.weight_remainder() + i] * rate;
        }
        const auto rounded = static_cast<double>(sum);
        work_[rows_.increment(c)] = rounded;
        work_[rows_.increment_remainder(c)] = static_cast<double>(sum - rounded);
      }
      return stage_outcome::converged;
    }
  }
  return stage_outcome::slow;
}

}  // namespace actio
