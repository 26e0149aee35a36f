#include "actio/simulate/companion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "actio/backend/backend.hpp"
#include "actio/simulate/difference.hpp"
#include "actio/simulate/time_scale.hpp"

namespace actio {

namespace {

constexpr std::size_t most_marks = 256;

// How far a part of a state is from its start, but never so near that rounding would be far beside it.
template <class S>
double extent_of(const compensated_vector<S>& now, const compensated_vector<S>& start) {
  constexpr double standing = 1e-8;
  double size = 0;
  for (const S& x : now.value) size = std::hypot(size, to_double(x));
  return std::max(difference_of(now, start).norm, standing * size);
}

double relative(double error, double extent) { return error == 0 ? 0 : error / extent; }

}  // namespace

template <class S>
std::unique_ptr<companion<S>> companion<S>::beside(const integrator<S>& flow, const phase_state<S>& start,
                                                   std::size_t most, const company_plan& plan) {
  try {
    const S step = flow.step() / S(static_cast<double>(plan.parts));
    integrator<S> finer = plan.by != nullptr ? flow.with_method(*plan.by, step) : flow.with_step(step);
    return std::unique_ptr<companion>(new companion(std::move(finer), start, most, plan));
  } catch (const input_error&) {  // a part of a step may lie in a gap of stability
    return nullptr;
  }
}

template <class S>
companion<S>::companion(integrator<S> flow, const phase_state<S>& start, std::size_t most, const company_plan& plan)
    : flow_(std::move(flow)),
      workspace_(flow_.make_workspace()),
      free_(flow_, flow_.space()),
      start_(start),
      state_(start),
      most_(most),
      parts_(plan.parts),
      unseen_(plan.unseen) {
  state_.index = 0;
  state_.begin_at(start.time);
  if (flow_.space().constraints() != nullptr) return;  // what is held must stay held
  for (compensated_vector<S>* part : {&state_.position, &state_.momentum}) {
    for (std::size_t i = 0; i < part->size(); ++i) part->remainder[i] += part->value[i] * epsilon<S>() / S(4);
  }
}

template <class S>
bool companion<S>::advance_to(const S& time) {
  const S from = state_.time, part = (time - from) / S(static_cast<double>(parts_));
  for (std::size_t k = 1; k <= parts_; ++k) {
    const S next = k == parts_ ? time : S(from + S(static_cast<double>(k)) * part);
    if (!free_.advance_to(state_, next)) return false;
  }
  workspace_->forget();
  return true;
}

template <class S>
void companion<S>::follow(const phase_state<S>& state, bool is_regular) {
  if (is_behind_) return;
  is_behind_ = state.index - start_.index > most_;
  if (!is_regular && !is_behind_) is_behind_ = has_failed_ = !advance_to(state.time);
  for (std::size_t k = 0; k < parts_ && is_regular && !is_behind_; ++k) {
    is_behind_ = has_failed_ = !workspace_->advance(state_);
  }
  has_failed_ = has_failed_ && is_smooth(flow_.space().system());  // a step over a jump may have no solution at all
  if (is_behind_) return;
  const difference position = difference_of(state.position, state_.position),
                   momentum = difference_of(state.momentum, state_.momentum);
  extent_ = std::max(extent_, extent_of(state_.position, start_.position));
  momentum_extent_ = std::max(momentum_extent_, extent_of(state_.momentum, start_.momentum));
  position_error_ = std::max(position_error_, position.largest);
  momentum_error_ = std::max(momentum_error_, momentum.largest);
  largest_.time = to_double(state.time);
  largest_.position = std::max(largest_.position, position.norm);
  largest_.momentum = std::max(largest_.momentum, momentum.norm);
  if ((state.index - start_.index) % stride_ == 0) note(largest_);
}

template <class S>
void companion<S>::note(const mark& now) {
  marks_.push_back(now);
  if (marks_.size() < 2 * most_marks) return;
  for (std::size_t k = 0; k < most_marks; ++k) marks_[k] = marks_[2 * k + 1];
  marks_.resize(most_marks);
  stride_ *= 2;
}

template <class S>
std::optional<motion_record> companion<S>::record() const {
  const double order = is_smooth(flow_.space().system()) ? flow_.method().traits.order : 1;
  const double factor = 1 / (1 - std::pow(static_cast<double>(parts_), -order));
  const auto error_at = [&](const mark& m) {
    return factor * std::max(relative(m.position, extent_), relative(m.momentum, momentum_extent_));
  };
  motion_record result;
  result.position_error = factor * position_error_;
  result.momentum_error = factor * momentum_error_;
  result.estimated_error = std::max(result.position_error, result.momentum_error);
  result.relative_error = error_at(largest_);
  result.by = fmt::format("{} with {} the step", flow_.method().name,
                          parts_ == 2 ? std::string("half") : fmt::format("1/{} of", parts_));
  if (!(result.relative_error < too_large_error)) {
    const auto exceeding =
        std::ranges::find_if(marks_, [&](const mark& m) { return !(error_at(m) < too_large_error); });
    result.exceeds_after = exceeding == marks_.end() ? largest_.time : exceeding->time;
  }
  result.unseen = unseen_;
  if (!is_behind_) return result;
  if (has_failed_) result.exceeds_after = largest_.time;  // shorter steps met what the run jumped over
  if (!result.exceeds_after && !result.unseen) return std::nullopt;
  result.by += fmt::format(", {} t = {:.6g}", has_failed_ ? "which cannot go on from" : "followed to", largest_.time);
  return result;
}

template <class S>
void companion<S>::save(snapshot& to) const {
  snapshot own;
  actio::save(state_, own);
  for (const auto& [name, texts] : own.all()) to.put_texts("companion." + name, texts);
  to.put("companion.history", workspace_->history());
  to.put("companion.stride", std::vector<double>{static_cast<double>(stride_), static_cast<double>(parts_)});
  std::vector<double> numbers{has_failed_  ? 2.0
                              : is_behind_ ? 1.0
                                           : 0.0,
                              position_error_,
                              momentum_error_,
                              extent_,
                              momentum_extent_,
                              largest_.time,
                              largest_.position,
                              largest_.momentum};
  for (const mark& m : marks_) numbers.insert(numbers.end(), {m.time, m.position, m.momentum});
  to.put("companion.errors", numbers);
}

template <class S>
void companion<S>::load(const snapshot& from) {
  constexpr std::string_view prefix = "companion.";
  constexpr std::size_t head = 8;
  snapshot own;
  for (const auto& [name, texts] : from.all()) {
    if (name.starts_with(prefix)) own.put_texts(name.substr(prefix.size()), texts);
  }
  state_ = load_state<S>(own, flow_.space());
  const std::vector<S> history = own.get<S>("history");
  workspace_->restore_history(history);
  const std::vector<double> n = own.get<double>("errors");
  if (n.size() < head || (n.size() - head) % 3 != 0 || n.size() >= head + 6 * most_marks) {
    throw snapshot_error("its record of the motion's error has another size");
  }
  is_behind_ = n[0] != 0;
  has_failed_ = n[0] == 2;
  position_error_ = n[1];
  momentum_error_ = n[2];
  extent_ = n[3];
  momentum_extent_ = n[4];
  const std::vector<std::size_t> counts = own.counts("stride", 2);
  stride_ = counts[0];
  if (counts[1] != parts_) is_behind_ = true;  // a run that goes further than before may need another companion
  if (stride_ == 0) throw snapshot_error("its record of the motion's error has no stride");
  largest_ = {n[5], n[6], n[7]};
  marks_.clear();
  for (std::size_t k = head; k < n.size(); k += 3) marks_.push_back({n[k], n[k + 1], n[k + 2]});
}

template <class S>
std::size_t usual_company(const integrator<S>& flow, std::size_t parts) {
  constexpr double budget = 1e8;  // nanoseconds
  constexpr double iterations = 3, operation = 2, asking = 2000;
  const lagrangian_system& system = flow.space().system();
  const double terms = static_cast<double>(topological_order(system.laws()).size());
  const double n = static_cast<double>(system.size() + system.constraints.size());
  const double nodes = 1 + flow.method().traits.order / 2.0, unknowns = n * nodes;
  double cost = 200 + iterations * (nodes * operation * (4 * terms + n * n) + unknowns * unknowns * unknowns / 12);
  if (system.applied_force) cost += iterations * nodes * asking;
  if constexpr (std::same_as<S, quad>) cost *= 60;
  else if constexpr (std::same_as<S, multi>) cost *= 100 + static_cast<double>(digits_in_use());
  else if (backend_in_use<S>() == backend::interpreter) cost *= 8;
  return static_cast<std::size_t>(budget / (static_cast<double>(parts) * cost));
}

template <class S>
const method* other_nodes(const integrator<S>& flow) {
  const lagrangian_system& system = flow.space().system();
  if (is_smooth(system)) return nullptr;
  const method* other = find_method(system.is_constrained() ? "lobatto-4" : "gauss-3");
  return suits(*other, system) && other != &flow.method() ? other : nullptr;
}

template <class S>
company_plan company_for(const integrator<S>& flow, const phase_state<S>& start, std::size_t steps,
                         bool splits_at_kinks) {
  constexpr double most = 64;
  const lagrangian_system& system = flow.space().system();
  company_plan plan{.parts = is_smooth(system) ? 2U : 4U, .by = other_nodes(flow)};
  std::vector<double> parameters;
  for (const S& p : flow.space().parameters()) parameters.push_back(to_double(p));
  const double step = to_double(flow.step()), begin = to_double(start.time);
  std::optional<double> scale =
      finest_time_scale(system, parameters, begin, begin + step * static_cast<double>(steps), splits_at_kinks);
  if constexpr (std::same_as<S, double>) {
    try {
      const std::optional<double> along = finest_path_scale(flow, start, steps);
      if (along && (!scale || *along < *scale)) scale = along;
    } catch (const callback_interruption&) {  // whoever ends the run will do so again when it is there
    }
  }
  if (!scale) return plan;
  const double nodes = std::max(1.0, flow.method().traits.order / 2.0);
  const double wanted = std::ceil(2 * std::abs(step) / nodes / *scale);
  plan.parts = std::max(plan.parts, static_cast<std::size_t>(std::min(wanted, most)));
  if (wanted > most) plan.unseen = *scale;
  return plan;
}

#define ACTIO_INSTANTIATE(S)                                                                            \
  template class companion<S>;                                                                          \
  template std::size_t usual_company<S>(const integrator<S>&, std::size_t);                             \
  template company_plan company_for<S>(const integrator<S>&, const phase_state<S>&, std::size_t, bool); \
  template const method* other_nodes<S>(const integrator<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
