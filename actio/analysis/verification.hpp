// Declared against measured: what a method of the catalogue promises, tested on nonlinear systems where it takes them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "actio/integrate/catalogue.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

// One promise of one method on one system.
struct verification_row {
  std::string method = {}, property = {}, system = {};
  std::string declared = {};   // "4", "yes", "no"
  double measured = 0;         // an order, a defect, an error
  std::string criterion = {};  // "within 0.1", "below 1e-12", "above 1e-12"
  std::string precision = {};
  bool passed = false;
};

struct verification_options {
  unsigned threads = 2;
  unsigned digits = 64;  // of the measurements that double is too coarse for; without MPFR those of `multi`
  std::function<void(std::size_t done, std::size_t all)> progress = {};
  std::function<bool()> interrupted = {};  // asked by any thread; true ends what is under way and leaves out the rest
};

// Order, symplecticity (in double and with `digits` digits), the derivative of a step beside differences,
// reversibility, momenta, energy drift, and the ledger of work where energy is supplied, of each method. What could not
// be measured is NaN and does not pass. Rows come in the order of `methods`, whatever the number of threads.
// Methods that compute in double alone are measured there.
std::vector<verification_row> verify(const std::vector<const method*>& methods, const verification_options& options);
// Of one method. Throws unknown-method.
std::vector<verification_row> verify(const std::string& method, const verification_options& options = {});

// ‖ΦᵀJΦ − J‖_max for a 2n × 2n tangent map Φ; NaN where an entry is, and of an empty matrix.
template <class S>
S symplectic_defect(const matrix<S>& tangent);

// Vectors tangent to the constrained phase space at a state, one a column of a 2n × 2n matrix: they span its tangent
// space. Empty where the state has no velocity.
template <class S>
matrix<S> constrained_directions(const phase_space<S>& space, const phase_state<S>& state);

// The largest |ω(Φu, Φw) − ω(u, w)| over pairs of columns u, w of `directions`; NaN likewise.
template <class S>
S symplectic_defect(const matrix<S>& tangent, const matrix<S>& directions);

// The systems on which methods are verified, each method on those that it takes: one has inseparable
// kinetic energy, one a magnetic term, one a Lagrangian that is not quadratic in the velocity, one a cyclic coordinate;
// this third one and the fifth, a central field, are separable. Energy is supplied to three: by forces, dissipative and
// driving, by a Lagrangian whose mass and potential depend on time, and by a potential alone. One gives a Hamiltonian
// that does not separate and is not quadratic in the momenta, with a cyclic coordinate. Then three have
// constraints: with constant mass, with a mass that depends on the position, and with one that is singular along the
// constraint. The last ones are linear after all, for methods that take no others: on them orders may be higher and
// what is not promised may hold.
const std::vector<model>& verification_systems();
inline constexpr std::size_t linear_verification_systems = 2;  // so many, at the end

}  // namespace actio
