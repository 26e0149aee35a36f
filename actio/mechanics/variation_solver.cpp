#include "actio/mechanics/variation_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace actio {

namespace {

quad largest_of(std::span<const quad> x) {
  quad largest = 0;
  for (const quad& one : x) largest = std::max(largest, quad(abs(one)));
  return largest;
}

// Reduced to echelon form: each vector has a column of its own, where it is 1 and all others are 0.
void reduce(std::vector<std::vector<quad>>& rows, const quad& negligible) {
  const quad significant = 100 * negligible;
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  std::size_t lead = 0;
  for (std::size_t c = 0; c < columns && lead < rows.size(); ++c) {
    std::size_t best = lead;
    quad largest = 0;
    for (std::size_t r = lead; r < rows.size(); ++r) {
      const quad size = largest_of(rows[r]), entry = abs(rows[r][c]);
      if (size > 0 && entry / size > largest) largest = entry / size, best = r;
    }
    if (largest < significant) continue;
    std::swap(rows[lead], rows[best]);
    const quad pivot = rows[lead][c];
    for (quad& x : rows[lead]) x /= pivot;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == lead || rows[r][c] == 0) continue;
      const quad factor = rows[r][c], size = largest_of(rows[r]);
      for (std::size_t k = 0; k < columns; ++k) {
        rows[r][k] -= factor * rows[lead][k];
        if (abs(rows[r][k]) < negligible * size) rows[r][k] = 0;
      }
      rows[r][c] = 0;
    }
    ++lead;
  }
  rows.resize(lead);
  for (std::vector<quad>& row : rows) {
    const quad size = largest_of(row);
    for (quad& x : row) {
      if (abs(x) < negligible * size) x = 0;
    }
  }
}

// What is as near to a simple fraction as double may leave it: nearer for those that are less simple.
quad simple_fraction(const quad& x) {
  constexpr int most_denominator = 12;
  for (int denominator = 1; denominator <= most_denominator; ++denominator) {
    const quad numerator = round(x * denominator);
    const bool is_simplest = denominator <= 2 && abs(numerator) <= 2;
    if (abs(x * denominator - numerator) < quad(is_simplest ? 1e-5 : 1e-9)) return numerator / denominator;
  }
  return x;
}

}  // namespace

// The equations at the points drawn so far, as rows whose columns are directions.
class variation_solver::sampled_rows {
 public:
  sampled_rows(variation_equations<quad>& equations, std::vector<direction> directions)
      : equations_(equations), directions_(std::move(directions)) {}

  bool draw() {
    if (!equations_.draw()) return false;
    const variation_sample<quad>& here = samples_.emplace_back(equations_.here());
    for (std::size_t k = 0; k < equations_.equations(); ++k) {
      // Powers of two: what is far below or above one must not leave the range of double.
      const quad largest =
          std::max(largest_of(equations_.by_position(here, k)), largest_of(equations_.by_velocity(here, k)));
      int exponent = 0;
      frexp(largest, &exponent);
      scales_.push_back(ldexp(quad(1), -exponent));
    }
    return true;
  }
  std::size_t size() const { return scales_.size(); }

  // A row in double.
  std::vector<double> rough(std::size_t row) const {
    const std::size_t n = equations_.size(), k = row % equations_.equations();
    const variation_sample<quad>& at = samples_[row / equations_.equations()];
    const auto rounded = [](std::span<const quad> from, std::size_t size, const quad& scale) {
      std::vector<double> result(size, 0.0);
      for (std::size_t i = 0; i < from.size(); ++i) result[i] = to_double(quad(from[i] * scale));
      return result;
    };
    const std::vector<double> by_position = rounded(equations_.by_position(at, k), n, scales_[row]),
                              by_velocity = rounded(equations_.by_velocity(at, k), n, scales_[row]),
                              variables = rounded(at.variables, 2 * n + 1, 1);
    constexpr double rounding = 1e-13;
    std::vector<double> result;
    result.reserve(directions_.size());
    for (const direction& d : directions_) {
      double sum = 0, terms = 0;
      for (const motion& m : d) {
        const double moved = m.rough * by_position[m.i] * (m.j == n ? 1 : variables[m.j]),
                     turned = m.j == n ? 0 : m.rough * by_velocity[m.i] * variables[n + m.j];
        sum += moved + turned;
        terms += std::abs(moved) + std::abs(turned);
      }
      result.push_back(std::abs(sum) > rounding * terms ? sum : 0);
    }
    return result;
  }

  quad entry(std::size_t row, std::size_t column) const {
    quad sum = 0;
    for (const motion& m : directions_[column]) {
      sum += m.factor *
             equations_.coefficient(samples_[row / equations_.equations()], row % equations_.equations(), m.i, m.j);
    }
    return sum * scales_[row];
  }

  // Makes entries of one size in each column, beside the largest of their rows; what is rounding stays small.
  std::vector<quad> equalise() {
    constexpr double smallest = 1e-10;
    std::vector<double> sizes(directions_.size(), smallest);
    for (std::size_t r = 0; r < size(); ++r) {
      const std::vector<double> row = rough(r);
      double largest = 0;
      for (const double x : row) largest = std::max(largest, std::abs(x));
      for (std::size_t c = 0; c < row.size() && largest > 0; ++c)
        sizes[c] = std::max(sizes[c], std::abs(row[c]) / largest);
    }
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      for (motion& m : directions_[c]) {
        m.factor /= sizes[c];
        m.rough = to_double(m.factor);
      }
    }
    return {sizes.begin(), sizes.end()};
  }

 private:
  variation_equations<quad>& equations_;
  std::vector<direction> directions_;
  std::vector<variation_sample<quad>> samples_;
  std::vector<quad> scales_;  // one a row
};

variation_solver::variation_solver(variation_equations<quad>& equations, const std::vector<direction>& directions)
    : directions_(directions.size()),
      rows_(std::make_unique<sampled_rows>(equations, directions)),
      elimination_(directions.size()) {
  constexpr std::size_t first_points = 6, more_points = 6, most_more = 60;
  for (std::size_t k = 0; k < first_points; ++k) {
    if (!rows_->draw()) return;
  }
  has_points_ = true;
  sizes_ = rows_->equalise();
  std::size_t next = 0;
  const auto eliminate = [&] {
    bool is_new = false;
    for (; next < rows_->size(); ++next) is_new = elimination_.add(rows_->rough(next)) || is_new;
    return is_new;
  };
  eliminate();
  for (std::size_t idle = 0; solutions() > 0 && idle < more_points + std::min(solutions(), most_more);) {
    if (!rows_->draw()) break;
    idle = eliminate() ? 0 : idle + 1;
  }
}

variation_solver::~variation_solver() = default;

std::vector<std::vector<quad>> variation_solver::reduced(std::vector<std::vector<quad>> basis,
                                                         double negligible) const {
  reduce(basis, quad(negligible));
  for (std::vector<quad>& x : basis) {
    for (std::size_t c = 0; c < directions_; ++c) x[c] /= sizes_[c];
    const quad lead = *std::ranges::find_if(x, [](const quad& one) { return one != 0; });
    for (quad& one : x) one /= lead;
  }
  return basis;
}

std::vector<std::vector<quad>> variation_solver::rough() const {
  std::vector<std::vector<quad>> basis = reduced(elimination_.rough_null_space(), 1e-9);
  for (std::vector<quad>& x : basis) {
    for (quad& one : x) one = simple_fraction(one);
  }
  return basis;
}

std::vector<std::vector<quad>> variation_solver::refined() const {
  matrix<quad> rows(rows_->size(), directions_);  // each entry is needed several times
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t c = 0; c < directions_; ++c) rows(r, c) = rows_->entry(r, c);
  }
  return reduced(elimination_.null_space([&](std::size_t r, std::size_t c) { return rows(r, c); }), 1e-16);
}

}  // namespace actio
