#include "actio/base/null_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace actio {

namespace {

constexpr double seen_by_double = 1e-8;  // a smaller pivot may be rounding
constexpr double seen_by_quad = 1e-21;

quad largest_of(std::span<const quad> x) {
  quad largest = 0;
  for (const quad& one : x) largest = std::max(largest, quad(abs(one)));
  return largest;
}

}  // namespace

row_elimination::row_elimination(std::size_t columns) : order_(columns) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

bool row_elimination::add(std::span<const double> row) {
  const std::size_t size = columns(), rank = upper_.size(), number = added_++;
  double largest = 0;
  for (const double x : row) largest = std::max(largest, std::abs(x));
  if (largest == 0 || !std::isfinite(largest)) return false;
  const scaled_row given{number, 1 / largest};
  std::vector<double> left(size), multipliers(rank + 1);
  for (std::size_t k = 0; k < size; ++k) left[k] = row[order_[k]] * given.scale;
  for (std::size_t p = 0; p < rank; ++p) {
    const double factor = multipliers[p] = left[p];
    if (factor == 0) continue;
    const double* const u = upper_[p].data();
    for (std::size_t k = p + 1; k < size; ++k) left[k] -= factor * u[k];
  }
  std::size_t pivot = rank;
  for (std::size_t k = rank; k < size; ++k) {
    if (std::abs(left[k]) > std::abs(left[pivot])) pivot = k;
  }
  if (rank == size || std::abs(left[pivot]) < seen_by_double) {
    dependent_.push_back(given);
    return false;
  }
  std::swap(order_[rank], order_[pivot]);
  std::swap(left[rank], left[pivot]);
  for (std::vector<double>& u : upper_) std::swap(u[rank], u[pivot]);
  const double inverse = 1 / left[rank];
  multipliers[rank] = left[rank];
  for (std::size_t k = rank; k < size; ++k) left[k] *= inverse;
  lower_.push_back(std::move(multipliers));
  upper_.push_back(std::move(left));
  independent_.push_back(given);
  return true;
}

// In the order of the pivots.
std::vector<quad> row_elimination::solution(std::size_t free) const {
  const std::size_t rank = upper_.size();
  std::vector<double> x(rank);
  for (std::size_t p = rank; p-- > 0;) {
    x[p] = -upper_[p][free];
    for (std::size_t k = p + 1; k < rank; ++k) x[p] -= upper_[p][k] * x[k];
  }
  std::vector<quad> result(columns(), quad(0));
  for (std::size_t p = 0; p < rank; ++p) result[p] = x[p];
  result[free] = 1;
  return result;
}

bool row_elimination::refine(std::vector<quad>& x, const entry_function& entry) const {
  constexpr int most_iterations = 12;
  const quad enough = 4e-33;
  const std::size_t rank = upper_.size();
  std::vector<std::size_t> occupied;
  std::vector<double> change(rank);
  quad before = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const quad size = largest_of(x);
    occupied.clear();
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (x[k] != 0) occupied.push_back(k);
    }
    quad largest = 0;
    std::vector<quad> residual(rank, quad(0));
    for (std::size_t i = 0; i < rank; ++i) {
      for (const std::size_t k : occupied) residual[i] += entry(independent_[i].number, order_[k]) * x[k];
      residual[i] *= independent_[i].scale;
      largest = std::max(largest, quad(abs(residual[i])));
    }
    if (largest <= enough * size) return true;
    if (iteration > 0 && largest > before / 4) return largest <= 1000 * enough * size;
    before = largest;
    for (std::size_t i = 0; i < rank; ++i) {
      double y = -to_double(quad(residual[i] / largest));
      for (std::size_t p = 0; p < i; ++p) y -= lower_[i][p] * change[p];
      change[i] = y / lower_[i][i];
    }
    for (std::size_t p = rank; p-- > 0;) {
      for (std::size_t k = p + 1; k < rank; ++k) change[p] -= upper_[p][k] * change[k];
      x[p] += change[p] * largest;
      if (abs(x[p]) < enough * size) x[p] = 0;
    }
  }
  return false;
}

std::vector<quad> row_elimination::in_given_order(const std::vector<quad>& x) const {
  std::vector<quad> result(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) result[order_[k]] = x[k];
  return result;
}

std::vector<std::vector<quad>> row_elimination::rough_null_space() const {
  std::vector<std::vector<quad>> basis;
  for (std::size_t f = rank(); f < columns(); ++f) basis.push_back(in_given_order(solution(f)));
  return basis;
}

std::vector<std::vector<quad>> row_elimination::null_space(const entry_function& entry) const {
  const std::size_t rank = upper_.size(), free = columns() - rank;
  std::vector<std::vector<quad>> solutions;
  for (std::size_t f = 0; f < free; ++f) {
    std::vector<quad> x = solution(rank + f);
    if (!refine(x, entry)) return {};
    const quad size = largest_of(x);
    for (quad& one : x) one /= size;
    solutions.push_back(std::move(x));
  }
  matrix<quad> left(dependent_.size(), free);
  for (std::size_t f = 0; f < free; ++f) {
    for (std::size_t k = 0; k < columns(); ++k) {
      if (solutions[f][k] == 0) continue;
      for (std::size_t i = 0; i < dependent_.size(); ++i) {
        left(i, f) += entry(dependent_[i].number, order_[k]) * solutions[f][k];
      }
    }
    for (std::size_t i = 0; i < dependent_.size(); ++i) left(i, f) *= dependent_[i].scale;
  }
  std::vector<std::vector<quad>> basis;
  for (const std::vector<quad>& y : kernel_of(std::move(left), quad(seen_by_quad))) {
    std::vector<quad> x(columns(), quad(0));
    for (std::size_t f = 0; f < free; ++f) {
      if (y[f] == 0) continue;
      for (std::size_t k = 0; k < columns(); ++k) x[k] += y[f] * solutions[f][k];
    }
    basis.push_back(in_given_order(x));
  }
  return basis;
}

std::vector<std::vector<quad>> kernel_of(matrix<quad> S, const quad& tolerance) {
  const std::size_t rows = S.rows(), size = S.columns();
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t rank = 0;
  for (; rank < std::min(rows, size); ++rank) {
    std::size_t row = rank, column = rank;
    for (std::size_t i = rank; i < rows; ++i) {
      for (std::size_t j = rank; j < size; ++j) {
        if (abs(S(i, j)) > abs(S(row, column))) row = i, column = j;
      }
    }
    if (abs(S(row, column)) <= tolerance) break;
    for (std::size_t j = 0; j < size; ++j) std::swap(S(rank, j), S(row, j));
    for (std::size_t i = 0; i < rows; ++i) std::swap(S(i, rank), S(i, column));
    std::swap(order[rank], order[column]);
    for (std::size_t i = rank + 1; i < rows; ++i) {
      const quad factor = S(i, rank) / S(rank, rank);
      if (factor == 0) continue;
      for (std::size_t j = rank; j < size; ++j) S(i, j) -= factor * S(rank, j);
    }
  }
  std::vector<std::vector<quad>> kernel;
  for (std::size_t f = rank; f < size; ++f) {
    std::vector<quad> y(size, quad(0)), x(size, quad(0));
    x[f] = 1;
    for (std::size_t i = rank; i-- > 0;) {
      x[i] = -S(i, f);
      for (std::size_t j = i + 1; j < rank; ++j) x[i] -= S(i, j) * x[j];
      x[i] /= S(i, i);
    }
    for (std::size_t k = 0; k < size; ++k) y[order[k]] = x[k];
    kernel.push_back(std::move(y));
  }
  return kernel;
}

}  // namespace actio
