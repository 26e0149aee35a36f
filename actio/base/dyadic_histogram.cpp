#include "actio/base/dyadic_histogram.hpp"

#include <algorithm>
#include <cmath>

#include "actio/base/error.hpp"

namespace actio {

namespace {

// Bins have at least the width of the last digits of the numbers, so that their places are whole numbers of 52 bits.
int finest_exponent(double x) {
  constexpr int digits = 51, least = -1074;
  return x == 0 ? least : std::max(least, std::ilogb(x) - digits);
}

}  // namespace

std::int64_t dyadic_histogram::place_of(double x) const {
  return static_cast<std::int64_t>(std::floor(std::ldexp(x, -exponent_)));
}

void dyadic_histogram::add(double x) {
  ACTIO_ASSERT(std::isfinite(x));
  const int finest = finest_exponent(x);
  if (total_ == 0) exponent_ = finest;
  else if (finest > exponent_) coarsen(finest - exponent_);
  std::int64_t place = place_of(x);
  if (counts_.empty() || place < first_ || place >= first_ + static_cast<std::int64_t>(counts_.size())) {
    hold(place, place);
    place = place_of(x);
  }
  ++counts_[static_cast<std::size_t>(place - first_)];
  ++total_;
}

void dyadic_histogram::add(const dyadic_histogram& other) {
  if (other.total_ == 0) return;
  dyadic_histogram more = other;
  if (total_ == 0) {
    *this = std::move(more);
    return;
  }
  if (more.exponent_ > exponent_) coarsen(more.exponent_ - exponent_);
  else more.coarsen(exponent_ - more.exponent_);
  hold(more.first_, more.first_ + static_cast<std::int64_t>(more.counts_.size()) - 1);
  more.coarsen(exponent_ - more.exponent_);
  for (std::size_t b = 0; b < more.counts_.size(); ++b) {
    counts_[static_cast<std::size_t>(more.first_ - first_) + b] += more.counts_[b];
  }
  total_ += more.total_;
}

// Makes room for bins, coarser ones where they would be too many.
void dyadic_histogram::hold(std::int64_t first, std::int64_t last) {
  if (!counts_.empty()) {
    first = std::min(first, first_);
    last = std::max(last, first_ + static_cast<std::int64_t>(counts_.size()) - 1);
  } else {
    first_ = first;
  }
  int by = 0;
  while ((last >> by) - (first >> by) >= static_cast<std::int64_t>(most_bins)) ++by;
  coarsen(by);
  first >>= by;
  last >>= by;
  counts_.insert(counts_.begin(), static_cast<std::size_t>(first_ - first), 0);
  first_ = first;
  counts_.resize(static_cast<std::size_t>(last - first) + 1, 0);
}

// Bins 2^by times as wide.
void dyadic_histogram::coarsen(int by, std::size_t bins) {
  const auto wanted = [&] { return counts_.size() > bins; };
  for (; by > 0 || wanted(); --by) {
    const std::int64_t first = first_ >> 1;
    std::vector<std::uint64_t> sums;
    for (std::size_t b = 0; b < counts_.size(); ++b) {
      const auto place = static_cast<std::size_t>(((first_ + static_cast<std::int64_t>(b)) >> 1) - first);
      sums.resize(place + 1, 0);
      sums[place] += counts_[b];
    }
    first_ = first;
    counts_ = std::move(sums);
    ++exponent_;
  }
}

double dyadic_histogram::width() const { return total_ == 0 ? 0 : std::ldexp(1.0, exponent_); }

double dyadic_histogram::first() const { return std::ldexp(static_cast<double>(first_), exponent_); }

double dyadic_histogram::quantile(double part) const {
  if (total_ == 0) return 0;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(total_)));
  std::uint64_t below = 0;
  std::size_t bin = 0;
  while (bin + 1 < counts_.size() && (below += counts_[bin]) < wanted) ++bin;
  return std::ldexp(static_cast<double>(first_ + static_cast<std::int64_t>(bin)) + 0.5, exponent_);
}

dyadic_histogram dyadic_histogram::coarser(std::size_t bins) const {
  dyadic_histogram result = *this;
  result.coarsen(0, bins);
  return result;
}

}  // namespace actio
