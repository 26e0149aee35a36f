#include "actio/integrate/predictor.hpp"

#include <algorithm>

#include "actio/base/in_place.hpp"

namespace actio {

template <class S>
step_predictor<S>::step_predictor(std::size_t coordinates, matrix<S> continuation, first_guess kind,
                                  std::size_t followers)
    : coordinates_(coordinates),
      leaders_(coordinates * continuation.rows()),
      unknowns_(leaders_ + followers),
      depth_(deepest<S>),
      kind_(kind),
      continuation_(std::move(continuation)),
      differences_((depth_ + 1) * unknowns_, S(0)),
      continued_(unknowns_, S(0)),
      inverse_weights_(leaders_, 0.0) {}

template <class S>
void step_predictor<S>::clear() {
  count_ = order_ = 0;
  use_polynomial_ = false;
}

template <class S>
void step_predictor<S>::change_length(const matrix<S>& continuation, const S& of_followers) {
  if (count_ > 0) {
    continue_by(continuation, std::span<const S>(differences_).first(unknowns_), continued_);
    for (std::size_t j = leaders_; j < unknowns_; ++j) continued_[j] *= of_followers;
    std::copy(continued_.begin(), continued_.end(), differences_.begin());
  }
  count_ = std::min<std::size_t>(count_, 1);
  order_ = 0;
  use_polynomial_ = false;
}

template <class S>
void step_predictor<S>::continue_by(const matrix<S>& continuation, std::span<const S> z, std::span<S> next) {
  const std::size_t s = continuation.rows(), n = coordinates_;
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t a = 0; a < n; ++a) {
      S& sum = next[k * n + a];
      in_place::set_zero(sum);
      for (std::size_t l = 0; l < s; ++l) in_place::add_product(sum, continuation(k, l), z[l * n + a], next_);
    }
  }
  for (std::size_t j = leaders_; j < unknowns_; ++j) next[j] = z[j];
}

template <class S>
bool step_predictor<S>::guess(std::span<S> z) const {
  switch (kind_) {
    case first_guess::velocity: return false;
    case first_guess::state: std::ranges::fill(z.first(leaders_), S(0)); return true;
    case first_guess::extrapolation: break;
  }
  if (empty()) return false;
  predict(z);
  return true;
}

template <class S>
void step_predictor<S>::record(std::span<const S> z, std::span<const double> weights) {
  if (!looks_back()) return;
  for (std::size_t a = 0; a < coordinates_; ++a) inverse_weights_[a] = 1 / weights[a];
  for (std::size_t j = coordinates_; j < leaders_; ++j) inverse_weights_[j] = inverse_weights_[j - coordinates_];
  const auto weighted = [&](const S& x, std::size_t j) { return std::abs(to_double(x)) * inverse_weights_[j]; };
  double polynomial_error = 0;
  for (std::size_t j = 0; j < leaders_ && count_ > 0; ++j) {
    in_place::subtract(next_, z[j], continued_[j]);
    polynomial_error = std::max(polynomial_error, weighted(next_, j));
  }

  // Component by component: the new ∇^i from the new and the old ∇^{i−1}.
  const std::size_t known = std::min({count_ + 1, depth_ + 1, order_ + orders_ahead + 2});
  errors_.fill(0);
  const auto renew = [&](std::size_t j, auto&& see) {
    in_place::working<S> fresh = fresh_, next = next_;
    fresh = z[j];
    for (std::size_t i = 0; i < known; ++i) {
      S& difference = differences_[i * unknowns_ + j];
      in_place::subtract<S>(next, fresh, difference);
      see(i, fresh);
      using std::swap;
      swap(difference, fresh);
      swap(fresh, next);
    }
  };
  for (std::size_t j = 0; j < leaders_; ++j) {
    renew(j, [&](std::size_t i, const S& fresh) { errors_[i] = std::max(errors_[i], weighted(fresh, j)); });
  }
  for (std::size_t j = leaders_; j < unknowns_; ++j) renew(j, [](std::size_t, const S&) {});
  count_ = known;

  order_ = 0;
  for (std::size_t m = 1; m + 1 < count_; ++m) {  // order m would have missed by ∇^{m+1}
    if (errors_[m + 1] < errors_[order_ + 1]) order_ = m;
  }
  use_polynomial_ = count_ < 2 || polynomial_error < errors_[order_ + 1];
  continue_by(continuation_, std::span<const S>(differences_).first(unknowns_), continued_);
}

template <class S>
void step_predictor<S>::predict(std::span<S> z) const {
  if (use_polynomial_) {
    std::copy(continued_.begin(), continued_.end(), z.begin());
    return;
  }
  std::copy_n(differences_.begin() + static_cast<long>(order_ * unknowns_), unknowns_, z.begin());
  for (std::size_t i = order_; i-- > 0;) {
    for (std::size_t j = 0; j < unknowns_; ++j) z[j] += differences_[i * unknowns_ + j];
  }
}

template <class S>
void step_predictor<S>::remember(step_memory<S>& memory) {
  memory.count(count_, depth_ + 1);
  memory.count(order_, std::max<std::size_t>(count_, 1) - 1);
  memory.flag(use_polynomial_);
  memory.numbers(std::span(differences_).first(count_ * unknowns_));
  if (memory.reads() && count_ > 0) {
    continue_by(continuation_, std::span<const S>(differences_).first(unknowns_), continued_);
  }
}

#define ACTIO_INSTANTIATE(S) template class step_predictor<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
