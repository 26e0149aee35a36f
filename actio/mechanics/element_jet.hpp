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
  struct pattern;
  const pattern& entries_and_requests() const;
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
