#include "actio/base/recursive_equations.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "actio/base/cpu_clones.hpp"
#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"

namespace actio {

// Numbers that are known when this is compiled, where W is not 0.
template <class S>
template <std::size_t W, std::size_t s, bool positions>
struct recursive_equations<S>::sizes {
  std::size_t given_lanes, given_stages;
  bool given_positions;
  constexpr std::size_t lanes() const { return W > 0 ? W : given_lanes; }
  constexpr std::size_t stages() const { return W > 0 ? s : given_stages; }
  constexpr bool has_positions() const { return W > 0 ? positions : given_positions; }
  constexpr std::size_t width() const { return has_positions() ? 2 * lanes() : lanes(); }
};

template <class S>
template <class Use>
decltype(auto) recursive_equations<S>::with_sizes(Use&& use) const {
  if constexpr (std::same_as<S, double>) {
    if (positions_ && lanes_ == 3 && stages_ == 2) return use(sizes<3, 2, true>{});
    if (positions_ && lanes_ == 4 && stages_ == 4) return use(sizes<4, 4, true>{});
    if (positions_ && lanes_ == 2 && stages_ == 1) return use(sizes<2, 1, true>{});
    if (!positions_ && lanes_ == 1) return use(sizes<1, 1, false>{});
  }
  return use(sizes<0, 0, false>{lanes_, stages_, positions_});
}

template <class S>
recursive_equations<S>::recursive_equations(std::shared_ptr<const recursion_layout> layout, basis tables,
                                            bool with_positions)
    : layout_(std::move(layout)),
      basis_(std::move(tables)),
      lanes_(basis_.lanes()),
      stages_(basis_.stages()),
      width_(with_positions ? 2 * lanes_ : lanes_),
      positions_(with_positions) {
  const recursion_pattern& p = layout_->pattern;
  place_blocks();
  slopes_.assign(p.column.size() * lanes_, S(0));
  rates_ = slopes_;
  std::size_t tables_of_free = 0;
  for (const std::uint32_t c : p.column) {
    of_free_.push_back(tables_of_free);
    if (is_free(c)) tables_of_free += width_ * stages_;
  }
  columns_.assign(tables_of_free, S(0));
  rows_ = columns_;
  pivots_.assign(p.free * stages_ * stages_, S(0));
  std::size_t numbers = 0;
  for (std::uint32_t place = 0; place < p.free + p.dependent; ++place) {
    places_.push_back(numbers);
    numbers += extent(place);
  }
  right_.assign(numbers, S(0));
  part_.assign(stages_, S(0));
}

// A block that is not kept stands in the room of one of its size that is done with.
template <class S>
void recursive_equations<S>::place_blocks() {
  const recursion_layout& layout = *layout_;
  offset_.assign(layout.blocks.size(), 0);
  std::map<std::size_t, std::vector<std::size_t>> left;  // offsets, by sizes
  std::vector<bool> is_done(layout.blocks.size(), false);
  std::size_t values = 0;
  const auto size_of = [&](std::uint32_t b) { return extent(layout.blocks[b].row) * extent(layout.blocks[b].column); };
  const auto take = [&](std::uint32_t b) {
    const std::size_t size = size_of(b);
    std::vector<std::size_t>& room = left[size];
    if (layout.blocks[b].is_kept || room.empty()) {
      offset_[b] = values;
      values += size;
      return;
    }
    offset_[b] = room.back();
    room.pop_back();
  };
  const auto leave = [&](std::uint32_t b) {
    if (b == recursion_layout::none || layout.blocks[b].is_kept || is_done[b]) return;
    is_done[b] = true;
    left[size_of(b)].push_back(offset_[b]);
  };
  for (const recursion_layout::step& step : layout.steps) {
    for (std::uint32_t k = step.begin; k < step.begin_end; ++k) take(layout.begun[k]);
    leave(step.own);
    for (std::uint32_t k = step.neighbour; k < step.neighbour_end; ++k) {
      leave(layout.neighbours[k].column);
      leave(layout.neighbours[k].row);
    }
  }
  values_.assign(values, S(0));
}

template <class S>
void recursive_equations<S>::set(const S* form, std::span<const S> weights, const S* slopes, const S* rates) {
  form_ = form;
  weights_ = weights;
  std::copy_n(slopes, slopes_.size(), slopes_.begin());
  if (positions_) std::copy_n(rates, rates_.size(), rates_.begin());
}

// The block as the form has it.
template <class S>
template <class Sizes>
void recursive_equations<S>::begin(Sizes size, std::uint32_t block) {
  const recursion_layout::block& b = layout_->blocks[block];
  const std::size_t W = size.lanes(), s = size.stages(), d = size.width();
  const bool row_free = is_free(b.row), column_free = is_free(b.column);
  const std::size_t rows = row_free ? s : d, columns = column_free ? s : d;
  S* const into = &values_[offset_[block]];
  std::fill_n(into, rows * columns, S(0));
  for (std::uint32_t k = b.entry; k < b.entry_end; ++k) {
    const recursion_pattern::entry& e = layout_->pattern.form[layout_->entries[k]];
    const S* const values = form_ + e.value * W;
    const actio::matrix<S>& test = e.row_rate ? basis_.test_slope : basis_.test_value;
    const actio::matrix<S>& trial = e.column_rate ? basis_.slope : basis_.value;
    // Among the numbers of a dependent unknown rates come last.
    const std::size_t row = e.row_rate && size.has_positions() ? W : 0;
    const std::size_t column = e.column_rate && size.has_positions() ? W : 0;
    for (std::size_t l = 0; l < W; ++l) {
      const S value = weights_[l] * values[l];
      if (!row_free && !column_free) {
        into[(row + l) * columns + column + l] += value;
      } else if (row_free && column_free) {
        for (std::size_t i = 0; i < s; ++i) {
          const S part = value * test(l, i);
          for (std::size_t j = 0; j < s; ++j) into[i * columns + j] += part * trial(l, j);
        }
      } else if (row_free) {
        for (std::size_t i = 0; i < s; ++i) into[i * columns + column + l] += value * test(l, i);
      } else {
        for (std::size_t j = 0; j < s; ++j) into[(row + l) * columns + j] += value * trial(l, j);
      }
    }
  }
}

// What free unknowns make of dependent ones, and of their equations.
template <class S>
void recursive_equations<S>::tabulate() {
  const auto set = [&](S* into, const S* value, const S* rate, const auto& by_value, const auto& by_slope) {
    for (std::size_t l = 0; l < lanes_; ++l) {
      for (std::size_t k = 0; k < stages_; ++k) {
        if (!positions_) {
          into[l * stages_ + k] = value[l] * by_slope(l, k);
          continue;
        }
        into[l * stages_ + k] = value[l] * by_value(l, k);
        into[(lanes_ + l) * stages_ + k] = value[l] * by_slope(l, k) + rate[l] * by_value(l, k);
      }
    }
  };
  for (std::size_t e = 0; e < of_free_.size(); ++e) {
    if (!is_free(layout_->pattern.column[e])) continue;
    const S *const value = &slopes_[e * lanes_], *const rate = &rates_[e * lanes_];
    set(&columns_[of_free_[e]], value, rate, basis_.value, basis_.slope);
    set(&rows_[of_free_[e]], value, rate, basis_.test_value, basis_.test_slope);
  }
}

namespace {

// T += C M of r × d and d × s.
template <class S>
ACTIO_ALWAYS_INLINE void add_product(S* T, const S* C, const S* M, std::size_t r, std::size_t d, std::size_t s) {
  for (std::size_t i = 0; i < r; ++i, T += s, C += d) {
    for (std::size_t k = 0; k < d; ++k) {
      const S factor = C[k];
      for (std::size_t j = 0; j < s; ++j) T[j] += factor * M[k * s + j];
    }
  }
}
template <class S>
ACTIO_ALWAYS_INLINE void subtract_product(S* T, const S* C, const S* M, std::size_t r, std::size_t d, std::size_t s) {
  for (std::size_t i = 0; i < r; ++i, T += s, C += d) {
    for (std::size_t k = 0; k < d; ++k) {
      const S factor = C[k];
      for (std::size_t j = 0; j < s; ++j) T[j] -= factor * M[k * s + j];
    }
  }
}

// T += Mᵀ R of d × s and d × c.
template <class S>
ACTIO_ALWAYS_INLINE void add_transposed_product(S* T, const S* M, const S* R, std::size_t d, std::size_t s,
                                                std::size_t c) {
  for (std::size_t k = 0; k < d; ++k, M += s, R += c) {
    for (std::size_t i = 0; i < s; ++i) {
      const S factor = M[i];
      for (std::size_t j = 0; j < c; ++j) T[i * c + j] += factor * R[j];
    }
  }
}

// Of a matrix s × s, in place, with exchanges of rows; returns the smallest and the largest pivot, the first 0 where it
// is singular.
template <class S>
std::pair<S, S> invert(S* A, std::size_t s, S* inverse) {
  using std::abs;
  S smallest(0), largest(0);
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < s; ++j) inverse[i * s + j] = S(i == j ? 1 : 0);
  }
  for (std::size_t k = 0; k < s; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < s; ++i) {
      if (abs(A[i * s + k]) > abs(A[best * s + k])) best = i;
    }
    const S size = abs(A[best * s + k]);
    if (!(size > S(0)) || !is_finite(size)) return {S(0), size};
    if (k == 0 || size < smallest) smallest = size;
    if (k == 0 || size > largest) largest = size;
    for (std::size_t j = 0; j < s && best != k; ++j) {
      std::swap(A[k * s + j], A[best * s + j]);
      std::swap(inverse[k * s + j], inverse[best * s + j]);
    }
    const S factor = S(1) / A[k * s + k];
    for (std::size_t j = 0; j < s; ++j) {
      A[k * s + j] *= factor;
      inverse[k * s + j] *= factor;
    }
    for (std::size_t i = 0; i < s; ++i) {
      if (i == k) continue;
      const S by = A[i * s + k];
      for (std::size_t j = 0; j < s; ++j) {
        A[i * s + j] -= by * A[k * s + j];
        inverse[i * s + j] -= by * inverse[k * s + j];
      }
    }
  }
  return {smallest, largest};
}

}  // namespace

// T += Dᵀ R of d × c, where D is what entry e of A makes of an earlier dependent unknown.
template <class S>
template <class Sizes>
ACTIO_ALWAYS_INLINE void recursive_equations<S>::add_to_earlier(Sizes size, std::size_t e, const S* R, S* T,
                                                                std::size_t c) const {
  const std::size_t W = size.lanes();
  const S *const A = &slopes_[e * W], *const rate = &rates_[e * W];
  for (std::size_t l = 0; l < W; ++l) {
    const S *const from = R + l * c, *const from_rate = R + (W + l) * c;
    S *const into = T + l * c, *const into_rate = T + (W + l) * c;
    for (std::size_t j = 0; j < c; ++j) into[j] += A[l] * from[j];
    if (!size.has_positions()) continue;
    for (std::size_t j = 0; j < c; ++j) into[j] += rate[l] * from_rate[j];
    for (std::size_t j = 0; j < c; ++j) into_rate[j] += A[l] * from_rate[j];
  }
}

template <class S>
template <class Sizes>
void recursive_equations<S>::substitute(Sizes size, const recursion_layout::step& step) {
  const recursion_pattern& p = layout_->pattern;
  const std::size_t i = step.place - p.free, W = size.lanes(), s = size.stages(), d = size.width();
  const std::uint32_t *target = &layout_->targets[step.target], first = p.first[i], last = p.first[i + 1];
  const auto substitute_column = [&](std::uint32_t block, std::size_t rows) {
    const S* const C = &values_[offset_[block]];
    for (std::uint32_t e = first; e < last; ++e) {
      S* T = &values_[offset_[*target++]];
      if (is_free(p.column[e])) {
        add_product(T, C, &columns_[of_free_[e]], rows, d, s);
        continue;
      }
      const S *const A = &slopes_[e * W], *const rate = &rates_[e * W];
      for (std::size_t r = 0; r < rows; ++r) {
        const S *const from = C + r * d, *const C_rate = from + W;
        S *const into = T + r * d, *const into_rate = into + W;
        if (!size.has_positions()) {
          for (std::size_t l = 0; l < W; ++l) into[l] += from[l] * A[l];
          continue;
        }
        for (std::size_t l = 0; l < W; ++l) into[l] += from[l] * A[l] + C_rate[l] * rate[l];
        for (std::size_t l = 0; l < W; ++l) into_rate[l] += C_rate[l] * A[l];
      }
    }
  };
  const auto substitute_row = [&](std::uint32_t block, const auto columns) {
    const S* const R = &values_[offset_[block]];
    const std::size_t c = columns();
    for (std::uint32_t e = first; e < last; ++e) {
      S* const T = &values_[offset_[*target++]];
      if (is_free(p.column[e])) {
        add_transposed_product(T, &rows_[of_free_[e]], R, d, s, c);
        continue;
      }
      add_to_earlier(size, e, R, T, c);
    }
  };
  for (std::uint32_t k = step.neighbour; k < step.neighbour_end; ++k) {
    const recursion_layout::neighbour& u = layout_->neighbours[k];
    if (u.column != recursion_layout::none) substitute_column(u.column, is_free(u.place) ? s : d);
  }
  if (step.own != recursion_layout::none) substitute_column(step.own, d);
  for (std::uint32_t k = step.neighbour; k < step.neighbour_end; ++k) {
    const recursion_layout::neighbour& w = layout_->neighbours[k];
    if (is_free(w.place)) substitute_row(w.row, [&] { return size.stages(); });
    else substitute_row(w.row, [&] { return size.width(); });
  }
}

template <class S>
template <class Sizes>
bool recursive_equations<S>::eliminate(Sizes size, const recursion_layout::step& step) {
  using std::abs;
  const std::size_t s = size.stages(), d = size.width();
  S* const inverse = &pivots_[step.place * s * s];
  const auto [least, most] = invert(&values_[offset_[step.own]], s, inverse);
  if (!(least > S(0))) {
    finite_ = actio::is_finite(most);
    return false;
  }
  if (!(smallest_ > S(0)) || least < smallest_) smallest_ = least;
  if (most > largest_) largest_ = most;
  const auto begin = layout_->neighbours.begin() + step.neighbour,
             end = layout_->neighbours.begin() + step.neighbour_end;
  aligned_vector<S>& scratch = part_;
  for (auto w = begin; w != end; ++w) {
    S* const row = &values_[offset_[w->row]];
    const std::size_t c = is_free(w->place) ? s : d;
    for (std::size_t j = 0; j < c; ++j) {
      for (std::size_t i = 0; i < s; ++i) {
        S sum(0);
        for (std::size_t k = 0; k < s; ++k) sum += inverse[i * s + k] * row[k * c + j];
        scratch[i] = sum;
      }
      for (std::size_t i = 0; i < s; ++i) row[i * c + j] = scratch[i];
    }
  }
  const std::uint32_t* target = &layout_->targets[step.target];
  for (auto u = begin; u != end; ++u) {
    const S* const column = &values_[offset_[u->column]];
    const std::size_t r = is_free(u->place) ? s : d;
    for (auto w = begin; w != end; ++w) {
      S* const T = &values_[offset_[*target++]];
      const S* const row = &values_[offset_[w->row]];
      if (is_free(w->place)) subtract_product(T, column, row, r, s, size.stages());
      else subtract_product(T, column, row, r, s, size.width());
    }
  }
  return true;
}

template <class S>
template <class Sizes>
bool recursive_equations<S>::factorise_as(Sizes size) {
  finite_ = true;
  smallest_ = largest_ = S(0);
  tabulate();
  for (const recursion_layout::step& step : layout_->steps) {
    for (std::uint32_t k = step.begin; k < step.begin_end; ++k) begin(size, layout_->begun[k]);
    if (!is_free(step.place)) substitute(size, step);
    else if (!eliminate(size, step)) return false;
  }
  return true;
}

#if defined(__GNUC__) && !defined(__clang__)
#define ACTIO_WITH_ALL_IT_CALLS __attribute__((flatten))
#else
#define ACTIO_WITH_ALL_IT_CALLS
#endif

// Simpson's method and gauss-4, for the processor that runs them.
struct recursive_kernels {
  using equations = recursive_equations<double>;
  ACTIO_CPU_CLONES ACTIO_WITH_ALL_IT_CALLS static bool factorise(equations& e, equations::sizes<3, 2, true> size) {
    return e.factorise_as(size);
  }
  ACTIO_CPU_CLONES ACTIO_WITH_ALL_IT_CALLS static bool factorise(equations& e, equations::sizes<4, 4, true> size) {
    return e.factorise_as(size);
  }
};

template <class S>
bool recursive_equations<S>::factorise() {
  if constexpr (std::same_as<S, double>) {
    if (positions_ && lanes_ == 3 && stages_ == 2) return recursive_kernels::factorise(*this, sizes<3, 2, true>{});
    if (positions_ && lanes_ == 4 && stages_ == 4) return recursive_kernels::factorise(*this, sizes<4, 4, true>{});
  }
  return with_sizes([&](auto size) { return factorise_as(size); });
}

template <class S>
S recursive_equations<S>::pivot_ratio() const {
  return largest_ > S(0) ? S(smallest_ / largest_) : S(0);
}

template <class S>
template <class Sizes>
ACTIO_ALWAYS_INLINE void recursive_equations<S>::take_out_free(Sizes size, const recursion_layout::step& step) const {
  const std::size_t s = size.stages(), d = size.width();
  S* const own = numbers_of(step.place);
  std::ranges::fill(part_, S(0));
  add_product(part_.data(), &pivots_[step.place * s * s], own, s, s, 1);
  std::copy_n(part_.begin(), s, own);
  for (std::uint32_t k = step.neighbour; k < step.neighbour_end; ++k) {
    const recursion_layout::neighbour& u = layout_->neighbours[k];
    subtract_product(numbers_of(u.place), &values_[offset_[u.column]], own, is_free(u.place) ? s : d, s, 1);
  }
}

template <class S>
template <class Sizes>
ACTIO_ALWAYS_INLINE void recursive_equations<S>::find_free(Sizes size, const recursion_layout::step& step) const {
  const std::size_t s = size.stages(), d = size.width();
  S* const own = numbers_of(step.place);
  for (std::uint32_t k = step.neighbour; k < step.neighbour_end; ++k) {
    const recursion_layout::neighbour& w = layout_->neighbours[k];
    subtract_product(own, &values_[offset_[w.row]], numbers_of(w.place), s, is_free(w.place) ? s : d, 1);
  }
}

template <class S>
template <class Sizes>
ACTIO_ALWAYS_INLINE void recursive_equations<S>::take_out_dependent(Sizes size,
                                                                    const recursion_layout::step& step) const {
  const recursion_pattern& p = layout_->pattern;
  const S* const own = numbers_of(step.place);
  const std::size_t i = step.place - p.free;
  for (std::uint32_t e = p.first[i]; e < p.first[i + 1]; ++e) {
    S* const into = numbers_of(p.column[e]);
    if (is_free(p.column[e])) add_transposed_product(into, &rows_[of_free_[e]], own, size.width(), size.stages(), 1);
    else add_to_earlier(size, e, own, into, 1);
  }
}

template <class S>
template <class Sizes>
ACTIO_ALWAYS_INLINE void recursive_equations<S>::find_dependent(Sizes size, const recursion_layout::step& step) const {
  const recursion_pattern& p = layout_->pattern;
  const std::size_t W = size.lanes(), d = size.width(), i = step.place - p.free;
  S* const own = numbers_of(step.place);
  std::fill_n(own, d, S(0));
  for (std::uint32_t e = p.first[i]; e < p.first[i + 1]; ++e) {
    const S* const from = numbers_of(p.column[e]);
    if (is_free(p.column[e])) {
      add_product(own, &columns_[of_free_[e]], from, d, size.stages(), 1);
      continue;
    }
    const S *const A = &slopes_[e * W], *const rate = &rates_[e * W];
    for (std::size_t l = 0; l < W; ++l) {
      own[l] += A[l] * from[l];
      if (!size.has_positions()) continue;
      own[W + l] += A[l] * from[W + l] + rate[l] * from[l];
    }
  }
}

template <class S>
template <class Sizes>
void recursive_equations<S>::solve_as(Sizes size, std::span<S> x) const {
  const std::size_t n = layout_->pattern.free, s = size.stages();
  S* const y = right_.data();
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t k = 0; k < s; ++k) y[a * s + k] = x[k * n + a];
  }
  std::fill(right_.begin() + static_cast<std::ptrdiff_t>(n * s), right_.end(), S(0));
  for (const recursion_layout::step& step : layout_->steps) {
    is_free(step.place) ? take_out_free(size, step) : take_out_dependent(size, step);
  }
  for (std::size_t k = layout_->steps.size(); k-- > 0;) {
    const recursion_layout::step& step = layout_->steps[k];
    is_free(step.place) ? find_free(size, step) : find_dependent(size, step);
  }
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t k = 0; k < s; ++k) x[k * n + a] = y[a * s + k];
  }
}

template <class S>
void recursive_equations<S>::solve_in_place(std::span<S> x) const {
  with_sizes([&](auto size) { solve_as(size, x); });
}

#define ACTIO_INSTANTIATE(S) template class recursive_equations<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
