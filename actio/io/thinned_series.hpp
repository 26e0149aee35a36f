// Long runs in little memory: time series that keep every extreme, and points that keep every shape.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace actio {

// Rows (time, one value a column), gathered in at most `capacity` buckets of equally many rows. A bucket keeps, for
// each column, the smallest and the largest value and which of them came first. When all buckets are full, neighbours
// are merged and the width doubles: no extreme is ever lost. Values that are not finite count as missing.
class thinned_series {
 public:
  // `capacity` is rounded up to an even number, at least 2.
  explicit thinned_series(std::size_t columns, std::size_t capacity = 2000);

  void add(double time, std::span<const double> row);

  std::size_t columns() const { return columns_; }
  std::size_t rows() const { return rows_; }    // added in all
  std::size_t width() const { return width_; }  // rows a bucket

  // The series as a line: one point for a bucket of one row, else two, at the times of its first and its last row,
  // with the extremes in the order in which they came. Up to two rows a bucket that is the series itself. A value that
  // is missing is NaN.
  std::vector<double> times() const;
  std::vector<double> values(std::size_t column) const;

 private:
  struct extremes {
    double low, high;  // NaN where there is no value yet
    bool low_came_first;
    void add(double value);
    void merge(const extremes& later);
  };
  struct interval {
    double first, last;
    bool is_single;
  };
  void halve();

  std::size_t columns_, capacity_;
  std::size_t rows_ = 0, width_ = 1;
  std::vector<interval> times_;
  std::vector<extremes> buckets_;  // columns_ for each of times_
};

// Rows of numbers, of which every `stride`-th is kept, and the last one. When `capacity` rows are kept, every other is
// dropped and the stride doubles.
class thinned_points {
 public:
  explicit thinned_points(std::size_t columns, std::size_t capacity = 4000);

  void add(std::span<const double> row);

  std::size_t stride() const { return stride_; }
  std::vector<double> values(std::size_t column) const;

 private:
  void halve();

  std::size_t columns_, capacity_;
  std::size_t rows_ = 0, stride_ = 1;
  std::vector<double> kept_, last_;
};

}  // namespace actio
