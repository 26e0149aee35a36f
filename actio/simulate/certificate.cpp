#include "actio/simulate/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "actio/base/largest.hpp"
#include "actio/integrate/transformed_step.hpp"
#include "actio/simulate/certificate_meter.hpp"

namespace actio {

namespace {

// What an observable was, with a word for what is no number.
template <class S>
std::string written(const S& value) {
  return is_finite(value) ? to_digits(value) : "none";
}

template <class S>
S read(const std::string& text) {
  return text == "none" ? std::numeric_limits<S>::quiet_NaN() : from_digits<S>(text);
}

std::string momentum_key(std::size_t k) { return "certificate.momentum." + std::to_string(k); }

}  // namespace

template <class S>
certificate_meter<S>::certificate_meter(const integrator<S>& integrator)
    : has_energy_(integrator.space().has_energy()),
      has_constraints_(integrator.space().constraints() != nullptr),
      is_symplectic_(promises_on(integrator.method(), integrator.space().system()).symplectic &&
                     (!integrator.space().system().time_scale ||
                      is_transformed(integrator.method(), integrator.space().system()))),
      swings_(integrator.space().size()),
      size_(integrator.space().size()),
      momentum_size_(integrator.space().momentum_size()) {
  energy_.supplied = integrator.space().has_power();
  const auto& names = integrator.space().momentum_names();
  for (std::size_t k = 0; k < names.size(); ++k) {
    momenta_.emplace_back(names[k], k + integrator.space().invariant_count() >= names.size());
  }
  for (const std::string& name : integrator.space().observable_names()) observables_.push_back({.name = name});
}

template <class S>
void certificate_meter<S>::start(const phase_state<S>& state, const phase_point<S>& point) {
  started_ = true;
  if (has_energy_) {
    energy_.initial = energy_.final = point.energy();
    initial_change_ = point.energy_change();
    energy_.reference = energy_reference<S>(energy_.initial, point.energy_scale());
    exchanged_ = energy_.reference;
    energy_error_.start(state.time, S(0));
    if (jumps_) jumps_->start(state, point);
  }
  for (std::size_t k = 0; k < momenta_.size(); ++k) momenta_[k].start(state.time, point.momenta()[k]);
  look_at_form(state);
  if (shadow_) shadow_->start(state, point);
  for (std::size_t k = 0; k < observables_.size(); ++k) {
    observed_record<S>& o = observables_[k];
    o.initial = o.smallest = o.largest = point.observables()[k];
  }
  look_at_observables(state, point);
  look_at_scales(point);
  look_at_constraints(point);
}

template <class S>
void certificate_meter<S>::look_at_constraints(const phase_point<S>& point) {
  if (!has_constraints_) return;
  raise_to(constraints_.max_violation, point.constraint_violation());
  raise_to(constraints_.max_hidden_violation, point.hidden_violation());
}

template <class S>
void certificate_meter<S>::look_at_scales(const phase_point<S>& point) {
  if (has_energy_) {
    energy_error_.look_at(point.kinetic_energy(), point.energy_rounding());
  }
  for (std::size_t k = 0; k < momenta_.size(); ++k) {
    momenta_[k].look_at(point.momentum_sizes()[k], point.momentum_roundings()[k]);
  }
  for (std::size_t i = 0; i < point.velocity().size(); ++i) swings_.add(i, to_double(point.velocity()[i]));
}

template <class S>
void certificate_meter<S>::look_at_observables(const phase_state<S>& state, const phase_point<S>& point) {
  for (std::size_t k = 0; k < observables_.size(); ++k) {
    observed_record<S>& o = observables_[k];
    o.final = point.observables()[k];
    if (!is_finite(o.final)) {
      if (o.not_finite++ == 0) o.first_not_finite = state.time;
      continue;
    }
    if (!(o.smallest <= o.final)) o.smallest = o.final;
    if (!(o.largest >= o.final)) o.largest = o.final;
  }
}

template <class S>
void certificate_meter<S>::look_at_form(const phase_state<S>& state) {
  if (!form_) return;
  form_->evaluate(state.position, state.momentum);
  form_meter_.started() ? form_meter_.add(state.time, form_->value()) : form_meter_.start(state.time, form_->value());
  form_meter_.look_at(form_->scale(), form_->scale());
}

template <class S>
void certificate_meter<S>::add(const phase_state<S>& state, const phase_point<S>& point, step_workspace<S>& workspace,
                               const step_status& status, bool is_regular) {
  ++steps_;
  iterations_ += status.iterations;
  max_iterations_ = std::max(max_iterations_, status.iterations);
  if (status.by_newton) ++newton_steps_;
  look_at_scales(point);
  if (has_energy_) add_energy(state, point, workspace.work());
  for (std::size_t k = 0; k < momenta_.size(); ++k) momenta_[k].add(state.time, point.momenta()[k]);
  if (is_regular) look_at_form(state);
  if (shadow_ && is_regular) shadow_->add(state, point, workspace);
  look_at_observables(state, point);
  look_at_constraints(point);
  if (companion_) companion_->follow(state, is_regular);
}

template <class S>
void certificate_meter<S>::before_change(const phase_point<S>& point) {
  before_change_.assign(1, has_energy_ ? point.energy_change() : S(0));
  for (std::size_t k = 0; k < momenta_.size(); ++k) before_change_.push_back(point.momenta()[k]);
}

template <class S>
void certificate_meter<S>::after_change(const phase_state<S>& state, const phase_point<S>& point) {
  if (has_energy_) {
    supply(point.energy_change() - before_change_[0]);
    energy_.final = point.energy();
    if (jumps_) jumps_->start(state, point);
  }
  for (std::size_t k = 0; k < momenta_.size(); ++k) momenta_[k].shift(point.momenta()[k] - before_change_[k + 1]);
  look_at_observables(state, point);
}

template <class S>
void certificate_meter<S>::note(const std::string& name, const phase_state<S>& state) {
  if (event_count_++ >= most_events) return;
  events_.append(name, state.time, state.position.value, state.momentum.value);
}

template <class S>
void certificate_meter<S>::note_samples(const S& time, std::span<const S> values) {
  if (controls_.times.size() >= most_events) return;
  controls_.times.push_back(time);
  controls_.values.insert(controls_.values.end(), values.begin(), values.end());
}

template <class S>
void certificate_meter<S>::note_holding(const std::vector<std::string>& names, const S& time) {
  using std::abs;
  for (holding_record<S>& known : holdings_) {
    if (!known.holds || std::ranges::find(names, known.name) != names.end()) continue;
    known.duration += abs(S(time - known.last));
    known.holds = false;
  }
  for (const std::string& name : names) {
    auto known = std::ranges::find(holdings_, name, &holding_record<S>::name);
    if (known == holdings_.end()) known = holdings_.insert(known, {.name = name, .first = time});
    if (known->holds) continue;
    ++known->times;
    known->last = time;
    known->holds = true;
  }
}

template <class S>
void certificate_meter<S>::add_energy(const phase_state<S>& state, const phase_point<S>& point, const S& work) {
  using std::abs;
  energy_.final = point.energy();
  if (energy_.supplied) {
    work_.add(work);
    exchanged_ = std::max<S>(exchanged_, std::max<S>(abs(work_.value), abs(energy_.final)));
  }
  energy_error_.add(state.time, (point.energy_change() - initial_change_) - work_.value);
  if (jumps_) jumps_->look(state, point, energy_error_.scale());
}

template <class S>
void certificate_meter<S>::fill(run_report<S>& report) const {
  const double swings = swings_.swings();
  report.momenta.clear();
  for (const conserved_meter<S>& m : momenta_) report.momenta.push_back(m.record(swings, is_symplectic_));
  if (form_) report.form = form_meter_.record(swings, is_symplectic_);
  if (shadow_) report.shadow = shadow_->record(swings, is_symplectic_);
  report.observables = observables_;
  report.constraints = constraints_;
  report.mean_iterations = steps_ ? iterations_ / static_cast<double>(steps_) : 0;
  report.max_iterations = max_iterations_;
  report.newton_steps = newton_steps_;
  report.events = events_;
  report.event_count = event_count_;
  report.unclear_starts = unclear_starts_;
  report.controls = controls_;
  report.holdings = holdings_;
  for (holding_record<S>& each : report.holdings) {
    using std::abs;
    if (each.holds) each.duration += abs(S(report.time - each.last));
  }
  if (companion_) report.motion = companion_->record();
  if (!has_energy_) return;
  energy_record<S>& energy = report.energy = energy_;
  energy.work = work_.value;
  if (energy.supplied) energy.reference = exchanged_;
  const conserved_record<S> error = energy_error_.record(swings, is_symplectic_);
  energy.max_error = error.max_error;
  energy.scale = error.scale;
  energy.max_relative_error = energy.max_error / energy.reference;
  energy.drift = error.drift;
  if (jumps_) energy.jump = jumps_->found();
  energy.drift.per_time /= to_double(energy.reference);
  energy.drift.uncertainty /= to_double(energy.reference);
}

template <class S>
void certificate_meter<S>::save(snapshot& to) const {
  to.put<S>("certificate.energy", std::vector<S>{energy_.initial, energy_.final, energy_.reference, work_.value,
                                                 work_.remainder, exchanged_, initial_change_});
  energy_error_.save(to, "certificate.energy_error");
  std::vector<std::string> observables;
  std::vector<double> missing;
  for (std::size_t k = 0; k < momenta_.size(); ++k) momenta_[k].save(to, momentum_key(k));
  if (form_) form_meter_.save(to, "certificate.form");
  if (shadow_) shadow_->save(to);
  if (jumps_) jumps_->save(to);
  for (const observed_record<S>& o : observables_) {
    for (const S* x : {&o.initial, &o.final, &o.smallest, &o.largest, &o.first_not_finite}) {
      observables.push_back(written(*x));
    }
    missing.push_back(static_cast<double>(o.not_finite));
  }
  to.put_texts("certificate.observables", observables);
  to.put("certificate.not_finite", missing);
  if (has_constraints_) {
    to.put<S>("certificate.constraints", std::vector<S>{constraints_.max_violation, constraints_.max_hidden_violation});
  }
  to.put("certificate.swings", swings_.save());
  if (companion_) companion_->save(to);
  save_events(to);
  to.put("certificate.solver", std::vector<double>{iterations_, static_cast<double>(max_iterations_),
                                                   static_cast<double>(steps_), static_cast<double>(newton_steps_)});
}

template <class S>
void certificate_meter<S>::save_events(snapshot& to) const {
  const std::vector<double> kinds(events_.kinds().begin(), events_.kinds().end());
  to.put_texts("certificate.events", events_.names());
  to.put("certificate.event_kinds", kinds);
  to.put("certificate.event_times", events_.times());
  to.put("certificate.event_positions", events_.positions());
  to.put("certificate.event_momenta", events_.momenta());
  to.put("certificate.event_count", std::vector<double>{static_cast<double>(event_count_)});
  to.put_texts("certificate.unclear_starts", unclear_starts_);
  to.put_texts("certificate.controls", controls_.names);
  to.put("certificate.control_times", controls_.times);
  to.put("certificate.control_values", controls_.values);
  std::vector<std::string> names;
  std::vector<S> holdings;
  for (const holding_record<S>& each : holdings_) {
    names.push_back(each.name);
    holdings.insert(holdings.end(),
                    {S(static_cast<double>(each.times)), each.first, each.last, each.duration, S(each.holds ? 1 : 0)});
  }
  to.put_texts("certificate.holding_names", names);
  to.put("certificate.holdings", holdings);
}

template <class S>
void certificate_meter<S>::load_holdings(const snapshot& from) {
  constexpr std::size_t numbers = 5;
  const std::vector<std::string>& names = from.texts("certificate.holding_names");
  const std::vector<S> all = from.get<S>("certificate.holdings", numbers * names.size());
  holdings_.clear();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const S* n = &all[numbers * k];
    if (!(n[0] >= S(0) && n[0] < S(0x1p53))) throw snapshot_error("it does not say how often surfaces stuck");
    holdings_.push_back({names[k], static_cast<std::size_t>(to_double(n[0])), n[1], n[2], n[3], n[4] != S(0)});
  }
}

template <class S>
void certificate_meter<S>::load_events(const snapshot& from) {
  const std::vector<std::string>& names = from.texts("certificate.events");
  const std::vector<S> times = from.get<S>("certificate.event_times");
  const std::vector<std::size_t> kinds = from.counts("certificate.event_kinds", times.size());
  const std::vector<S> positions = from.get<S>("certificate.event_positions", times.size() * size_),
                       momenta = from.get<S>("certificate.event_momenta", times.size() * momentum_size_);
  event_count_ = from.counts("certificate.event_count", 1)[0];
  events_.clear();
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (kinds[k] >= names.size()) throw snapshot_error("its record of events has another size");
    events_.append(names[kinds[k]], times[k], std::span(positions).subspan(k * size_, size_),
                   std::span(momenta).subspan(k * momentum_size_, momentum_size_));
  }
  unclear_starts_ = from.texts("certificate.unclear_starts");
  controls_.names = from.texts("certificate.controls");
  controls_.times = from.get<S>("certificate.control_times");
  controls_.values = from.get<S>("certificate.control_values", controls_.times.size() * controls_.names.size());
}

template <class S>
void certificate_meter<S>::load(const snapshot& from) {
  const std::vector<S> energy = from.get<S>("certificate.energy", 7);
  energy_.initial = energy[0];
  energy_.final = energy[1];
  energy_.reference = energy[2];
  work_.value = energy[3];
  work_.remainder = energy[4];
  exchanged_ = energy[5];
  initial_change_ = energy[6];
  energy_error_.load(from, "certificate.energy_error");
  for (std::size_t k = 0; k < momenta_.size(); ++k) momenta_[k].load(from, momentum_key(k));
  if (form_) form_meter_.load(from, "certificate.form");
  if (shadow_) shadow_->load(from);
  if (jumps_) jumps_->load(from);
  const std::vector<std::string>& observables = from.texts("certificate.observables");
  if (observables.size() != 5 * observables_.size()) throw snapshot_error("its record of observables has another size");
  const std::vector<std::size_t> missing = from.counts("certificate.not_finite", observables_.size());
  for (std::size_t k = 0; k < observables_.size(); ++k) {
    try {
      const auto value = [&](std::size_t i) { return read<S>(observables[5 * k + i]); };
      observables_[k] = {observables_[k].name, value(0), value(1), value(2), value(3), missing[k], value(4)};
    } catch (const std::invalid_argument&) {
      throw snapshot_error("its record of observables holds what is not a number");
    }
  }
  if (has_constraints_) {
    const std::vector<S> constraints = from.get<S>("certificate.constraints", 2);
    constraints_ = {constraints[0], constraints[1]};
  }
  swings_.load(from.get<double>("certificate.swings"));
  if (companion_) companion_->load(from);
  load_events(from);
  load_holdings(from);
  const std::vector<std::size_t> solver = from.counts("certificate.solver", 4);
  iterations_ = static_cast<double>(solver[0]);
  max_iterations_ = static_cast<int>(std::min<std::size_t>(solver[1], std::numeric_limits<int>::max()));
  steps_ = solver[2];
  newton_steps_ = solver[3];
  started_ = true;
}

#define ACTIO_INSTANTIATE(S) template class certificate_meter<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
