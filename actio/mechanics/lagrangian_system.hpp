// A mechanical system as mathematics: coordinates, a Lagrangian, and what goes with it. No numbers yet, no solver.
//
// In the place of the Lagrangian may stand a Hamiltonian H(q, p, t): the motion is then q' = ∂H/∂p, p' = −∂H/∂q + F,
// and H need not come from any Lagrangian.
//
// Beside these there is a small path for ordinary differential equations y' = f(t, y). Such a system is "first
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
struct element_family;  // element_families.hpp

// Definitions that go on from one another, x_i = X_i(q, x_0 … x_(i−1), t) (recursions.hpp).
struct recursive_definitions {
  std::vector<expr> symbols, values;  // x_i and X_i, affine in the x and free of velocities
};

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

// Constant mass, damping and stiffness and a load as a model file gives them, M q'' + C q' + K q = f(t): L = ½ v·Mv −
// ½ q·Kq + f·q where f is constant, and the forces −C v + f(t). Each entry keeps its place.
struct linear_form {
  std::vector<std::vector<named_expr>> mass, stiffness;  // rows
  std::vector<named_expr> load;                          // one a coordinate, or empty: none
  std::vector<std::vector<named_expr>> damping = {};     // rows, or empty: none
};

class lagrangian_system {
 public:
  std::string name;
  std::vector<expr> coordinates;       // symbols q
  std::vector<named_expr> parameters;  // values are expressions in earlier parameters
  expr lagrangian;                     // in q, q', t and the parameters
  // Terms of the Lagrangian beside these, as families, where they are too many to be written out; or nullptr.
  std::shared_ptr<const std::vector<element_family>> sums;
  // Definitions that are kept: L, forces and observables then contain their symbols x and x'; or nullptr.
  std::shared_ptr<const recursive_definitions> recursions;
  std::vector<expr> forces;                             // one a coordinate, or empty: no external forces
  std::shared_ptr<const force_function> applied_force;  // beside them, computed by the program; or nullptr
  std::vector<named_expr> observables;
  std::vector<named_expr> invariants;  // declared to be constant along every motion; runs measure whether they are
  std::vector<symmetry> symmetries;
  std::vector<named_expr> constraints;   // in q, t and the parameters; each held at zero
  std::vector<named_expr> definitions;   // as written, for display; already substituted in everything else
  std::vector<expr> equations;           // y' = f(t, y) instead of a Lagrangian: f, one a coordinate; otherwise empty
  std::optional<expr> hamiltonian = {};  // in q, p, t and the parameters, instead of a Lagrangian
  source_place lagrangian_place;         // or that of the Hamiltonian or the equations
  // Symmetries beside the declared ones, where they are settled; otherwise conserved_momenta looks for them.
  std::optional<std::vector<symmetry>> found;
  // dt = time_scale dτ with steps of equal length in τ; in coordinates, velocities, momenta, t and the parameters.
  std::optional<named_expr> time_scale;
  std::optional<linear_form> linear;  // where the Lagrangian was made from matrices; validate() looks at their values

  std::size_t size() const { return coordinates.size(); }
  bool is_first_order() const { return !equations.empty(); }
  bool is_hamiltonian() const { return hamiltonian.has_value(); }
  bool has_lagrangian() const { return !is_first_order() && !is_hamiltonian(); }
  // Everything that the motion follows: L, H or the equations, forces and constraints.
  std::vector<expr> laws() const;        // and definitions that are kept
  std::vector<expr> velocities() const;  // symbols q'
  std::vector<expr> momenta() const;     // symbols p_q; none where the system is of first order
  std::vector<expr> parameter_symbols() const;
  std::vector<std::string> coordinate_names() const;
  bool is_forced() const;
  bool is_time_dependent() const;  // one of the laws contains t
  bool is_constrained() const { return !constraints.empty(); }
  // Whether L is a polynomial of degree two in the velocities, by the way it is written: the mass matrix ∂²L/∂v² then
  // depends on positions and time alone, and one velocity at most belongs to a momentum, as it always does where a
  // Hamiltonian is given.
  bool is_quadratic_in_velocities() const;

  // Coordinates that occur neither in L (or H) nor in a constraint and on which no force acts: their momenta are
  // conserved. None where there is an applied force.
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
  // order: missing-equation, needs-lagrangian; with a Hamiltonian: two-descriptions, needs-lagrangian. Identities are
  // tested at random points, with the parameters at their values: validate again after a parameter has changed.
  friend void validate(const lagrangian_system& system);
};

void validate(const lagrangian_system& system);
// The same unless a system with the same description and values was found to be right before.
void validate_once(const lagrangian_system& system);

expr time_symbol();                                    // t
expr velocity_symbol(const expr& q);                   // q'
expr acceleration_symbol(const expr& q);               // q''
expr momentum_symbol(const expr& q);                   // p_q
expr momentum_rate_symbol(const expr& q);              // p_q'
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

// The scale of energies in a motion: ½ v·L_vv·v, whatever the zero of the potential is and whatever total time
// derivative L contains. Where H is given, in q, p and t: with q' = H_p and H_pp diagonal and free of p ½ Σ
// q_i'²/H_pp,ii over the entries that are not zero, which is the same; otherwise ½ p·H_pp·p; and p·H_p where that is
// nothing.
expr kinetic_scale(const lagrangian_system& system);

// The system in which velocities stand for the momenta of a Hamiltonian: L is H(q, p = v, t), so that what is asked of
// the form of a Lagrangian can be asked of H. No mechanics.
lagrangian_system with_momenta_as_velocities(const lagrangian_system& system);

// What vanishes along a motion, one a coordinate: the Euler–Lagrange equations, or y' − f where y' = f(t, y) is given;
// where H is given q' − H_p of all coordinates, then p' + H_q − F.
std::vector<expr> equations_of_motion(const lagrangian_system& system);

// First the momenta of cyclic coordinates (p_x), then the Noether momenta of declared symmetries that no force breaks,
// then those of affine symmetries that were found (affine_symmetries.hpp), then the declared invariants. An applied
// force may break any symmetry: beside it there are the invariants alone.
std::vector<conserved_momentum> conserved_momenta(const lagrangian_system& system);

}  // namespace actio
