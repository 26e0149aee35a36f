#include "actio/expr/sample_table.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "actio/base/error.hpp"

namespace actio {

namespace {

// The tables that live, by their places. Evaluations find them without a lock: a place is written before anybody can
// know its number.
class registry {
 public:
  static registry& of_process() {
    static registry& all = *new registry;
    return all;
  }

  std::recursive_mutex mutex;  // a table may end while others are looked at
  std::vector<std::weak_ptr<const sample_table>> known;

  std::size_t enter(const sample_table* table) {
    std::size_t place = used_;
    if (!free_.empty()) {
      place = free_.back();
      free_.pop_back();
    } else if (used_ < most_blocks * block_size) {
      ++used_;
    } else {
      throw input_error("model-too-large", "more than a million signals are in use", {}, "drop models that are done");
    }
    std::atomic<slot*>& block = blocks_[place / block_size];
    if (block.load() == nullptr) block.store(new slot[block_size]);
    block.load()[place % block_size].store(table);
    return place;
  }
  void leave(std::size_t place) {
    const std::lock_guard lock(mutex);
    blocks_[place / block_size].load()[place % block_size].store(nullptr);
    free_.push_back(place);
  }
  const sample_table* at(std::size_t place) const {
    return blocks_[place / block_size].load(std::memory_order_acquire)[place % block_size].load(
        std::memory_order_acquire);
  }

 private:
  using slot = std::atomic<const sample_table*>;
  static constexpr std::size_t block_size = 1024, most_blocks = 1024;
  std::array<std::atomic<slot*>, most_blocks> blocks_{};
  std::vector<std::size_t> free_;
  std::size_t used_ = 0;
};

template <class S>
std::vector<S> rounded(const std::vector<rational>& exact) {
  std::vector<S> result;
  result.reserve(exact.size());
  for (const rational& x : exact) result.push_back(from_rational<S>(x));
  return result;
}

// Solves a tridiagonal system by elimination without pivots: these are diagonally dominant.
template <class S>
std::vector<S> solved(std::vector<S> below, std::vector<S> diagonal, const std::vector<S>& above,
                      std::vector<S> right) {
  const std::size_t n = diagonal.size();
  for (std::size_t i = 1; i < n; ++i) {
    const S factor = below[i] / diagonal[i - 1];
    diagonal[i] -= factor * above[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) right[i] -= above[i] * right[i + 1];
    right[i] /= diagonal[i];
  }
  return right;
}

// Second derivatives s at the samples. Inside, with h_i the intervals and d_i the slopes,
//   h_{i−1} s_{i−1} + 2 (h_{i−1} + h_i) s_i + h_i s_{i+1} = 6 (d_i − d_{i−1});
// the third derivative does not jump at the second sample: s_0 = s_1 − (h_0/h_1) (s_2 − s_1), and so at the other end.
template <class S>
std::vector<S> second_derivatives(const std::vector<S>& h, const std::vector<S>& d) {
  const std::size_t n = h.size();  // intervals
  std::vector<S> s(n + 1, S(0));
  if (n == 1) return s;
  if (n == 2) {
    std::fill(s.begin(), s.end(), S(2 * (d[1] - d[0]) / (h[0] + h[1])));
    return s;
  }
  const std::size_t m = n - 1;  // unknowns s_1 … s_{n−1}
  std::vector<S> below(m), diagonal(m), above(m), right(m);
  for (std::size_t i = 1; i <= m; ++i) {
    below[i - 1] = h[i - 1];
    diagonal[i - 1] = 2 * (h[i - 1] + h[i]);
    above[i - 1] = h[i];
    right[i - 1] = 6 * (d[i] - d[i - 1]);
  }
  const S front = h[0] / h[1], back = h[n - 1] / h[n - 2];
  diagonal[0] += h[0] * (1 + front);
  above[0] -= h[0] * front;
  diagonal[m - 1] += h[n - 1] * (1 + back);
  below[m - 1] -= h[n - 1] * back;
  const std::vector<S> inside = solved(std::move(below), std::move(diagonal), above, std::move(right));
  std::copy(inside.begin(), inside.end(), s.begin() + 1);
  s[0] = s[1] - front * (s[2] - s[1]);
  s[n] = s[n - 1] + back * (s[n - 1] - s[n - 2]);
  return s;
}

}  // namespace

std::string_view name_of(interpolation kind) { return kind == interpolation::linear ? "linear" : "cubic"; }

std::shared_ptr<const sample_table> sample_table::make(std::string name, std::vector<rational> times,
                                                       std::vector<rational> values, interpolation kind) {
  ACTIO_ASSERT(times.size() == values.size() && times.size() >= 2);
  registry& all = registry::of_process();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.known, [](const auto& known) { return known.expired(); });
  for (const auto& known : all.known) {
    const std::shared_ptr<const sample_table> table = known.lock();
    if (table && table->kind_ == kind && table->name_ == name && table->times_ == times && table->values_ == values) {
      return table;
    }
  }
  const std::shared_ptr<const sample_table> created(
      new sample_table(std::move(name), std::move(times), std::move(values), kind));
  all.known.push_back(created);
  return created;
}

sample_table::sample_table(std::string name, std::vector<rational> times, std::vector<rational> values,
                           interpolation kind)
    : name_(std::move(name)), times_(std::move(times)), values_(std::move(values)), kind_(kind) {
  // Coefficients of doubles are those of quad, rounded.
  const pieces<quad> exact = made<quad>();
  in_double_.times = rounded<double>(times_);
  for (const std::array<quad, 4>& c : exact.coefficients) {
    in_double_.coefficients.push_back(
        {static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2]), static_cast<double>(c[3])});
  }
  const double margin =
      64 * epsilon<double>() * std::max(std::abs(in_double_.times.front()), std::abs(in_double_.times.back()));
  in_double_.first = in_double_.times.front() - margin;
  in_double_.last = in_double_.times.back() + margin;
  in_quad_.store(std::make_shared<const pieces<quad>>(exact));
  place_ = registry::of_process().enter(this);
}

sample_table::~sample_table() { registry::of_process().leave(place_); }

template <class S>
sample_table::pieces<S> sample_table::made() const {
  pieces<S> p;
  p.times = rounded<S>(times_);
  const std::size_t n = times_.size() - 1;
  std::vector<S> h, d;
  for (std::size_t i = 0; i < n; ++i) {
    const rational interval = times_[i + 1] - times_[i];
    h.push_back(from_rational<S>(interval));
    d.push_back(from_rational<S>(rational((values_[i + 1] - values_[i]) / interval)));
  }
  const std::vector<S> s = kind_ == interpolation::cubic ? second_derivatives(h, d) : std::vector<S>(n + 1, S(0));
  for (std::size_t i = 0; i < n; ++i) {
    p.coefficients.push_back({from_rational<S>(values_[i]), S(d[i] - h[i] * (2 * s[i] + s[i + 1]) / 6), S(s[i] / 2),
                              S((s[i + 1] - s[i]) / (6 * h[i]))});
  }
  using std::abs;
  const S margin = 64 * epsilon<S>() * std::max(S(abs(p.times.front())), S(abs(p.times.back())));
  p.first = p.times.front() - margin;
  p.last = p.times.back() + margin;
  if constexpr (is_mpfr<S>) p.digits = digits_in_use();
  return p;
}

template <class S>
S sample_table::value_in(const pieces<S>& p, unsigned order, const S& x) {
  if (!(x >= p.first && x <= p.last)) return std::numeric_limits<S>::quiet_NaN();
  const auto after = std::upper_bound(p.times.begin() + 1, p.times.end() - 1, x);
  const auto i = static_cast<std::size_t>(after - p.times.begin()) - 1;
  const S u = x - p.times[i];
  const std::array<S, 4>& c = p.coefficients[i];
  switch (order) {
    case 0: return c[0] + u * (c[1] + u * (c[2] + u * c[3]));
    case 1: return c[1] + u * (2 * c[2] + u * (3 * c[3]));
    case 2: return 2 * c[2] + u * (6 * c[3]);
    default: return 6 * c[3];
  }
}

template <class S>
S sample_table::value(unsigned order, const S& x) const {
  if constexpr (std::same_as<S, double>) {
    return value_in(in_double_, order, x);
  } else if constexpr (std::same_as<S, quad>) {
    return value_in(*in_quad_.load(), order, x);
  } else {
    std::shared_ptr<const pieces<S>> known = kept<S>().load();
    if (!known || (is_mpfr<S> && known->digits != digits_in_use())) {
      known = std::make_shared<const pieces<S>>(made<S>());
      kept<S>().store(known);
    }
    return value_in(*known, order, x);
  }
}

template <class S>
S looked_up(const S& code, const S& x) {
  const auto number = static_cast<std::size_t>(code);
  const sample_table* const table = registry::of_process().at(number / 4);
  ACTIO_ASSERT(table != nullptr);  // programs keep what they look into
  return table->value(static_cast<unsigned>(number % 4), x);
}

#define ACTIO_INSTANTIATE(S)                                   \
  template S sample_table::value<S>(unsigned, const S&) const; \
  template S looked_up<S>(const S&, const S&);
ACTIO_FOR_EVERY_NUMBER(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
