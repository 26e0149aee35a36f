// The narrow waist: the Lagrangian and its derivatives at many points (t, q, v) at once, as plain numbers.
//
// With L the Lagrangian and F the external forces (Lagrange–d'Alembert), everything above works with two covectors,
//   force    G = ∂L/∂q + F        momentum  P = ∂L/∂v,
// and their Jacobians G_q, G_v, P_q, P_v, of which only entries that are not identically zero are computed. Where there
// is an applied force (force_function.hpp) it is part of F, and every entry of G_q and G_v is there. Systems that are
// made of elements (element_families.hpp) have no expressions in all coordinates: G and P are sums over elements. Where
// recursive definitions are kept (recursions.hpp) the Jacobians are dense and never made; recursive() has what stands
// for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actio/backend/bound_parameters.hpp"
#include "actio/mechanics/force_function.hpp"
#include "actio/mechanics/system_code.hpp"

namespace actio {

enum class jet_block : std::uint8_t { force_q, force_v, momentum_q, momentum_v };

// Entry (row, column) of one block; its value stands in row `output` of the jet's second-order outputs.
struct jet_entry {
  jet_block block;
  std::uint32_t row, column, output;
};

// The jet as expressions in q, v, t and the parameters, without an applied force: lagrangian_derivatives and forces.
struct jet_expressions {
  struct entry {
    jet_block block;
    std::uint32_t row, column;
    expr value;
  };
  std::vector<expr> force, momentum;  // G, P
  expr power;                         // F·v − ∂L/∂t, zero where the system is neither forced nor time-dependent
  std::vector<entry> entries;         // those that are not identically zero, by blocks

  std::vector<std::vector<expr>> rows(jet_block block) const;  // n × n
};
// Made once.
const jet_expressions& expressions_of(const system_code& code);

template <class S>
class jet_evaluation;

template <class S>
class lagrangian_jet;

template <class S>
class element_jet_code;  // element_jet.hpp
template <class S>
class element_jet;
template <class S>
class recursive_jet;  // recursive_jet.hpp

// That of a system with a Lagrangian, made once; it lives as long as the code.
template <class S>
const lagrangian_jet<S>& jet_of(const system_code& code);

template <class S>
class lagrangian_jet {
 public:
  explicit lagrangian_jet(const system_code& code);
  explicit lagrangian_jet(const lagrangian_system& system)
      : lagrangian_jet(std::make_shared<const system_code>(system)) {}

  std::size_t size() const { return size_; }     // number of coordinates n
  bool has_power() const { return has_power_; }  // forced or explicitly time-dependent
  std::span<const jet_entry> entries() const;
  // The code of a system whose recursive definitions are kept; otherwise nullptr.
  const system_code* recursive() const { return recursive_; }

  // An evaluator for `points` points at once with these parameters; it follows where they change.
  jet_evaluation<S> at(std::size_t points, const shared_parameters<S>& parameters) const;

 private:
  friend class jet_evaluation<S>;
  explicit lagrangian_jet(std::shared_ptr<const system_code> code) : lagrangian_jet(*code) { own_ = std::move(code); }
  void make_room_for_slopes(std::size_t outputs);

  std::size_t size_;
  bool has_power_;
  std::vector<jet_entry> entries_;
  std::shared_ptr<const force_function> applied_;
  // Of each entry of G_q, then of G_v: the row with what its expression gives, or no_output. Only with an applied
  // force.
  static constexpr std::uint32_t no_output = ~std::uint32_t(0);
  std::vector<std::uint32_t> written_;
  std::shared_ptr<const compiled_function<S>> value_, first_, second_;
  std::shared_ptr<const element_jet_code<S>> elements_;  // in the place of these
  const system_code* recursive_ = nullptr;               // likewise
  std::shared_ptr<const system_code> own_;               // where nobody else keeps it
};

// Inputs are written into rows (one a variable, one column a point); an order of the jet is then evaluated and read.
template <class S>
class jet_evaluation {
 public:
  std::size_t points() const { return points_; }

  S* position(std::size_t i) { return &in_[i * stride_]; }
  S* velocity(std::size_t i) { return &in_[(size_ + i) * stride_]; }
  S* time() { return &in_[2 * size_ * stride_]; }

  void evaluate_value();   // L without its constant terms, which would cost digits and change nothing
  void evaluate_first();   // G, P, power
  void evaluate_second();  // these and the entries
  // P, without and with its entries: an applied force is not asked, and what belongs to G means nothing afterwards.
  void evaluate_momentum();
  void evaluate_mass();

  const S* lagrangian() const { return out_.data(); }  // after evaluate_value
  const S* force(std::size_t i) const { return &out_[i * stride_]; }
  const S* momentum(std::size_t i) const { return &out_[(size_ + i) * stride_]; }
  // F·v − ∂L/∂t, the rate at which energy v·P − L changes; only where the jet has_power().
  const S* power() const { return &out_[2 * size_ * stride_]; }
  const S* entry(const jet_entry& e) const { return &out_[e.output * stride_]; }
  // Where recursive definitions are kept, with the last evaluation; otherwise nullptr.
  const recursive_jet<S>* recursive() const { return recursive_.get(); }

  jet_evaluation(const lagrangian_jet<S>& jet, std::size_t points, const shared_parameters<S>& parameters);
  ~jet_evaluation();
  jet_evaluation(jet_evaluation&&) noexcept;

 private:
  void make_elements(const lagrangian_jet<S>& jet, const shared_parameters<S>& parameters);
  void add_applied_force();
  void add_applied_slopes();
  void look_at(std::size_t point);

  std::size_t size_, points_, stride_;
  std::vector<S> in_, out_;
  std::optional<force_evaluation<S>> applied_;
  std::vector<S> q_, v_;  // of one point, for the applied force
  std::vector<std::uint32_t> written_;
  std::size_t slopes_row_ = 0;  // where the entries of G_q and G_v begin that belong to an applied force
  std::optional<bound_evaluation<S>> value_, first_, second_;
  const element_jet_code<S>* code_ = nullptr;
  std::unique_ptr<element_jet<S>> elements_;
  std::unique_ptr<recursive_jet<S>> recursive_;
};

}  // namespace actio
