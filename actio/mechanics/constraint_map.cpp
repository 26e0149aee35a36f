#include "actio/mechanics/constraint_map.hpp"

#include <algorithm>
#include <utility>

#include "actio/expr/derivative.hpp"
#include "actio/mechanics/element_constraints.hpp"

namespace actio {

namespace {

using rates = std::vector<std::pair<expr, expr>>;

// d/dt with q' as it is and q'' left out.
rates rates_without_acceleration(const lagrangian_system& system) {
  rates result;
  for (const expr& q : system.coordinates) result.emplace_back(q, velocity_symbol(q));
  result.emplace_back(time_symbol(), expr(1));
  return result;
}

// The outputs of a program, and where the entries of a matrix stand among them.
class output_rows {
 public:
  explicit output_rows(std::vector<expr> first = {}) : outputs_(std::move(first)) {}

  std::uint32_t add(const expr& e) {
    outputs_.push_back(e);
    return static_cast<std::uint32_t>(outputs_.size() - 1);
  }
  void add_row(std::size_t row, const std::vector<expr>& values, std::vector<constraint_entry>& entries) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (values[j].is_zero()) continue;
      entries.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(j), add(values[j])});
    }
  }
  const std::vector<expr>& all() const { return outputs_; }

 private:
  std::vector<expr> outputs_;
};

}  // namespace

template <class S>
constraint_map<S>::constraint_map(const lagrangian_system& system)
    : size_(system.constraints.size()), coordinates_(system.size()) {
  depends_on_time_ =
      std::ranges::any_of(system.constraints, [](const named_expr& g) { return depends_on(g.value, time_symbol()); });
  if (is_made_of_elements(system)) {
    elements_ = std::make_shared<const element_constraint_code<S>>(system);
    jacobian_ = elements_->jacobian;
    hessian_ = elements_->hessian;
    hidden_ = elements_->hidden;
    momentum_rate_ = elements_->momentum_rate;
    curvature_ = elements_->curvature;
    return;
  }
  const std::vector<expr>& q = system.coordinates;
  const std::vector<expr> v = system.velocities();
  const rates motion = rates_without_acceleration(system);

  output_rows first;
  std::vector<expr> multipliers;
  expr work = 0;  // λ·g
  for (const named_expr& g : system.constraints) {
    first.add(g.value);
    multipliers.push_back(multiplier_symbol(g));
    work += multipliers.back() * g.value;
  }
  for (const named_expr& g : system.constraints) first.add(derivative(g.value, time_symbol()));
  for (std::size_t c = 0; c < size_; ++c) first.add_row(c, gradient(system.constraints[c].value, q), jacobian_);

  output_rows second(first.all());
  const std::vector<expr> force = gradient(work, q);
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const std::vector<expr> row = gradient(force[i], std::span(q).subspan(i));
    for (std::size_t j = i; j < coordinates_; ++j) {
      if (row[j - i].is_zero()) continue;
      const std::uint32_t output = second.add(row[j - i]);
      hessian_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), output});
      if (j != i) hessian_.push_back({static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i), output});
    }
  }

  output_rows rate(first.all());
  curvature_ = static_cast<std::uint32_t>(rate.all().size());
  std::vector<expr> hidden;
  for (const named_expr& g : system.constraints) hidden.push_back(total_derivative(g.value, motion));
  for (const expr& h : hidden) rate.add(total_derivative(h, motion));
  for (std::size_t c = 0; c < size_; ++c) rate.add_row(c, gradient(hidden[c], q), hidden_);
  const std::vector<expr> momentum = gradient(system.lagrangian, v);
  for (std::size_t i = 0; i < coordinates_; ++i) {
    rate.add_row(i, {derivative(momentum[i], time_symbol())}, momentum_rate_);
  }

  std::vector<expr> variables(q);
  variables.insert(variables.end(), v.begin(), v.end());
  variables.insert(variables.end(), multipliers.begin(), multipliers.end());
  variables.push_back(time_symbol());
  const std::vector<expr> parameters = system.parameter_symbols();
  first_ = compile<S>(lower(first.all(), parameters, variables));
  second_ = compile<S>(lower(second.all(), parameters, variables));
  rates_ = compile<S>(lower(rate.all(), parameters, variables));
}

template <class S>
constraint_evaluation<S> constraint_map<S>::at(std::size_t points, const shared_parameters<S>& parameters) const {
  return constraint_evaluation<S>(*this, points, parameters);
}

template <class S>
constraint_evaluation<S>::constraint_evaluation(const constraint_map<S>& map, std::size_t points,
                                                const shared_parameters<S>& parameters)
    : size_(map.size_), coordinates_(map.coordinates_), curvature_(map.curvature_) {
  if (map.elements_) {
    stride_ = points;
    elements_ = std::make_unique<element_constraints<S>>(map.elements_, points, parameters);
    in_.assign((2 * coordinates_ + size_ + 1) * stride_, S(0));
    out_.assign(map.elements_->rows * stride_, S(0));
    return;
  }
  first_.emplace(*map.first_, points, parameters);
  second_.emplace(*map.second_, points, parameters);
  rates_.emplace(*map.rates_, points, parameters);
  stride_ = first_->stride();
  ACTIO_ASSERT(second_->stride() == stride_ && rates_->stride() == stride_);
  in_.assign(map.first_->inputs() * stride_, S(0));
  out_.assign(std::max(map.second_->outputs(), map.rates_->outputs()) * stride_, S(0));
}

template <class S>
constraint_evaluation<S>::~constraint_evaluation() = default;
template <class S>
constraint_evaluation<S>::constraint_evaluation(constraint_evaluation&&) noexcept = default;

template <class S>
void constraint_evaluation<S>::evaluate_first() {
  if (elements_) elements_->first(in_.data(), out_.data());
  else (*first_)(in_.data(), out_.data());
}
template <class S>
void constraint_evaluation<S>::evaluate_second() {
  if (!elements_) return (*second_)(in_.data(), out_.data());
  elements_->first(in_.data(), out_.data());
  elements_->bends(in_.data(), out_.data());
}
template <class S>
void constraint_evaluation<S>::evaluate_rates() {
  if (!elements_) return (*rates_)(in_.data(), out_.data());
  elements_->first(in_.data(), out_.data());
  elements_->motion(in_.data(), out_.data());
}
template <class S>
void constraint_evaluation<S>::evaluate_slopes() {
  evaluate_rates();
  if (elements_) elements_->slopes(in_.data(), out_.data());
}

#define ACTIO_INSTANTIATE(S)        \
  template class constraint_map<S>; \
  template class constraint_evaluation<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
