// The jet of a system that is made of elements. Internal to mechanics/: what is above asks lagrangian_jet.
//
// Rows are those of jet_evaluation: G, P, the power F·v − ∂L/∂t, and behind them one row for each entry of the
// Jacobians, of which symmetric ones share a row.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "actio/mechanics/element_sums.hpp"
#include "actio/mechanics/lagrangian_jet.hpp"

namespace actio {

// Families whose first slots are differentiated.
struct differentiated_family {
  const element_family* family;
  std::size_t slots;
};

// Entries of the Jacobians of G and P by blocks, rows and columns, and what is asked of families for them. Those of L
// are symmetric: (i, j) and (j, i) of G_q and of P_v share a row, as do (i, j) of P_q and (j, i) of G_v, unless forces
// have slopes there.
struct jet_pattern {
  std::vector<jet_entry> entries;         // with rows from `first` on
  std::vector<element_request> requests;  // of L, then of the forces
  std::size_t rows = 0;                   // behind the last of them

  // Entries are added to what the requests ask for already.
  jet_pattern(std::span<const differentiated_family> lagrangian, const system_families& forces, std::size_t first,
              std::vector<element_request> begun);
};

// G, P and the power, in arrays of these numbers.
enum jet_array : std::uint32_t { force_array, momentum_array, power_array, entry_array };
std::vector<element_request> first_requests(const system_families& families);
// L without families that do not vary.
std::vector<element_request> value_requests(const system_families& families);

// Immutable; pieces are made when they are first asked for.
template <class S>
class element_jet_code {
 public:
  explicit element_jet_code(const system_code& code) : code_(&code) {}

  bool has_power() const;
  const std::vector<jet_entry>& entries() const;
  std::size_t outputs() const;  // rows in all
  std::shared_ptr<const element_code<S>> value() const;
  std::shared_ptr<const element_code<S>> first() const;
  std::shared_ptr<const element_code<S>> second() const;

 private:
  const jet_pattern& pattern() const;
  const system_code* code_;
};

template <class S>
class element_jet {
 public:
  element_jet(const element_jet_code<S>& code, std::size_t coordinates, std::size_t points,
              shared_parameters<S> parameters)
      : code_(&code), size_(coordinates), points_(points), parameters_(std::move(parameters)) {}

  void value(const S* in, S* out);
  void first(const S* in, S* out);
  void second(const S* in, S* out);

 private:
  void sum(std::optional<element_sums<S>>& sums, const std::shared_ptr<const element_code<S>>& code, const S* in,
           S* out);
  const element_jet_code<S>* code_;
  std::size_t size_, points_;
  shared_parameters<S> parameters_;
  std::optional<element_sums<S>> value_, first_, second_;
};

}  // namespace actio
