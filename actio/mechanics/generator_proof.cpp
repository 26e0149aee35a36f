#include "actio/mechanics/generator_proof.hpp"

#include <algorithm>
#include <utility>

#include "actio/backend/evaluate.hpp"
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

void generator_proof::keep_true(std::vector<exact_generator>& generators) {
  if (!generators.empty()) keep_true_in_quad(generators);
  if (!generators.empty()) keep_true_in_digits(generators);
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
  const unsigned digits = is_large ? 300 : 1000;
  const many_digits scope(digits);
  const multi little = pow(multi(10), -static_cast<int>(digits * 7 / 10));
  const rounding_limits<multi> limits{little, little, 0};
  if (!exact_) exact_ = std::make_unique<variation_equations<multi>>(system_, free_);
  const std::vector<expr> symbols = system_.parameter_symbols();
  const std::vector<multi> parameters = parameter_values<multi>(system_);
  std::vector<std::pair<exact_generator, std::vector<multi>>> left;
  for (exact_generator& g : generators) {
    std::vector<multi> values = evaluate<multi>(g.formulas, symbols, parameters);
    left.emplace_back(std::move(g), std::move(values));
  }
  std::vector<double> sizes{1, 1e9};
  if (!is_large) sizes.insert(sizes.end(), {1, 1e3, 1, 1e-3, 1e27});
  for (const double size : sizes) {
    if (equations_.is_constrained() && size != 1) continue;
    equations_.set_size(quad(size), quad(at_rest_ ? 0 : size));
    if (left.empty() || !equations_.draw(size == 1 ? 10 * few_tries : few_tries) || !exact_->go_to(equations_))
      continue;
    std::erase_if(left, [&](const auto& g) { return !holds_here<multi>(*exact_, g.first.entries, g.second, limits); });
  }
  generators.clear();
  for (auto& [g, values] : left) generators.push_back(std::move(g));
}

}  // namespace actio
