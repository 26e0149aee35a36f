#include "actio/simulate/pace.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "actio/base/error.hpp"

namespace actio {

namespace {

// Terms of a polynomial of the degree in so many variables; `most + 1` where there are more than `most`.
std::size_t term_count(std::size_t variables, std::size_t degree, std::size_t most) {
  std::size_t count = 1;  // (variables + degree)! / variables! / degree!
  for (std::size_t d = 1; d <= degree; ++d) {
    count = count * (variables + d) / d;
    if (count > most) return most + 1;
  }
  return count;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// The combination of the columns that is nearest to a vector, by orthonormal columns; those that the ones before them
// span have no share.
std::vector<double> nearest_combination(std::vector<std::vector<double>> columns, std::vector<double> to) {
  constexpr double dependent = 1e-6;
  const std::size_t n = columns.size();
  std::vector<std::vector<double>> upper(n, std::vector<double>(n, 0.0));
  std::vector<double> result(n, 0.0);
  const auto remove = [](std::vector<double>& from, const std::vector<double>& unit) {
    const double share = product(from, unit);
    for (std::size_t k = 0; k < from.size(); ++k) from[k] -= share * unit[k];
    return share;
  };
  for (std::size_t c = 0; c < n; ++c) {
    const double length = std::sqrt(product(columns[c], columns[c]));
    for (int round = 0; round < 2; ++round) {
      for (std::size_t b = 0; b < c; ++b) upper[b][c] += remove(columns[c], columns[b]);
    }
    const double left = std::sqrt(product(columns[c], columns[c]));
    if (left > dependent * length) upper[c][c] = left;
    for (double& x : columns[c]) x = upper[c][c] > 0 ? x / left : 0;
    result[c] = remove(to, columns[c]);
  }
  for (std::size_t c = n; c-- > 0;) {
    result[c] = upper[c][c] > 0 ? result[c] / upper[c][c] : 0;
    for (std::size_t b = 0; b < c; ++b) result[b] -= upper[b][c] * result[c];
  }
  return result;
}

}  // namespace

// Products of Chebyshev polynomials, by their degrees in the order of the variables.
void pace_rule::terms(std::span<const double> values, std::vector<double>& result) const {
  struct product {
    double value;
    std::size_t left;  // of the degree
  };
  std::vector<product> products{{1, degree_}};
  for (std::size_t v = 0; v < middle_.size() && degree_ > 0; ++v) {
    const double x = reach_[v] > 0 ? std::clamp((values[v] - middle_[v]) / reach_[v], -1.0, 1.0) : 0;
    std::vector<product> next;
    for (const product& p : products) {
      double before = x, now = 1;  // T₋₁ and T₀
      for (std::size_t d = 0; d <= p.left; ++d) {
        next.push_back({p.value * now, p.left - d});
        const double after = 2 * x * now - before;
        before = now;
        now = after;
      }
    }
    products = std::move(next);
  }
  result.clear();
  for (const product& p : products) result.push_back(p.value);
}

pace_rule pace_rule::through(double time, double accuracy, std::size_t varied, std::span<const double> values,
                             std::span<const double> steps) {
  constexpr std::size_t points_a_term = 5, highest_degree = 8;
  const std::size_t sample = steps.size(), most = sample / points_a_term;
  ACTIO_ASSERT(sample > 0 && values.size() == varied * sample);
  pace_rule rule(time, 1, accuracy);
  while (rule.degree_ < highest_degree && term_count(varied, rule.degree_ + 1, most) <= most) ++rule.degree_;
  for (std::size_t v = 0; v < varied; ++v) {
    double low = values[v], high = low;
    for (std::size_t k = 0; k < sample; ++k) {
      low = std::min(low, values[k * varied + v]);
      high = std::max(high, values[k * varied + v]);
    }
    rule.middle_.push_back(std::midpoint(low, high));
    rule.reach_.push_back(high / 2 - low / 2);
  }
  rule.fewest_ = std::ranges::min(steps);
  rule.most_ = std::ranges::max(steps);
  std::vector<std::vector<double>> columns;
  std::vector<double> row;
  for (std::size_t k = 0; k < sample; ++k) {
    rule.terms(values.subspan(k * varied, varied), row);
    columns.resize(row.size());
    for (std::size_t t = 0; t < row.size(); ++t) columns[t].push_back(row[t] / steps[k]);
  }
  rule.coefficients_ = nearest_combination(std::move(columns), std::vector<double>(sample, 1.0));
  return rule;
}

pace_rule pace_rule::times(double factor) const {
  pace_rule rule = *this;
  rule.factor_ *= factor;
  return rule;
}

double pace_rule::needed(std::span<const double> values) const {
  if (coefficients_.empty()) return factor_ * fewest_;
  std::vector<double> row;
  terms(values, row);
  double sum = 0;
  for (std::size_t t = 0; t < row.size(); ++t) sum = std::fma(row[t], coefficients_[t], sum);
  return factor_ * std::clamp(sum, fewest_, most_);  // NaN, of values that are none, does not matter: these fail
}

std::size_t pace_rule::steps_of(double needed) const {
  return needed >= 1 ? static_cast<std::size_t>(std::ceil(needed)) : 1;
}

}  // namespace actio
