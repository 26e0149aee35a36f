#include "actio/base/sparse_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "actio/base/cpu_clones.hpp"
#include "actio/base/error.hpp"
#include "actio/base/in_place.hpp"
#include "actio/base/scalar.hpp"
#include "actio/base/sparse_kernels.hpp"

namespace actio {

namespace {

// target −= a b
template <class S>
ACTIO_ALWAYS_INLINE void subtract_product(S& target, const S& a, const S& b, [[maybe_unused]] S& scratch) {
  if constexpr (is_mpfr<S>) {
    in_place::multiply(scratch, a, b);
    in_place::subtract(target, target, scratch);
  } else {
    target -= a * b;
  }
}

// The kernels take sizes that are constants where B (and W) are not zero.
template <std::size_t B>
constexpr std::size_t size_or(std::size_t b) {
  return B == 0 ? b : B;
}

// scale := 1 / the largest of each row of d and of u beside it.
template <std::size_t B, std::size_t W, class S>
ACTIO_ALWAYS_INLINE void measure_rows(const S* d, std::size_t size, const S* u, std::size_t width, S* scale) {
  const std::size_t b = size_or<B>(size), w = size_or<W>(width);
  for (std::size_t i = 0; i < b; ++i) {
    S& largest = scale[i];
    in_place::set_zero(largest);
    for (std::size_t j = 0; j < b; ++j) in_place::raise_to_size(largest, d[i * b + j]);
    for (std::size_t j = 0; j < w; ++j) in_place::raise_to_size(largest, u[i * w + j]);
  }
  for (std::size_t i = 0; i < b; ++i) scale[i] = S(1) / scale[i];
}

// d := its factors, with the inverse of each pivot in its place. The smallest pivot beside its row goes into
// `smallest`. False, with the column in `failed`, where there is none.
template <std::size_t B, class S>
ACTIO_ALWAYS_INLINE bool factorise_block(S* d, std::size_t size, std::uint32_t* swapped_with, S* scale, S& smallest,
                                         S& scratch, std::size_t& failed) {
  using std::abs, std::swap;
  const std::size_t b = size_or<B>(size);
  for (std::size_t k = 0; k < b; ++k) {
    S own = abs(d[k * b + k]) * scale[k], largest = own;
    for (std::size_t i = k + 1; i < b; ++i) largest = std::max<S>(largest, abs(d[i * b + k]) * scale[i]);
    std::size_t pivot = k;
    if (!(S(most_growth) * own >= largest)) {
      for (std::size_t i = k + 1; i < b; ++i) {
        if (abs(d[i * b + k]) * scale[i] == largest) pivot = i;
      }
      for (std::size_t j = 0; j < b; ++j) swap(d[k * b + j], d[pivot * b + j]);
      swap(scale[k], scale[pivot]);
      own = largest;
    }
    swapped_with[k] = static_cast<std::uint32_t>(pivot);
    if (!(own > S(0))) {
      failed = k;
      return false;
    }
    if (own < smallest) smallest = own;
    S& inverse = d[k * b + k];
    inverse = S(1) / inverse;
    for (std::size_t i = k + 1; i < b; ++i) {
      S& factor = d[i * b + k];
      in_place::multiply(factor, factor, inverse);
      for (std::size_t j = k + 1; j < b; ++j) subtract_product(d[i * b + j], factor, d[k * b + j], scratch);
    }
  }
  return true;
}

// u := d⁻¹ u, b × w.
template <std::size_t B, std::size_t W, class S>
ACTIO_ALWAYS_INLINE void solve_block(const S* d, std::size_t size, const std::uint32_t* swapped_with, S* u,
                                     std::size_t width, S& scratch) {
  using std::swap;
  const std::size_t b = size_or<B>(size), w = size_or<W>(width);
  for (std::size_t k = 0; k < b; ++k) {
    if (swapped_with[k] == k) continue;
    for (std::size_t j = 0; j < w; ++j) swap(u[k * w + j], u[swapped_with[k] * w + j]);
  }
  for (std::size_t k = 0; k < b; ++k) {
    for (std::size_t i = k + 1; i < b; ++i) {
      for (std::size_t j = 0; j < w; ++j) subtract_product(u[i * w + j], d[i * b + k], u[k * w + j], scratch);
    }
  }
  for (std::size_t k = b; k-- > 0;) {
    for (std::size_t j = 0; j < w; ++j) in_place::multiply(u[k * w + j], u[k * w + j], d[k * b + k]);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < w; ++j) subtract_product(u[i * w + j], d[i * b + k], u[k * w + j], scratch);
    }
  }
}

// t −= l u: l rows × b, u b × columns (with a stride), t with a stride.
template <std::size_t B, std::size_t W, class S>
ACTIO_ALWAYS_INLINE void subtract_block(const S* l, std::size_t size, const S* u, std::size_t u_stride, S* t,
                                        std::size_t t_stride, std::size_t rows, std::size_t columns, S& scratch) {
  const std::size_t b = size_or<B>(size), m = size_or<W>(rows), n = size_or<W>(columns);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < b; ++k) {
      for (std::size_t j = 0; j < n; ++j) {
        subtract_product(t[i * t_stride + j], l[i * b + k], u[k * u_stride + j], scratch);
      }
    }
  }
}

// Values of a block are filled in shortly before it is eliminated, while they are near the processor.
template <class S>
struct elimination {
  const sparse_layout& layout;
  const S* entries;
  S* values;
  std::uint32_t* swapped_with;
  S* scale;
  S& smallest;
  S& scratch;
  std::size_t failed = 0;  // in the order of elimination

  template <class Kernel>
  ACTIO_ALWAYS_INLINE bool by(Kernel kernel, const sparse_layout::block& b) {
    typename Kernel::row_beside product[Kernel::width];
    std::size_t column = 0;
    if (!kernel.eliminate(values + b.diagonal, values + b.upper, values + b.lower, product, smallest, column)) {
      failed = b.first + column;
      return false;
    }
    const sparse_layout::target* target = layout.targets.data() + b.target;
    if (b.neighbour_end == b.neighbour + 1) {
      double* t = values + target->place;
      for (std::size_t r = 0; r < Kernel::width; ++r) {
        for (std::size_t c = 0; c < Kernel::width; ++c) t[r * Kernel::width + c] -= product[r][c];
      }
      return true;
    }
    const double* const rows = reinterpret_cast<const double*>(product);
    for (std::uint32_t i = b.neighbour; i < b.neighbour_end; ++i) {
      const auto [row_block, row] = layout.neighbours[i];
      for (std::uint32_t j = b.neighbour; j < b.neighbour_end; ++j, ++target) {
        const auto [column_block, from] = layout.neighbours[j];
        const double* p = rows + row * Kernel::lanes_beside + from;
        double* t = values + target->place;
        for (std::uint32_t r = layout.blocks[row_block].size; r-- > 0; p += Kernel::lanes_beside, t += target->stride) {
          for (std::uint32_t c = 0; c < layout.blocks[column_block].size; ++c) t[c] -= p[c];
        }
      }
    }
    return true;
  }

  ACTIO_ALWAYS_INLINE bool step(const sparse_layout::block& b) {
    S* d = values + b.diagonal;
    S *u = values + b.upper, *l = values + b.lower;
    std::size_t column = 0;
    measure_rows<0, 0>(d, b.size, u, b.width, scale);
    if (!factorise_block<0>(d, b.size, swapped_with + b.first, scale, smallest, scratch, column)) {
      failed = b.first + column;
      return false;
    }
    if (b.width == 0) return true;
    solve_block<0, 0>(d, b.size, swapped_with + b.first, u, b.width, scratch);
    const sparse_layout::target* target = layout.targets.data() + b.target;
    for (std::uint32_t i = b.neighbour; i < b.neighbour_end; ++i) {
      const auto [row_block, row] = layout.neighbours[i];
      for (std::uint32_t j = b.neighbour; j < b.neighbour_end; ++j, ++target) {
        const auto [column_block, from] = layout.neighbours[j];
        subtract_block<0, 0>(l + std::size_t{row} * b.size, b.size, u + from, b.width, values + target->place,
                             target->stride, layout.blocks[row_block].size, layout.blocks[column_block].size, scratch);
      }
    }
    return true;
  }

  ACTIO_ALWAYS_INLINE bool any(const sparse_layout::block& b) {
    if constexpr (std::same_as<S, double>) {
      bool done = false;
      if (with_kernel(b, [&](auto kernel) __attribute__((always_inline)) { done = by(kernel, b); })) return done;
    }
    return step(b);
  }

  ACTIO_ALWAYS_INLINE void fill(const sparse_layout::block& b, const sparse_layout::entry*& next) {
    S *value = values + b.diagonal, *const end = values + b.lower + std::size_t{b.size} * b.width;
    for (; value != end; ++value) in_place::set_zero(*value);
    for (const sparse_layout::entry* const last = layout.entries.data() + b.entry_end; next != last; ++next) {
      S& sum = values[next->place];
      in_place::add(sum, sum, entries[next->number]);
    }
  }

  ACTIO_ALWAYS_INLINE bool all() {
    const sparse_layout::entry* next = layout.entries.data();
    std::size_t filled = 0;
    for (const sparse_layout::block& b : layout.blocks) {
      for (; filled <= b.reach; ++filled) fill(layout.blocks[filled], next);
      if (!any(b)) return false;
    }
    return true;
  }
};

ACTIO_CPU_CLONES bool eliminate_doubles(elimination<double>& e) { return e.all(); }

// x in the order of elimination := K⁻¹ x.
template <class S>
struct substitution {
  const sparse_layout& layout;
  const S* values;
  const std::uint32_t* swapped_with;
  S* x;
  S& scratch;

  ACTIO_ALWAYS_INLINE void forward(const sparse_layout::block& b) {
    const std::size_t size = b.size;
    S* own = x + b.first;
    solve_block<0, 1>(values + b.diagonal, size, swapped_with + b.first, own, 1, scratch);
    const S* l = values + b.lower;
    for (std::uint32_t i = b.neighbour; i < b.neighbour_end; ++i) {
      const sparse_layout::block& to = layout.blocks[layout.neighbours[i].block];
      S* later = x + to.first;
      for (std::size_t r = 0; r < to.size; ++r, l += size) {
        for (std::size_t k = 0; k < size; ++k) subtract_product(later[r], l[k], own[k], scratch);
      }
    }
  }

  ACTIO_ALWAYS_INLINE void backward(const sparse_layout::block& b) {
    const std::size_t size = b.size;
    S* own = x + b.first;
    for (std::uint32_t i = b.neighbour; i < b.neighbour_end; ++i) {
      const auto [block, offset] = layout.neighbours[i];
      const sparse_layout::block& to = layout.blocks[block];
      const S *later = x + to.first, *u = values + b.upper + offset;
      for (std::size_t k = 0; k < size; ++k, u += b.width) {
        for (std::size_t c = 0; c < to.size; ++c) subtract_product(own[k], u[c], later[c], scratch);
      }
    }
  }

  template <class Kernel>
  ACTIO_ALWAYS_INLINE void forward_by(Kernel kernel, const sparse_layout::block& b) {
    double part[Kernel::width];
    kernel.forward(values + b.lower, x + b.first, part);
    for (std::uint32_t i = b.neighbour; i < b.neighbour_end; ++i) {
      const auto [block, offset] = layout.neighbours[i];
      const sparse_layout::block& to = layout.blocks[block];
      for (std::uint32_t r = 0; r < to.size; ++r) x[to.first + r] -= part[offset + r];
    }
  }

  template <class Kernel>
  ACTIO_ALWAYS_INLINE void backward_by(Kernel kernel, const sparse_layout::block& b) {
    double later[Kernel::width];
    for (std::uint32_t i = b.neighbour; i < b.neighbour_end; ++i) {
      const auto [block, offset] = layout.neighbours[i];
      const sparse_layout::block& to = layout.blocks[block];
      for (std::uint32_t c = 0; c < to.size; ++c) later[offset + c] = x[to.first + c];
    }
    kernel.backward(values + b.diagonal, values + b.upper, later, x + b.first);
  }

  ACTIO_ALWAYS_INLINE void any_forward(const sparse_layout::block& b) {
    if constexpr (std::same_as<S, double>) {
      if (with_kernel(b, [&](auto kernel) __attribute__((always_inline)) { forward_by(kernel, b); })) return;
    }
    forward(b);
  }

  ACTIO_ALWAYS_INLINE void any_backward(const sparse_layout::block& b) {
    if constexpr (std::same_as<S, double>) {
      if (with_kernel(b, [&](auto kernel) __attribute__((always_inline)) { backward_by(kernel, b); })) return;
    }
    backward(b);
  }

  ACTIO_ALWAYS_INLINE void all() {
    for (const sparse_layout::block& b : layout.blocks) any_forward(b);
    for (std::size_t k = layout.blocks.size(); k-- > 0;) any_backward(layout.blocks[k]);
  }
};

ACTIO_CPU_CLONES void substitute_doubles(substitution<double>& s) { s.all(); }

}  // namespace

template <class S>
sparse_equations<S>::sparse_equations(sparse_pattern pattern)
    : pattern_(std::make_shared<const sparse_pattern>(std::move(pattern))),
      first_(std::make_shared<const sparse_layout>(*pattern_, pattern_->order)),
      layout_(first_),
      entries_(pattern_->row.size(), S(0)),
      values_(layout_->values + row_excess, S(0)),
      swapped_with_(size(), 0),
      scale_(layout_->largest_block, S(0)),
      ordered_(size(), S(0)),
      right_(ordered_),
      rest_(ordered_),
      extent_(ordered_) {}

template <class S>
bool sparse_equations<S>::eliminate() {
  const sparse_layout& layout = *layout_;
  smallest_ = S(1);
  elimination<S> all{layout, entries_.data(), values_.data(), swapped_with_.data(), scale_.data(), smallest_, product_};
  bool done = false;
  if constexpr (std::same_as<S, double>) done = eliminate_doubles(all);
  else done = all.all();
  if (!done) {
    undetermined_ = static_cast<std::size_t>(std::ranges::find(layout.place, static_cast<std::uint32_t>(all.failed)) -
                                             layout.place.begin());
  }
  return done;
}

template <class S>
bool sparse_equations<S>::eliminate_by(const std::shared_ptr<const sparse_layout>& layout) {
  using std::sqrt;
  layout_ = layout;
  if (!eliminate()) return false;
  is_doubtful_ = smallest_ < sqrt(epsilon<S>());
  return !is_doubtful_ || passes_probe();
}

template <class S>
bool sparse_equations<S>::eliminate_otherwise() {
  if (pattern_->other.group.empty()) return false;
  if (!other_) {
    other_ = std::make_shared<const sparse_layout>(*pattern_, pattern_->other);
    values_.resize(std::max(values_.size(), other_->values + row_excess), S(0));
    scale_.resize(std::max<std::size_t>(scale_.size(), other_->largest_block), S(0));
  }
  return eliminate_by(other_);
}

template <class S>
bool sparse_equations<S>::factorise() {
  pivoted_.clear();
  is_doubtful_ = false;
  if (eliminate_by(first_)) return true;
  if (!is_finite()) return false;
  if (eliminate_otherwise()) return true;
  is_doubtful_ = true;
  if (pivoted_.factorise(*pattern_, entries_)) {
    smallest_ = pivoted_.smallest_pivot();
    return true;
  }
  undetermined_ = pivoted_.undetermined();
  return false;
}

// K·(1, …, 1) is solved for: a backward error far above rounding says that digits were lost.
template <class S>
bool sparse_equations<S>::passes_probe() const {
  using std::abs, std::sqrt;
  std::ranges::fill(right_, S(1));
  std::ranges::fill(rest_, S(0));
  subtract_product(right_, rest_, extent_);
  for (std::size_t j = 0; j < right_.size(); ++j) right_[j] = rest_[j] = -rest_[j];
  substitute(right_);
  subtract_product(right_, rest_, extent_);
  const S most = sqrt(epsilon<S>()) / S(1000);
  for (std::size_t j = 0; j < rest_.size(); ++j) {
    if (!(abs(rest_[j]) <= most * extent_[j])) return false;
  }
  return true;
}

template <class S>
bool sparse_equations<S>::is_finite() const {
  return std::ranges::all_of(entries_, [](const S& x) { return actio::is_finite(x); });
}

template <class S>
void sparse_equations<S>::subtract_product(std::span<const S> x, std::span<S> r, std::span<S> size) const {
  using std::abs;
  const sparse_pattern& pattern = *pattern_;
  for (std::size_t j = 0; j < r.size(); ++j) size[j] = abs(r[j]);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const S part = entries_[e] * x[pattern.column[e]];
    r[pattern.row[e]] -= part;
    size[pattern.row[e]] += abs(part);
  }
}

template <class S>
void sparse_equations<S>::substitute(std::span<S> x) const {
  if (pivoted_.has_factors()) {
    pivoted_.solve_in_place(x);
    return;
  }
  const sparse_layout& layout = *layout_;
  for (std::size_t j = 0; j < x.size(); ++j) ordered_[layout.place[j]] = x[j];
  substitution<S> all{layout, values_.data(), swapped_with_.data(), ordered_.data(), product_};
  if constexpr (std::same_as<S, double>) substitute_doubles(all);
  else all.all();
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = ordered_[layout.place[j]];
}

template <class S>
void sparse_equations<S>::solve_in_place(std::span<S> x) const {
  ACTIO_ASSERT(x.size() == size());
  if (!is_doubtful_) {
    substitute(x);
    return;
  }
  std::ranges::copy(x, rest_.begin());
  substitute(x);
  subtract_product(x, rest_, extent_);
  substitute(rest_);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] += rest_[j];
}

#define ACTIO_INSTANTIATE(S) template class sparse_equations<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
