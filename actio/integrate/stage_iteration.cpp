#include "actio/integrate/stage_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "actio/base/lanes.hpp"

namespace actio {

namespace {

using namespace stage_rules;

// target[row] = base[row] + Σ_j column_j values[row][j]; rows of lanes are `stride` numbers apart.
struct stage_sums {
  std::size_t rows, points, stride;
  const double *columns, *values, *base;
  double* target;
};

// In lanes first … first + W − 1.
template <std::size_t W>
ACTIO_ALWAYS_INLINE void combine_lanes(const stage_sums& s, std::size_t first) {
  const double* columns = s.columns + first;
  for (std::size_t r = 0; r < s.rows; ++r) {
    lanes<W> even{}, odd{};  // two sums hide the latency of one
    const double* k = s.values + r * s.stride;
    std::size_t j = 0;
    for (; j + 1 < s.points; j += 2) {
      even += row<W>(columns + j * s.stride) * k[j];
      odd += row<W>(columns + (j + 1) * s.stride) * k[j + 1];
    }
    if (j < s.points) even += row<W>(columns + j * s.stride) * k[j];
    const std::size_t place = r * s.stride + first;
    put<lanes<W>>(s.target + place, row<W>(s.base + place) + (even + odd));
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

// Arrays end with room for a whole vector behind their rows; there weights are zero.
constexpr std::size_t width = 8;
std::size_t padded(std::size_t count) { return (count + width - 1) / width * width; }

// sum = a + (b + (c + d)).
ACTIO_CPU_CLONES void add_up(std::size_t count, const double* a, const double* b, const double* c, const double* d,
                             double* sum) {
  for (std::size_t k = 0; k < count; k += width) {
    put<lanes<width>>(sum + k, row<width>(a + k) + (row<width>(b + k) + (row<width>(c + k) + row<width>(d + k))));
  }
}

ACTIO_CPU_CLONES void subtract(std::size_t count, const double* a, const double* b, double* difference) {
  for (std::size_t k = 0; k < count; k += width) {
    put<lanes<width>>(difference + k, row<width>(a + k) - row<width>(b + k));
  }
}

// target += factor (a − b).
ACTIO_CPU_CLONES void add_product(std::size_t count, const double* factor, const double* a, const double* b,
                                  double* target) {
  std::size_t k = 0;
  for (; k + width <= count; k += width) {
    const lanes<width> product = row<width>(factor + k) * (row<width>(a + k) - row<width>(b + k));
    put<lanes<width>>(target + k, row<width>(target + k) + product);
  }
  for (; k < count; ++k) target[k] += factor[k] * (a[k] - b[k]);
}

// The largest |a − b| factor; not a number where one is not.
ACTIO_CPU_CLONES double largest_difference(std::size_t count, const double* a, const double* b, const double* factor) {
  lanes<width> largest{}, sum{};
  for (std::size_t k = 0; k < count; k += width) {
    const lanes<width> size = size_of((row<width>(a + k) - row<width>(b + k)) * row<width>(factor + k));
    largest = larger(largest, size);
    sum += size;
  }
  double all = 0, largest_of_all = 0;
  for (std::size_t l = 0; l < width; ++l) {
    all += sum[l];
    largest_of_all = std::max(largest_of_all, largest[l]);
  }
  return std::isnan(all) ? all : largest_of_all;
}

std::unique_ptr<evaluation<double>> field_of(const collocation_code& code, const program& source,
                                             std::span<const double> parameters) {
  auto field = compile<double>(source)->evaluate_at(code.points);
  field->set_parameters(parameters);
  return field;
}

}  // namespace

stage_iteration::stage_iteration(const collocation_code& code, std::span<const double> parameters)
    : collocation_kernel({2 * code.coordinates, code.points, 1}),
      n_(code.coordinates),
      inverse_mass_(code.inverse_mass),
      field_(field_of(code, code.field, parameters)),
      with_scale_(code.is_scaled ? field_of(code, code.with_slopes, parameters) : nullptr) {
  rows_.lanes = field_->stride();
  table_.assign(rows_.table_size(), 0.0);
  work_.assign(rows_.work_size(), 0.0);
  const std::size_t stages = padded(rows_.components * rows_.lanes) + width;
  in_.assign(stages + rows_.lanes, 0.0);
  const std::size_t outputs = code.with_all().outputs.size() - rows_.components;
  out_.assign(stages + outputs * rows_.lanes, 0.0);
  if (with_scale_) {
    slopes_.assign(n_ * rows_.lanes, 0.0);
    velocity_ = slopes_;
    omega_.assign(padded(rows_.lanes) + width, 0.0);
    summed_ = zero_ = omega_;
  }
  high_.assign(stages, 0.0);
  low_ = reference_ = small_ = next_ = difference_ = start_ = remainder_ = inverse_size_ = high_;
}

void stage_iteration::place_arguments() {
  add_up(high_.size(), start_.data(), high_.data(), remainder_.data(), small_.data(), in_.data());
  for (std::size_t i = 0; i < rows_.lanes; ++i) {
    in_[rows_.components * rows_.lanes + i] = work_[rows_.time()] + table_[rows_.node() + i];
  }
}

// As the writers of kernels do: rates move by `moved` ω with ω = by·δ, stages by `moved` hAω.
void stage_iteration::follow_scale(std::size_t first, const double* by, const double* moved, double sign) {
  const std::size_t lanes = rows_.lanes;
  for (std::size_t i = 0; i < lanes; ++i) {
    double sum = 0;
    for (std::size_t k = i; k < n_ * lanes; k += lanes) sum += by[k] * (next_[first + k] - small_[first + k]);
    omega_[i] = sign * sum;
  }
  combine({1, rows_.points, lanes, &table_[rows_.stage(0)], omega_.data(), zero_.data(), summed_.data()});
  for (std::size_t a = 0; a < n_; ++a) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const std::size_t k = a * lanes + i;
      out_[first + k] += moved[k] * omega_[i];
      next_[first + k] += moved[k] * summed_[i];
    }
  }
}

// Rates at the arguments, new momenta, velocities with these, new positions; next_ is what small_ becomes.
void stage_iteration::evaluate_rates(bool with_scale) {
  const std::size_t half = n_ * rows_.lanes;
  (with_scale ? *with_scale_ : *field_)(in_.data(), out_.data());
  if (with_scale) {
    std::copy_n(&out_[(rows_.components + 1 + inverse_mass_.size()) * rows_.lanes], half, slopes_.begin());
    std::copy_n(out_.begin(), half, velocity_.begin());
  }
  const auto sum_half = [&](std::size_t from) {
    subtract(padded(half), &out_[from], &reference_[from], &difference_[from]);
    combine({n_, rows_.points, rows_.lanes, &table_[rows_.stage(0)], &difference_[from], &low_[from], &next_[from]});
  };
  sum_half(half);
  if (with_scale_) follow_scale(half, velocity_.data(), slopes_.data(), -1);
  for (std::size_t e = 0; e < inverse_mass_.size(); ++e) {
    const std::size_t i = inverse_mass_[e].row * rows_.lanes, j = inverse_mass_[e].column * rows_.lanes;
    const double* const entry = &out_[(rows_.components + 1 + e) * rows_.lanes];
    add_product(rows_.lanes, entry, &next_[half + j], &small_[half + j], &out_[i]);
    if (i != j) add_product(rows_.lanes, entry, &next_[half + i], &small_[half + i], &out_[j]);
  }
  sum_half(0);
  if (with_scale_) follow_scale(0, slopes_.data(), velocity_.data(), 1);
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

stage_outcome stage_iteration::solve() {
  for (auto* part : {&high_, &low_, &reference_}) std::fill(part->begin(), part->end(), 0.0);
  combine({rows_.components, rows_.points, rows_.lanes, &table_[rows_.continued_stage(0)], work_.data(), high_.data(),
           small_.data()});
  for (std::size_t c = 0; c < rows_.components; ++c) {
    const std::size_t first = c * rows_.lanes;
    double extent = 0;
    for (std::size_t i = 0; i < rows_.points; ++i) extent = std::max(extent, std::abs(small_[first + i]));
    const double size = extent + std::abs(work_[rows_.start(c)]);
    std::fill_n(&inverse_size_[first], rows_.lanes, size > smallest_measured ? 1 / size : 0);
    std::fill_n(&start_[first], rows_.lanes, work_[rows_.start(c)]);
    std::fill_n(&remainder_[first], rows_.lanes, work_[rows_.remainder(c)]);
  }
  double& last = work_[rows_.change()];
  last = 0;
  bool is_near = false, is_first = true;
  contraction_state contraction;
  for (int k = 1; k <= most_iterations; ++k) {
    work_[rows_.iterations()] = k;
    place_arguments();
    evaluate_rates(with_scale_ && !is_near);
    const double previous = last;
    last = largest_difference(next_.size(), next_.data(), small_.data(), inverse_size_.data());
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
