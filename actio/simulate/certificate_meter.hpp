// Where the numbers of a certificate come from: one meter sees every step.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "actio/base/compensated.hpp"
#include "actio/base/snapshot.hpp"
#include "actio/simulate/certificate.hpp"
#include "actio/simulate/companion.hpp"
#include "actio/simulate/conserved.hpp"
#include "actio/simulate/integrator.hpp"
#include "actio/simulate/jump_watch.hpp"
#include "actio/simulate/quadratic_form.hpp"
#include "actio/simulate/shadow_energy.hpp"

namespace actio {

// What relative errors of energy are relative to: the energy at the start, or the size of what it is the difference of
// where it is zero by cancellation, which gives no relative error worth reading.
template <class S>
S energy_reference(const S& initial, const S& scale) {
  using std::abs;
  const S reference = abs(initial) > S(1e-8) * scale ? S(abs(initial)) : scale;
  return reference > S(0) ? reference : S(1);
}

// Collects the record of a run, one measured point at a time.
template <class S>
class certificate_meter {
 public:
  explicit certificate_meter(const integrator<S>& integrator);

  // Measures the error of the motion as well; comes before start and load. It may be nobody.
  void accompany(std::unique_ptr<companion<S>> by) { companion_ = std::move(by); }
  // Follow the quadratic form of a linear system, jumps of the energy, and the shadow energy; come before start and
  // load as well.
  void follow(std::optional<quadratic_form<S>> form) { form_ = std::move(form); }
  void follow(jump_watch<S> jumps) { jumps_.emplace(std::move(jumps)); }
  void follow(shadow_meter<S> shadow) { shadow_.emplace(std::move(shadow)); }
  const shadow_meter<S>* shadow() const { return shadow_ ? &*shadow_ : nullptr; }
  bool started() const { return started_; }
  // Energy comes from outside between steps as well; before start and load.
  void expect_supply() { energy_.supplied = has_energy_; }
  void supply(const S& work) { work_.add(work); }
  void start(const phase_state<S>& state, const phase_point<S>& point);
  // The state after one more step of the workspace, which went like this; whether it has the length of the others.
  void add(const phase_state<S>& state, const phase_point<S>& point, step_workspace<S>& workspace,
           const step_status& status, bool is_regular = true);
  // Something from outside changes the state: what it makes of the energy is supplied, what it makes of other conserved
  // quantities is no error.
  void before_change(const phase_point<S>& point);
  void after_change(const phase_state<S>& state, const phase_point<S>& point);
  // An event, with the state after it.
  void note(const std::string& name, const phase_state<S>& state);
  // Where the run starts on the surface of an event that does not know from which side.
  void note_unclear_start(const std::string& event) { unclear_starts_.push_back(event); }
  // Controls of these names got these values.
  void expect_samples(std::vector<std::string> names) { controls_.names = std::move(names); }
  void note_samples(const S& time, std::span<const S> values);
  // From here on these are held, and nothing else.
  void note_holding(const std::vector<std::string>& names, const S& time);
  // Of a run that ends at the time of the report.
  void fill(run_report<S>& report) const;

  // Everything collected so far, so that a resumed run ends with the certificate of an uninterrupted one.
  void save(snapshot& to) const;
  void load(const snapshot& from);

 private:
  void look_at_constraints(const phase_point<S>& point);
  void look_at_scales(const phase_point<S>& point);
  void look_at_observables(const phase_state<S>& state, const phase_point<S>& point);
  void look_at_form(const phase_state<S>& state);
  void save_events(snapshot& to) const;
  void load_events(const snapshot& from);
  void load_holdings(const snapshot& from);
  void add_energy(const phase_state<S>& state, const phase_point<S>& point, const S& work);

  bool started_ = false, has_energy_;
  energy_record<S> energy_;
  S initial_change_{0};  // phase_point::energy_change at the start
  std::vector<conserved_meter<S>> momenta_;
  std::optional<quadratic_form<S>> form_;
  conserved_meter<S> form_meter_{"phi"};
  std::optional<shadow_meter<S>> shadow_;
  std::optional<jump_watch<S>> jumps_;
  std::vector<observed_record<S>> observables_;
  bool has_constraints_;
  constraint_record<S> constraints_;
  compensated<S> work_;
  S exchanged_{0};                             // largest energy or work so far
  conserved_meter<S> energy_error_{"energy"};  // less what was supplied
  bool is_symplectic_;
  swing_meter swings_;
  std::unique_ptr<companion<S>> companion_;
  std::vector<S> before_change_;  // energy, then the conserved quantities
  event_list<S> events_;
  control_samples<S> controls_;
  std::vector<std::string> unclear_starts_;
  std::vector<holding_record<S>> holdings_;
  std::size_t event_count_ = 0;
  double iterations_ = 0;
  int max_iterations_ = 0;
  std::size_t steps_ = 0, newton_steps_ = 0;
  std::size_t size_, momentum_size_;
};

}  // namespace actio
