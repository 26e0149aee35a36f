#include "actio/io/thinned_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/base/error.hpp"

namespace actio {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::size_t even(std::size_t capacity) { return std::max<std::size_t>(2, capacity + capacity % 2); }

}  // namespace

void thinned_series::extremes::add(double value) {
  if (std::isnan(low)) {
    low = high = value;
  } else if (value < low) {
    low = value;
    low_came_first = false;
  } else if (value > high) {
    high = value;
    low_came_first = true;
  }
}

void thinned_series::extremes::merge(const extremes& later) {
  if (std::isnan(later.low)) return;
  if (std::isnan(low)) {
    *this = later;
    return;
  }
  const bool low_is_later = later.low<low, high_is_later = later.high> high;
  if (low_is_later) low = later.low;
  if (high_is_later) high = later.high;
  if (low_is_later && high_is_later) low_came_first = later.low_came_first;
  else if (low_is_later || high_is_later) low_came_first = high_is_later;
}

thinned_series::thinned_series(std::size_t columns, std::size_t capacity)
    : columns_(columns), capacity_(even(capacity)) {
  times_.reserve(capacity_);
  buckets_.reserve(capacity_ * columns_);
}

void thinned_series::add(double time, std::span<const double> row) {
  ACTIO_ASSERT(row.size() == columns_);
  if (rows_ == capacity_ * width_) halve();
  if (rows_ % width_ == 0) {
    times_.push_back({time, time, true});
    buckets_.resize(buckets_.size() + columns_, {missing, missing, true});
  } else {
    times_.back().last = time;
    times_.back().is_single = false;
  }
  extremes* bucket = buckets_.data() + (times_.size() - 1) * columns_;
  for (std::size_t k = 0; k < columns_; ++k) {
    if (std::isfinite(row[k])) bucket[k].add(row[k]);
  }
  ++rows_;
}

void thinned_series::halve() {
  for (std::size_t b = 0; b < capacity_ / 2; ++b) {
    times_[b] = {times_[2 * b].first, times_[2 * b + 1].last, false};
    for (std::size_t k = 0; k < columns_; ++k) {
      extremes merged = buckets_[2 * b * columns_ + k];
      merged.merge(buckets_[(2 * b + 1) * columns_ + k]);
      buckets_[b * columns_ + k] = merged;
    }
  }
  times_.resize(capacity_ / 2);
  buckets_.resize(capacity_ / 2 * columns_);
  width_ *= 2;
}

std::vector<double> thinned_series::times() const {
  std::vector<double> result;
  for (const interval& i : times_) {
    result.push_back(i.first);
    if (!i.is_single) result.push_back(i.last);
  }
  return result;
}

std::vector<double> thinned_series::values(std::size_t column) const {
  std::vector<double> result;
  for (std::size_t b = 0; b < times_.size(); ++b) {
    const extremes& e = buckets_[b * columns_ + column];
    result.push_back(e.low_came_first ? e.low : e.high);
    if (!times_[b].is_single) result.push_back(e.low_came_first ? e.high : e.low);
  }
  return result;
}

thinned_points::thinned_points(std::size_t columns, std::size_t capacity)
    : columns_(columns), capacity_(even(capacity)), last_(columns) {
  kept_.reserve(capacity_ * columns_);
}

void thinned_points::add(std::span<const double> row) {
  ACTIO_ASSERT(row.size() == columns_);
  std::copy(row.begin(), row.end(), last_.begin());
  if (rows_ == capacity_ * stride_) halve();
  if (rows_ % stride_ == 0) kept_.insert(kept_.end(), row.begin(), row.end());
  ++rows_;
}

void thinned_points::halve() {
  for (std::size_t r = 1; r < capacity_ / 2; ++r) {
    std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(2 * r * columns_), columns_,
                kept_.begin() + static_cast<std::ptrdiff_t>(r * columns_));
  }
  kept_.resize(capacity_ / 2 * columns_);
  stride_ *= 2;
}

std::vector<double> thinned_points::values(std::size_t column) const {
  std::vector<double> result;
  for (std::size_t at = column; at < kept_.size(); at += columns_) result.push_back(kept_[at]);
  if (rows_ > 0 && (rows_ - 1) % stride_ != 0) result.push_back(last_[column]);
  return result;
}

}  // namespace actio
