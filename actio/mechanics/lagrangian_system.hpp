// A mechanical system as mathematics: coordinates, a Lagrangian, and what goes with it. No numbers yet, no solver.
//
// Beside Lagrangians there is a small path for ordinary differential equations y' = f(t, y). Such a system is "first
// order": its state is its coordinates alone, so it has no momenta, no energy, no forces and no symmetries.
#pragma once

#include <concepts>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/expr/expr.hpp"

namespace actio {

struct force_function;  // force_function.hpp

struct named_expr {
  std::string name;
  expr value;
  source_place place = {};
};

// An infinitesimal generator: q moves by ε·generator[i](q, t). To first order in ε neither L nor a constraint may
// change.
struct symmetry {
  std::string name;
  std::vector<expr> generator;  // one a coordinate, 0 where it does not move it
  source_place place;
};

// Where a conserved quantity comes from: a coordinate that does not occur, a symmetry of the model file, one that was
// found, or the word of the model file.
enum class momentum_origin { cyclic, declared, found, invariant };

// What the motion conserves: a momentum, as an expression in the coordinates, t and the momenta `p_NAME`, or an
// invariant, as the model says it.
struct conserved_momentum {
  std::string name;
  expr value;
  momentum_origin origin = momentum_origin::cyclic;
  std::vector<expr> generator = {};  // of its symmetry, where it has one
};

// Constant mass, stiffness and load as a model file gives them: L = ½ v·Mv − ½ q·Kq + f·q. Each entry keeps its place.
struct linear_form {
  std::vector<std::vector<named_expr>> mass, stiffness;  // rows
  std::vector<named_expr> load;                          // one a coordinate, or empty: none
};

class lagrangian_system {
 public:
  std::string name;
  std::vector<expr> coordinates;                        // symbols q
  std::vector<named_expr> parameters;                   // values are expressions in earlier parameters
  expr lagrangian;                                      // in q, q', t and the parameters
  std::vector<expr> forces;                             // one a coordinate, or empty: no external forces
  std::shared_ptr<const force_function> applied_force;  // beside them, computed by the program; or nullptr
  std::vector<named_expr> observables;
  std::vector<named_expr> invariants;  // declared to be constant along every motion; runs measure whether they are
  std::vector<symmetry> symmetries;
  std::vector<named_expr> constraints;  // in q, t and the parameters; each held at zero
  std::vector<named_expr> definitions;  // as written, for display; already substituted in everything else
  std::vector<expr> equations;          // y' = f(t, y) instead of a Lagrangian: f, one a coordinate; otherwise empty
  source_place lagrangian_place;        // or that of the equations
  // Symmetries beside the declared ones, where they are settled; otherwise conserved_momenta looks for them.
  std::optional<std::vector<symmetry>> found;
  std::optional<linear_form> linear;  // where the Lagrangian was made from matrices; validate() looks at their values

  std::size_t size() const { return coordinates.size(); }
  bool is_first_order() const { return !equations.empty(); }
  std::vector<expr> velocities() const;  // symbols q'
  std::vector<expr> momenta() const;     // symbols p_q; none where the system is of first order
  std::vector<expr> parameter_symbols() const;
  std::vector<std::string> coordinate_names() const;
  bool is_forced() const;
  bool is_time_dependent() const;  // L, a force, a constraint or an equation contains t
  bool is_constrained() const { return !constraints.empty(); }
  // Whether L is a polynomial of degree two in the velocities, by the way it is written: the mass matrix ∂²L/∂v² then
  // depends on positions and time alone, and one velocity at most belongs to a momentum.
  bool is_quadratic_in_velocities() const;

  // Coordinates that occur neither in L nor in a constraint and on which no force acts: their momenta are conserved.
  // None where there is an applied force.
  std::vector<std::size_t> cyclic_coordinates() const;

  // A Lagrangian written as a C++ function of positions and velocities, q[i] and v[i]:
  //   make_system("pendulum", {"q"}, [](auto q, auto v) { return v[0]*v[0]/2 + cos(q[0]); })
  template <class Function>
  static lagrangian_system from(std::string name, std::initializer_list<std::string_view> coordinates, Function&& L) {
    lagrangian_system system;
    system.name = std::move(name);
    for (std::string_view c : coordinates) system.coordinates.push_back(expr::symbol(c));
    system.lagrangian = L(system.coordinates, system.velocities());
    validate(system);
    return system;
  }

  // The same with constraints, which are held at zero; the Lagrangian may be degenerate along what they hold:
  //   from("pendulum", {"x", "y"}, L, [](auto q) { return std::vector<named_expr>{{"rod", q[0]*q[0] + q[1]*q[1] - 1}};
  //   })
  template <class Function, class Constraints>
  static lagrangian_system from(std::string name, std::initializer_list<std::string_view> coordinates, Function&& L,
                                Constraints&& held) {
    lagrangian_system system;
    system.name = std::move(name);
    for (std::string_view c : coordinates) system.coordinates.push_back(expr::symbol(c));
    system.lagrangian = L(system.coordinates, system.velocities());
    system.constraints = held(system.coordinates);
    validate(system);
    return system;
  }

  // Ordinary differential equations y' = f(t, y), with f a C++ function that returns one expression a coordinate:
  //   from_equations("decay", {"y"}, [](auto t, auto y) { return std::vector{-y[0] + sin(t)}; })
  template <class Function>
  static lagrangian_system from_equations(std::string name, std::initializer_list<std::string_view> coordinates,
                                          Function&& f) {
    lagrangian_system system;
    system.name = std::move(name);
    for (std::string_view c : coordinates) system.coordinates.push_back(expr::symbol(c));
    system.equations = f(expr::symbol("t"), system.coordinates);
    validate(system);
    return system;
  }

  // Throws input_error where the description cannot be a mechanical system: duplicate-name, unknown-name (a symbol
  // that has no meaning where it stands), idle-constraint, velocity-missing, bad-number (a parameter that is not
  // finite), degenerate-lagrangian, false-symmetry, what linear_system throws for matrices; of a system of first
  // order: missing-equation, needs-lagrangian. Identities are tested at random points, with the parameters at their
  // values: validate again after a parameter has changed.
  friend void validate(const lagrangian_system& system);
};

void validate(const lagrangian_system& system);

expr time_symbol();                                    // t
expr velocity_symbol(const expr& q);                   // q'
expr acceleration_symbol(const expr& q);               // q''
expr momentum_symbol(const expr& q);                   // p_q
expr multiplier_symbol(const named_expr& constraint);  // lambda_NAME

// d/dt along a motion: q → q', q' → q'', t → 1.
expr time_derivative(const lagrangian_system& system, const expr& e);

// d/dt ∂L/∂q' − ∂L/∂q − F − Σ_c λ_c ∂g_c/∂q for each coordinate, in q, q', q'', t and the multipliers of the
// constraints: the residual of the Euler–Lagrange equations.
std::vector<expr> euler_lagrange_equations(const lagrangian_system& system);

// Whether nothing in the description has a kink or a jump: no |·|, sign or atan2 of what varies.
bool is_smooth(const lagrangian_system& system);

// v·L_vv·v, twice the kinetic energy where L is quadratic in the velocities: ∂²/∂s² of L(q, (1 + s) v, t) at s = 0.
expr quadratic_part(const lagrangian_system& system);

// What vanishes along a motion, one a coordinate: the Euler–Lagrange equations, or y' − f where y' = f(t, y) is given.
std::vector<expr> equations_of_motion(const lagrangian_system& system);

// First the momenta of cyclic coordinates (p_x), then the Noether momenta of declared symmetries that no force breaks,
// then those of affine symmetries that were found (affine_symmetries.hpp), then the declared invariants. An applied
// force may break any symmetry: beside it there are the invariants alone.
std::vector<conserved_momentum> conserved_momenta(const lagrangian_system& system);

}  // namespace actio
