#include "actio/mechanics/lagrangian_jet.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"

namespace actio {

namespace {

// Collects the distinct expressions that a program computes; equal ones share an output.
class output_list {
 public:
  explicit output_list(std::vector<expr> first) : outputs_(std::move(first)) {}

  std::uint32_t index_of(const expr& e) {
    const auto [found, fresh] = known_.try_emplace(e, static_cast<std::uint32_t>(outputs_.size()));
    if (fresh) outputs_.push_back(e);
    return found->second;
  }
  const std::vector<expr>& outputs() const { return outputs_; }

 private:
  std::vector<expr> outputs_;
  expr_map<std::uint32_t> known_;
};

// ∂²L/∂x∂y for the first-order derivatives `rows` of L; the lower triangle is taken from the upper one, since the two
// orders of differentiation may give different expressions of the same function.
std::vector<std::vector<expr>> symmetric_jacobian(const std::vector<expr>& rows, std::span<const expr> symbols) {
  std::vector<std::vector<expr>> result;
  for (const expr& row : rows) result.push_back(gradient(row, symbols));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) result[i][j] = result[j][i];
  }
  return result;
}

}  // namespace

template <class S>
lagrangian_jet<S>::lagrangian_jet(const lagrangian_system& system)
    : size_(system.size()), has_power_(system.is_forced() || depends_on(system.lagrangian, time_symbol())) {
  const std::size_t n = size_;
  const std::vector<expr>& q = system.coordinates;
  const std::vector<expr> v = system.velocities();
  const expr& L = system.lagrangian;
  const std::vector<expr> L_q = gradient(L, q), L_v = gradient(L, v);
  const auto L_qq = symmetric_jacobian(L_q, q), L_vv = symmetric_jacobian(L_v, v);

  std::vector<expr> first;
  for (std::size_t i = 0; i < n; ++i) first.push_back(system.forces.empty() ? L_q[i] : L_q[i] + system.forces[i]);
  first.insert(first.end(), L_v.begin(), L_v.end());
  if (has_power_) {
    expr power = -derivative(L, time_symbol());
    for (std::size_t i = 0; i < system.forces.size(); ++i) power += system.forces[i] * v[i];
    first.push_back(power);
  }

  output_list second(first);
  const auto add_entry = [&](jet_block block, std::size_t i, std::size_t j, const expr& value) {
    if (!value.is_zero()) {
      entries_.push_back({block, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), second.index_of(value)});
    }
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<expr> mixed = gradient(L_v[i], q);
    for (std::size_t j = 0; j < n; ++j) {
      add_entry(jet_block::momentum_v, i, j, L_vv[i][j]);
      add_entry(jet_block::momentum_q, i, j, mixed[j]);
      if (system.forces.empty()) {
        add_entry(jet_block::force_q, i, j, L_qq[i][j]);
        add_entry(jet_block::force_v, j, i, mixed[j]);
      } else {
        add_entry(jet_block::force_q, i, j, L_qq[i][j] + derivative(system.forces[i], q[j]));
        add_entry(jet_block::force_v, j, i, mixed[j] + derivative(system.forces[j], v[i]));
      }
    }
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const jet_entry& a, const jet_entry& b) { return a.block < b.block; });

  std::vector<expr> variables(q);
  variables.insert(variables.end(), v.begin(), v.end());
  variables.push_back(time_symbol());
  const std::vector<expr> parameters = system.parameter_symbols();
  value_ = compile<S>(lower(std::span(&L, 1), parameters, variables));
  first_ = compile<S>(lower(first, parameters, variables));
  second_ = compile<S>(lower(second.outputs(), parameters, variables));
}

template <class S>
jet_evaluation<S> lagrangian_jet<S>::at(std::size_t points, std::span<const S> parameters) const {
  return jet_evaluation<S>(*this, points, parameters);
}

template <class S>
jet_evaluation<S>::jet_evaluation(const lagrangian_jet<S>& jet, std::size_t points, std::span<const S> parameters)
    : size_(jet.size_),
      points_(points),
      value_(jet.value_->evaluate_at(points)),
      first_(jet.first_->evaluate_at(points)),
      second_(jet.second_->evaluate_at(points)) {
  stride_ = second_->stride();
  ACTIO_ASSERT(value_->stride() == stride_ && first_->stride() == stride_);
  in_.assign(jet.second_->inputs() * stride_, S(0));
  out_.assign(jet.second_->outputs() * stride_, S(0));
  for (evaluation<S>* f : {value_.get(), first_.get(), second_.get()}) f->set_parameters(parameters);
}

template <class S>
void jet_evaluation<S>::evaluate_value() {
  (*value_)(in_.data(), out_.data());
}
template <class S>
void jet_evaluation<S>::evaluate_first() {
  (*first_)(in_.data(), out_.data());
}
template <class S>
void jet_evaluation<S>::evaluate_second() {
  (*second_)(in_.data(), out_.data());
}

#define ACTIO_INSTANTIATE(S)        \
  template class lagrangian_jet<S>; \
  template class jet_evaluation<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
