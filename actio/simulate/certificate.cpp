#include "actio/simulate/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace actio {

template <class S>
certificate_meter<S>::certificate_meter(const integrator<S>& integrator)
    : has_energy_(integrator.space().has_energy()), has_constraints_(integrator.space().constraints() != nullptr) {
  energy_.supplied = integrator.space().has_power();
  for (const std::string& name : integrator.space().momentum_names()) momenta_.push_back({.name = name});
  for (const std::string& name : integrator.space().observable_names()) observables_.push_back({.name = name});
}

template <class S>
void certificate_meter<S>::start(const phase_state<S>& state, const phase_point<S>& point) {
  using std::abs;
  started_ = true;
  if (has_energy_) {
    energy_.initial = energy_.final = point.energy();
    scale_ = point.energy_scale();
    // An energy that is zero by cancellation gives no relative error worth reading.
    energy_.reference = abs(energy_.initial) > S(1e-8) * scale_ ? S(abs(energy_.initial)) : scale_;
    if (!(energy_.reference > S(0))) energy_.reference = S(1);
    exchanged_ = energy_.reference;
    drift_.add(to_double(state.time), 0);
  }
  for (std::size_t k = 0; k < momenta_.size(); ++k) {
    momenta_[k].initial = momenta_[k].final = point.momenta()[k];
  }
  for (std::size_t k = 0; k < observables_.size(); ++k) {
    observed_record<S>& o = observables_[k];
    o.initial = o.final = o.smallest = o.largest = point.observables()[k];
  }
  look_at_constraints(point);
}

template <class S>
void certificate_meter<S>::look_at_constraints(const phase_point<S>& point) {
  if (!has_constraints_) return;
  constraints_.max_violation = std::max<S>(constraints_.max_violation, point.constraint_violation());
  constraints_.max_hidden_violation = std::max<S>(constraints_.max_hidden_violation, point.hidden_violation());
}

template <class S>
void certificate_meter<S>::add(const phase_state<S>& state, const phase_point<S>& point, const S& work, int iterations,
                               bool by_newton) {
  using std::abs;
  ++steps_;
  iterations_ += iterations;
  max_iterations_ = std::max(max_iterations_, iterations);
  if (by_newton) ++newton_steps_;
  if (has_energy_) add_energy(state, point, work);
  for (std::size_t k = 0; k < momenta_.size(); ++k) {
    conserved_record<S>& m = momenta_[k];
    m.final = point.momenta()[k];
    const S off = abs(m.final - m.initial);
    if (off > m.max_error) m.max_error = off;
  }
  for (std::size_t k = 0; k < observables_.size(); ++k) {
    observed_record<S>& o = observables_[k];
    o.final = point.observables()[k];
    if (o.final < o.smallest) o.smallest = o.final;
    if (o.final > o.largest) o.largest = o.final;
  }
  look_at_constraints(point);
}

template <class S>
void certificate_meter<S>::add_energy(const phase_state<S>& state, const phase_point<S>& point, const S& work) {
  using std::abs;
  energy_.final = point.energy();
  if (energy_.supplied) {
    work_.add(work);
    exchanged_ = std::max<S>(exchanged_, std::max<S>(abs(work_.value), abs(energy_.final)));
  }
  if (point.energy_scale() > scale_) scale_ = point.energy_scale();
  const S error = (energy_.final - energy_.initial) - work_.value;
  if (abs(error) > max_error_) max_error_ = abs(error);
  drift_.add(to_double(state.time), to_double(error));
}

template <class S>
void certificate_meter<S>::fill(run_report<S>& report) const {
  report.momenta = momenta_;
  report.observables = observables_;
  report.constraints = constraints_;
  report.mean_iterations = steps_ ? iterations_ / static_cast<double>(steps_) : 0;
  report.max_iterations = max_iterations_;
  report.newton_steps = newton_steps_;
  if (!has_energy_) return;
  energy_record<S>& energy = report.energy = energy_;
  energy.work = work_.value;
  if (energy.supplied) energy.reference = exchanged_;
  energy.max_relative_error = max_error_ / energy.reference;
  const double walk = 10 * to_double(epsilon<S>()) * std::sqrt(static_cast<double>(steps_) + 1);
  energy.drift = drift_.estimate(walk * to_double(scale_));
  energy.drift.per_time /= to_double(energy.reference);
  energy.drift.uncertainty /= to_double(energy.reference);
}

template <class S>
void certificate_meter<S>::save(snapshot& to) const {
  to.put<S>("certificate.energy", std::vector<S>{energy_.initial, energy_.final, energy_.reference, work_.value,
                                                 work_.remainder, scale_, exchanged_, max_error_});
  std::vector<S> momenta, observables;
  for (const conserved_record<S>& m : momenta_) momenta.insert(momenta.end(), {m.initial, m.final, m.max_error});
  for (const observed_record<S>& o : observables_) {
    observables.insert(observables.end(), {o.initial, o.final, o.smallest, o.largest});
  }
  to.put("certificate.momenta", momenta);
  to.put("certificate.observables", observables);
  if (has_constraints_) {
    to.put<S>("certificate.constraints", std::vector<S>{constraints_.max_violation, constraints_.max_hidden_violation});
  }
  to.put("certificate.drift", drift_.save());
  to.put("certificate.solver", std::vector<double>{iterations_, static_cast<double>(max_iterations_),
                                                   static_cast<double>(steps_), static_cast<double>(newton_steps_)});
}

template <class S>
void certificate_meter<S>::load(const snapshot& from) {
  const std::vector<S> energy = from.get<S>("certificate.energy", 8);
  energy_.initial = energy[0];
  energy_.final = energy[1];
  energy_.reference = energy[2];
  work_.value = energy[3];
  work_.remainder = energy[4];
  scale_ = energy[5];
  exchanged_ = energy[6];
  max_error_ = energy[7];
  const std::vector<S> momenta = from.get<S>("certificate.momenta", 3 * momenta_.size());
  for (std::size_t k = 0; k < momenta_.size(); ++k) {
    momenta_[k].initial = momenta[3 * k];
    momenta_[k].final = momenta[3 * k + 1];
    momenta_[k].max_error = momenta[3 * k + 2];
  }
  const std::vector<S> observables = from.get<S>("certificate.observables", 4 * observables_.size());
  for (std::size_t k = 0; k < observables_.size(); ++k) {
    observed_record<S>& o = observables_[k];
    o.initial = observables[4 * k];
    o.final = observables[4 * k + 1];
    o.smallest = observables[4 * k + 2];
    o.largest = observables[4 * k + 3];
  }
  if (has_constraints_) {
    const std::vector<S> constraints = from.get<S>("certificate.constraints", 2);
    constraints_ = {constraints[0], constraints[1]};
  }
  drift_.load(from.get<double>("certificate.drift"));
  const std::vector<std::size_t> solver = from.counts("certificate.solver", 4);
  iterations_ = static_cast<double>(solver[0]);
  max_iterations_ = static_cast<int>(std::min<std::size_t>(solver[1], std::numeric_limits<int>::max()));
  steps_ = solver[2];
  newton_steps_ = solver[3];
  started_ = true;
}

namespace {

std::string growth_text(const drift_estimate& drift, double duration, double error) {
  if (!(error < too_large_energy_error)) return "too large to trust: try a shorter step";
  if (drift.grows) {
    return fmt::format("grows: {:.1e} per unit of time, {:.1e} over the run", drift.per_time,
                       drift.per_time * duration);
  }
  return "no drift";
}

template <class S>
std::string energy_text(const run_report<S>& r) {
  if (!r.has_energy) return "  energy        none, and no momenta: the model gives equations, not a Lagrangian\n";
  const energy_record<S>& e = r.energy;
  const std::string growth = growth_text(e.drift, to_double(r.time), to_double(e.max_relative_error));
  if (e.supplied) {
    return fmt::format(
        "  energy        {} -> {}, work done {}\n"
        "  ledger        energy gained minus work: {} relative, {}\n",
        to_brief(e.initial, 10), to_brief(e.final, 10), to_brief(e.work, 10), to_brief(e.max_relative_error, 3),
        growth);
  }
  return fmt::format("  energy        {}, max relative error {}, {}\n", to_brief(e.initial, 10),
                     to_brief(e.max_relative_error, 3), growth);
}

template <class S>
std::string constraints_text(const run_report<S>& r) {
  if (r.constraint_names.empty()) return "";
  constexpr std::size_t most_listed = 6;
  std::string names;
  for (std::size_t c = 0; c < std::min(r.constraint_names.size(), most_listed); ++c) {
    names += (names.empty() ? "" : ", ") + r.constraint_names[c];
  }
  if (r.constraint_names.size() > most_listed) {
    names += fmt::format(" and {} more", r.constraint_names.size() - most_listed);
  }
  std::string text =
      fmt::format("  constraints   {}: at most {} off, momenta {} off the hidden ones\n", names,
                  to_brief(r.constraints.max_violation, 3), to_brief(r.constraints.max_hidden_violation, 3));
  if (r.projection.position > S(0) || r.projection.momentum > S(0)) {
    text += fmt::format("  projected     the start: positions moved by at most {}, momenta by {}\n",
                        to_brief(r.projection.position, 3), to_brief(r.projection.momentum, 3));
  }
  return text;
}

}  // namespace

template <class S>
std::string to_text(const run_report<S>& r) {
  std::string text =
      fmt::format("{}: {}, step {}, {} steps to t = {}, {} precision\n", r.model, r.method, to_brief(r.step, 8),
                  r.steps, to_brief(r.time, 10),
                  std::isdigit(static_cast<unsigned char>(r.precision[0])) ? r.precision + "-digit" : r.precision);
  text += energy_text(r);
  for (const conserved_record<S>& m : r.momenta) {
    text += fmt::format("  {:<13} {}, max error {}\n", m.name, to_brief(m.initial, 10), to_brief(m.max_error, 3));
  }
  text += constraints_text(r);
  for (const observed_record<S>& o : r.observables) {
    text += fmt::format("  {:<13} {} -> {}, between {} and {}\n", o.name, to_brief(o.initial, 8), to_brief(o.final, 8),
                        to_brief(o.smallest, 8), to_brief(o.largest, 8));
  }
  text += fmt::format("  solver        {:.2f} iterations a step, at most {}\n", r.mean_iterations, r.max_iterations);
  if (r.newton_steps > 0) {
    text += fmt::format(
        "  newton        solved {} steps of {} that fixed-point iteration could not: a shorter step runs faster\n",
        r.newton_steps, r.steps);
  }
  if (r.choice) {
    text += fmt::format("  chosen        {}, step {}, for an error of {:.1e} at the end\n", r.choice->method,
                        to_brief(r.step, 8), r.choice->accuracy);
    text += fmt::format("  because       {}\n", r.choice->reason);
    if (!r.choice->command.empty()) text += fmt::format("  the same      {}\n", r.choice->command);
  }
  text += fmt::format("  time          {:.3g} s stepping, {:.3g} s setting up\n", r.seconds, r.setup_seconds);
  if (r.status == run_status::interrupted) text += "  status        interrupted\n";
  if (r.status == run_status::failed) text += fmt::format("  status        failed: {}; {}\n", r.reason, r.suggestion);
  return text;
}

#define ACTIO_INSTANTIATE(S)           \
  template class certificate_meter<S>; \
  template std::string to_text<S>(const run_report<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
