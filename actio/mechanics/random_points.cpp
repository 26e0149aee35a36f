#include "actio/mechanics/random_points.hpp"

#include <algorithm>
#include <cmath>

#include "actio/base/dense.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

random_points::random_points(const lagrangian_system& system, std::span<const expr> outputs)
    : variables_(system.coordinates) {
  const std::vector<expr> velocities = system.velocities();
  variables_.insert(variables_.end(), velocities.begin(), velocities.end());
  variables_.push_back(time_symbol());
  evaluation_ = compile<quad>(lower(outputs, system.parameter_symbols(), variables_))->evaluate_at(1);
  evaluation_->set_parameters(parameter_values<quad>(system));
  in_.resize(variables_.size() * evaluation_->stride(), quad(0));
  out_.resize(std::max<std::size_t>(1, outputs.size()) * evaluation_->stride(), quad(0));
  values_.resize(outputs.size());
}

bool random_points::draw() {
  constexpr int most_tries = 400;
  const std::size_t stride = evaluation_->stride();
  const std::size_t size = (variables_.size() - 1) / 2;
  quad speed = 1;
  for (int tries = 0; tries < most_tries; ++tries) {
    // Some Lagrangians exist for slow motion only, such as relativistic ones.
    if (tries % 20 == 19) speed /= 2;
    for (std::size_t k = 0; k < variables_.size(); ++k) {
      const bool is_velocity = k >= size && k < 2 * size;
      in_[k * stride] = number_of_order_one() * (is_velocity ? speed : quad(1));
    }
    if (evaluate()) return true;
  }
  return false;
}

bool random_points::move(std::span<const quad> change) {
  for (std::size_t i = 0; i < change.size(); ++i) in_[i * evaluation_->stride()] += change[i];
  return evaluate();
}

bool random_points::evaluate() {
  (*evaluation_)(in_.data(), out_.data());
  for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = out_[k * evaluation_->stride()];
  return std::all_of(values_.begin(), values_.end(), [](const quad& x) { return is_finite(x); });
}

std::string random_points::description() const {
  constexpr std::size_t most_listed = 12;
  std::string text;
  for (std::size_t k = 0; k < std::min(variables_.size(), most_listed); ++k) {
    if (k > 0) text += ", ";
    text += variables_[k].name() + " = " + to_brief(in_[k * evaluation_->stride()]);
  }
  return variables_.size() > most_listed ? text + ", ..." : text;
}

// Between 0.2 and 1.2 in absolute value, of either sign: away from zero, where identities may hold by chance.
quad random_points::number_of_order_one() {
  const std::uint64_t word = bits_();
  const quad magnitude = quad(0.2) + ldexp(quad(word >> 12), -52);
  return (word & 1U) != 0 ? magnitude : quad(-magnitude);
}

namespace {

constexpr int points_tested = 20;
constexpr int points_on_constraints = 6;  // which take long to reach
constexpr double beside_terms = 1e-20, beside_references = 1e-26;

// Moves a point to the constraints by Newton's method, each time the shortest way: δ = −Aᵀ (A Aᵀ)⁻¹ g. The first
// outputs are g, then A by rows.
bool reach_constraints(random_points& at, std::size_t constraints, std::size_t coordinates) {
  constexpr int most_iterations = 60;
  const quad rounding = 1e-30;
  matrix<quad> normal(constraints, constraints);
  lu_factorisation<quad> equations(constraints);
  std::vector<quad> y(constraints), change(coordinates);
  for (int k = 0; k < most_iterations; ++k) {
    const std::span<const quad> g = at.values().first(constraints), A = at.values().subspan(constraints);
    normal.set_zero();
    for (std::size_t c = 0; c < constraints; ++c) {
      for (std::size_t d = 0; d <= c; ++d) {
        for (std::size_t i = 0; i < coordinates; ++i) normal(c, d) += A[c * coordinates + i] * A[d * coordinates + i];
        normal(d, c) = normal(c, d);
      }
      y[c] = -g[c];
    }
    if (!equations.factorise(normal)) return false;
    equations.solve_in_place(y);
    quad largest = 0;
    for (std::size_t i = 0; i < coordinates; ++i) {
      change[i] = 0;
      for (std::size_t c = 0; c < constraints; ++c) change[i] += A[c * coordinates + i] * y[c];
      largest = std::max(largest, quad(abs(change[i])));
    }
    if (!at.move(change)) return false;
    if (largest < rounding) return true;
  }
  return false;
}

}  // namespace

std::optional<nonzero_point> find_nonzero_sum(const lagrangian_system& system, std::span<const expr> terms,
                                              std::span<const expr> references) {
  expr sum = 0;
  for (const expr& term : terms) sum += term;
  if (sum.is_zero()) return std::nullopt;
  std::vector<expr> outputs(terms.begin(), terms.end());
  outputs.insert(outputs.end(), references.begin(), references.end());
  random_points at(system, outputs);
  for (int i = 0; i < points_tested && at.draw(); ++i) {
    quad value = 0, size = 0;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const quad& x = at.values()[k];
      if (k < terms.size()) value += x;
      size += abs(x) * (k < terms.size() ? beside_terms : beside_references);
    }
    if (abs(value) > size) return nonzero_point{value, at.description()};
  }
  return std::nullopt;
}

std::optional<nonzero_point> find_nonzero_sum_on_constraints(const lagrangian_system& system,
                                                             std::span<const expr> terms,
                                                             std::span<const expr> references) {
  const auto anywhere = find_nonzero_sum(system, terms, references);
  if (!anywhere) return std::nullopt;
  const std::size_t m = system.constraints.size(), n = system.size();
  std::vector<expr> outputs;
  for (const named_expr& g : system.constraints) outputs.push_back(g.value);
  for (const named_expr& g : system.constraints) {
    const std::vector<expr> row = gradient(g.value, system.coordinates);
    outputs.insert(outputs.end(), row.begin(), row.end());
  }
  const std::size_t first = outputs.size();
  outputs.insert(outputs.end(), terms.begin(), terms.end());
  random_points at(system, outputs);
  int reached = 0;
  for (int i = 0; i < points_on_constraints && at.draw(); ++i) {
    if (!reach_constraints(at, m, n)) continue;
    ++reached;
    quad value = 0, size = 0;  // what is left of constraints and slopes may have cancelled inside a term
    for (const quad& x : at.values().first(first)) size += abs(x) * beside_references;
    for (const quad& x : at.values().subspan(first)) value += x, size += abs(x) * beside_terms;
    if (abs(value) > size) return nonzero_point{value, at.description()};
  }
  return reached > 0 ? std::nullopt : anywhere;
}

}  // namespace actio
