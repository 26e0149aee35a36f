#include "actio/mechanics/lagrangian_jet.hpp"

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/expr/terms.hpp"
#include "actio/mechanics/element_jet.hpp"
#include "actio/mechanics/lagrangian_derivatives.hpp"
#include "actio/mechanics/recursive_jet.hpp"

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

jet_expressions make_expressions(const system_code& code) {
  const lagrangian_system& system = code.system();
  const lagrangian_derivatives& L = derivatives_of(code);
  const std::size_t n = system.size();
  const std::vector<expr>& q = system.coordinates;
  const std::vector<expr> v = system.velocities();
  jet_expressions jet{.force = L.by_position, .momentum = L.by_velocity, .power = -L.by_time, .entries = {}};
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    jet.force[i] += system.forces[i];
    jet.power += system.forces[i] * v[i];
  }
  std::vector<std::vector<expr>> force_q, force_v;  // of F alone
  for (const expr& force : system.forces) {
    force_q.push_back(gradient(force, q));
    force_v.push_back(gradient(force, v));
  }
  const auto add_entry = [&](jet_block block, std::size_t i, std::size_t j, const expr& value) {
    if (!value.is_zero()) {
      jet.entries.push_back({block, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), value});
    }
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      add_entry(jet_block::momentum_v, i, j, L.by_velocities[i][j]);
      add_entry(jet_block::momentum_q, i, j, L.mixed[i][j]);
      const bool forced = !system.forces.empty();
      add_entry(jet_block::force_q, i, j, forced ? L.by_positions[i][j] + force_q[i][j] : L.by_positions[i][j]);
      add_entry(jet_block::force_v, j, i, forced ? L.mixed[i][j] + force_v[j][i] : L.mixed[i][j]);
    }
  }
  std::ranges::stable_sort(jet.entries, {}, &jet_expressions::entry::block);
  return jet;
}

}  // namespace

std::vector<std::vector<expr>> jet_expressions::rows(jet_block block) const {
  std::vector<std::vector<expr>> result(force.size(), std::vector<expr>(force.size(), expr(0)));
  for (const entry& e : entries) {
    if (e.block == block) result[e.row][e.column] = e.value;
  }
  return result;
}

const jet_expressions& expressions_of(const system_code& code) {
  return *code.piece<jet_expressions>("", [&] { return make_expressions(code); });
}

template <class S>
lagrangian_jet<S>::lagrangian_jet(const system_code& code)
    : size_(code.system().size()),
      has_power_(code.system().is_forced() || depends_on_time(code.system())),
      applied_(code.system().applied_force) {
  const lagrangian_system& system = code.system();
  if (system.recursions) {
    recursive_ = &code;
    return;
  }
  if (is_made_of_elements(system)) {
    elements_ = std::make_shared<const element_jet_code<S>>(code);
    return;
  }
  const jet_expressions& jet = expressions_of(code);
  std::vector<expr> first = jet.force;
  first.insert(first.end(), jet.momentum.begin(), jet.momentum.end());
  if (has_power_) first.push_back(jet.power);
  output_list second(first);
  for (const jet_expressions::entry& e : jet.entries) {
    entries_.push_back({e.block, e.row, e.column, second.index_of(e.value)});
  }

  const std::vector<expr> v = system.velocities(), parameters = system.parameter_symbols();
  std::vector<expr> variables(system.coordinates);
  variables.insert(variables.end(), v.begin(), v.end());
  variables.push_back(time_symbol());
  const expr varying = split_constant(system.lagrangian, variables).varying;
  value_ = compile<S>(lower(std::span(&varying, 1), parameters, variables));
  first_ = compile<S>(lower(first, parameters, variables));
  second_ = compile<S>(lower(second.outputs(), parameters, variables));
  if (applied_) make_room_for_slopes(second.outputs().size());
}

// Entries of G_q and G_v have rows of their own behind the outputs: rows that expressions share could not be added to.
template <class S>
void lagrangian_jet<S>::make_room_for_slopes(std::size_t outputs) {
  const std::size_t n = size_;
  written_.assign(2 * n * n, no_output);
  std::vector<jet_entry> all;
  const auto place = [&](const jet_entry& e) {
    return (e.block == jet_block::force_q ? 0 : n * n) + e.row * n + e.column;
  };
  for (const jet_entry& e : entries_) {
    if (e.block == jet_block::force_q || e.block == jet_block::force_v) written_[place(e)] = e.output;
  }
  for (const jet_block block : {jet_block::force_q, jet_block::force_v}) {
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) {
        jet_entry e{block, i, j, 0};
        e.output = static_cast<std::uint32_t>(outputs + place(e));
        all.push_back(e);
      }
    }
  }
  for (const jet_entry& e : entries_) {
    if (e.block == jet_block::momentum_q || e.block == jet_block::momentum_v) all.push_back(e);
  }
  entries_ = std::move(all);
}

template <class S>
std::span<const jet_entry> lagrangian_jet<S>::entries() const {
  return elements_ ? std::span<const jet_entry>(elements_->entries()) : std::span<const jet_entry>(entries_);
}

template <class S>
const lagrangian_jet<S>& jet_of(const system_code& code) {
  return *code.piece<lagrangian_jet<S>>(digits_of_constants<S>(), [&] { return lagrangian_jet<S>(code); });
}

template <class S>
jet_evaluation<S> lagrangian_jet<S>::at(std::size_t points, const shared_parameters<S>& parameters) const {
  return jet_evaluation<S>(*this, points, parameters);
}

template <class S>
jet_evaluation<S>::jet_evaluation(const lagrangian_jet<S>& jet, std::size_t points,
                                  const shared_parameters<S>& parameters)
    : size_(jet.size_), points_(points), written_(jet.written_) {
  if (jet.recursive_ != nullptr) {
    stride_ = points_;
    recursive_ = std::make_unique<recursive_jet<S>>(*jet.recursive_, points, parameters);
    in_.assign((2 * size_ + 1) * stride_, S(0));
    out_ = in_;
    return;
  }
  if (jet.elements_) {
    make_elements(jet, parameters);
    return;
  }
  slopes_row_ = jet.second_->outputs();
  value_.emplace(*jet.value_, points, parameters);
  first_.emplace(*jet.first_, points, parameters);
  second_.emplace(*jet.second_, points, parameters);
  stride_ = second_->stride();
  ACTIO_ASSERT(value_->stride() == stride_ && first_->stride() == stride_);
  in_.assign(jet.second_->inputs() * stride_, S(0));
  out_.assign((jet.second_->outputs() + written_.size()) * stride_, S(0));
  if (!jet.applied_) return;
  applied_.emplace(*jet.applied_, size_);
  q_.assign(size_, S(0));
  v_ = q_;
}

template <class S>
jet_evaluation<S>::~jet_evaluation() = default;
template <class S>
jet_evaluation<S>::jet_evaluation(jet_evaluation&&) noexcept = default;

// There are as many lanes as points; rows of entries are there once they are asked for.
template <class S>
void jet_evaluation<S>::make_elements(const lagrangian_jet<S>& jet, const shared_parameters<S>& parameters) {
  stride_ = points_;
  code_ = jet.elements_.get();
  elements_ = std::make_unique<element_jet<S>>(*code_, size_, points_, parameters);
  in_.assign((2 * size_ + 1) * stride_, S(0));
  out_.assign((2 * size_ + 1) * stride_, S(0));
}

template <class S>
void jet_evaluation<S>::evaluate_value() {
  if (recursive_) return recursive_->value(in_.data(), out_.data());
  elements_ ? elements_->value(in_.data(), out_.data()) : (*value_)(in_.data(), out_.data());
}
template <class S>
void jet_evaluation<S>::evaluate_momentum() {
  if (recursive_) return recursive_->first(in_.data(), out_.data());
  elements_ ? elements_->first(in_.data(), out_.data()) : (*first_)(in_.data(), out_.data());
}
template <class S>
void jet_evaluation<S>::evaluate_mass() {
  if (recursive_) return recursive_->second(in_.data(), out_.data());
  if (elements_) out_.resize(code_->outputs() * stride_, S(0));
  elements_ ? elements_->second(in_.data(), out_.data()) : (*second_)(in_.data(), out_.data());
}
template <class S>
void jet_evaluation<S>::evaluate_first() {
  evaluate_momentum();
  if (applied_) add_applied_force();
}
template <class S>
void jet_evaluation<S>::evaluate_second() {
  evaluate_mass();
  if (!applied_) return;
  add_applied_force();
  add_applied_slopes();
}

template <class S>
void jet_evaluation<S>::look_at(std::size_t point) {
  for (std::size_t i = 0; i < size_; ++i) {
    q_[i] = position(i)[point];
    v_[i] = velocity(i)[point];
  }
}

template <class S>
void jet_evaluation<S>::add_applied_force() {
  for (std::size_t point = 0; point < points_; ++point) {
    look_at(point);
    applied_->at(time()[point], q_, v_);
    for (std::size_t i = 0; i < size_; ++i) out_[i * stride_ + point] += applied_->force(i);
    out_[2 * size_ * stride_ + point] += applied_->power(v_);
  }
}

template <class S>
void jet_evaluation<S>::add_applied_slopes() {
  for (std::size_t point = 0; point < points_; ++point) {
    look_at(point);
    applied_->slopes_at(time()[point], q_, v_);
    for (std::size_t k = 0; k < written_.size(); ++k) {
      const std::size_t i = k / size_ % size_, j = k % size_;
      S slope = k < size_ * size_ ? applied_->by_position(i, j) : applied_->by_velocity(i, j);
      if (written_[k] != lagrangian_jet<S>::no_output) slope += out_[written_[k] * stride_ + point];
      out_[(slopes_row_ + k) * stride_ + point] = slope;
    }
  }
}

#define ACTIO_INSTANTIATE(S)                                       \
  template class lagrangian_jet<S>;                                \
  template const lagrangian_jet<S>& jet_of<S>(const system_code&); \
  template class jet_evaluation<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
