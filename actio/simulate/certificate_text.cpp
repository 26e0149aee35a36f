// What a certificate says: to people, and as a word on whether the run can be trusted.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

#include "actio/simulate/certificate.hpp"

namespace actio {

namespace {

constexpr double least_gain = 0.1;  // of the error of the energy: a shadow that varies as much is none

std::string verdict_text(const drift_estimate& drift, double duration) {
  if (!drift.grows) return std::string(to_text(drift.verdict));
  return fmt::format("drifts: {:.1e} per unit of time, {:.1e} over the run", drift.per_time, drift.per_time * duration);
}

// An error beside the scale that it is measured by; a word instead of a number that rounding made.
template <class S>
double part_of(const S& error, const S& scale) {
  if (!is_finite(error) || !is_finite(scale)) return std::numeric_limits<double>::quiet_NaN();
  return scale > S(0) ? to_double(S(error / scale)) : 0;
}

template <class S>
std::string energy_text(const run_report<S>& r) {
  if (!r.has_energy) return "  energy        none, and no momenta: the model gives equations, not a Lagrangian\n";
  const energy_record<S>& e = r.energy;
  const std::string verdict = verdict_text(e.drift, to_double(r.time));
  const std::string scaled = fmt::format("{:.3g} of the kinetic energy reached", part_of(e.max_error, e.scale));
  if (e.supplied) {
    return fmt::format(
        "  energy        {} -> {}, work done {}\n"
        "  ledger        energy gained minus work: {} relative, {}, {}\n",
        to_brief(e.initial, 10), to_brief(e.final, 10), to_brief(e.work, 10), to_brief(e.max_relative_error, 3), scaled,
        verdict);
  }
  return fmt::format("  energy        {}, max relative error {}, {}, {}\n", to_brief(e.initial, 10),
                     to_brief(e.max_relative_error, 3), scaled, verdict);
}

template <class S>
std::string form_text(const run_report<S>& r) {
  if (!r.form) return "";
  return fmt::format("  form phi      {}, max error {}, {}\n", to_brief(r.form->initial, 10),
                     to_brief(r.form->max_error, 3), verdict_text(r.form->drift, to_double(r.time)));
}

// How much less than the energy its shadow varies; or that it does not, which says that there is none.
template <class S>
std::string shadow_gain_text(const run_report<S>& r) {
  const double energy = to_double(r.energy.max_error), shadow = to_double(r.shadow->energy.max_error);
  if (r.energy.drift.verdict == conservation::to_rounding) return "";
  if (shadow < least_gain * energy) return fmt::format(", {:.1e} of that of the energy", shadow / energy);
  return ", no better than the energy: the method is not symplectic, or its steps are too long";
}

template <class S>
std::string shadow_text(const run_report<S>& r) {
  if (!r.shadow) return "";
  if (r.shadow->order == 0) return "  shadow        none: the run has too few steps for one\n";
  const conserved_record<S>& e = r.shadow->energy;
  const bool is_vague = r.shadow->uncertainty > e.max_error;
  return fmt::format("  shadow        {}{} to order {}, max error {}{}, {}\n", to_brief(e.initial, 10),
                     is_vague ? fmt::format(" (known to {:.1e})", to_double(r.shadow->uncertainty)) : "",
                     r.shadow->order, to_brief(e.max_error, 3), shadow_gain_text(r),
                     verdict_text(e.drift, to_double(r.time)));
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

template <class S>
std::string observable_text(const observed_record<S>& o) {
  const auto shown = [](const S& x) { return is_finite(x) ? to_brief(x, 8) : std::string("none"); };
  std::string text = fmt::format("  {:<13} {} -> {}", o.name, shown(o.initial), shown(o.final));
  if (is_finite(o.smallest)) text += fmt::format(", between {} and {}", shown(o.smallest), shown(o.largest));
  if (o.not_finite > 0) {
    text +=
        fmt::format(", without a value at {} points, first at t = {}", o.not_finite, to_brief(o.first_not_finite, 6));
  }
  return text + "\n";
}

template <class S>
std::string motion_text(const run_report<S>& r) {
  if (!r.motion) return "";
  const motion_record& m = *r.motion;
  if (m.exceeds_after) {
    return fmt::format("  motion        errors exceed a tenth of the motion after t = {:.6g}, by {}\n",
                       *m.exceeds_after, m.by);
  }
  return fmt::format("  motion        positions off by at most {:.2g}, momenta by {:.2g}, by {}\n", m.position_error,
                     m.momentum_error, m.by);
}

std::string joined(const std::vector<std::string>& reasons) {
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "" : "; ") + reason;
  return text;
}

// Against a conserved quantity: too large an error, or a smaller one that grows.
template <class S>
void judge(std::vector<std::string>& reasons, const std::string& name, const std::string& scale_name, const S& error,
           const S& scale, const drift_estimate& drift) {
  const double part = part_of(error, scale);
  if (drift.verdict == conservation::to_rounding && part < too_large_error) return;
  if (std::isnan(part)) {
    reasons.push_back(fmt::format("{} has no value at times", name));
  } else if (!(part < too_large_error)) {
    reasons.push_back(fmt::format("{} is off by {:.2g} of {}: try a shorter step", name, part, scale_name));
  } else if (drift.grows && part >= too_large_drift) {
    reasons.push_back(fmt::format("the error of {} grows, to {:.2g} of {}", name, part, scale_name));
  }
}

}  // namespace

template <class S>
trust_record trust_in(const run_report<S>& r) {
  trust_record trust;
  std::vector<std::string>& reasons = trust.reasons;
  if (r.status == run_status::failed) reasons.push_back("the run failed");
  if (r.has_energy) {
    const std::string name = r.energy.supplied ? "the ledger of energy and work" : "the energy";
    judge(reasons, name, "the kinetic energy reached", r.energy.max_error, r.energy.scale, r.energy.drift);
    if (r.energy.jump) {
      reasons.push_back(fmt::format(
          "the Lagrangian jumps by {:.2g} in the step to t = {:.6g}, or changes faster there than the steps can see",
          r.energy.jump->change, r.energy.jump->time));
    }
  }
  if (!r.has_energy && !r.motion) {
    reasons.push_back(
        "equations without a Lagrangian conserve nothing, and nobody has measured the motion: ask for a "
        "companion");
  }
  for (const conserved_record<S>& m : r.momenta) {
    judge(reasons, m.name, "the size of its terms", m.max_error, m.scale, m.drift);
  }
  for (const observed_record<S>& o : r.observables) {
    if (o.not_finite > 0) {
      reasons.push_back(
          fmt::format("{} has no value at times, first at t = {}", o.name, to_brief(o.first_not_finite, 6)));
    }
  }
  if (!is_finite(r.constraints.max_violation)) reasons.push_back("the constraints have no value at times");
  if (r.motion && r.motion->unseen) {
    reasons.push_back(
        fmt::format("the model or its forces along the motion change within a time of {:.2g}, too fast for these steps",
                    *r.motion->unseen));
  }
  for (const std::string& name : r.unclear_starts) {
    reasons.push_back(fmt::format(
        "the run starts where the event '{}' happens, whose direction is both, and nothing happened there: give it the "
        "direction up or down",
        name));
  }
  if (r.accuracy > 0 && !r.motion && r.status == run_status::done) {
    reasons.push_back("nobody has measured whether the end is as accurate as asked for");
  }
  if (r.accuracy > 0 && r.motion && !(r.motion->relative_error <= r.accuracy)) {
    reasons.push_back(fmt::format("the end is off by {:.2g} of the motion, more than the accuracy {:.2g} asked for",
                                  r.motion->relative_error, r.accuracy));
  }
  if (r.motion && r.motion->exceeds_after) {
    reasons.push_back(fmt::format("errors of positions and momenta exceed a tenth of the motion after t = {:.6g}",
                                  *r.motion->exceeds_after));
  }
  return trust;
}

// How often each happened, and when last.
template <class S>
std::string events_text(const run_report<S>& r) {
  if (!r.watches_events) return "";
  std::map<std::string, std::pair<std::size_t, S>> by_name;
  std::vector<std::pair<std::size_t, S>> of_each(r.events.names().size(), {0, S(0)});
  for (std::size_t k = 0; k < r.events.size(); ++k) {
    auto& [times, last] = of_each[r.events.kinds()[k]];
    ++times;
    last = r.events.times()[k];
  }
  for (std::size_t k = 0; k < of_each.size(); ++k) by_name.emplace(r.events.names()[k], of_each[k]);
  std::string text;
  for (const auto& [name, found] : by_name) {
    text += fmt::format("{}{} {} times, last at t = {}", text.empty() ? "" : "; ", name, found.first,
                        to_brief(found.second, 10));
  }
  if (r.event_count > r.events.size()) text += fmt::format("; {} in all", r.event_count);
  return fmt::format("  events        {}\n", text.empty() ? "none" : text);
}

// What stuck, how often and how long.
template <class S>
std::string holdings_text(const run_report<S>& r) {
  std::string text;
  for (const holding_record<S>& each : r.holdings) {
    text +=
        fmt::format("{}{}: {} times, {} in all, last from t = {}{}", text.empty() ? "" : "; ", each.name, each.times,
                    to_brief(each.duration, 10), to_brief(each.last, 10), each.holds ? " to the end" : "");
  }
  return text.empty() ? "" : fmt::format("  held          {}\n", text);
}

template <class S>
std::string to_text(const run_report<S>& r) {
  std::string text =
      fmt::format("{}: {}, {}, {} steps to t = {}, {} precision\n", r.model, r.method,
                  r.accuracy > 0 ? fmt::format("steps chosen for an error of {:.2g} (not symplectic)", r.accuracy)
                                 : fmt::format("step {}", to_brief(r.step, 8)),
                  r.steps, to_brief(r.time, 10),
                  std::isdigit(static_cast<unsigned char>(r.precision[0])) ? r.precision + "-digit" : r.precision);
  text += energy_text(r) + shadow_text(r) + form_text(r);
  for (const conserved_record<S>& m : r.momenta) {
    const std::string error = is_finite(m.max_error) ? to_brief(m.max_error, 3) : "none";
    const std::string verdict = verdict_text(m.drift, to_double(r.time));
    text += m.changes > 0
                ? fmt::format("  {:<13} {} -> {}: events change it {} times; between them max error {}, {}\n", m.name,
                              to_brief(m.initial, 10), to_brief(m.final, 10), m.changes, error, verdict)
                : fmt::format("  {:<13} {}, max error {}, {}\n", m.name, to_brief(m.initial, 10), error, verdict);
  }
  text += constraints_text(r);
  for (const observed_record<S>& o : r.observables) {
    text += observable_text(o);
  }
  text += events_text(r) + holdings_text(r);
  text += motion_text(r);
  text += fmt::format("  solver        {:.2f} iterations a step, at most {}\n", r.mean_iterations, r.max_iterations);
  if (r.newton_steps > 0) {
    text += fmt::format(
        "  newton        solved {} steps of {} that fixed-point iteration could not: a shorter step runs faster\n",
        r.newton_steps, r.steps);
  }
  if (r.choice) {
    text += fmt::format("  chosen        {}, step {}, for an error of {:.1e} at the end\n", r.choice->method,
                        r.accuracy > 0 ? r.choice->step : to_brief(r.step, 8), r.choice->accuracy);
    text += fmt::format("  because       {}\n", r.choice->reason);
    if (!r.choice->command.empty()) text += fmt::format("  the same      {}\n", r.choice->command);
  }
  text += fmt::format("  time          {:.3g} s stepping, {:.3g} s setting up\n", r.seconds, r.setup_seconds);
  text +=
      fmt::format("  trust         {}\n", r.trust.is_trusted() ? "trusted" : "doubtful: " + joined(r.trust.reasons));
  if (r.status == run_status::done && !r.reason.empty()) text += fmt::format("  ended         {}\n", r.reason);
  if (r.status == run_status::interrupted) {
    text += fmt::format("  status        interrupted{}{}\n", r.reason.empty() ? "" : ": ", r.reason);
  }
  if (r.status == run_status::failed) text += fmt::format("  status        failed: {}; {}\n", r.reason, r.suggestion);
  return text;
}

#define ACTIO_INSTANTIATE(S)                               \
  template trust_record trust_in<S>(const run_report<S>&); \
  template std::string to_text<S>(const run_report<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
