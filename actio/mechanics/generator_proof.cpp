#include "actio/mechanics/generator_proof.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "actio/backend/compiled_function.hpp"
#include "actio/backend/evaluate.hpp"
#include "actio/expr/terms.hpp"
#include "actio/mechanics/many_digits.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

namespace {

constexpr int few_tries = 20;  // for points at which the system may not exist

// What rounding leaves of zero.
template <class S>
struct rounding_limits {
  S beside_terms, beside_reference;
  S computed;  // beside the reference: what is so little, and yet not zero, was computed and not left over
};

// Whether the equations hold here: the sum is rounding beside its terms, or beside what may have cancelled inside them.
template <class S>
bool holds_here(const variation_equations<S>& equations, std::span<const generator_entry> entries,
                std::span<const S> values, const rounding_limits<S>& limits) {
  for (std::size_t k = 0; k < equations.equations(); ++k) {
    S sum = 0, terms = 0;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const S term = values[e] * equations.coefficient(equations.here(), k, entries[e].moved, entries[e].by);
      sum += term;
      terms += abs(term);
    }
    if (abs(sum) <= limits.beside_terms * terms) continue;
    const S reference = equations.reference(equations.here(), k);
    if (abs(sum) > limits.beside_reference * reference || abs(sum) < limits.computed * reference) return false;
  }
  return true;
}

}  // namespace

// q → e^(εA) q + … b along q' = Aq + b, and with `is_velocity` without b; by its series, whose terms become small soon.
std::vector<quad> moved_along(std::span<const generator_entry> entries, const quad& amount, std::vector<quad> q,
                              bool is_velocity) {
  constexpr int terms = 60;
  const std::size_t n = q.size();
  std::vector<quad> term = q;
  for (int k = 1; k <= terms; ++k) {
    std::vector<quad> next(n, quad(0));
    for (const generator_entry& e : entries) {
      if (e.by < n) next[e.moved] += e.value * term[e.by];
      else if (k == 1 && !is_velocity) next[e.moved] += e.value;
    }
    for (std::size_t i = 0; i < n; ++i) {
      next[i] *= amount / quad(k);
      q[i] += next[i];
    }
    term = std::move(next);
  }
  return q;
}

void generator_proof::keep_true(std::vector<exact_generator>& generators) {
  if (!generators.empty()) keep_true_in_quad(generators);
  if (!generators.empty()) keep_true_in_digits(generators);
  const bool may_jump = !equations_.is_constrained() && !of_momenta_;
  if (!generators.empty() && may_jump) keep_true_across_jumps(generators);
  equations_.set_size(1, at_rest_ ? 0 : 1);
}

// Far away only where the system exists there.
void generator_proof::keep_true_in_quad(std::vector<exact_generator>& generators) {
  const bool takes_long = equations_.is_constrained();  // to reach a point
  const int near = takes_long ? 6 : 10, far = takes_long ? 2 : 4;
  const rounding_limits<quad> limits{1e-24, 1e-26, 1e-40};
  const auto test = [&](int tries) {
    if (!equations_.draw(tries)) return;
    std::erase_if(generators, [&](const exact_generator& g) {
      std::vector<quad> values;
      for (const generator_entry& e : g.entries) values.push_back(e.value);
      return !holds_here<quad>(equations_, g.entries, values, limits);
    });
  };
  for (int k = 0; k < near && !generators.empty(); ++k) test(10 * few_tries);
  for (const double size : {0.1, 10.0, 100.0, 1000.0}) {
    if (takes_long && size > 10) break;  // most constraints lead back to the same places
    equations_.set_size(quad(size), quad(at_rest_ ? 0 : size));
    for (int k = 0; k < far && !generators.empty(); ++k) test(few_tries);
  }
}

// Few points suffice, since what differs shows at all of them. Powers that are little near the origin are large far
// away, where the exponents of these numbers still hold them.
void generator_proof::keep_true_in_digits(std::vector<exact_generator>& generators) {
  constexpr std::size_t large = 2000;  // operations a point
  const bool is_large = equations_.operations() > large;
  const unsigned digits = is_large || !has_mpfr ? 300 : 1000;
  const many_digits scope(digits);
  const proof_real little = pow(proof_real(10), -static_cast<int>(digits * 7 / 10));
  const rounding_limits<proof_real> limits{little, little, 0};
  if (!exact_) exact_ = std::make_unique<variation_equations<proof_real>>(system_, free_, of_momenta_);
  const std::vector<expr> symbols = system_.parameter_symbols();
  const std::vector<proof_real> parameters = parameter_values<proof_real>(system_);
  std::vector<std::pair<exact_generator, std::vector<proof_real>>> left;
  for (exact_generator& g : generators) {
    std::vector<proof_real> values = evaluate<proof_real>(g.formulas, symbols, parameters);
    left.emplace_back(std::move(g), std::move(values));
  }
  std::vector<double> sizes{1, 1e9};
  if (!is_large) sizes.insert(sizes.end(), {1, 1e3, 1, 1e-3, 1e27});
  for (const double size : sizes) {
    if (equations_.is_constrained() && size != 1) continue;
    equations_.set_size(quad(size), quad(at_rest_ ? 0 : size));
    if (left.empty() || !equations_.draw(size == 1 ? 10 * few_tries : few_tries) || !exact_->go_to(equations_))
      continue;
    std::erase_if(left,
                  [&](const auto& g) { return !holds_here<proof_real>(*exact_, g.first.entries, g.second, limits); });
  }
  generators.clear();
  for (auto& [g, values] : left) generators.push_back(std::move(g));
}

void generator_proof::keep_true_across_jumps(std::vector<exact_generator>& generators) {
  constexpr std::size_t large = 2000;  // operations a point
  constexpr double limit = 1e8;        // times what rounding makes of L; the series loses digits as well
  const std::size_t n = system_.size();
  std::vector<expr> variables = system_.coordinates;
  for (const auto& part : {system_.velocities(), std::vector{time_symbol()}}) {
    variables.insert(variables.end(), part.begin(), part.end());
  }
  const std::vector<expr> measured{system_.lagrangian, rounding_size(system_.lagrangian)};
  const auto function = compile<quad>(lower(measured, system_.parameter_symbols(), variables));
  const auto evaluation = function->evaluate_at(1);
  evaluation->set_parameters(parameter_values<quad>(system_));
  const std::size_t stride = evaluation->stride();
  std::vector<quad> in(function->inputs() * stride, quad(0)), out(function->outputs() * stride, quad(0));
  const auto at = [&](std::span<const quad> q, std::span<const quad> v) {
    for (std::size_t i = 0; i < n; ++i) {
      in[i * stride] = q[i];
      in[(n + i) * stride] = v[i];
    }
    (*evaluation)(in.data(), out.data());
    return std::pair(out[0], out[stride]);
  };
  std::mt19937 random(20);
  std::normal_distribution<double> normal;
  const int points = equations_.operations() > large ? 4 : 24;
  for (int k = 0; k < points && !generators.empty(); ++k) {
    const double size = k % 3 == 2 ? 10 : 1, amount = 2.5 * normal(random);
    std::vector<quad> q, v;
    for (std::size_t i = 0; i < n; ++i) {
      q.emplace_back(size * normal(random));
      v.emplace_back(at_rest_ ? 0 : normal(random));
    }
    const auto [before, rounding] = at(q, v);
    std::erase_if(generators, [&](const exact_generator& g) {
      quad fastest(1);
      for (const generator_entry& e : g.entries) fastest = std::max(fastest, quad(abs(e.value)));
      const quad by = quad(amount) / fastest;
      const auto [behind, rounding_there] =
          at(moved_along(g.entries, by, q, false), moved_along(g.entries, by, v, true));
      const quad change = abs(behind - before);
      return is_finite(change) && change > quad(limit) * epsilon<quad>() * (rounding + rounding_there);
    });
  }
}

}  // namespace actio
