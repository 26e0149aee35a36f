#include "papers/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/analysis/convergence.hpp"
#include "actio/base/largest.hpp"

namespace actio {

namespace {

constexpr double most_growth = 2;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

bool are_numbers(std::span<const double> values) {
  return !values.empty() && std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

}  // namespace

judgement about(const std::string& subject, judgement judged) {
  judged.rule = fmt::format("{} {}", subject, judged.rule);
  return judged;
}

judgement operator&&(const judgement& a, const judgement& b) {
  return {fmt::format("{}; {}", a.rule, b.rule), a.holds && b.holds, a.is_computed && b.is_computed};
}

judgement at_most(double seen, double limit) {
  return {limit == 0 ? "exactly 0" : fmt::format("at most {:g}", limit), seen <= limit, std::isfinite(seen)};
}

judgement at_least(double seen, double limit) {
  return {fmt::format("at least {:g}", limit), seen >= limit, std::isfinite(seen)};
}

judgement within(double seen, double target, double tolerance) {
  return {fmt::format("within {:g} of {:g}", tolerance, target), std::abs(seen - target) <= tolerance,
          std::isfinite(seen)};
}

judgement within_range(double seen_least, double seen_most, double target, double tolerance) {
  const judgement least = within(seen_least, target, tolerance), most = within(seen_most, target, tolerance);
  return {fmt::format("all {}", least.rule), least.holds && most.holds, least.is_computed && most.is_computed};
}

judgement within_share(std::span<const double> seen, std::span<const double> target, double share) {
  judgement result{fmt::format("{}within {:g} of the published size", seen.size() > 1 ? "each " : "", share), true,
                   are_numbers(seen)};
  for (std::size_t k = 0; k < seen.size(); ++k) {
    result.holds = result.holds && std::abs(seen[k] - target[k]) <= share * std::abs(target[k]);
  }
  return result;
}

judgement inside(double seen_least, double seen_most, double least, double most, double slack) {
  return {fmt::format("inside the published interval, {:g} allowed", slack),
          seen_least >= least - slack && seen_most <= most + slack,
          std::isfinite(seen_least) && std::isfinite(seen_most)};
}

judgement all_below(std::span<const double> errors, std::span<const double> others, const std::string& where) {
  judgement result{fmt::format("smaller {}", where), errors.size() == others.size(),
                   are_numbers(errors) && are_numbers(others)};
  for (std::size_t k = 0; k < errors.size() && result.holds; ++k) result.holds = errors[k] < others[k];
  return result;
}

judgement falls(std::span<const double> values) {
  return {"each smaller than the one before", std::ranges::is_sorted(values, std::greater_equal<>()),
          are_numbers(values)};
}

double growth_of_work(std::span<const double> steps, std::span<const double> work) {
  return -order_by_regression(steps, work, 0).value_or(nothing);
}

std::vector<double> tenths(std::span<const double> values) {
  constexpr std::size_t parts = 10;
  std::vector<double> result;
  for (std::size_t k = 0; k < parts; ++k) {
    const std::size_t begin = k * values.size() / parts, end = (k + 1) * values.size() / parts;
    result.push_back(end > begin ? largest_size(values.subspan(begin, end - begin)) : nothing);
  }
  return result;
}

double growth(std::span<const double> in_tenths) { return in_tenths.back() / in_tenths.front(); }

judgement keeps_its_size(std::span<const double> in_tenths) {
  return {fmt::format("last tenth of the run at most {:g} times the first", most_growth),
          in_tenths.back() <= most_growth * in_tenths.front(), are_numbers(in_tenths)};
}

judgement grows(std::span<const double> in_tenths) {
  return {fmt::format("last tenth of the run more than {:g} times the first", most_growth),
          in_tenths.back() > most_growth * in_tenths.front(), are_numbers(in_tenths)};
}

double correlation(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size() || !are_numbers(a) || !are_numbers(b)) return nothing;
  const auto mean = [](std::span<const double> x) {
    double sum = 0;
    for (double value : x) sum += value;
    return sum / static_cast<double>(x.size());
  };
  const double mean_a = mean(a), mean_b = mean(b);
  double both = 0, square_a = 0, square_b = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    both += (a[k] - mean_a) * (b[k] - mean_b);
    square_a += (a[k] - mean_a) * (a[k] - mean_a);
    square_b += (b[k] - mean_b) * (b[k] - mean_b);
  }
  return both / std::sqrt(square_a * square_b);
}

double visible_distance(std::span<const double> seen, std::span<const double> right) {
  if (seen.size() != right.size() || !are_numbers(right)) return nothing;
  double largest = 0;
  for (std::size_t k = 0; k < seen.size(); ++k) raise_to(largest, std::abs(seen[k] - right[k]));
  const auto [least, most] = std::ranges::minmax(right);
  return largest / (most - least);
}

panel tenths_panel(std::string title, std::string y_label, const std::vector<named_tenths>& runs) {
  panel p{std::move(title), "tenth of the run", std::move(y_label), false, true, false, {}};
  for (const named_tenths& run : runs) {
    curve c{run.name, curve_style::line_with_points, {}, run.values};
    for (std::size_t k = 0; k < run.values.size(); ++k) c.x.push_back(static_cast<double>(k + 1));
    p.curves.push_back(std::move(c));
  }
  return p;
}

std::vector<double> ratios(std::span<const double> a, std::span<const double> b) {
  std::vector<double> result;
  for (std::size_t k = 0; k < a.size(); ++k) result.push_back(a[k] / b[k]);
  return result;
}

}  // namespace actio
