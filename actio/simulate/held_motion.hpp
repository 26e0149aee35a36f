// Motion while relations of velocities hold (held_system.hpp): the method of a run on the coordinates that are left,
// the others following from these, and how hard what holds them is pushed.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actio/mechanics/held_system.hpp"
#include "actio/simulate/free_step.hpp"

namespace actio {

// Several relations, one after the other, each in the coordinates that those before it leave.
struct held_chain {
  lagrangian_system left;
  std::vector<held_relation> relations;
  std::vector<lagrangian_system> wholes;  // of each relation

  expr in_what_is_left(expr e) const;
};

// Of values w_i in the coordinates of the system; nothing where `held` gives nothing for one of them.
std::optional<held_chain> held_by_all(const lagrangian_system& system, std::span<const expr> values);

// States of the whole system and of what is left.
template <class S>
class held_coordinates {
 public:
  held_coordinates(const held_chain& chain, const phase_space<S>& whole);

  // Reads the parameters of the whole system again.
  void renew();
  // Relations hold from this state on.
  void hold(const phase_state<S>& state);
  // Of the system that is left: those of the whole one, then offsets.
  std::vector<S> parameters() const;
  // What is left of positions or of velocities.
  std::vector<S> left(std::span<const S> whole) const;
  phase_state<S> left(const phase_state<S>& whole) const;
  // Positions at a time, and velocities, of the whole system.
  std::vector<S> position(const S& t, std::span<const S> left) const;
  std::vector<S> velocity(std::span<const S> left) const;
  // Σ rate·p_leading: by so much the energy of the whole system is larger than that of what is left.
  S power_of_relations(std::span<const S> momentum) const;

 private:
  struct link {
    std::size_t leading;
    S rate{0}, offset{0};
    std::vector<S> ratios;
  };
  std::vector<expr> coefficients_;
  std::vector<expr> symbols_;
  shared_parameters<S> values_;
  std::vector<link> links_;
};

// A step of what is left, told as one of the whole system. It remembers nothing of earlier steps: relations hold from
// the state that it starts from.
template <class S>
class held_step final : public step_workspace<S> {
 public:
  // `left`: nullptr where no coordinate is left.
  held_step(const step_context<S>& context, const held_chain& chain, const integrator<S>* left);

  step_status advance(phase_state<S>& state) override;
  bool takes_any_length() const override { return true; }
  void set_step(const S& step) override { step_ = step; }
  S work() const override { return work_; }
  void interpolate(const S& fraction, std::span<S> position) override;
  // Empty: where surfaces stick, motions that are apart come together.
  matrix<S> tangent_map(const phase_state<S>&) override { return {}; }
  void parameters_changed() override { coordinates_.renew(); }

 private:
  void hold(const phase_state<S>& state);
  bool fill(const phase_state<S>& left, phase_state<S>& whole);
  bool add_work(const phase_state<S>& before, const phase_state<S>& after);

  held_coordinates<S> coordinates_;
  phase_point<S> legendre_;
  std::optional<phase_space<S>> left_space_;
  std::optional<phase_point<S>> left_point_;
  std::optional<free_step<S>> inner_;
  S step_, begin_{0}, length_{0}, work_{0};
  std::vector<S> velocity_, place_;
};

// How a relation that holds would change: dw/dt where w were positive, and where it were negative, with all others
// held. Surfaces stick as long as the first is not positive and the second not negative.
template <class S>
class sliding_rates {
 public:
  // `others`: the values that are held beside `w`, all in the coordinates of the system. Throws what makes no system.
  sliding_rates(const phase_space<S>& whole, const expr& w, std::span<const expr> others);

  struct rates {
    S above{0}, below{0};
  };
  // Nothing where they are not finite.
  std::optional<rates> at(const phase_state<S>& state);

 private:
  struct side {
    held_coordinates<S> coordinates;
    phase_space<S> space;
    phase_point<S> point;
  };
  side make_side(const phase_space<S>& whole, const expr& w, std::span<const expr> others, int sign) const;
  std::optional<S> rate_on(side& of, const phase_state<S>& state) const;
  side above_, below_;
};

}  // namespace actio
