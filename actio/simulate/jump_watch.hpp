// Jumps of the energy. Where a Lagrangian jumps, derivatives do not show it: a step goes over the place as if nothing
// were there, and so does one of half the length. The energy that it leaves behind tells. A step that changes it more
// than any before is taken again in parts; an error of the method all but vanishes then, that at a kink with still
// smaller parts, a jump stays.
#pragma once

#include <memory>
#include <optional>

#include "actio/simulate/integrator.hpp"

namespace actio {

struct energy_jump {
  double time = 0, change = 0;
};

template <class S>
class jump_watch {
 public:
  explicit jump_watch(const integrator<S>& flow) : flow_(flow), point_(flow_.space()) {}

  void start(const phase_state<S>& state) { last_ = state; }
  // The state after one more step, by how much the error of the energy changed in it, and how much does not matter.
  void look(const phase_state<S>& state, const S& change, const S& negligible);

  // The first one.
  const std::optional<energy_jump>& found() const { return found_; }

  void save(snapshot& to) const;
  void load(const snapshot& from);

 private:
  // The same for the last step, taken in parts; not finite where these meet what the step did not.
  S change_in_parts(std::size_t parts, std::unique_ptr<step_workspace<S>>& workspace);

  integrator<S> flow_;
  phase_point<S> point_;
  std::unique_ptr<step_workspace<S>> few_, many_;  // made when they are first needed
  phase_state<S> last_;
  S largest_{0};  // change that was looked at
  std::optional<energy_jump> found_;
};

}  // namespace actio
