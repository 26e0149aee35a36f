// Histograms whose range need not be known: bins are [i 2^k, (i+1) 2^k), with the smallest k at which all values lie in
// at most `most_bins` of them. When the range grows, neighbours become one.
//
// What it holds depends on the values alone, not on their order, so that parts may be added up in any way with the same
// result.
#pragma once

#include <cstdint>
#include <vector>

namespace actio {

class dyadic_histogram {
 public:
  static constexpr std::size_t most_bins = 4096;

  void add(double x);  // finite
  void add(const dyadic_histogram& other);

  std::uint64_t total() const { return total_; }
  double width() const;  // of a bin
  double first() const;  // where the first one begins
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  // The middle of the bin of the value that so large a part does not exceed; 0 where there are no values.
  double quantile(double part) const;
  // With so many bins at most.
  dyadic_histogram coarser(std::size_t bins) const;

 private:
  void coarsen(int by, std::size_t bins = most_bins);
  void hold(std::int64_t first, std::int64_t last);
  std::int64_t place_of(double x) const;

  int exponent_ = 0;
  std::int64_t first_ = 0;  // of the first bin
  std::uint64_t total_ = 0;
  std::vector<std::uint64_t> counts_;
};

}  // namespace actio
